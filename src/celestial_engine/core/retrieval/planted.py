"""Which memories tell of something that an instruction names: praise is planted first, and the order later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source

_SPEAKERS = (Source.USER, Source.CONVERSATION, Source.IMPORT)
_SHORTEST_STEM = 3  # syllables: Korean particles follow a name, and not every one is cut off a keyword
Tells = Callable[[CelestialItem], bool]


def tells_of_named(items: Sequence[CelestialItem], question: str) -> Tells | None:
    """Returns whether a memory tells of what the instructions among `items` name; None if there are none.

    What the question names itself shows nothing, because every memory that answers it tells of that.
    """
    orders = _orders(items)
    if not orders:
        return None
    from celestial_engine.core.text.keywords import keywords_of  # only where an instruction was found

    question_words = _words(keywords_of(question))
    return _tells(
        {word for order in orders for word in _words(order.keywords) if not _is_among(word, question_words)}
    )


def tells_of_name(items: Sequence[CelestialItem]) -> Tells | None:
    """The same without a question: only words that may be names count, or one order would mark half of a life."""
    named = {word for order in _orders(items) for word in _words(order.keywords) if _may_name(word, order)}
    return _tells(named) if named else None


def _orders(items: Sequence[CelestialItem]) -> list[CelestialItem]:
    return [item for item in items if item.trust is Trust.LOW and item.source in _SPEAKERS]


def _tells(named: set[str]) -> Tells:
    return lambda item: any(_is_among(word, named) for word in _words(item.keywords))


def _may_name(word: str, order: CelestialItem) -> bool:
    return (_is_korean(word) and len(word) >= _SHORTEST_STEM) or f" {word.capitalize()}" in f" {order.content}"


def _words(keywords: Iterable[str]) -> frozenset[str]:
    return frozenset(word for keyword in keywords for word in keyword.split())


def _is_among(word: str, others: Iterable[str]) -> bool:
    return any(word == other or _same_stem(word, other) for other in others)


def _same_stem(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_STEM and _is_korean(short) and long.startswith(short)


def _is_korean(word: str) -> bool:
    return "가" <= word[:1] <= "힣"
