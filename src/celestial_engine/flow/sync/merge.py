"""merge: join what another device tells with what is known here, and carry it out in the memories.

Every batch is one transaction: what changed here meanwhile is captured first, so nothing is overwritten unseen, and
a process that is killed leaves whole batches. Merging the same bundle again changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from celestial_engine.core.keeping.record_checks import check_record
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.bundle import Contents
from celestial_engine.core.sync.device import Device, Peer, Target, from_bytes, peer_note, target_note, to_bytes
from celestial_engine.core.sync.item_state import ItemState
from celestial_engine.core.sync.memory_fields import CONTENT, record_of
from celestial_engine.core.sync.state_checks import SELF
from celestial_engine.errors import InvalidInputError, Reason, SyncError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import course_of, settle, unseated
from celestial_engine.flow.sync.happened import happened_since
from celestial_engine.flow.sync.noted import (
    capture_items,
    capture_purged,
    device_of,
    put_device,
    put_state,
    state_of,
)
from celestial_engine.flow.sync.self_parts import merge_self
from celestial_engine.flow.sync.survivors import keep_survivors
from celestial_engine.ports import ItemStore, Progress, Writer

_BATCH = 100
_UNCOMPARED = ("zone", "total_score", "context_score", "embedding")  # each device works them out for itself
Embed = Callable[[Sequence[CelestialItem]], None]
Unarchive = Callable[[str], object]


@dataclass(frozen=True)
class Merged:
    """What a bundle changed here: memories by what became of them (stored, updated, forgotten, restored, purged)."""

    counts: Mapping[str, int] = field(default_factory=dict)
    conflicts: tuple[str, ...] = ()  # memories with texts that were edited on two devices

    def __add__(self, other: Merged) -> Merged:
        counts = dict(Counter(self.counts) + Counter(other.counts))
        return Merged(counts, tuple(dict.fromkeys((*self.conflicts, *other.conflicts))))


def merge(
    store: ItemStore,
    law: Law,
    owner: Owner,
    contents: Contents,
    origin: str,
    now: float,
    embed: Embed,
    unarchive: Unarchive,
    progress: Progress | None = None,
) -> Merged:
    """Merge everything that a bundle tells; `origin` is where it was read.

    `unarchive` brings a memory back from its archive file.
    """
    merged = Merged()
    for part in in_batches(contents.states, progress, _BATCH):
        states = dict(part)
        for item_id in _archived(store, owner, states):
            unarchive(item_id)
        vectors = _vectors(store, owner, contents.device, states, now, embed)
        with store.write(owner) as session:
            batch = _Batch(session, law, owner, contents.device, origin, now, vectors)
            merged += batch.merge(states)
    with store.write(owner) as session:
        peer = Peer(contents.name, now, contents.at - now)
        session.sync.put_note(owner, peer_note(contents.device), to_bytes(peer))
    return merged


def count_news(store: ItemStore, owner: Owner, contents: Contents) -> Merged:
    """Return what merging would change, by what the records say; nothing is written."""
    counts: Counter[str] = Counter()
    with store.read() as reader:
        records = reader.sync.records(owner, [item_id for item_id, _ in contents.states])
        for item_id, incoming in contents.states:
            before = state_of(records.get(item_id))
            joined = before.join(incoming)
            if joined == before:
                continue
            if joined.is_purged:
                counts[EventType.PURGED.value] += not before.is_purged
            else:
                counts[(EventType.UPDATED if item_id in records else EventType.STORED).value] += 1
    return Merged(dict(+counts))


class _Batch:
    """One transaction."""

    def __init__(
        self,
        session: Writer,
        law: Law,
        owner: Owner,
        source: str,
        origin: str,
        now: float,
        vectors: Mapping[str, tuple[str, list[float] | None]],
    ) -> None:
        self._session, self._law, self._owner = session, law, owner
        self._source, self._origin, self._now, self._vectors = source, origin, now, vectors
        self._done: Counter[str] = Counter()
        self._conflicts: list[str] = []

    def merge(self, states: Mapping[str, ItemState]) -> Merged:
        session, owner = self._session, self._owner
        device = _known(device_of(session, owner))
        happened = happened_since(session, owner, device.scanned)
        quiet = happened.until == device.scanned  # nothing but this changes the ledger until the transaction ends
        capture_items(session, owner, [item_id for item_id in states if item_id != SELF], happened, self._now)
        capture_purged(session, owner, happened)
        changed = self._join(states)
        # Purges first: they take links out of other memories, whose links are written after that.
        for item_id, state in sorted(changed.items(), key=lambda pair: not pair[1].is_purged):
            self._carry_out(item_id, state)
        if SELF in states and merge_self(session, owner, states[SELF], self._origin, self._now):
            self._done["self"] += 1
        if changed:
            settle(session, self._law, owner, self._now)
            session.orbits.settle_again(owner, self._now)
        head = session.ledger.head(owner)
        if quiet and head is not None:
            device = _known(device_of(session, owner))
            put_device(session, owner, replace(device, scanned=max(device.scanned, head.number)))
        return Merged(dict(self._done), tuple(self._conflicts))

    def _join(self, states: Mapping[str, ItemState]) -> dict[str, ItemState]:
        """Write the joined records; return those that changed."""
        session, owner = self._session, self._owner
        device, records = _known(device_of(session, owner)), session.sync.records(owner, list(states))
        note = session.sync.note(owner, target_note(self._origin))
        published = 0 if note is None else from_bytes(Target, note).published
        changed: dict[str, ItemState] = {}
        known: dict[str, ItemState] = {}
        for item_id, incoming in states.items():
            if item_id == SELF:
                continue
            record = records.get(item_id)
            before = known[item_id] = state_of(record)
            joined = before.join(incoming)
            if record is not None and joined == before:
                continue
            pending = record is not None and record.changed > published and record.origin != self._origin
            purged = joined.is_purged and not before.is_purged
            device = replace(device, purges=device.purges + purged)
            device = put_state(session, owner, item_id, joined, device, "" if pending else self._origin)
            changed[item_id] = joined
        put_device(session, owner, device)
        return keep_survivors(session, owner, changed, known, self._now)

    def _carry_out(self, item_id: str, state: ItemState) -> None:
        session, owner, now = self._session, self._owner, self._now
        present = session.items.get(owner, item_id)
        if state.is_purged:
            if present is not None:
                session.items.purge(owner, item_id)
                reason = state.presence_in_force.get("reason", "manual")
                self._record(EventType.PURGED, item_id, {"reason": reason})
            return
        if CONTENT not in state.texts:
            return  # another device has purged it, and one that keeps it will tell its text
        if state.conflicts:
            self._conflicts.append(item_id)
        item = self._item(item_id, state, present)
        if present is None:
            session.items.add(item, course_of(self._law, item, now))
            self._record(EventType.STORED, item_id, {"tier": item.tier.value, "zone": item.zone})
        elif _comparable(item) != _comparable(present):
            session.items.rewrite(item, course_of(self._law, item, now))
            self._record(*_change(present, item))

    def _item(self, item_id: str, state: ItemState, present: CelestialItem | None) -> CelestialItem:
        try:
            record = {**record_of(state, present, self._now), "id": item_id}
            item = replace(CelestialItem.from_dict(record), owner=self._owner)
            check_record(item)
        except (InvalidInputError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise SyncError(self._source, Reason.SYNC_DAMAGED) from error
        text, vector = self._vectors.get(item_id, ("", None))
        if present is None or present.content != item.content:
            item = replace(item, embedding=vector if text == item.content else None)
        if item.state.in_orbit or present is None:
            item = unseated(self._law, item, self._now)
        return item

    def _record(self, kind: EventType, item_id: str, detail: Mapping[str, object]) -> None:
        detail = {**detail, "device": self._source}
        self._session.ledger.record(Event(kind, self._owner, self._now, item_id, detail))
        self._done[kind.value] += 1


def _comparable(item: CelestialItem) -> CelestialItem:
    return replace(item, zone=0, total_score=0.0, context_score=0.0, embedding=None)


def _change(before: CelestialItem, after: CelestialItem) -> tuple[EventType, str, dict[str, object]]:
    """Return the event that says best what changed."""
    first, second = before.to_dict(), after.to_dict()
    fields = [name for name in second if first[name] != second[name] and name not in _UNCOMPARED]
    detail: dict[str, object] = {"fields": fields}
    if before.state is not after.state:
        if after.departure is not None:
            return EventType.FORGOTTEN, after.id, {**detail, "reason": after.departure.reason.value}
        kinds = {State.FADED: EventType.FADED, State.INACTIVE: EventType.WENT_INACTIVE}
        return kinds.get(after.state, EventType.RESTORED), after.id, detail
    if after.protection is Protection.CORE and before.protection is not Protection.CORE:
        return EventType.PROMOTED, after.id, {**detail, "tier": after.tier.value}
    return EventType.UPDATED, after.id, detail


def _vectors(
    store: ItemStore, owner: Owner, source: str, states: Mapping[str, ItemState], now: float, embed: Embed
) -> dict[str, tuple[str, list[float] | None]]:
    """Embed the texts that are new here, before the transaction: a model may be slow."""
    with store.read() as reader:
        texts = {item.id: item.content for item in reader.items.get_many(owner, list(states))}
        records = reader.sync.records(owner, list(states))
    new = []
    for item_id, incoming in states.items():
        joined = state_of(records.get(item_id)).join(incoming)
        if item_id == SELF or CONTENT not in joined.texts:
            continue
        try:
            content = str(joined.texts[CONTENT].value["content"])
        except (KeyError, TypeError) as error:
            raise SyncError(source, Reason.SYNC_DAMAGED) from error
        if texts.get(item_id) != content:
            new.append(CelestialItem(item_id, content, now, now, owner=owner))
    if new:
        embed(new)
    return {item.id: (item.content, item.embedding) for item in new}


def _archived(store: ItemStore, owner: Owner, states: Mapping[str, ItemState]) -> list[str]:
    """Return the memories in archive files about which another device tells something new."""
    with store.read() as reader:
        archived = [item.id for item in reader.items.get_many(owner, list(states)) if item.state is State.ARCHIVED]
        records = reader.sync.records(owner, archived)
    known = {item_id: state_of(records.get(item_id)) for item_id in archived}
    return [item_id for item_id, before in known.items() if before.join(states[item_id]) != before]


def _known(device: Device | None) -> Device:
    if device is None:
        raise AssertionError("a device has an identity before it merges")
    return device
