"""`memory.departures`: how memories leave and come back: the cliff, retention limits and archives."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_choice, check_id, check_ids, check_limit
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.engine.reading import page_of
from celestial_engine.errors import (
    CelestialError,
    ConfigError,
    InvalidInputError,
    Reason,
    StorageError,
    problem,
)
from celestial_engine.flow.base.placement import get_item
from celestial_engine.flow.departures import clear, erase, forget
from celestial_engine.flow.departures import retain as retaining

if TYPE_CHECKING:
    from celestial_engine.core.keeping.retention import RetentionPolicy
    from celestial_engine.core.paging import Page

logger = logging.getLogger(__name__)

_SESSIONS_REMEMBERED = 10_000


class Retention:
    """The retention policy of the engine's owner, and the sessions seen since it was opened."""

    def __init__(self, policy: RetentionPolicy | None, owner: Owner) -> None:
        self.policy = policy
        self._owner = owner
        self._sessions: set[tuple[Owner, str]] = set()

    def policy_for(self, owner: Owner) -> RetentionPolicy | None:
        """Returns the policy; nightly work applies it only to the engine's own owner."""
        return self.policy if owner == self._owner else None

    def session_used(self, item: CelestialItem, parts: Parts) -> None:
        """Retains if a new session exceeds the limit. Failures are logged: what was stored stays stored."""
        policy, session_id = self.policy, item.time.session_id
        if policy is None or policy.max_sessions is None or session_id is None:
            return
        if (item.owner, session_id) in self._sessions:
            return
        if len(self._sessions) >= _SESSIONS_REMEMBERED:
            self._sessions.clear()
        self._sessions.add((item.owner, session_id))
        try:
            retaining.retain(parts.store, parts.law(), item.owner, policy, parts.now())
        except CelestialError as error:
            logger.warning("the oldest session could not leave; retrying later: %s", error)


class DeparturesArea(Area):
    """Forgets many memories at once, and restores them."""

    # -- the cliff ----------------------------------------------------------------------------------

    def cliff(self, limit: int = 100) -> Sequence[CelestialItem]:
        """Returns forgotten memories that can still be restored, newest first."""
        return on_the_cliff(self._parts, limit)

    def cliff_page(self, limit: int = 100, cursor: str | None = None) -> Page[CelestialItem]:
        """The same, a page at a time."""
        return page_of(self._parts, forget.ON_THE_CLIFF, limit, cursor)

    def forget_where(self, where: ItemFilter) -> Sequence[CelestialItem]:
        """Sends all matches of a filter over the cliff; immutable and core memories stay."""
        if where == ItemFilter(states=where.states):
            raise InvalidInputError("where", Reason.EVERYTHING)
        parts, chosen = self._parts, self._parts.checked(where)
        parts.be_present()
        return clear.clear(parts.store, parts.law(), parts.owner, chosen, parts.now())

    def erase(self, item_ids: Sequence[str]) -> Sequence[str]:
        """Deletes these memories at once, with those distilled only from them; returns the deleted ids."""
        ids = check_ids(item_ids, "ids")
        self._parts.be_present()
        return erase.erase(self._parts.store, self._parts.owner, ids, self._parts.now())

    def restore_many(
        self, item_ids: Iterable[str] | None = None, *, reason: DepartureReason | str | None = None
    ) -> Sequence[CelestialItem]:
        """Restores these memories, all on the cliff, or all that left for one reason."""
        parts = self._parts
        if item_ids is not None and reason is not None:
            raise InvalidInputError("reason", Reason.NOT_BOTH, names=("ids", "reason"))
        with parts.store.read() as session:
            if item_ids is None:
                chosen = None if reason is None else check_choice(DepartureReason, reason, "reason")
                ids = forget.on_the_cliff(session, parts.owner, chosen)
            else:
                ids = [check_id(item_id) for item_id in item_ids]
                for item_id in ids:
                    get_item(session, parts.owner, item_id)
            archived = [item_id for item_id in ids if session.archives.file_of(parts.owner, item_id) is not None]
        parts.be_present()
        back = list(forget.restore_many(parts.store, parts.law(), parts.owner, ids, parts.now()))
        parts.embedding.embed_missing(parts.owner, back)  # the model may have changed while they were away
        for item_id in archived:
            back += restore_archived(parts, item_id).items
        return back

    # -- retention and archives -----------------------------------------------------------------------

    def retain(
        self, policy: RetentionPolicy | str | None = None, *, dry_run: bool = False
    ) -> retaining.RetentionResult:
        """Applies a policy: this one, a preset, or the one that the engine was opened with."""
        parts, chosen = self._parts, policy_of(policy) or self._parts.retention.policy
        if not chosen:
            raise ConfigError("retention", Reason.NO_RETENTION)
        if dry_run:
            plan = retaining.plan(parts.store, parts.law(), parts.owner, chosen, parts.now())
            return retaining.RetentionResult(plan, dry_run=True)
        parts.be_present()
        return retaining.retain(parts.store, parts.law(), parts.owner, chosen, parts.now())

    def archives(self) -> Sequence[retaining.ArchiveView]:
        """Returns the archived sessions; each file is read completely."""
        return retaining.views(self._parts.store, self._parts.owner)

    def bring_back(self, which: str) -> retaining.UnarchiveResult:
        """Brings an archived session, or one memory of it, back into orbit. This counts as a recall."""
        parts = self._parts
        parts.be_present()
        return retaining.bring_back(parts.store, parts.law(), parts.owner, check_id(which), parts.now())


def forget_archived(parts: Parts, item_id: str) -> retaining.UnarchiveResult:
    """Takes one memory out of its archive and sends it over the cliff."""
    return _require_items(
        parts, retaining.forget_archived(parts.store, parts.law(), parts.owner, item_id, parts.now())
    )


def restore_archived(parts: Parts, item_id: str) -> retaining.UnarchiveResult:
    """Takes one memory out of its archive, back into orbit."""
    return _require_items(
        parts, retaining.bring_back(parts.store, parts.law(), parts.owner, check_id(item_id), parts.now())
    )


def _require_items(parts: Parts, taken: retaining.UnarchiveResult) -> retaining.UnarchiveResult:
    if not taken.items:
        problems = taken.problems or (problem(None, Reason.TAKEN_MEANWHILE),)
        raise StorageError(parts.store.archive_files.path, *problems)
    return taken


def on_the_cliff(parts: Parts, limit: int) -> Sequence[CelestialItem]:
    with parts.store.read() as session:
        return session.items.newest(parts.owner, forget.ON_THE_CLIFF, check_limit(limit))


def policy_of(policy: RetentionPolicy | str | None) -> RetentionPolicy | None:
    """Returns the policy, or the preset of that name."""
    if policy is None:
        return None
    from celestial_engine.core.keeping.retention import PRESETS, RetentionPolicy

    if isinstance(policy, RetentionPolicy):
        return policy
    if policy not in PRESETS:
        raise ConfigError("retention", Reason.UNKNOWN_CHOICE, got=policy, choices=tuple(PRESETS))
    return PRESETS[policy]
