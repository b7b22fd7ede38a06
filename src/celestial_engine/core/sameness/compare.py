"""Compares two texts: they say the same, contradict each other, or are about different things.

A false SAME loses a memory, a missed one only keeps two. So SAME requires that nothing that matters differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache

from celestial_engine.core.sameness.claims import Claim, claims_of
from celestial_engine.core.sameness.statement import LIKES, LOOKED_AT, Statement, opposites, read_statement
from celestial_engine.core.sameness.values import ValueKind
from celestial_engine.core.text.entities import USER
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.ko import sameness as ko_sameness

SAME_FROM = 0.92  # minimum cosine of two texts that may say the same in other words


_LONGEST_NAME = 2  # words
_NEUTRAL = "±"
_BOUNDS = frozenset("<>≤≥")
_NAMING = frozenset((ValueKind.LABEL, ValueKind.ORDINAL))  # house 3 and house 4 are two houses


class Sameness(str, Enum):
    SAME = "same"
    CONFLICT = "conflict"  # about the same thing, and both cannot be true
    DIFFERENT = "different"


def compare(older: str, newer: str, cosine: float | None = None) -> Sameness:
    """Compares the newer text to the older one; `cosine` is that of their vectors, None without an embedder.

    >>> compare("I live in Seoul", "I live in Busan now").value
    'conflict'
    """
    first, second = read_statement(older), read_statement(newer)
    if first.speaker != second.speaker or first.asks != second.asks:
        return Sameness.DIFFERENT
    same_details = _same_details(first, second)
    if same_details and first.plain == second.plain and older[LOOKED_AT:] == newer[LOOKED_AT:]:
        return Sameness.SAME
    if not (first.whole and second.whole):
        return Sameness.DIFFERENT
    if same_details and _says_the_same(first, second, cosine):
        return Sameness.SAME
    if not first.asks and _contradicts(first, second, older, newer):
        return Sameness.CONFLICT
    return Sameness.DIFFERENT


def key_of(text: str) -> str:
    """Returns a key; texts that say the same share it, but texts that share it may still differ."""
    statement = read_statement(text)
    if not statement.whole or not statement.words:
        return repr((statement.plain, text[LOOKED_AT:], statement.speaker, statement.asks))
    solid_words = [word for word in statement.words if word in statement.solid]
    return repr(
        (
            solid_words,
            sorted(statement.values.items()),
            statement.negative,
            statement.past,
            sorted(statement.moods),
            statement.speaker,
            statement.asks,
        )
    )


def topics_of(text: str) -> tuple[str, ...]:
    """Returns topics; contradicting texts share one, unless one of them says itself that it is a change."""
    statement = read_statement(text)
    if statement.asks or not statement.whole:
        return ()
    claims = {repr((claim.subject, claim.predicate)) for claim in claims_of(text)}
    neutral = tuple(_NEUTRAL if word in _with_opposites() else word for word in _with_likes_unified(statement))
    named = [statement.values.get(kind) for kind in sorted(_NAMING)]
    return (repr((statement.speaker, neutral, named)), *sorted(claims)) if statement.words else tuple(sorted(claims))


def tells_change(text: str) -> bool:
    """Whether a text itself says that something changed: moved, switched, no longer, 이제."""
    return read_statement(text).changing


@lru_cache(maxsize=1)
def _with_opposites() -> frozenset[str]:
    return frozenset(word for pair in opposites() for word in pair)


def _same_details(first: Statement, second: Statement) -> bool:
    """No symbol or function word differs: O+ and O-, in and on the box, 만 and 를, 오면 and 와서."""
    return (
        first.signs == second.signs
        and first.shades == second.shades
        and not _at_odds(first.pictures, second.pictures)
        and not _at_odds(first.placing, second.placing)
    )


def _at_odds(first: frozenset[str], second: frozenset[str]) -> bool:
    return bool(first - second and second - first)


def _says_the_same(first: Statement, second: Statement, cosine: float | None) -> bool:
    if (
        first.values != second.values
        or first.negative != second.negative
        or first.past != second.past
        or first.moods != second.moods
        or _swapped(first.roles, second.roles)
    ):
        return False
    if not (first.words and second.words):
        return False
    if first.words == second.words:
        return True
    if cosine is None or cosine < SAME_FROM:
        return False
    return _in_other_words(first, second)


def _in_other_words(first: Statement, second: Statement) -> bool:
    """The same main words in the same order; one of the two may have more detail."""
    solid_words = [[word for word in statement.words if word in statement.solid] for statement in (first, second)]
    mine, other = set(first.words) - set(second.words), set(second.words) - set(first.words)
    if USER in (mine | other) and USER not in (first.words[0], second.words[0]):
        return False  # "Kim owes money" and "Kim owes me money" differ
    return solid_words[0] == solid_words[1] and not (mine and other)


def _opposite(first: Statement, second: Statement) -> bool:
    mine, other = set(first.words) - set(second.words), set(second.words) - set(first.words)
    return any(frozenset((left, right)) in opposites() for left in mine for right in other)


def _swapped(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    return any(second.get(noun, role) != role for noun, role in first.items())


def _contradicts(first: Statement, second: Statement, older: str, newer: str) -> bool:
    if _another_value(first, second) or _denied(first, second) or _replaced(first, second):
        return True
    before = claims_of(older)
    if any(claim.value in second.left for claim in before):  # moved from Lisbon to Berlin
        return True
    return bool(before) and _claims_differ(before, claims_of(newer))


def _denied(first: Statement, second: Statement) -> bool:
    if first.values != second.values or first.past != second.past:
        return False
    if first.negative != second.negative:
        return _with_likes_unified(first) == _with_likes_unified(second)
    return len(first.words) == len(second.words) and _opposite(first, second) and _one_word_apart(first, second)


def _one_word_apart(first: Statement, second: Statement) -> bool:
    return sum(left != right for left, right in zip(first.words, second.words, strict=True)) == 1


def _with_likes_unified(statement: Statement) -> tuple[str, ...]:
    return tuple(LIKES if word in _liking() else word for word in statement.words)


@lru_cache(maxsize=1)
def _liking() -> frozenset[str]:
    return frozenset(map(stem, en_sameness.LIKING)) | ko_sameness.LIKING


def _another_value(first: Statement, second: Statement) -> bool:
    """The same words with another time or number. Past events do not contradict: Monday's may repeat on Tuesday."""
    if first.past or (second.past and not second.changing) or first.negative != second.negative:
        return False
    if _BOUNDS.intersection(first.signs) != _BOUNDS.intersection(second.signs):
        return False  # "more than 5" and "less than 9" can both be true
    differing = {kind for kind in ValueKind if first.values.get(kind) != second.values.get(kind)}
    both = {kind for kind in differing if first.values.get(kind) and second.values.get(kind)}
    if not both or differing & _NAMING:
        return False
    if first.words == second.words:
        return True
    return second.changing and bool(first.solid) and first.solid <= second.solid


def _replaced(first: Statement, second: Statement) -> bool:
    """The newer text states a change: from Lisbon to Berlin, or the same sentence with one thing replaced."""
    if first.past or first.negative or second.negative:
        return False
    if second.left & first.solid and (first.solid & second.solid) - second.left:
        return True
    if not second.renewed or LIKES in first.words or first.values != second.values or first.moods != second.moods:
        return False
    start, shorter = 0, min(len(first.words), len(second.words))
    while start < shorter and first.words[start] == second.words[start]:
        start += 1
    end = 0
    while end < shorter - start and first.words[-1 - end] == second.words[-1 - end]:
        end += 1
    exchanged = max(len(first.words), len(second.words)) - start - end
    return start > 0 and start + end > 1 and shorter > start + end and exchanged <= _LONGEST_NAME


def _claims_differ(older: tuple[Claim, ...], newer: tuple[Claim, ...]) -> bool:
    values = {(claim.subject, claim.predicate): claim.value for claim in older}
    return any(values.get(claim[:2], claim.value) != claim.value for claim in newer)
