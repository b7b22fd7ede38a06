"""Recognises texts that tell a language model what to do: they are kept as claims, with low trust."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from celestial_engine.core.guard.normal_form import fold
from celestial_engine.core.guard.prefilter import trie
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import instructions as patterns

_READ_AT_ONCE = 20_000  # characters: what a longer text says is searched in pieces that overlap
_OVERLAP = 400


def looks_like_injection(text: str) -> bool:
    """Whether a text commands its reader, gives duties, or says how questions must be answered."""
    return any(_commands(piece) for piece in _pieces(fold(text)))


def claims_access(text: str) -> bool:
    """Whether a text says who may see or do what, or where money goes."""
    folded = fold(text)
    return any(compiled(pattern).search(folded) for pattern in patterns.ACCESS_CLAIMS)


def _commands(text: str) -> bool:
    if not compiled(_hints()).search(text.lower()):
        return False
    return any(search(text) for search in _searches())


def _pieces(text: str) -> list[str]:
    if len(text) <= _READ_AT_ONCE:
        return [text]
    step = _READ_AT_ONCE - _OVERLAP
    return [text[start : start + _READ_AT_ONCE] for start in range(0, len(text), step)]


@lru_cache(maxsize=1)
def _searches() -> list[Callable[[str], object]]:
    return [compiled(pattern).search for pattern in (*patterns.COMMANDS, *patterns.STEERING)]


@lru_cache(maxsize=1)
def _hints() -> str:
    return trie(sorted(set(patterns.HINTS)))
