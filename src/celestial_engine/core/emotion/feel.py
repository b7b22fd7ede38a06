"""Detects the emotions of a text, their intensity and sentiment. Korean and English.

Words, emoji and emoticons count; the words around them (not, very, but, a question mark) negate, raise or lower
them. See docs/emotions.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from math import exp

from celestial_engine.core.emotion import english as emotion_en
from celestial_engine.core.emotion import korean as emotion_ko
from celestial_engine.core.emotion.mixes import with_mix
from celestial_engine.core.emotion.signs import signs_in
from celestial_engine.core.emotion.words import EmotionHit
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate

LOOKED_AT = 2_000
MOST_TAGS = 3
MOST_KEYWORDS = 8
NEUTRAL = EmotionCoordinate(tags=(Emotion.NEUTRAL,), confidence=0.2)

_FAINTEST = 0.25  # below this the text is neutral
_BESIDE = 0.45  # a further tag needs at least this share of the strongest
_QUESTION = 0.6
_DOUBT = 0.35  # keeps the sentiment of a single mild word away from the extremes
_EXCLAIMED, _MOST_EXCLAIMED = 0.1, 3
_AGAINST_THE_MOOD = 0.4
_MOST_AT_ONCE = 0.95  # the most that a single word adds to the intensity
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…\n]*")
_HANGUL = re.compile("[가-힣ㄱ-ㅎ]")


class RuleFeeler:
    """Word lists and rules, without a model."""

    def feel(self, text: str) -> EmotionCoordinate:
        return feel(text)


def feel(text: str) -> EmotionCoordinate:
    """Returns the emotion of a text, from its first 2,000 characters."""
    return _summed(list(_hits(text[:LOOKED_AT])))


def feel_plainly(text: str) -> EmotionCoordinate:
    """Returns the emotion from words alone, without negation, degree or contrast: a baseline for the rules."""
    text = text[:LOOKED_AT]
    return _summed(
        [*signs_in(text), *emotion_ko.hits_in(text, plainly=True), *emotion_en.hits_in(text, plainly=True)]
    )


def _hits(text: str) -> Iterator[EmotionHit]:
    text = text.replace("’", "'")
    korean = not text.isascii() and _HANGUL.search(text)
    yield from signs_in(text)
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        loudness = _loudness(sentence)
        hits = emotion_en.hits_in(sentence)
        for hit in chain(hits, emotion_ko.hits_in(sentence)) if korean else hits:
            yield hit._replace(factor=hit.factor * loudness) if loudness != 1.0 else hit


def _loudness(sentence: str) -> float:
    if "?" in sentence[-3:]:
        return _QUESTION
    return 1.0 + _EXCLAIMED * min(_MOST_EXCLAIMED, sentence.count("!"))


def _summed(hits: list[EmotionHit]) -> EmotionCoordinate:
    """Adds up all hits."""
    mood = sum([hit.sense.valence * hit.factor for hit in hits if not hit.soft])
    sums: dict[Emotion, float] = {}
    times_seen: dict[str, int] = {}
    good = bad = 0.0
    calm = 1.0  # what remains after each word
    for _, word, (emotions, valence, _), factor, soft in hits:
        times_seen[word] = times_seen.get(word, 0) + 1
        factor /= times_seen[word]  # repetition counts less each time
        if soft and mood * valence < 0:
            factor *= _AGAINST_THE_MOOD
        for emotion, strength in emotions:
            sums[emotion] = sums.get(emotion, 0.0) + strength * factor
        if valence > 0:
            good += valence * factor
        else:
            bad -= valence * factor
        calm *= 1.0 - min(_MOST_AT_ONCE, emotions[0][1] * factor)
    ranked = sorted(sums.items(), key=lambda each: -each[1])
    if not ranked or ranked[0][1] < _FAINTEST:
        return NEUTRAL
    strongest = ranked[0][1]
    tags = tuple(emotion for emotion, total in ranked[:MOST_TAGS] if total >= max(_FAINTEST, _BESIDE * strongest))
    return EmotionCoordinate(
        tags=with_mix(tags),
        intensity=round(1.0 - calm, 3),
        sentiment_score=round((good - bad) / (good + bad + _DOUBT), 3),
        confidence=round(_confidence(strongest, sum(sums.values())), 3),
        keywords=_keywords(hits),
    )


def _confidence(strongest: float, total: float) -> float:
    """High if much evidence points one way; low if there is little or it is mixed."""
    return min(0.95, (1.0 - exp(-1.4 * total)) * (0.5 + 0.5 * strongest / total))


def _keywords(hits: list[EmotionHit]) -> tuple[str, ...]:
    strongest_first = sorted(hits, key=lambda hit: -abs(hit.sense.valence * hit.factor))
    return tuple(dict.fromkeys(hit.word for hit in strongest_first))[:MOST_KEYWORDS]
