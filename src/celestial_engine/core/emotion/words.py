"""What a word says about the mood of a text: the word lists of `lang`, read once."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from celestial_engine.core.record.coordinate import Emotion

# How good or bad each emotion is at full strength.
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
_GOOD_DENIED, _BAD_DENIED = 0.7, 0.45  # not good is rather bad, not bad is only a little good


Strengths = tuple[tuple[Emotion, float], ...]


class Sense(NamedTuple):
    """How strongly a word tells of each emotion, strongest first, and whether that is good or bad (-1 to 1)."""

    emotions: Strengths
    valence: float
    denied: Strengths = ()

    def turned(self) -> Sense:
        """What the word says when it is denied."""
        if self.denied:
            return _sense(self.denied)
        if self.valence > 0:
            return Sense(((Emotion.SADNESS, _GOOD_DENIED * self.valence),), -_GOOD_DENIED * self.valence)
        return Sense(((Emotion.JOY, -_BAD_DENIED * self.valence),), -_BAD_DENIED * self.valence)


NOTHING = Sense((), 0.0)


class EmotionHit(NamedTuple):
    """A word that tells of a mood: where it stands, what it says here, and how much it counts."""

    start: int
    word: str
    sense: Sense
    factor: float
    soft: bool = False


def entries(lists: Mapping[str, str]) -> Iterator[tuple[str, Strengths]]:
    """Each word of a word list with its emotions; a key reads "joy 0.5 sadness 0.5"."""
    for key, words in lists.items():
        strengths = strengths_of(key)
        for word in words.split():
            yield word, strengths


def strengths_of(key: str) -> Strengths:
    parts = key.split()
    return tuple((Emotion(name), float(strength)) for name, strength in zip(parts[::2], parts[1::2], strict=True))


def senses(lists: Mapping[str, str], denied: Mapping[str, str], steadfast: Container[str] = ()) -> dict[str, Sense]:
    """The sense of each word; one that stands in several lists has the feelings of all of them.

    `denied` says what a denied word says, `steadfast` which words cannot be denied.
    """
    found: dict[str, dict[Emotion, float]] = {}
    for word, strengths in entries(lists):
        feelings = found.setdefault(word, {})
        for emotion, strength in strengths:
            feelings[emotion] = max(strength, feelings.get(emotion, 0.0))
    turned = dict(entries(denied))
    made: dict[str, Sense] = {}
    for word, feelings in found.items():
        bare, strengths = word.removeprefix("="), tuple(feelings.items())
        made[word] = _sense(strengths, strengths if bare in steadfast else turned.get(bare, ()))
    return made


def _sense(strengths: Strengths, denied: Strengths = ()) -> Sense:
    strengths = tuple(sorted(strengths, key=lambda each: -each[1]))
    parts = [VALENCE[emotion] * strength for emotion, strength in strengths]
    mixed = any(part > 0 for part in parts) and any(part < 0 for part in parts)
    return Sense(strengths, sum(parts) / len(parts) if mixed else parts[0], denied)


def factors(*tables: Mapping[float, str]) -> dict[str, float]:
    """The words that raise or lower, with how much."""
    return {word: factor for table in tables for factor, words in table.items() for word in words.split()}
