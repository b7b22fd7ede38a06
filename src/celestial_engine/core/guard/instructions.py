"""Recognises texts that tell a language model what to do: they are kept as claims, with low trust."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from celestial_engine.core.guard.normal_form import fold
from celestial_engine.core.guard.prefilter import Prefilter, trie
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import instruction_hints as hints
from celestial_engine.lang import instructions as patterns

_READ_AT_ONCE = 20_000  # characters: what a longer text says is searched in pieces that overlap
_OVERLAP = 400
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
    if not possible or not any(search(text) for place, search in enumerate(_searches()) if possible >> place & 1):
        return False
    return compiled(_hints()).search(text.lower()) is not None


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
