"""Finds memories that only repeat the sentences of another one beside them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.sameness.strip_time import without_times
from celestial_engine.core.text.sentences import sentences_of

_MOST_SPLIT = 4_000  # characters; a longer text is compared as a whole


def repeating(items: Sequence[CelestialItem]) -> set[str]:
    """Returns the ids of memories all of whose sentences another one has too; of two that say the same, the later."""
    sentences_by_id = [(item.id, _sentences(item.content)) for item in items]
    faded = {item.id for item in items if item.state is State.FADED}  # shown by its facts, not by its sentences
    return _covered(sentences_by_id, lambda _, other: other not in faded) | repeating_relatives(items)


def said_before(items: Sequence[CelestialItem]) -> dict[str, str]:
    """Returns for each memory that says the same as an earlier one of the list the id of that one.

    What was replaced is not what holds now, even in the same words.
    """
    from celestial_engine.core.sameness.compare import Sameness, compare, key_of  # long lists, for those who fold

    first: dict[tuple[str, bool], list[CelestialItem]] = {}
    same: dict[str, str] = {}
    for item in items:
        earlier = first.setdefault((key_of(item.content), item.validity.superseded_by is None), [])
        twin = next((one for one in earlier if compare(one.content, item.content) is Sameness.SAME), None)
        if twin is None:
            earlier.append(item)
        else:
            same[item.id] = twin.id
    return same


def repeating_relatives(items: Sequence[CelestialItem]) -> set[str]:
    """Returns the ids of distilled memories, or of their sources, that say the same but for a time."""
    sources = {item.id: set(item.links.promoted_from) for item in items if item.links.promoted_from}
    related = sources.keys() | {source for ids in sources.values() for source in ids}
    if not sources:
        return set()
    sentences_by_id = [(item.id, _sentences(without_times(item.content))) for item in items if item.id in related]
    return _covered(
        sentences_by_id, lambda one, other: one in sources.get(other, ()) or other in sources.get(one, ())
    )


def _covered(
    sentences_by_id: Sequence[tuple[str, frozenset[str]]], comparable: Callable[[str, str], bool]
) -> set[str]:
    holders: dict[str, list[int]] = {}
    for place, (_, sentences) in enumerate(sentences_by_id):
        for sentence in sentences:
            holders.setdefault(sentence, []).append(place)
    covered: set[str] = set()
    for place, (item_id, own) in enumerate(sentences_by_id):
        for other_place in holders[next(iter(own))] if own else ():
            other_id, theirs = sentences_by_id[other_place]
            repeats = own < theirs or (own == theirs and other_place < place)
            if repeats and other_id not in covered and comparable(item_id, other_id):
                covered.add(item_id)
                break
    return covered


def normalised(text: str) -> str:
    """Returns a sentence as it is compared: without case, forms of letters, and its full stop."""
    plain = unicodedata.normalize("NFKC", escape_for_prompt(text)).casefold()
    return plain.strip(" .!?~…。") or plain


def _sentences(text: str) -> frozenset[str]:
    sentences = sentences_of(text) if len(text) <= _MOST_SPLIT else [text]
    return frozenset(map(normalised, sentences)) - {""}
