"""Recognises texts that tell a language model what to do: they are kept as claims, with low trust."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from celestial_engine.core.guard.normal_form import fold
from celestial_engine.core.guard.prefilter import Prefilter, trie
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import instruction_hints as hints
from celestial_engine.lang import instructions as patterns
from celestial_engine.lang import steering

_READ_AT_ONCE = 20_000  # characters: what a longer text says is searched in pieces that overlap
_OVERLAP = 400
_LONGEST_SENTENCE = 400  # of a longer one the beginning is read
_SENTENCE_END = r"(?<=[.!?])\s|\n"
_UNUSUAL_LETTERS = "[ſİı]"  # patterns take them for s and i, but they are no lower case of these


def looks_like_injection(text: str) -> bool:
    """Whether a text commands its reader, gives duties, or says how questions must be answered."""
    return any(_commands(piece) for piece in _pieces(fold(text)))


def claims_access(text: str) -> bool:
    """Whether a text says who may see or do what, or where money goes."""
    folded = fold(text)
    return any(compiled(pattern).search(folded) for pattern in patterns.ACCESS_CLAIMS)


def _commands(text: str) -> bool:
    unusual = not text.isascii() and compiled(_UNUSUAL_LETTERS).search(text) is not None
    possible = -1 if unusual else _prefilter()(text)
    if (
        possible
        and any(search(text) for place, search in enumerate(_searches()) if possible >> place & 1)
        and compiled(_hints()).search(text.lower()) is not None
    ):
        return True
    return any(_steers(sentence[:_LONGEST_SENTENCE]) for sentence in compiled(_SENTENCE_END).split(text) if sentence)


def _steers(sentence: str) -> bool:
    """Whether a sentence says what others are to be told or given, lets the model act alone, or fixes an answer."""
    lower = sentence.lower()
    if compiled(steering.ALONE_HINTS).search(lower) and _finds(steering.ALONE, sentence):
        return True
    if _finds(steering.ONESELF, sentence):  # a wish for oneself steers nobody else
        return False
    if _finds(steering.FIXED, sentence):
        return True
    if compiled(steering.SCOPE).search(sentence) and _finds(steering.ORDER, sentence):
        return True
    if sentence.isascii():
        return False
    return bool(compiled(steering.SCOPE_KO).search(sentence) and compiled(steering.ORDER_KO).search(sentence))


def _finds(patterns_of: tuple[str, ...], sentence: str) -> bool:
    return any(compiled(pattern).search(sentence) for pattern in patterns_of)


def _pieces(text: str) -> list[str]:
    if len(text) <= _READ_AT_ONCE:
        return [text]
    step = _READ_AT_ONCE - _OVERLAP
    return [text[start : start + _READ_AT_ONCE] for start in range(0, len(text), step)]


@lru_cache(maxsize=1)
def _searches() -> list[Callable[[str], object]]:
    return [compiled(pattern).search for pattern in (*patterns.COMMANDS, *patterns.STEERING)]


@lru_cache(maxsize=1)
def _prefilter() -> Prefilter:
    return Prefilter.of(tuple(each.split("|")) for each in (*hints.COMMANDS, *hints.STEERING))


@lru_cache(maxsize=1)
def _hints() -> str:
    return trie(sorted(set(patterns.HINTS)))
