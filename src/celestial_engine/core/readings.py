"""Texts read once for two questions: who might contradict whom, and who might say the same."""

from __future__ import annotations

from celestial_engine.core.sameness import key_of, topics_of


class Readings:
    """Reading a text is what costs, so whoever asks for its topics leaves its key for whoever asks next."""

    def __init__(self) -> None:
        self._keys: dict[int, int] = {}

    def topics(self, text: str) -> tuple[str, ...]:
        self._keys[hash(text)] = hash(key_of(text))
        return topics_of(text)

    def keys(self, text: str) -> tuple[int]:
        """Texts that say the same have the same key; those that have it may still differ."""
        known = self._keys.get(hash(text))
        return (hash(key_of(text)) if known is None else known,)

    def forget(self) -> None:
        self._keys.clear()
