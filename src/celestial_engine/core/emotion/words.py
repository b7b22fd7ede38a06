"""The emotional sense of words, parsed from the word lists in `lang`."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from celestial_engine.core.record.coordinate import Emotion

# The sentiment of each emotion at full strength.
VALENCE = {
    Emotion.JOY: 1.0,
    Emotion.SADNESS: -0.8,
    Emotion.ANGER: -1.0,
    Emotion.FEAR: -0.8,
    Emotion.DISGUST: -1.0,
    Emotion.ANXIETY: -0.7,
    Emotion.ENVY: -0.4,
    Emotion.ENNUI: -0.8,
    Emotion.NOSTALGIA: 0.1,
    Emotion.NEUTRAL: 0.0,
}
_GOOD_DENIED, _BAD_DENIED = 0.7, 0.45  # "not good" is rather bad, "not bad" is only a little good


Strengths = tuple[tuple[Emotion, float], ...]


class Sense(NamedTuple):
    """The emotions of a word with their strengths, strongest first, and its sentiment from -1 to 1."""

    emotions: Strengths
    valence: float
    denied: Strengths = ()

    def turned(self) -> Sense:
        """Returns the sense of the negated word."""
        if self.denied:
            return _sense(self.denied)
        if self.valence > 0:
            return Sense(((Emotion.SADNESS, _GOOD_DENIED * self.valence),), -_GOOD_DENIED * self.valence)
        return Sense(((Emotion.JOY, -_BAD_DENIED * self.valence),), -_BAD_DENIED * self.valence)


NOTHING = Sense((), 0.0)


class EmotionHit(NamedTuple):
    """An emotion word: its position, its sense here, and its weight."""

    start: int
    word: str
    sense: Sense
    factor: float
    soft: bool = False


def entries(lists: Mapping[str, str]) -> Iterator[tuple[str, Strengths]]:
    """Yields each word of a word list with its emotions; a key is like "joy 0.5 sadness 0.5"."""
    for key, words in lists.items():
        strengths = strengths_of(key)
        for word in words.split():
            yield word, strengths


def strengths_of(key: str) -> Strengths:
    parts = key.split()
    return tuple((Emotion(name), float(strength)) for name, strength in zip(parts[::2], parts[1::2], strict=True))


def senses(lists: Mapping[str, str], denied: Mapping[str, str], steadfast: Container[str] = ()) -> dict[str, Sense]:
    """Returns the sense of each word; a word in several lists has the emotions of all of them.

    `denied` has the sense of negated words; `steadfast` words do not change when negated.
    """
    emotions_by_word: dict[str, dict[Emotion, float]] = {}
    for word, strengths in entries(lists):
        feelings = emotions_by_word.setdefault(word, {})
        for emotion, strength in strengths:
            feelings[emotion] = max(strength, feelings.get(emotion, 0.0))
    negated = dict(entries(denied))
    result: dict[str, Sense] = {}
    for word, feelings in emotions_by_word.items():
        bare, strengths = word.removeprefix("="), tuple(feelings.items())
        result[word] = _sense(strengths, strengths if bare in steadfast else negated.get(bare, ()))
    return result


def _sense(strengths: Strengths, denied: Strengths = ()) -> Sense:
    strengths = tuple(sorted(strengths, key=lambda each: -each[1]))
    parts = [VALENCE[emotion] * strength for emotion, strength in strengths]
    mixed = any(part > 0 for part in parts) and any(part < 0 for part in parts)
    return Sense(strengths, sum(parts) / len(parts) if mixed else parts[0], denied)


def factors(*tables: Mapping[float, str]) -> dict[str, float]:
    """Returns the words that raise or lower an emotion, with their factors."""
    return {word: factor for table in tables for factor, words in table.items() for word in words.split()}
