"""Keeping: backups, the limits of what is kept, and what was archived."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from functools import wraps
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_id
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError, ConfigError, StorageError
from celestial_engine.facade.curating import Curating
from celestial_engine.flow.departures import retain as retaining
from celestial_engine.ports import ItemStore, Progress
from celestial_engine.zone_manager import ZoneManager

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.core.keeping.retention import RetentionPolicy

logger = logging.getLogger(__name__)

_RETAIN_EVERY, _TIDY_EVERY, _BACK_UP_EVERY, _LEASE = 3_600.0, 86_400.0, 86_400.0, 600.0
_DAILY_KEPT = 7
_SESSIONS_REMEMBERED = 10_000


def policy_of(given: RetentionPolicy | str | None) -> RetentionPolicy | None:
    """A policy, or the preset of that name."""
    if given is None:
        return None
    from celestial_engine.core.keeping.retention import PRESETS, RetentionPolicy

    if isinstance(given, RetentionPolicy):
        return given
    if given not in PRESETS:
        raise ConfigError(reason=f"there is no retention preset {given!r}; take {', '.join(PRESETS)}")
    return PRESETS[given]


class Caretaker:
    """Carries out one owner's policy, and the daily backup, when they are due; for all processes on a store."""

    def __init__(
        self,
        store: ItemStore,
        zones: ZoneManager,
        owner: Owner,
        policy: RetentionPolicy | None = None,
        backup_folder: str | None = None,
        *,
        daily_backups: bool = False,
    ) -> None:
        self.policy = policy
        self.backup_folder = backup_folder
        self._daily_backups = daily_backups
        self._store = store
        self._zones = zones
        self._owner = owner
        self._sessions: set[tuple[Owner, str]] = set()

    def retain(self, owner: Owner, policy: RetentionPolicy, now: float) -> retaining.RetentionResult:
        return retaining.retain(self._store, self._zones.law, owner, policy, now)

    def run_if_due(self, now: float) -> None:
        """After a periodic rebalance. What fails is tried again when it is next due."""
        policy, owner = self.policy, self._owner
        if policy:
            name = f"retain {owner.user_id}/{owner.agent_id}"
            self._in_turn(name, _RETAIN_EVERY, now, lambda: self.retain(owner, policy, now))
        # Without a policy, too: one may have been set by hand, once.
        self._in_turn("tidy archives", _TIDY_EVERY, now, lambda: retaining.tidy(self._store, now))
        if self._daily_backups:
            self._in_turn("backup", _BACK_UP_EVERY, now, lambda: self._back_up_daily(now))

    def session_used(self, session_id: str | None, owner: Owner, now: float) -> None:
        """A session that begins may be one too many. What was stored is stored, whatever happens here."""
        policy = self.policy
        if policy is None or policy.max_sessions is None or session_id is None:
            return
        if (owner, session_id) in self._sessions:
            return
        if len(self._sessions) >= _SESSIONS_REMEMBERED:
            self._sessions.clear()
        self._sessions.add((owner, session_id))
        try:
            self.retain(owner, policy, now)
        except CelestialError as error:
            logger.warning("the oldest session could not leave; it will be tried again: %s", error)

    def backup_path(self, now: float, kind: str = "") -> str:
        """Where a backup goes that nobody gave a path."""
        folder, name = os.path.split(os.path.abspath(self._store.path))
        stem = os.path.splitext(name)[0]
        moment = f"{datetime.fromtimestamp(now, timezone.utc):%Y%m%dT%H%M%SZ}"
        return os.path.join(self.backup_folder or folder, f"{stem}-{kind}{moment}.db")

    def _in_turn(self, name: str, every: float, now: float, work: Callable[[], object]) -> None:
        holder = f"{os.getpid()}-{id(self)}"
        if not self._store.jobs.claim(name, holder, now, every, _LEASE):
            return
        done_at: float | None = None
        try:
            work()
            done_at = now
        except CelestialError as error:
            logger.error("%s failed: %s", name, error)
        finally:
            self._store.jobs.finish(name, holder, done_at)

    def _back_up_daily(self, now: float) -> None:
        import shutil  # seldom needed, and slow to load

        target = self.backup_path(now, "daily-")
        self._store.back_up(target)
        folder, name = os.path.split(target)
        prefix = name[: name.index("-daily-") + len("-daily-")]
        made = sorted(one for one in os.listdir(folder) if one.startswith(prefix) and one.endswith(".db"))
        for old in made[:-_DAILY_KEPT]:
            os.unlink(os.path.join(folder, old))
            shutil.rmtree(os.path.join(folder, f"{old}.archive"), ignore_errors=True)


