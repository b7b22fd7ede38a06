"""succession: a new statement ends the validity of older ones that it makes outdated. All of them are kept.

Not a stage itself: store uses it in the transaction that adds a memory, and the night for memories that came in many
at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from celestial_engine.core.guard.secrets import has_marker
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.sameness.statement_keys import statement_keys_of
from celestial_engine.core.sameness.succession import (
    NO_SCALE,
    SAME_FROM,
    TELLS_CHANGE_FROM,
    Compared,
    Nearness,
    VectorScale,
    contradicts,
    is_replaced,
)
from celestial_engine.core.sameness.supersession import may_supersede, since_when
from celestial_engine.flow.base.placement import place_again
from celestial_engine.ports import Reader, Writer

_LIKELY_ATTRIBUTES = 8
_NEWEST_AT_ADDRESS = 4
_NEAREST = 8
_MOST_REPLACED = 4  # more at once would be a misreading
_MOST_SEARCHED_WORDS = 5
_LONGEST_STATEMENT = 600  # characters: a longer text is a document, which says many things


@dataclass(frozen=True)
class NewStatement:
    """A text to compare with older statements: what was read in it, its vector and the scale of that."""

    owner: Owner
    text: str
    reading: Reading
    vector: Sequence[float] | None = None
    scale: VectorScale = NO_SCALE


def replaced_by(session: Reader, item: CelestialItem, reading: Reading, scale: VectorScale) -> list[CelestialItem]:
    """Return the memories in orbit that this new one makes outdated, most certain first."""
    from celestial_engine.flow.base.read import end_chances_of  # loads the weights

    if item.trust is Trust.LOW or reading.asks or len(item.content) > _LONGEST_STATEMENT:
        return []
    new = NewStatement(item.owner, item.content, reading, item.embedding, scale)
    compared = [pair for pair in _comparable(session, new) if pair[0].item_id != item.id]
    if not compared:
        return []
    topics = statement_keys_of(item.content).topics
    chances = end_chances_of(item.content, reading)(compared)
    outdated = sorted(
        (
            (chance, pair[0].item_id, pair[0].content)
            for pair, chance in zip(compared, chances, strict=True)
            if is_replaced(pair, item.content, chance, topics)
        ),
        reverse=True,
    )
    # A change ends one thing. What else resembles that has to contradict it, too.
    certain = outdated[:1] + [one for one in outdated[1:] if contradicts(one[2], item.content)]
    ids = [item_id for _, item_id, _ in certain[:_MOST_REPLACED]]
    items = {older.id: older for older in session.items.get_many(item.owner, ids)}
    return [items[item_id] for item_id in ids if item_id in items and may_supersede(item, items[item_id])]


def repeated_by(session: Reader, new: NewStatement, near: Iterable[str]) -> str | None:
    """Return the id of the memory that says the same in other words, if there is one.

    `near` are memories to compare with, besides those at the same address.
    """
    from celestial_engine.flow.base.read import repetition_of  # loads the weights

    if len(new.text) > _LONGEST_STATEMENT or has_marker(new.text):  # what was redacted would tell two secrets apart
        return None
    ids = dict.fromkeys((*near, *_at_addresses(session, new)))
    statements = session.search.statements(new.owner, list(ids))
    nearness = _nearness(session, new, [one.item_id for one in statements])
    repeats = repetition_of(new.text, new.reading)
    chances = [(repeats(one, nearness.get(one.item_id)), one) for one in statements]
    likely = sorted(
        ((chance, one.item_id, one.content) for chance, one in chances if chance >= SAME_FROM), reverse=True
    )
    items = session.items.get_many(new.owner, [item_id for _, item_id, _ in likely])
    # What was ended and is told again is news, and so is the opposite: "I like Python", "I don't like Python".
    valid = {item.id for item in items if item.validity.superseded_by is None}
    return next((i for _, i, content in likely if i in valid and not contradicts(content, new.text)), None)


def _comparable(session: Reader, new: NewStatement) -> list[Compared]:
    """Return the older statements that may be about the same as the new one."""
    change = new.reading.change
    if change is None:
        return []
    ids = dict.fromkeys(_at_addresses(session, new))
    if max(change.replaces, change.same) >= TELLS_CHANGE_FROM:
        ids |= dict.fromkeys(_nearest(session, new))
    statements = session.search.statements(new.owner, list(ids))
    near = _nearness(session, new, [one.item_id for one in statements])
    return [(one, near.get(one.item_id)) for one in statements]


def _nearness(session: Reader, new: NewStatement, item_ids: Sequence[str]) -> dict[str, Nearness]:
    """Return what the vectors of these memories and of the new text tell."""
    from celestial_engine.flow.base.read import end_odds_by_vector

    if new.vector is None:
        return {}
    odds = end_odds_by_vector(new.scale.embedder, new.vector, session.search.vectors(new.owner, item_ids))
    return {
        match.item_id: Nearness(new.scale.closeness(match.score), odds.get(match.item_id))
        for match in session.search.cosines(new.owner, item_ids, new.vector)
    }


def _at_addresses(session: Reader, new: NewStatement) -> Iterable[str]:
    """Return the newest memories at the likely addresses; a text that tells no change has one."""
    reading = new.reading
    if reading.change is None:
        return ()
    addresses = [(reading.subject, reading.attribute)]
    if reading.change.replaces >= TELLS_CHANGE_FROM:
        ranked = sorted(zip(reading.change.attributes, Attribute, strict=True), key=lambda pair: -pair[0])
        likely = [attribute for _, attribute in ranked[:_LIKELY_ATTRIBUTES]]
        addresses = [(subject, attribute) for attribute in likely for subject in Subject]
    return session.search.at_addresses(new.owner, addresses, _NEWEST_AT_ADDRESS)


def _nearest(session: Reader, new: NewStatement) -> list[str]:
    """Return the ids of the memories nearest in words and, with an embedder, in meaning."""
    words = sorted(dict.fromkeys(new.text.split()), key=len, reverse=True)[:_MOST_SEARCHED_WORDS]
    near = [match.item_id for match in session.search.by_words(new.owner, " ".join(words), _NEAREST).matches]
    if new.vector is not None:
        near += [match.item_id for match in session.search.by_vector(new.owner, new.vector, _NEAREST)]
    return near


def succeed(
    session: Writer, law: Law, newer: CelestialItem, replaced: Sequence[CelestialItem], now: float
) -> CelestialItem:
    """End the validity of the older statements; return the newer one, which names them."""
    moment = since_when(newer)
    for older in replaced:
        ended = replace(older.validity, until=moment, superseded_by=newer.id)
        place_again(session, law, replace(older, validity=ended), now)
        detail = {"by": newer.id, "until": moment}
        session.ledger.record(
            Event(EventType.SUPERSEDED, older.owner, now, older.id, detail, memory_refs=(newer.id,))
        )
    validity = replace(
        newer.validity,
        since=moment if newer.validity.since is None else newer.validity.since,
        replaces=tuple(dict.fromkeys((*newer.validity.replaces, *(older.id for older in replaced)))),
    )
    return replace(newer, validity=validity) if replaced else newer
