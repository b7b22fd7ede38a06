"""past: an owner's memories as they were after a given ledger entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import parts_of
from celestial_engine.flow.base.batches import all_items
from celestial_engine.flow.base.placement import by_owner, course_of
from celestial_engine.ports import ItemStore, Reader


@dataclass(frozen=True)
class PastMemories:
    """The memories at that time. `gone`: memories that were purged since and cannot be reconstructed."""

    number: int
    items: Sequence[CelestialItem]
    reworded: frozenset[str]  # their text has changed since, so they have no vector
    gone: tuple[str, ...]


def memories_at(store: ItemStore, owner: Owner, moment: float) -> PastMemories:
    """Return the memories as of the last entry written by this moment."""
    with store.read() as session:
        number = session.ledger.number_at(owner, moment)
        if number == 0:
            return PastMemories(0, [], frozenset(), ())
        since = session.ledger.events_since(owner, number)
        versions = {memory.id: (event, memory) for event, memory in session.ledger.versions_since(owner, number)}
        created = {event.item_id for event in since if event.type is EventType.STORED}
        purged = [event.item_id for event in since if event.type is EventType.PURGED and event.item_id is not None]
        recalls: dict[str | None, list[int]] = {}
        mentions: dict[str | None, list[int]] = {}
        for event in (part for entry in since for part in parts_of(entry)):
            if event.type in (EventType.RECALLED, EventType.MENTIONED):
                counted = recalls if event.type is EventType.RECALLED else mentions
                counted.setdefault(event.item_id, []).append(event.number or 0)
        items, reworded = [], set()
        for current in all_items(session, owner):
            if current.id in created:
                continue
            until, memory = versions.get(current.id, (None, current))
            if memory.content == current.content:
                memory = replace(memory, embedding=current.embedding)
            else:
                reworded.add(current.id)
            later_mentions = sum(
                until is None or entry_number < until for entry_number in mentions.get(current.id, ())
            )
            memory = replace(memory, mention_count=memory.mention_count - later_mentions)
            later_recalls = [
                entry_number for entry_number in recalls.get(current.id, ()) if until is None or entry_number < until
            ]
            items.append(_unrecalled(session, memory, len(later_recalls), number) if later_recalls else memory)
    gone = tuple(dict.fromkeys(item_id for item_id in purged if item_id not in created))
    return PastMemories(number, items, frozenset(reworded), gone)


def write_past(store: ItemStore, law: Law, items: Sequence[CelestialItem], moment: float) -> None:
    """Write them into an empty store, each in the zone of its score at that moment."""
    for owner, own in by_owner(items).items():
        with store.write(owner) as session:
            for item in own:
                score = law.function.score(item, moment)
                placed = replace(item, total_score=score, zone=law.function.zones.zone_of(score))
                session.items.add(placed, course_of(law, placed, moment))


def _unrecalled(session: Reader, memory: CelestialItem, recalls: int, number: int) -> CelestialItem:
    """Return the memory without the recalls that came after entry `number`."""
    history = session.ledger.events(memory.owner, memory.id, MOST_RESULTS, number)
    last = next((event for event in history if _counts_as_recall(event)), None)
    return replace(
        memory,
        recall_count=max(0, memory.recall_count - recalls),
        last_recalled_at=memory.created_at if last is None else last.at,
        idle_since=None,
        context_score=0.0 if last is None else float(last.detail.get("context", 0.0)),
    )


def _counts_as_recall(event: Event) -> bool:
    """Return whether the event is a recall, or a return from the cliff, which counts as one."""
    back = event.type is EventType.UNDONE and event.detail.get("was") == EventType.FORGOTTEN.value
    return back or event.type in (EventType.RECALLED, EventType.RESTORED)
