"""`memory.maintenance`: checks, repairs, indexes, manual runs of periodic work, and status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.config.sources import process_environment
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.model.settings import utc_day
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.errors import Problem
from celestial_engine.ports import LanguageModel, Progress, Spent

if TYPE_CHECKING:
    from celestial_engine.config.changing import SettingState
    from celestial_engine.core.guard.stored_secret import SecretScan
    from celestial_engine.core.retrieval.relevance import Floor
    from celestial_engine.core.status import Status
    from celestial_engine.engine.schedule.jobs import Backups, Schedule
    from celestial_engine.flow.base.embed import ReindexResult
    from celestial_engine.flow.night.rebalance import RebalanceResult


class MaintenanceArea(Area):
    """Keeps the database in order."""

    def __init__(self, parts: Parts, schedule: Schedule, backups: Backups) -> None:
        super().__init__(parts)
        self._schedule = schedule
        self._backups = backups

    def check(self) -> Sequence[Problem]:
        """Returns the problems of the stored data; empty if there are none."""
        return self._parts.store.check()

    def repair(self) -> Sequence[Problem]:
        """Rebuilds what derives from the memories, such as the word index; returns the problems that remain."""
        self._parts.store.repair()
        return self._parts.store.check()

    def reindex(self, progress: Progress | None = None) -> ReindexResult:
        """Embeds memories that have no vector yet; vectors of another model are dropped first.

        Can be interrupted and called again. `progress` is called with the done and total counts.
        """
        return self._parts.embedding.reindex(self._parts.owner, self._parts.now(), progress)

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Rebuilds the word index with the configured analyser; until then the old index answers."""
        return self._parts.store.reindex_words(progress)

    def check_ready(self) -> None:
        """Raises a StorageError if the database cannot be read, or another version changed its schema."""
        self._parts.store.check_ready()

    def rebalance_if_due(self, *, most: int | None = None) -> RebalanceResult | None:
        """Rebalances if no process has done it lately; `most` limits the memories visited."""
        return self._schedule.rebalance_if_due(most=most)

    def guard(self) -> GuardPolicy:
        """Returns what is done with each kind of secret."""
        return self._parts.guard

    def scan_secrets(self, *, redact: bool = False) -> SecretScan:
        """Finds secrets that were stored before the guard knew them: in memories, archives, versions and backups.

        With `redact` the memories are replaced by redacted copies, and their older versions are deleted. Backups,
        entries of the ledger and core memories stay, and are listed as `left`.
        """
        from celestial_engine.engine.secrets.scan import scan_secrets

        return scan_secrets(self._parts, self._backups, redact=redact)

    def model(self) -> LanguageModel | None:
        """Returns the language model, with its budget and answer checks; None if there is none."""
        return self._parts.models.model

    def model_spent(self) -> Spent:
        """Returns today's (UTC) language model use on this database, by all processes."""
        return self._parts.store.spending.spent(utc_day(self._parts.now()))

    def floor(self) -> Floor:
        """Returns the probability from which a memory counts as an answer, and whether it was measured."""
        from celestial_engine.core.retrieval.relevance import floor_of

        embedding = self._parts.embedding
        return floor_of(embedding.name if embedding.in_use else None)

    def settings(self) -> Sequence[SettingState]:
        """Returns every setting: its value, where that comes from, and whether it can be changed here."""
        from celestial_engine.config.changing import setting_states

        return setting_states(process_environment(), self._parts.started_with)

    def change_setting(self, key: str, value: str | None) -> SettingState:
        """Writes a setting into celestial.toml; None: the default holds again. It holds from the next start on."""
        from celestial_engine.config.changing import change_setting

        change_setting(process_environment(), key, value)
        return next(state for state in self.settings() if state.setting.key == key)

    def status(self) -> Status:
        """Returns the engine's models, file paths and counts."""
        from celestial_engine.core.status import Status

        parts = self._parts
        mirror, models = parts.store.mirror, parts.models
        with parts.store.read() as session:
            entries, states = session.ledger.total(), session.items.state_counts(parts.owner)
            return Status(
                at=parts.now(),
                embedder=session.vectors.embedder_name(),
                dimensions=session.vectors.dimension(),
                without_vector=session.vectors.count_missing(None),
                words=session.search.word_analyser(),
                model=None if models.model is None else models.model.name,
                model_uses=tuple(sorted(use.value for use in models.uses)) if models.model else (),
                path=parts.store.path,
                ledger_path=None if mirror is None else mirror.path,
                archive_path=parts.store.archive_files.path,
                states={state.value: count for state, count in states.items()},
                entries=entries,
            )
