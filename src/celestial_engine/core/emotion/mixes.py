"""Colours of the ten emotions, the mixed emotions of pairs, and the emotion of several memories together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate

_MOST_TAGS = 3
# One hex value each; nostalgia is pink and blue.
COLOURS: dict[Emotion, tuple[str, ...]] = {
    Emotion.JOY: ("#FFD700",),
    Emotion.SADNESS: ("#3B7DD8",),
    Emotion.ANGER: ("#E03131",),
    Emotion.FEAR: ("#8E44AD",),
    Emotion.DISGUST: ("#2F9E44",),
    Emotion.ANXIETY: ("#FF8C00",),
    Emotion.ENVY: ("#12A5A0",),
    Emotion.ENNUI: ("#4B0082",),
    Emotion.NOSTALGIA: ("#F48FB1", "#3B7DD8"),
    Emotion.NEUTRAL: ("#9AA0A6",),
}


@dataclass(frozen=True)
class MixedEmotion:
    """The mixture of two emotions; `tag` is set if it is itself one of the ten."""

    name_en: str
    name_ko: str
    parts: frozenset[Emotion]
    tag: Emotion | None = None

    @property
    def colours(self) -> tuple[str, ...]:
        if self.tag is not None:
            return COLOURS[self.tag]
        return tuple(COLOURS[part][0] for part in Emotion if part in self.parts)


def _mixed(first: Emotion, second: Emotion, en: str, ko: str, tag: Emotion | None = None) -> MixedEmotion:
    return MixedEmotion(en, ko, frozenset((first, second)), tag)


NOSTALGIA = _mixed(Emotion.JOY, Emotion.SADNESS, "nostalgia", "그리움", Emotion.NOSTALGIA)
THRILL = _mixed(Emotion.JOY, Emotion.FEAR, "thrill", "짜릿함")
ANTICIPATION = _mixed(Emotion.JOY, Emotion.ANXIETY, "anticipation", "설렘")
TRIUMPH = _mixed(Emotion.JOY, Emotion.ANGER, "triumph", "통쾌함")
MISCHIEF = _mixed(Emotion.JOY, Emotion.DISGUST, "mischief", "짓궂음")
ASPIRATION = _mixed(Emotion.JOY, Emotion.ENVY, "aspiration", "동경")
IDLENESS = _mixed(Emotion.JOY, Emotion.ENNUI, "idleness", "한가로움")
GRIEVANCE = _mixed(Emotion.SADNESS, Emotion.ANGER, "grievance", "억울함")
DESPAIR = _mixed(Emotion.SADNESS, Emotion.FEAR, "despair", "절망")
REMORSE = _mixed(Emotion.SADNESS, Emotion.DISGUST, "remorse", "회한")
GLOOM = _mixed(Emotion.SADNESS, Emotion.ANXIETY, "gloom", "침울함")
INFERIORITY = _mixed(Emotion.SADNESS, Emotion.ENVY, "inferiority", "열등감")
LISTLESSNESS = _mixed(Emotion.SADNESS, Emotion.ENNUI, "listlessness", "무기력")
CONTEMPT = _mixed(Emotion.ANGER, Emotion.DISGUST, "contempt", "경멸")
ALARM = _mixed(Emotion.ANGER, Emotion.FEAR, "alarm", "경악")
FRUSTRATION = _mixed(Emotion.ANGER, Emotion.ANXIETY, "frustration", "답답함")
JEALOUSY = _mixed(Emotion.ANGER, Emotion.ENVY, "jealousy", "질투")
EXASPERATION = _mixed(Emotion.ANGER, Emotion.ENNUI, "exasperation", "진절머리")
HORROR = _mixed(Emotion.FEAR, Emotion.DISGUST, "horror", "섬뜩함")
DREAD = _mixed(Emotion.FEAR, Emotion.ANXIETY, "dread", "전전긍긍")
INSECURITY = _mixed(Emotion.ANXIETY, Emotion.ENVY, "insecurity", "자격지심")
BURNOUT = _mixed(Emotion.ANXIETY, Emotion.ENNUI, "burnout", "번아웃")
DISILLUSION = _mixed(Emotion.DISGUST, Emotion.ENNUI, "disillusion", "환멸")
SPITE = _mixed(Emotion.DISGUST, Emotion.ENVY, "spite", "시샘")
FONDNESS = _mixed(Emotion.JOY, Emotion.NOSTALGIA, "fondness", "정겨움")
LONGING = _mixed(Emotion.SADNESS, Emotion.NOSTALGIA, "longing", "애틋함")

MIXES: dict[frozenset[Emotion], MixedEmotion] = {
    each.parts: each
    for each in (
        NOSTALGIA, THRILL, ANTICIPATION, TRIUMPH, MISCHIEF, ASPIRATION, IDLENESS, GRIEVANCE, DESPAIR, REMORSE, GLOOM,
        INFERIORITY, LISTLESSNESS, CONTEMPT, ALARM, FRUSTRATION, JEALOUSY, EXASPERATION, HORROR, DREAD, INSECURITY,
        BURNOUT, DISILLUSION, SPITE, FONDNESS, LONGING,
    )
}  # fmt: skip


def mixed(tags: Iterable[Emotion]) -> MixedEmotion | None:
    """Returns the mixture of the first pair (strongest first) that has one."""
    for pair in combinations(tuple(tags), 2):
        if found := MIXES.get(frozenset(pair)):
            return found
    return None


def mix(tags: Iterable[Emotion]) -> Emotion | None:
    """Returns the one of the ten emotions that these combine to: joy and sadness are nostalgia."""
    present = set(tags)
    return next((each.tag for each in MIXES.values() if each.tag is not None and each.parts <= present), None)


def with_mix(tags: tuple[Emotion, ...]) -> tuple[Emotion, ...]:
    """Appends the mixture of the tags if it is one of the ten and not yet among them."""
    mixture = mix(tags)
    return tags if mixture is None or mixture in tags else (*tags, mixture)


def felt_together(feelings: Sequence[EmotionCoordinate]) -> EmotionCoordinate:
    """Combines emotions of memories: the most frequent tags, the highest intensity, the mean sentiment.

    Of tags that are equally frequent the more intense come first.
    """
    counts, intensities = Counter[Emotion](), defaultdict[Emotion, float](float)
    for feeling in feelings:
        for tag in feeling.tags:
            if tag is not Emotion.NEUTRAL:
                counts[tag] += 1
                intensities[tag] += feeling.intensity
    ranked = sorted(counts, key=lambda tag: (counts[tag], intensities[tag]), reverse=True)
    return EmotionCoordinate(
        tags=tuple(ranked[:_MOST_TAGS]) or (Emotion.NEUTRAL,),
        intensity=max(feeling.intensity for feeling in feelings),
        sentiment_score=round(sum(feeling.sentiment_score for feeling in feelings) / len(feelings), 4),
        confidence=min(feeling.confidence for feeling in feelings),
    )
