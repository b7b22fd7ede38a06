"""understand: read again, with a language model, what the trained classifiers were unsure of."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from celestial_engine.core.model.understanding import CheckedAnswer
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import ReadBy
from celestial_engine.errors import LanguageModelError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import rewrite
from celestial_engine.flow.base.understand import BATCH_SIZE, LanguageModelReader
from celestial_engine.flow.turn.record import with_longer_life
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

logger = logging.getLogger(__name__)

MOST_A_NIGHT = 30  # memories
_MOST_LOOKED_AT = 500  # the newest, until enough of them are unclear
_READ_BY = "read_by"


@dataclass(frozen=True)
class UnderstandPlan:
    """The memories whose reading is unsure, newest first."""

    item_ids: tuple[str, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, reader: LanguageModelReader) -> UnderstandPlan:
    """Plan the newest unclear memories that no language model has read yet."""
    rows = [row for row in session.night.lifetime_rows(owner) if row.state.in_orbit and row.trusted]
    newest = [row.item_id for row in sorted(rows, key=lambda row: -row.created_at)[:_MOST_LOOKED_AT]]
    read_before = {
        item_id
        for kind in (EventType.STORED, EventType.APPRAISED)
        for item_id in session.ledger.ids_with_event(owner, newest, kind, _READ_BY)
    }
    contents = {item.id: item.content for item in session.items.get_many(owner, newest)}
    unclear = (
        item_id
        for item_id in newest
        if item_id not in read_before and item_id in contents and _is_unclear(reader, contents[item_id])
    )
    return UnderstandPlan(tuple(item_id for item_id, _ in zip(unclear, range(MOST_A_NIGHT), strict=False)))


def _is_unclear(reader: LanguageModelReader, content: str) -> bool:
    return reader.is_worth_asking(content, reader.read_by_classifiers(content))


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: UnderstandPlan,
    now: float,
    reader: LanguageModelReader,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Read them, several in one call, outside transactions. After a failed call the rest waits for a night."""
    counts = Counter[str]()
    for part in in_batches(plan.item_ids, progress, BATCH_SIZE):
        with store.read() as session:
            items = session.items.get_many(owner, part)
        try:
            answers = reader.read_many([item.content for item in items])
        except LanguageModelError as error:
            logger.warning("the night reads no more with a language model: %s", error)
            break
        with store.write(owner, durable=False) as session:
            for item, answer in zip(items, answers, strict=True):
                if answer is not None and _apply(session, law, item, answer, reader, now):
                    counts["understood"] += answer.reading.read_by is ReadBy.LANGUAGE_MODEL
                    counts["answers_refused"] += bool(answer.refused)
    return +counts


def _apply(
    session: Writer, law: Law, before: CelestialItem, answer: CheckedAnswer, reader: LanguageModelReader, now: float
) -> bool:
    """Write what was read, and that it was, so that no memory is asked about twice."""
    item, reading = session.items.get(before.owner, before.id), answer.reading
    if item is None or not item.state.in_orbit or item.content != before.content:
        return False
    # A category that did not come from the classifiers is somebody's choice.
    by_classifiers = item.category in (None, reader.read_by_classifiers(item.content).category)
    category = reading.category if by_classifiers else item.category
    changed = replace(item, category=category, lifetime=reading.credible_lifetime, address=reading.address)
    if changed != item:
        rewrite(session, law, with_longer_life(changed, now), now)
    detail = {_READ_BY: reading.read_by.value}
    session.ledger.record(Event(EventType.APPRAISED, item.owner, now, item.id, detail))
    return True
