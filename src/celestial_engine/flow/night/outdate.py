"""outdate: ask a language model what became outdated, where the classifiers see a change but not of what.

"Sold the bicycle, it's the tram for me" ends "I bike to work" without sharing a word with it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from celestial_engine.core.guard.secrets import looks_like_injection
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.succession import Statement
from celestial_engine.core.sameness.supersession import may_supersede
from celestial_engine.errors import LanguageModelError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.not_asked import newest_not_asked
from celestial_engine.flow.base.placement import place_again
from celestial_engine.flow.base.succession import NewStatement, comparable, succeed
from celestial_engine.flow.base.understand import LanguageModelReader
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

logger = logging.getLogger(__name__)

MOST_A_NIGHT = 20  # memories, one call each
_MAY_TELL_CHANGE = -2.0  # log-odds of a change, from the text alone
_COMPARED_BY = "compared_by"


@dataclass(frozen=True)
class OutdatePlan:
    """The memories that may tell a change and replaced nothing yet, likeliest first."""

    item_ids: tuple[str, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, reader: LanguageModelReader) -> OutdatePlan:
    found = list[tuple[float, str]]()
    for item in newest_not_asked(session, owner, _COMPARED_BY):
        change = reader.read_by_classifiers(item.content).change
        asks = not item.validity.replaces and change is not None and change.replaces >= _MAY_TELL_CHANGE
        if asks and change is not None and not looks_like_injection(item.content):
            found.append((change.replaces, item.id))
    return OutdatePlan(tuple(item_id for _, item_id in sorted(found, reverse=True)[:MOST_A_NIGHT]))


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: OutdatePlan,
    now: float,
    reader: LanguageModelReader,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Ask about them one by one, outside transactions. After a failed call the rest waits for a night."""
    counts = Counter[str]()
    for (item_id,) in in_batches(plan.item_ids, progress, 1):
        with store.read() as session:
            item = session.items.get(owner, item_id)
            older = [] if item is None else _older(session, item, reader)
        if item is None:
            continue
        try:
            places = reader.outdated_by(item.content, [statement.content for statement in older]) if older else ()
        except LanguageModelError as error:
            logger.warning("the night compares no more with a language model: %s", error)
            break
        ended = [older[place] for place in places or ()]
        counts["answers_refused"] += places is None
        with store.write(owner, durable=False) as session:
            counts["outdated"] += _apply(session, law, item, ended, now)
    return +counts


def _older(session: Reader, item: CelestialItem, reader: LanguageModelReader) -> list[Statement]:
    """Return the statements that it could replace, nearest first."""
    reading = reader.read_by_classifiers(item.content)
    near = comparable(session, NewStatement(item.owner, item.content, reading, item.embedding))
    items = {older.id: older for older in session.items.get_many(item.owner, [one.item_id for one in near])}
    return [
        one
        for one in near
        if one.item_id in items and may_supersede(item, items[one.item_id]) and not looks_like_injection(one.content)
    ]


def _apply(session: Writer, law: Law, before: CelestialItem, ended: list[Statement], now: float) -> int:
    """End what the model named, and write down that it was asked. Texts that changed meanwhile are left alone."""
    newer = session.items.get(before.owner, before.id)
    if newer is None or newer.content != before.content:
        return 0
    said = {one.item_id: one.content for one in ended}
    replaced = [
        older
        for older in session.items.get_many(before.owner, list(said))
        if older.content == said[older.id] and may_supersede(newer, older)
    ]
    if replaced:
        place_again(session, law, succeed(session, law, newer, replaced, now), now)
        session.ledger.record(Event(EventType.UPDATED, newer.owner, now, newer.id, {"fields": ["validity"]}))
    detail = {_COMPARED_BY: "language_model"}
    session.ledger.record(Event(EventType.APPRAISED, newer.owner, now, newer.id, detail))
    return len(replaced)
