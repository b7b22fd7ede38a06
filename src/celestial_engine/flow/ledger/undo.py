"""undo: restore a memory as it was before an event, if nothing else changed it since. Writes an event itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.lifetimes import expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, EventNotFoundError, ProtectedError, Reason, UndoError
from celestial_engine.flow.base.placement import place_again, rewrite
from celestial_engine.ports import ItemStore, Reader, Writer

# These events change neither the text nor the state of a memory: they stay, whatever is undone.
_HARMLESS = frozenset(
    {
        EventType.RECALLED,
        EventType.MOVED,
        EventType.MENTIONED,
        EventType.INFLUENCED,
        EventType.NOMINATED,
        EventType.REFUSED,
    }
)


def text_to_return(store: ItemStore, owner: Owner, number: int) -> str | None:
    """Return the text that undoing would restore, if it differs from now: it needs a vector."""
    with store.read() as session:
        before = session.ledger.version(owner, number)
        now = None if before is None else session.items.get(owner, before.id)
    return before.content if before is not None and now is not None and before.content != now.content else None


def undo(
    store: ItemStore, law: Law, owner: Owner, number: int, now: float, vector: list[float] | None = None
) -> CelestialItem:
    """Restore the memory; recalls since then stay counted. `vector` belongs to the restored text."""
    with store.write(owner) as session:
        event = session.ledger.event(owner, number)
        if event is None:
            raise EventNotFoundError(number=number)
        current = _undoable(session, owner, number, event)
        before = session.ledger.version(owner, number)
        if before is None:  # it did not exist before: send it over the cliff instead of deleting it
            item = replace(current, state=State.CLIFF, departure=Departure.begin(DepartureReason.MANUAL, now))
        else:
            if before.protection is Protection.CORE:  # the user ended its core status
                raise ProtectedError(item_id=current.id, protection=Protection.CORE.value, action=Action.CHANGE)
            item = _put_back(before, current, vector, now)
        if event.type is EventType.PROMOTED and "again" in event.detail:
            # The repeated promotion was counted as a mention.
            item = replace(item, mention_count=item.mention_count - 1)
        if event.type is EventType.MERGED:
            item = _unmerged(session, law, event, item, current, now)
        if item.state.in_orbit:
            item = place_again(session, law, item, now)
        else:
            session.orbits.settle_again(owner, now)  # a seat may have become free
            rewrite(session, law, item, now)
        detail = {"of": number, "was": event.type.value}
        session.ledger.record(Event(EventType.UNDONE, owner, now, item.id, detail))
    return item


def _undoable(session: Reader, owner: Owner, number: int, event: Event) -> CelestialItem:
    if event.item_id is None or _is_harmless(event):
        raise UndoError(number, Reason.NOTHING_TO_UNDO, event=event.type.value)
    since = session.ledger.events_since(owner, number, event.item_id)
    purged = next((later for later in since if later.type is EventType.PURGED), None)
    if purged is not None or event.type is EventType.PURGED:
        by = number if purged is None else purged.number
        raise UndoError(number, Reason.PURGED_SINCE, since=by)
    current = session.items.get(owner, event.item_id)
    if current is not None and current.protection is Protection.CORE:
        raise ProtectedError(item_id=current.id, protection=current.protection.value, action=Action.CHANGE)
    changed = _changes_in_effect(since)
    if changed:
        last = changed[-1]
        raise UndoError(number, Reason.CHANGED_SINCE, since=last.number, event=last.type.value)
    if current is None or (not _created_memory(event) and session.ledger.version(owner, number) is None):
        raise UndoError(number, Reason.NOTHING_KEPT, event=event.type.value)
    if current.protection is Protection.IMMUTABLE:
        raise ProtectedError(item_id=current.id, protection=current.protection.value, action=Action.CHANGE)
    return current


def _created_memory(event: Event) -> bool:
    """Return whether the event created the memory: stored, or distilled from others."""
    return event.type is EventType.STORED or (event.type is EventType.PROMOTED and "sources" in event.detail)


def _is_harmless(event: Event) -> bool:
    """Return whether the event changes nothing of this memory, such as being distilled into another."""
    into_another = event.type is EventType.PROMOTED and "into" in event.detail
    return into_another or event.type in _HARMLESS or event.type.is_host_event


def _changes_in_effect(since: Iterable[Event]) -> list[Event]:
    """Return the changes still in effect: an undone change and its undo cancel out."""
    changes: dict[int | None, Event] = {}
    for event in since:
        if _is_harmless(event):
            continue
        undone = event.detail.get("of") if event.type is EventType.UNDONE else None
        if undone is not None and undone in changes:
            del changes[undone]
        else:
            changes[event.number] = event
    return list(changes.values())


def _unmerged(
    session: Writer, law: Law, event: Event, item: CelestialItem, current: CelestialItem, now: float
) -> CelestialItem:
    """Undo a merge: take back what the other memory added, and return the other to orbit with its links."""
    merged_item = session.items.get(event.owner, event.detail["from"])
    if merged_item is None:
        raise UndoError(event.number or 0, Reason.MERGED_PURGED)
    for other in session.items.get_many(
        event.owner, [tied for tied in current.links.tied if tied not in item.links.tied]
    ):
        links = other.links.without(item.id)
        if other.id in merged_item.links.children:
            links = replace(links, parent=merged_item.id)
        if links != other.links and other.state.in_orbit:
            place_again(session, law, replace(other, links=links), now)
            session.ledger.record(Event(EventType.UPDATED, event.owner, now, other.id, {"fields": ["links"]}))
    if merged_item.departure is not None and merged_item.departure.reason is DepartureReason.MERGED:
        back = replace(_back_in_orbit(merged_item, now), state=State.ACTIVE, departure=None)
        place_again(session, law, back, now)
        session.ledger.record(Event(EventType.RESTORED, event.owner, now, merged_item.id))
    return replace(
        item,
        recall_count=item.recall_count - event.detail["recalls"],
        mention_count=item.mention_count - event.detail["mentions"],
        influence_count=item.influence_count - event.detail["influences"],
    )


def _back_in_orbit(item: CelestialItem, now: float) -> CelestialItem:
    """Return the memory without its old seat, which may be taken. Coming back counts as a recall."""
    expired = item.expires_at is not None and item.expires_at <= now
    expires_at = expiry(item.tier, now) if expired else item.expires_at
    return replace(item, zone=UNPLACED, last_recalled_at=now, idle_since=None, expires_at=expires_at)


def _put_back(before: CelestialItem, current: CelestialItem, vector: list[float] | None, now: float) -> CelestialItem:
    same = before.content == current.content
    item = replace(
        before,
        embedding=current.embedding if same else vector,
        zone=current.zone,
        recall_count=current.recall_count,
        last_recalled_at=current.last_recalled_at,
        idle_since=current.idle_since,
        # The clock of the same tier may have been set since: it goes on as it is.
        expires_at=current.expires_at if current.tier is before.tier else before.expires_at,
        context_score=current.context_score,
        mention_count=current.mention_count,
        influence_count=current.influence_count,
    )
    if item.state.in_orbit and not current.state.in_orbit:
        item = _back_in_orbit(item, now)
    if item.departure is not None and item.departure.purge_at <= now:
        item = replace(item, departure=Departure.begin(item.departure.reason, now))  # undo must not delete
    return item
