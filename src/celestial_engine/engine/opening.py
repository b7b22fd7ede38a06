"""Open an engine: build its parts from arguments, settings and environment."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import EllipsisType
from typing import TYPE_CHECKING, TypeVar

from celestial_engine.bootstrap import (
    budgeted_model,
    empty_store,
    function_embedder,
    open_arithmetic,
    open_cross_encoder,
    open_embedder,
    open_model,
    open_soul,
    open_store,
)
from celestial_engine.config import Environment, StorageConfig, database_key, is_server
from celestial_engine.config.engine_settings import Settings
from celestial_engine.core.checks import check_positive, check_time
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import MemoryFunctionConfig
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.importance import ImportanceEvaluator, RuleBasedEvaluator
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.owner_time import TimeCounting
from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.core.text.perception import Feeler, Perceiver, RulePerceiver
from celestial_engine.engine.departures import Retention, policy_of
from celestial_engine.engine.lessons import Lessons
from celestial_engine.engine.parts import Models, Parts
from celestial_engine.engine.schedule.jobs import Backups, Schedule, jobs_of
from celestial_engine.errors import ConfigError, Reason
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.base.law import LawInForce, LawOverrides, law_in_force
from celestial_engine.flow.base.read import read_text
from celestial_engine.flow.turn.record import Recorder
from celestial_engine.ports import (
    Clock,
    Embedder,
    EmbedFunction,
    ItemStore,
    LanguageModel,
    ModelFunction,
    SoulFile,
)

if TYPE_CHECKING:
    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.core.night.sleep import SleepSettings
    from celestial_engine.flow.base.understand import LanguageModelReader

logger = logging.getLogger(__name__)
_Default = TypeVar("_Default", bound="str | None")


@dataclass(frozen=True)
class OpenedEngine:
    """The parts of an engine, its schedule, and whether it runs nightly work in the background."""

    parts: Parts
    schedule: Schedule
    backups: Backups
    sleeps: bool


def open_engine(
    db_path: str | os.PathLike[str] | None,
    zones: Iterable[ZoneConfig] | None,
    memory_fn_config: MemoryFunctionConfig | None,
    evaluator: ImportanceEvaluator | None,
    rebalance_interval: float | None,
    auto_forget_days: float | EllipsisType | None,
    embed_fn: EmbedFunction | None,
    clock: Clock | None,
    user_id: str | None,
    agent_id: str | None,
    session_id: str | None,
    embedder: Embedder | str | None,
    language_model: LanguageModel | ModelFunction | str | None,
    settings: Settings | None,
    item_store: ItemStore | None,
) -> OpenedEngine:
    """Checks everything before the database is opened; a later failure closes it again."""
    check_positive(rebalance_interval=rebalance_interval)
    settings, env = settings or Settings(), Environment.read()
    time_counting = _time_counting(settings.keeping.time or env.time)
    overrides = LawOverrides(memory_fn_config, zones, auto_forget_days, time_counting)
    for notice in env.notices:
        logger.info("%s", notice)
    keeping, night = settings.keeping, settings.night
    policy = policy_of(env.retention if keeping.retention is None else keeping.retention)
    owner = env.owner.with_ids(user_id, agent_id)
    ticking = clock or time.time

    def now() -> float:
        return check_time(ticking())

    chosen_embedder = _embedder(embed_fn, embedder, env)
    cross_encoder = _cross_encoder(settings.cross_encoder, env)
    model = open_model(env.model if language_model is None else language_model, env.model_key)
    learning = settings.learning or LearningSettings(
        enabled=env.learning != "off", rich_state=env.learning == "rich", **env.learning_tuning
    )
    arithmetic = open_arithmetic(rich=learning.rich_state)
    recall = settings.recall or RecallSettings(**env.recall_tuning)
    sleep = night.limits or _sleep_settings(env)
    key = None
    if item_store is None:
        storage = _storage(settings, db_path, env)
        store, key = open_store(storage), storage.key
    else:
        store = item_store
    try:
        allowed = settings.models or env.model_settings
        models = Models(settings=allowed)
        if model is not None:
            checked, unchecked = (budgeted_model(model, store, allowed, now, checked=form) for form in (True, False))
            models = Models(checked, allowed.uses, unchecked, allowed)
        law = overrides.applied_to(law_in_force(store) or Law())
        laws, embedding = LawInForce(store, law, owner, now()), Embedding(chosen_embedder, store)
    except BaseException:
        store.close()
        raise
    own_reader = settings.reading.reader
    reader = None if own_reader else _reader(models.for_use(ModelUse.UNDERSTANDING))
    recorder = Recorder(
        settings.guard,
        settings.reading.perceiver or _perceiver(models.for_use(ModelUse.PERCEPTION)),
        settings.reading.feeler or _feeler(models.for_use(ModelUse.EMOTION)),
        evaluator or _evaluator(models.for_use(ModelUse.IMPORTANCE)),
        embedding,
        (own_reader or read_text) if reader is None else reader.read_to_store,
        None if reader is None else reader.read,
    )
    parts = Parts(
        store=store,
        laws=laws,
        owner=owner,
        clock=ticking,
        recorder=recorder,
        embedding=embedding,
        models=models,
        lessons=Lessons(store, learning, arithmetic, embedding, settings.guard),
        retention=Retention(policy, owner),
        recall=recall,
        cross_encoder=cross_encoder,
        imagination=settings.imagination or env.imagination,
        sleep=sleep,
        session_id=session_id,
        key=key,
        soul_file=_soul_files(store, _path(settings.soul_path, env.soul), owner, key),
        empty_store=empty_store,
        personas=_path(settings.personas, env.personas),
        gossip=lambda: _gossip(settings, env),
        started_with=env.texts,
    )
    backups = Backups(store, _path(settings.storage.backup_path, env.backup_path))
    daily = env.backup_enabled if keeping.daily_backups is None else keeping.daily_backups
    jobs = jobs_of(store, laws.read, owner, policy, backups if daily and not is_server(store.path) else None)
    schedule = Schedule(store, laws.read, now, rebalance_interval or 300, jobs, brake=sleep)
    return OpenedEngine(parts, schedule, backups, env.sleep_enabled if night.enabled is None else night.enabled)


def _storage(settings: Settings, db_path: str | os.PathLike[str] | None, env: Environment) -> StorageConfig:
    storage = settings.storage
    path = _path(db_path, env.db_path) or ""
    return StorageConfig(
        path,
        env.durability if storage.durability is None else storage.durability,
        storage.busy_timeout,
        storage.max_bytes,
        env.words if storage.words is None else storage.words,
        _path(storage.ledger_path, env.ledger),
        _path(storage.archive_path, env.archive),
        env.pool_size if storage.pool_size is None else storage.pool_size,
        env.statement_timeout if storage.statement_timeout is None else storage.statement_timeout,
        database_key(path, env) if storage.key is None else storage.key,
        _path(storage.files_path, env.files),
    )


def _time_counting(choice: str | None) -> TimeCounting | None:
    if choice is None:
        return None
    try:
        return TimeCounting(choice)
    except ValueError:
        choices = tuple(counting.value for counting in TimeCounting)
        raise ConfigError("time", Reason.UNKNOWN_CHOICE, got=choice, choices=choices) from None


def _sleep_settings(env: Environment) -> SleepSettings | None:
    if not env.sleep_tuning:
        return None
    from celestial_engine.core.night.sleep import SleepSettings  # slow to import; only nightly work needs it

    return SleepSettings(**env.sleep_tuning)


def _gossip(settings: Settings, env: Environment) -> GossipConfig:
    if settings.gossip is not None:
        return settings.gossip
    from celestial_engine.core.federation.settings import GossipConfig  # only for owners who learn together

    return GossipConfig(dp_enabled=env.gossip_noise, **env.gossip_tuning)


def _embedder(function: EmbedFunction | None, setting: Embedder | str | None, env: Environment) -> Embedder | None:
    if function is not None:
        return function_embedder(function)
    if setting is None or isinstance(setting, str):
        return open_embedder(env.embedder if setting is None else setting, env.embedder_key)
    return setting


def _cross_encoder(setting: CrossEncoder | str | None, env: Environment) -> CrossEncoder | None:
    if setting is None or isinstance(setting, str):
        return open_cross_encoder(env.cross_encoder if setting is None else setting)
    return setting


def _soul_files(
    store: ItemStore, path: str | None, owner: Owner, key: str | None
) -> Callable[[Owner, str | None], SoulFile]:
    """Returns a function that finds an owner's SOUL.md. The path in the settings is for the engine's own owner."""

    def soul_file(file_owner: Owner, chosen: str | None) -> SoulFile:
        chosen = chosen or (path if file_owner == owner else None)
        return store.soul_file(file_owner) if chosen is None else open_soul(chosen, store.path, key)

    return soul_file


def _evaluator(model: LanguageModel | None) -> ImportanceEvaluator:
    if model is None:
        return RuleBasedEvaluator()
    from celestial_engine.flow.turn.evaluate import LLMEvaluator  # slow to import, rarely needed

    return LLMEvaluator(model)


def _reader(model: LanguageModel | None) -> LanguageModelReader | None:
    if model is None:
        return None
    from celestial_engine.flow.base.understand import LanguageModelReader

    return LanguageModelReader(model)


def _perceiver(model: LanguageModel | None) -> Perceiver:
    if model is None:
        return RulePerceiver()
    from celestial_engine.flow.turn.perceive import LLMPerceiver

    return LLMPerceiver(model)


def _feeler(model: LanguageModel | None) -> Feeler | None:
    """Returns the model's feeler; None leaves emotions to the rules."""
    if model is None:
        return None
    from celestial_engine.flow.turn.feel import LLMFeeler

    return LLMFeeler(model)


def _path(path: str | os.PathLike[str] | None, default: _Default) -> str | _Default:
    return default if path is None else os.path.expanduser(os.fspath(path))
