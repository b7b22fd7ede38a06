"""Moving: memories out to another place, and in from one: from a memory like this one, or from another system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_limit, check_metadata, check_text
from celestial_engine.core.guard.guard import Guard, Note, trust_in
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier, expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import Channel
from celestial_engine.errors import CelestialError, InvalidInputError, NotTheUserError, WrongStateError
from celestial_engine.facade.keeping import Keeping
from celestial_engine.facade.proposing import Proposing, channel_named
from celestial_engine.flow.departures import bring_in
from celestial_engine.flow.self import approve

if TYPE_CHECKING:
    from celestial_engine.core.keeping.imported_record import ImportedRecord
    from celestial_engine.core.paging import Page

_EXPORT = "x"
_BATCH = 500


@dataclass(frozen=True)
class Imported:
    """How many records came in; those whose id is here already are passed over."""

    added: int
    known: int


@dataclass(frozen=True)
class Adopted:
    """How many arrivals came in, by their ids; who is here already, who could not be kept, and whose secrets went.

    `forgotten` were here before, and are gone for good: what was let go of does not come back by itself.
    """

    added: int
    known: tuple[str, ...] = ()
    forgotten: frozenset[str] = frozenset()
    refused: dict[str, CelestialError] = field(default_factory=dict)
    redacted: tuple[str, ...] = ()


class Moving(Keeping, Proposing):
    """What leaves as records and comes back as the same memories."""

    def export_page(
        self, limit: int = 100, cursor: str | None = None, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Page[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff and in archives too."""
        from celestial_engine.core.paging import Page, cursor_of, number_at

        owner, limit = self._owner.but(user_id, agent_id), check_limit(limit)
        after = -1 if cursor is None else number_at(_EXPORT, cursor)
        with self._store.read() as session:
            rows = session.items.page(owner, after, limit + 1)
        items = self._scored(item for _, item in rows[:limit])
        told = [(self._unpacked(item) if item.state is State.ARCHIVED else item).to_dict() for item in items]
        more = 0 < limit < len(rows)
        return Page(told, cursor_of(_EXPORT, rows[limit - 1][0]) if more else None)

    def import_memories(
        self,
        records: Iterable[object],
        *,
        by: str | None = None,
        channel: Channel | str = Channel.HOST,
        dry_run: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Imported:
        """The records of an export as memories of this owner, with their ids, times and lives.

        What was a core memory is one again on the word of the user whom `by` names; else it is only proposed.
        Batch by batch: a record that cannot be read ends it, and what came before it stays. With `dry_run` it is
        only told what would come.
        """
        if by is not None and not channel_named(channel).is_the_users:
            raise NotTheUserError(proposal="import", channel=channel_named(channel).value)
        owner, added, known, rest = self._owner.but(user_id, agent_id), 0, 0, iter(records)
        while batch := [self._arriving(record) for record in islice(rest, _BATCH)]:
            here = self._here(owner, [item.id for item in batch])
            items = [replace(item, owner=owner) for item in batch if item.id not in here]
            known += len(batch) - len(items)
            if dry_run:
                for item in items:
                    bring_in.check_record(item)
                added += len(items)
                continue
            core = [item.id for item in items if _was_core(item) and item.trust is not Trust.LOW]
            items = [
                _ordinary(item, self._now()) if by is None or item.trust is Trust.LOW else item for item in items
            ]
            for item, vector in zip(items, self._embedding.passages([item.content for item in items]), strict=True):
                item.embedding = vector  # by this memory's own model
            new = bring_in.bring_in(self._store, self._zones.law, items, self._now())
            added, known = added + new, known + len(items) - new
            if core and new:
                self._core_arrived(owner, core, by, channel)
        return Imported(added, known)

    def adopt(
        self,
        arrivals: Iterable[ImportedRecord],
        *,
        dry_run: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Adopted:
        """What another system remembered, as memories of this owner, in one transaction; `importers` read files.

        Those that came before are passed over, though they be purged since; one that cannot be kept is told with the
        reason, and the others come all the same. With `dry_run` it is only told what would happen.
        """
        owner, now = self._owner.but(user_id, agent_id), self._now()
        each = list(arrivals)
        ids = [arrival.item_id for arrival in each]
        here, forgotten = self._here(owner, ids), self._forgotten(owner, ids)
        known: list[str] = []
        items: dict[str, CelestialItem] = {}
        refused: dict[str, CelestialError] = {}
        redacted: dict[str, Sequence[Note]] = {}
        for arrival in each:
            if arrival.item_id in here or arrival.item_id in items:
                known.append(arrival.item_id)
                continue
            if arrival.item_id in forgotten or arrival.item_id in refused:
                continue
            try:
                item, notes = self._adopted(arrival, owner, now, judge=not dry_run)
                bring_in.check_record(item)
            except CelestialError as error:
                refused[arrival.item_id] = error
                continue
            items[item.id] = item
            if notes:
                redacted[item.id] = notes
        added = len(items)
        if items and not dry_run:
            new = list(items.values())
            for item, vector in zip(new, self._embedding.passages([item.content for item in new]), strict=True):
                item.embedding = vector
            added = bring_in.bring_in(self._store, self._zones.law, new, now, redacted)
        return Adopted(added, tuple(known), frozenset(forgotten - here), refused, tuple(redacted))

    def _adopted(
        self, arrival: ImportedRecord, owner: Owner, now: float, *, judge: bool
    ) -> tuple[CelestialItem, Sequence[Note]]:
        from celestial_engine.core.keeping.imported_record import completed, item_from_import
        from celestial_engine.flow.turn.store import felt

        check_text(arrival.content)
        check_metadata(dict(arrival.metadata))
        guard = Guard(self._guard_policy)
        item = guard.item(item_from_import(arrival, owner, now))
        if judge:  # may ask a language model: not to look only
            item = completed(item, self._perceiver.perceive(item.content))
            item.emotion = self._felt(item.content) or felt(item.content)
            judged = self._judged(item, arrival.importance)
            item.arbitrary_importance, item.importance_source = judged.score, judged.source
        elif arrival.importance is not None:
            item.arbitrary_importance = arrival.importance
        item.trust = _trust(item)
        return item, guard.notes

    def _here(self, owner: Owner, item_ids: Sequence[str]) -> set[str]:
        with self._store.read() as session:
            return {item.id for item in session.items.get_many(owner, item_ids)}

    def _forgotten(self, owner: Owner, item_ids: Sequence[str]) -> set[str]:
        with self._store.read() as session:
            return session.ledger.ids_with_event(owner, item_ids, EventType.PURGED)

    def _core_arrived(self, owner: Owner, item_ids: Sequence[str], by: str | None, channel: Channel | str) -> None:
        if by is not None:
            approve.imported(self._store, owner, item_ids, approve.Word(by, channel_named(channel)), self._now())
            return
        for item_id in item_ids:
            if self.get(item_id, user_id=owner.user_id, agent_id=owner.agent_id).tier is Tier.M365:
                who = {"user_id": owner.user_id, "agent_id": owner.agent_id}
                with suppress(InvalidInputError, WrongStateError):  # a full inbox, low trust, or on the cliff
                    self.propose_core(item_id, by="import", channel=Channel.AGENT, **who)

    def _arriving(self, record: object) -> CelestialItem:
        item = CelestialItem.from_dict(record)
        check_text(item.content)
        item = Guard(self._guard_policy).item(item)
        if _trust(item) is Trust.LOW:
            item.trust = Trust.LOW
        if item.state is State.ARCHIVED:  # its archive lies elsewhere; the text came with the record
            item.state = State.ACTIVE
        return item


def _trust(item: CelestialItem) -> Trust:
    """Low if anything that is told of it reads like an instruction."""
    told = (item.content, item.resolution.gist or "", *(" ".join(triple) for triple in item.resolution.triples))
    return Trust.LOW if any(trust_in(text) is Trust.LOW for text in told) else Trust.NORMAL


def _was_core(item: CelestialItem) -> bool:
    return item.tier is Tier.M0 or item.protection is Protection.CORE


def _ordinary(item: CelestialItem, now: float) -> CelestialItem:
    """What nobody has approved here is no core memory here, and no part of an island."""
    item = replace(item, links=replace(item.links, island=None))
    if not _was_core(item):
        return item
    return replace(item, tier=Tier.M365, protection=Protection.NONE, expires_at=expiry(Tier.M365, now))
