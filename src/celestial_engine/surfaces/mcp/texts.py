"""Sentences for the user of a client, in their language."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[..., str]


def speaking(language: str) -> Say:
    """A function from a key and its fields to a sentence; only that language is loaded."""
    if language == "ko":
        from celestial_engine.surfaces.mcp.texts_ko import TEXTS
    else:
        from celestial_engine.surfaces.mcp.texts_en import TEXTS

    def say(key: str, **fields: object) -> str:
        return TEXTS[key].format(**fields) if fields else TEXTS[key]

    return say