class Keeping(Curating):
    """What keeps a memory safe, and within its limits."""

    _caretaker: Caretaker

    def backup(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False, progress: Progress | None = None
    ) -> BackupReport:
        """A checked copy of the whole database while it is in use. `force` replaces an older backup.

        Without a path it goes to the backup folder, else beside the database; into a folder under its own name.
        """
        now = self._now()
        default = self._caretaker.backup_path(now)
        target = default if path is None else os.path.abspath(os.path.expanduser(os.fspath(path)))
        if os.path.isdir(target):
            target = os.path.join(target, os.path.basename(default))
        report = self._store.back_up(target, replace=force, progress=progress)
        with self._store.write(self._owner, durable=False) as session:
            detail = {"memories": report.memories, "bytes": report.size_bytes}
            session.ledger.record(Event(EventType.BACKED_UP, self._owner, now, None, detail))
        return report

    def retain(
        self,
        policy: RetentionPolicy | str | None = None,
        *,
        dry_run: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> retaining.RetentionResult:
        """Carries out a policy: this one or a preset's, else the one the memory was opened with."""
        chosen = policy_of(policy) or self._caretaker.policy
        if not chosen:
            raise ConfigError(reason="there is no retention policy: nothing is limited unless somebody sets one")
        owner, now = self._owner.but(user_id, agent_id), self._now()
        if dry_run:
            return retaining.RetentionResult(retaining.plan(self._store, owner, chosen, now), dry_run=True)
        return self._caretaker.retain(owner, chosen, now)

    def archives(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[retaining.ArchiveView]:
        """The archived sessions, each file looked at from end to end."""
        return retaining.views(self._store, self._owner.but(user_id, agent_id))

    def bring_back(
        self, which: str, *, user_id: str | None = None, agent_id: str | None = None
    ) -> retaining.BroughtBack:
        """An archived session, or one memory of it, back into orbit, as if it had just been thought of."""
        owner = self._owner.but(user_id, agent_id)
        return retaining.bring_back(self._store, self._zones.law, owner, check_id(which), self._now())

    def get(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """One memory by its id, wherever it is, in an archive too; looking does not reinforce."""
        item = super().get(item_id, user_id=user_id, agent_id=agent_id)
        return self._unpacked(item) if item.state is State.ARCHIVED else item

    def export(self, *, user_id: str | None = None, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff and in archives too."""
        owner, at_hand = self._owner.but(user_id, agent_id), dict[str, CelestialItem]()
        for record in super().export(user_id=user_id, agent_id=agent_id):
            if record["state"] != State.ARCHIVED.value:
                yield record
                continue
            if record["id"] not in at_hand:  # neighbours lie in one file, which is read once
                found = retaining.contents_of(self._store, owner, record["id"])
                at_hand = {memory.item.id: memory.item for memory in (found.memories if found else ())}
            item = at_hand.get(record["id"])
            yield record if item is None else replace(item, state=State.ARCHIVED).to_dict()

    def delete(
        self,
        item_id: str,
        *,
        if_version: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Lets a memory go over the cliff, where it can be restored for seven days; out of an archive too."""
        from celestial_engine.core.record.versions import check_version

        if not self._lies_in_archive(item_id, user_id, agent_id):
            return super().delete(item_id, if_version=if_version, user_id=user_id, agent_id=agent_id)
        # An archive is written once: there is nothing that could change meanwhile.
        check_version(self.get(item_id, user_id=user_id, agent_id=agent_id), if_version)
        owner = self._owner.but(user_id, agent_id)
        taken = retaining.forget_archived(self._store, self._zones.law, owner, item_id, self._now())
        self._refuse_if_lost(taken)
        return self.get(item_id, user_id=user_id, agent_id=agent_id)

    forget = delete

    def restore(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Brings a forgotten or archived memory back, with the full time of its tier."""
        if not self._lies_in_archive(item_id, user_id, agent_id):
            return super().restore(item_id, user_id=user_id, agent_id=agent_id)
        self._refuse_if_lost(self.bring_back(item_id, user_id=user_id, agent_id=agent_id))
        return self.get(item_id, user_id=user_id, agent_id=agent_id)

    if not TYPE_CHECKING:  # to a type checker they are what they were

        @wraps(Curating.store)
        def store(self, *args, **more):
            return self._session_used(super().store(*args, **more))

        @wraps(Curating.add_coordinate)
        def add_coordinate(self, *args, **more):
            return self._session_used(super().add_coordinate(*args, **more))

        @wraps(Curating.store_many)
        def store_many(self, *args, **more):
            items = super().store_many(*args, **more)
            for item in items[:1]:  # they are all of one session
                self._session_used(item)
            return items

    def _session_used(self, item: CelestialItem) -> CelestialItem:
        """Whoever stores in a session may begin it; then it may be one too many."""
        self._caretaker.session_used(item.time.session_id, item.owner, self._now())
        return item

    def _refuse_if_lost(self, taken: retaining.BroughtBack) -> None:
        if not taken.items:
            reason = "; ".join(taken.problems) or "somebody else took it out meanwhile"
            raise StorageError(path=self._store.archive_files.path, reason=reason)

    def _lies_in_archive(self, item_id: str, user_id: str | None, agent_id: str | None) -> bool:
        with self._store.read() as session:
            return session.archives.file_of(self._owner.but(user_id, agent_id), check_id(item_id)) is not None

    def _unpacked(self, row: CelestialItem) -> CelestialItem:
        """With what its archive tells of it; where that cannot be read, the row alone."""
        found = retaining.contents_of(self._store, row.owner, row.id)
        for memory in found.memories if found is not None else ():
            if memory.item.id == row.id:
                return replace(memory.item, state=State.ARCHIVED, zone=row.zone, total_score=row.total_score)
        return row
