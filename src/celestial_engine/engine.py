"""CelestialMemory: opens a memory, keeps it in order, closes it. Its other operations are in facade/."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, TypeVar

from celestial_engine.bootstrap import (
    empty_store,
    function_embedder,
    open_arithmetic,
    open_embedder,
    open_model,
    open_soul,
    open_store,
    thrifty_model,
)
from celestial_engine.config import Environment, StorageConfig
from celestial_engine.core.checks import check_positive
from celestial_engine.core.guard.secrets import DEFAULT, GuardPolicy
from celestial_engine.core.imagination.settings import ImaginationSettings
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.model.settings import ModelSettings, ModelUse
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import MemoryFunctionConfig
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.facade.asking import Asking, evaluator_by, feeler_by, perceiver_by
from celestial_engine.facade.auditing import Auditing
from celestial_engine.facade.granting import Granting
from celestial_engine.facade.imagining import Imagining
from celestial_engine.facade.keeping import Caretaker, policy_of
from celestial_engine.facade.learning import Learning
from celestial_engine.facade.living import Living
from celestial_engine.facade.moving import Moving
from celestial_engine.facade.paging import Paging
from celestial_engine.facade.picturing import Picturing
from celestial_engine.facade.recalling import Recalling
from celestial_engine.facade.sleeping import Sleeping
from celestial_engine.flow.base import law as govern
from celestial_engine.flow.base.embed import Embedding, ReindexResult
from celestial_engine.ports import Clock, Embedder, EmbedFunction, ItemStore, LanguageModel, ModelFunction, Progress
from celestial_engine.rebalancer import Rebalancer
from celestial_engine.zone_manager import ZoneManager

if TYPE_CHECKING:
    from celestial_engine.core.keeping.retention import RetentionPolicy
    from celestial_engine.core.night.sleep import Duty, SleepSettings
    from celestial_engine.core.record.importance import ImportanceEvaluator
    from celestial_engine.core.text.perception import Feeler, Perceiver
    from celestial_engine.facade.night import Work
    from celestial_engine.flow.night.rebalance import RebalanceResult


logger = logging.getLogger(__name__)
_Otherwise = TypeVar("_Otherwise", bound="str | None")


class CelestialMemory(
    Moving, Living, Imagining, Paging, Picturing, Learning, Recalling, Auditing, Granting, Sleeping, Asking
):
    """A long-term memory. Safe to use from several threads, and from several processes on one file.

    >>> memory = CelestialMemory(":memory:")
    >>> _ = memory.store("Python was released in 1991", importance=0.8)
    >>> [hit.content for hit in memory.recall("When did Python appear?")]
    ['Python was released in 1991']
    >>> memory.close()
    """

    def __init__(
        self,
        db_path: str | os.PathLike[str] | None = None,
        zones: Iterable[ZoneConfig] | None = None,
        memory_fn_config: MemoryFunctionConfig | None = None,
        evaluator: ImportanceEvaluator | None = None,
        rebalance_interval: float | None = 300,
        auto_forget_days: float | EllipsisType | None = ...,
        embed_fn: EmbedFunction | None = None,
        clock: Clock | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        durability: str | None = None,
        busy_timeout: float = 30.0,
        max_bytes: int | None = None,
        embedder: Embedder | str | None = None,
        words: str | None = None,
        perceiver: Perceiver | None = None,
        feeler: Feeler | None = None,
        recall_settings: RecallSettings | None = None,
        ledger_path: str | os.PathLike[str] | None = None,
        item_store: ItemStore | None = None,
        session_id: str | None = None,
        retention: RetentionPolicy | str | None = None,
        archive_path: str | os.PathLike[str] | None = None,
        backup_path: str | os.PathLike[str] | None = None,
        backup_enabled: bool | None = None,
        guard: GuardPolicy = DEFAULT,
        language_model: LanguageModel | ModelFunction | str | None = None,
        model_settings: ModelSettings | None = None,
        sleep_enabled: bool | None = None,
        learning: LearningSettings | None = None,
        sleep_settings: SleepSettings | None = None,
        imagination: ImaginationSettings | None = None,
        soul_path: str | os.PathLike[str] | None = None,
    ) -> None:
        """Opens the memory at `db_path` (default: CELESTIAL_DB, else the user's data folder).

        `zones`, `memory_fn_config` and `auto_forget_days` (90; None: never) are the memory's law and kept in it:
        what is not given is as it was. `rebalance_interval` in seconds, None for no background work;
        `durability` "full" or "normal"; `embedder` a name or an object, `embed_fn` any function instead
        (default: CELESTIAL_EMBEDDER, else what is installed); `words` what makes words of texts: auto, pairs or
        kiwi; `perceiver` reads texts and `feeler` their mood, by rules unless they ask a language model;
        `ledger_path` the folder of the ledger's daily files, "none" for none (default: CELESTIAL_LEDGER, else beside
        the database);
        `item_store` replaces the file; `session_id` is the session of what is stored without one.

        `retention` limits what is kept of this owner, by a policy or a preset's name (default: CELESTIAL_RETENTION,
        else nothing); `archive_path` is the folder of archived sessions (CELESTIAL_ARCHIVE, else beside the
        database), `backup_path` of backups (CELESTIAL_BACKUP_PATH, else the same); with `backup_enabled`
        (CELESTIAL_BACKUP) one is made every day.

        `guard` says which secrets are redacted, blocked or allowed (docs/guard.md).

        `language_model` is a name, an object or any function from text to text (default: CELESTIAL_MODEL, else none);
        `model_settings` say what it is asked for, and how much a day (docs/models.md).

        `learning` says how it learns from rewards, and whether (default: CELESTIAL_LEARNING, else it does; see
        docs/learning.md).

        `soul_path` is where SOUL.md lies (CELESTIAL_SOUL, else beside the database; docs/self.md).

        With `sleep_enabled` (CELESTIAL_SLEEP, else yes) the background thread also does the night's work of all
        owners, once a day; `sleep_settings` say how much may leave unasked (docs/sleep.md).

        `imagination` says whether it may think of something to do by itself, and when (docs/imagination.md).
        """
        check_positive(rebalance_interval=rebalance_interval)
        given = govern.LawOverrides(memory_fn_config, zones, auto_forget_days)
        env = Environment.read()
        for notice in env.notices:
            logger.info("%s", notice)
        policy = policy_of(env.retention if retention is None else retention)
        self._owner = env.owner.but(user_id, agent_id)
        self._session_id = session_id
        self._clock = clock or time.time
        if embed_fn is not None:
            embedder = function_embedder(embed_fn)
        elif embedder is None or isinstance(embedder, str):
            embedder = open_embedder(env.embedder if embedder is None else embedder, env.embedder_key)
        model = open_model(env.model if language_model is None else language_model, env.model_key)
        model_settings = model_settings or env.model_settings
        self._guard_policy = guard
        self._recall_settings = recall_settings or RecallSettings(**env.recall_tuning)
        self._reranker = Reranker.starting()
        self._imagination = imagination or env.imagination
        learning = learning or LearningSettings(
            enabled=env.learning != "off", rich_state=env.learning == "rich", **env.learning_tuning
        )
        self._learn_by(learning, open_arithmetic(rich=learning.rich_state))
        self._empty_store = empty_store
        self._soul_path = _path(soul_path, env.soul)
        self._soul_file = open_soul
        self._store = item_store or open_store(
            StorageConfig(
                _path(db_path, env.db_path),
                env.durability if durability is None else durability,
                busy_timeout,
                max_bytes,
                env.words if words is None else words,
                _path(ledger_path, env.ledger),
                _path(archive_path, env.archive),
            )
        )
        if model is not None:
            self._model = thrifty_model(model, self._store, model_settings, self._now)
            self._model_uses = model_settings.uses
        self._evaluator = evaluator or evaluator_by(self._model_for(ModelUse.IMPORTANCE))
        self._perceiver = perceiver or perceiver_by(self._model_for(ModelUse.PERCEPTION))
        self._feeler = feeler or feeler_by(self._model_for(ModelUse.EMOTION))
        try:
            law = given.upon(govern.law_in_force(self._store) or Law())
            self._zones = ZoneManager(store=self._store, law=law, owner=self._owner, clock=self._now)
            self._embedding = Embedding(embedder, self._store)
        except BaseException:
            self._store.close()
            raise
        self._caretaker = Caretaker(
            self._store, self._zones, self._owner, policy,
            _path(backup_path, env.backup_path),
            daily_backups=env.backup_enabled if backup_enabled is None else backup_enabled,
        )  # fmt: skip
        self._rebalancer = Rebalancer(
            law.function, self._zones, rebalance_interval or 300, law.stale_seconds, self._caretaker.run_if_due
        )
        if sleep_settings is None and env.sleep_tuning:
            from celestial_engine.core.night.sleep import SleepSettings

            sleep_settings = SleepSettings(**env.sleep_tuning)

        def works() -> Mapping[Duty, Work]:
            from celestial_engine.facade import duties

            return duties.works(
                {self._owner: policy}.get, self._evaluator, self._perceiver, self._distilled, learning,
                self._model_for(ModelUse.DISTILLATION),
            )  # fmt: skip

        self._sleep_by(works, sleep_settings, self._rebalancer.stopping)
        if env.sleep_enabled if sleep_enabled is None else sleep_enabled:
            self._rebalancer.beforehand = self.sleep_if_due
        if rebalance_interval is not None:
            self._rebalancer.start()

    def rebalance(self) -> RebalanceResult:
        """Everybody where their score puts them, for all owners."""
        return self._rebalancer.rebalance()

    def rebalance_if_due(self, *, most: int | None = None) -> RebalanceResult | None:
        """The periodic rebalance, if nobody has done it lately; `most` bounds how many are visited."""
        return self._rebalancer.run_if_due(most=most)

    def reindex(self, progress: Progress | None = None) -> ReindexResult:
        """Gives every memory without a vector one, by this engine's embedder; another model's vectors go.

        Can be cut off and called again. `progress` is told how many are done, of how many.
        """
        return self._embedding.reindex(self._owner, self._now(), progress)

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Makes the word index anew, by the analyser that was chosen; until it is done the old one answers."""
        return self._store.reindex_words(progress)

    def check(self) -> Sequence[str]:
        """Problems of the stored data; empty when all is well."""
        return self._store.check()

    def repair(self) -> Sequence[str]:
        """Makes anew what can be derived from the memories, such as the word index; gives what is still wrong."""
        self._store.repair()
        return self._store.check()

    def close(self) -> None:
        """Ends the background work and lets go of the file. Closing twice is fine."""
        self._rebalancer.stop()
        self._store.close()

    def __enter__(self) -> CelestialMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _path(given: str | os.PathLike[str] | None, otherwise: _Otherwise) -> str | _Otherwise:
    return otherwise if given is None else os.path.expanduser(os.fspath(given))
