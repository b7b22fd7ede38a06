"""Ideas: suggests what could be done now, from memories and the situation, by Korean and English templates."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import ModuleType

from celestial_engine.core.imagination.rules import DayPart, PatternStrength, Trigger
from celestial_engine.core.model.invented import invented
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.text.entities import phrase_around
from celestial_engine.core.text.hangul import with_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import imagination as en_imagining
from celestial_engine.lang.imagination import Cue, Idea
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import imagination as ko_imagining
from celestial_engine.lang.ko import topics as ko_topics

MOST_MEMORIES = 5
_DAY = 86_400.0
_WEATHER = frozenset({"rain", "cold", "hot"})
_WEATHER_HOLDS, _MOOD_HOLDS = 0.75, 3.0  # days for which a memory describes the present
_LIKED_THINGS = frozenset({"drink", "walk", "music", "book", "film", "food"})
# Things that are a memory of a moment: which moments.
_OF_MOMENTS = {"tiring": ("working", "tired"), "ailing": ("ill",), "cheering": ("glad",)}
_TIRING_HOLDS = 14.0
_PLAN_ASKED_AFTER, _PLAN_HOLDS, _PLAN_AHEAD = 1.0, 14.0, 7.0
_HAPPY, _HAPPY_AFTER, _RECENT = 0.3, 3.0, 7.0
_SHORTEST_WORD = 2
_AGAIN_TOO_SOON, _AGAIN_SOON, _LESS = 0.8, 3.0, 0.5


@dataclass(frozen=True)
class Material:
    """A memory that an idea may use, and its relevance to the context, 0..1."""

    item: CelestialItem
    relevance: float = 0.0

    def age(self, now: float) -> float:
        """Returns the age in days, never below 0."""
        return max(0.0, now - self.item.created_at) / _DAY

    @property
    def is_of_its_day(self) -> bool:
        """Whether it describes the day it was created; distilled memories describe earlier days."""
        return self.item.source is not Source.DISTILLATION

    def weight(self, now: float) -> float:
        """Weighs recency, relevance and importance."""
        return 0.5 * math.exp(-self.age(now) / 14.0) + 0.3 * self.relevance + 0.2 * self.item.arbitrary_importance


@dataclass(frozen=True)
class Situation:
    """The present: the host's context, the owner's local time, and the trigger."""

    context: str
    local: datetime
    now: float
    trigger: Trigger


@dataclass(frozen=True)
class IdeaDraft:
    """An idea that is not stored yet."""

    pattern: str
    memories: tuple[CelestialItem, ...]
    scenario: str
    action: str | None
    emotion: str


@dataclass(frozen=True)
class _Moment:
    """A condition that is true now, known from the context (no source) or from a memory."""

    cue: Cue
    word: str
    source: Material | None = None


@dataclass(frozen=True)
class _Thing:
    word: str
    source: Material


@dataclass(frozen=True)
class _Scene:
    words: ModuleType
    situation: Situation
    memories: Sequence[Material]
    moments: Mapping[str, _Moment] = field(default_factory=dict)


class _Word(str):
    """A word for templates: {thing:을/를} appends the particle that fits."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return with_particle(str(self), spec) if "/" in spec else str(self)


def telling(context: str) -> bool:
    """Whether a context mentions any moment that an idea could use."""
    return any(next(_moments_in(context, words), None) for words in (ko_imagining, en_imagining))


def words_for(context: str, memories: Sequence[CelestialItem]) -> ModuleType:
    """Returns the templates for the language of the context, else of most memories."""
    language = language_of(context)
    if language is Language.OTHER:
        korean = sum(language_of(item.content) is Language.KO for item in memories)
        return ko_imagining if 2 * korean >= len(memories) else en_imagining
    return ko_imagining if language is Language.KO else en_imagining


def best_idea(
    situation: Situation, memories: Sequence[Material], strengths: Mapping[str, PatternStrength]
) -> IdeaDraft | None:
    """Returns the best idea by fit and past feedback; None if no memory supports one."""
    words = words_for(situation.context, [material.item for material in memories])
    ranked = sorted(memories, key=lambda material: -material.weight(situation.now))
    scene = _Scene(words, situation, ranked, _moments(situation, ranked, words))
    drafts = [(draft, worth) for draft, worth in _drafts(scene, strengths) if worth > 0.0]
    return max(drafts, key=lambda pair: pair[1])[0] if drafts else None


def made_up(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Returns names, numbers and days that no source has; a new common noun is allowed as a suggestion."""
    return tuple(
        word
        for word in invented(text, sources)
        if re.fullmatch("[가-힣]+", word) is None
        or word.endswith("요일")
        or ko_topics.NAME_SYLLABLES.issuperset(word[-2:])
        or re.search(rf"{word}\s?(?:씨|님|군|양)", text)
    )


# -- moments ------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _moments_in(text: str, words: ModuleType) -> Iterator[tuple[str, _Moment]]:
    for name, cue in words.MOMENTS.items():
        match = _compiled(cue.pattern).search(text)
        if match is not None:
            word = match[1] if match.re.groups and match[1] else ""
            yield name, _Moment(cue, words.WORKING.get(word.casefold(), word))


def _moments(situation: Situation, memories: Sequence[Material], words: ModuleType) -> dict[str, _Moment]:
    """Finds moments in the context and in recent memories; weather lasts hours, moods last days."""
    moments: dict[str, _Moment] = {}
    for material in memories:
        if not material.is_of_its_day:
            continue
        for name, moment in _moments_in(material.item.content, words):
            holds = _WEATHER_HOLDS if name in _WEATHER else _MOOD_HOLDS
            if material.age(situation.now) <= holds:
                moments.setdefault(name, _Moment(moment.cue, moment.word, material))
    moments.update(_moments_in(situation.context, words))
    return {name: moments[name] for name in words.MOMENTS if name in moments}


# -- things -------------------------------------------------------------------------------------------


def _thing(kind: str, scene: _Scene) -> _Thing | None:
    """Returns the thing of this kind in the best memory; None if there is none, or a memory dislikes it."""
    if kind in _OF_MOMENTS:
        return _memory_of_moments(_OF_MOMENTS[kind], scene)
    if kind == "happy":
        return _happy(scene)
    if kind == "recent":
        return _recent(scene)
    words, pattern = scene.words, _compiled(scene.words.THINGS[kind])
    matches = [(material, match) for material in scene.memories if (match := pattern.search(material.item.content))]
    averse = _compiled(words.AVERSE)
    if any(averse.search(material.item.content) for material, _ in matches):
        return None
    for material, match in matches:
        if kind == "plan" and material.age(scene.situation.now) > _PLAN_HOLDS:
            continue
        if kind in _LIKED_THINGS and not _is_fond(material.item, words):
            continue
        word = match[1]
        return _Thing(words.KINDS.get(word.casefold(), word), material)
    return None


def _is_fond(item: CelestialItem, words: ModuleType) -> bool:
    return item.category is Category.PREFERENCE or _compiled(words.FOND).search(item.content) is not None


def _memory_of_moments(names: Sequence[str], scene: _Scene) -> _Thing | None:
    for material in scene.memories:
        if material.age(scene.situation.now) <= _TIRING_HOLDS:
            for name in names:
                if _compiled(scene.words.MOMENTS[name].pattern).search(material.item.content):
                    return _Thing("", material)
    return None


def _happy(scene: _Scene) -> _Thing | None:
    for material in scene.memories:
        old = material.age(scene.situation.now) >= _HAPPY_AFTER
        if old and material.item.emotion.sentiment_score >= _HAPPY and (word := _keyword(material.item, scene.words)):
            return _Thing(word, material)
    return None


def _recent(scene: _Scene) -> _Thing | None:
    for material in scene.memories:
        is_recent = material.is_of_its_day and material.age(scene.situation.now) <= _RECENT
        if is_recent and (word := _keyword(material.item, scene.words)):
            return _Thing(word, material)
    return None


def _keyword(item: CelestialItem, words: ModuleType) -> str:
    """Returns a keyword, or the phrase it belongs to, as written, if it is not a time or part of a verb; else ""."""
    for word in item.keywords:
        match = re.search(re.escape(word), item.content, re.IGNORECASE)
        if match is None or len(word) < _SHORTEST_WORD or word in words.NOT_THINGS:
            continue
        if not re.search(r"\d|[다요해려어]$", word) and not re.fullmatch(ko_grammar.TIME_NOUN, word):
            return phrase_around(word, item.content) or match.group()
    return ""


# -- drafts ------------------------------------------------------------------------------------------


def _drafts(scene: _Scene, strengths: Mapping[str, PatternStrength]) -> Iterator[tuple[IdeaDraft, float]]:
    ideas: Mapping[str, Idea] = scene.words.IDEAS
    for name, idea in ideas.items():
        strength = strengths.get(name, PatternStrength(name))
        if strength.silent or not _fits(idea, scene):
            continue
        thing = _thing(idea.thing, scene) if idea.thing else None
        if thing is None or not _is_timely(name, thing, scene):
            continue
        yield _draft(name, idea, thing, scene), _worth(idea, thing, strength, scene)


def _fits(idea: Idea, scene: _Scene) -> bool:
    if any(name in scene.moments for name in idea.against):
        return False
    return any(name in scene.moments for name in idea.moments) or _fits_time_of_day(idea, scene.situation)


def _fits_time_of_day(idea: Idea, situation: Situation) -> bool:
    part = DayPart.of(situation.local.hour).value
    return part in idea.parts or ("idle" in idea.parts and situation.trigger is Trigger.IDLE)


def _is_timely(name: str, thing: _Thing, scene: _Scene) -> bool:
    """Encouragement comes before a plan, "how was it" after it."""
    age = thing.source.age(scene.situation.now)
    if name == "encourage":
        return age <= _PLAN_AHEAD
    return name != "how_was_it" or age >= _PLAN_ASKED_AFTER


def _worth(idea: Idea, thing: _Thing, strength: PatternStrength, scene: _Scene) -> float:
    """Returns strength times fit; 0 if the pattern was used today, less if it was used recently."""
    now = scene.situation.now
    days_since = math.inf if strength.last_at is None else abs(now - strength.last_at) / _DAY
    if days_since < _AGAIN_TOO_SOON:
        return 0.0
    moments = [scene.moments[name] for name in idea.moments if name in scene.moments]
    by_context = sum(moment.source is None for moment in moments)
    by_memory = sum(moment.source.weight(now) for moment in moments if moment.source is not None)
    fit = 1.0 + thing.source.weight(now) + by_memory + 0.7 * by_context
    return strength.strength * fit * (_LESS if days_since < _AGAIN_SOON else 1.0)


def _draft(name: str, idea: Idea, thing: _Thing, scene: _Scene) -> IdeaDraft:
    moments = [moment for key, moment in scene.moments.items() if key in idea.moments]
    fields = {"scene": _reason(moments, scene), "said": _spoken(moments, scene), "thing": _Word(thing.word)}
    support = [
        thing.source,
        *(moment.source for moment in moments if moment.source is not None),
        *_supporting_memories(idea, scene),
    ]
    used = {material.item.id: material.item for material in support}
    scenario = idea.scenario.format(**fields)
    return IdeaDraft(
        name,
        tuple(used.values())[:MOST_MEMORIES],
        scenario[:1].upper() + scenario[1:],
        " ".join(idea.action.format(**fields).split()),
        idea.emotion,
    )


def _supporting_memories(idea: Idea, scene: _Scene) -> Iterator[Material]:
    """Yields memories of the last two weeks with the same moments."""
    for name in idea.moments:
        if name in scene.moments and name not in _WEATHER:
            pattern = _compiled(scene.words.MOMENTS[name].pattern)
            for material in scene.memories:
                if material.age(scene.situation.now) <= _TIRING_HOLDS and pattern.search(material.item.content):
                    yield material


def _reason(moments: Sequence[_Moment], scene: _Scene) -> str:
    """Phrases the moments as a reason: 비 오는 날 아직 코딩 중이니까; it is raining and they are still coding."""
    words = scene.words
    if not moments:
        return _hour(scene)[0]
    if words is en_imagining:
        return " and ".join(moment.cue.because.format(word=moment.word) for moment in moments[:2])
    first, last = moments[0], moments[-1]
    because = last.cue.because.format(word=last.word)
    return because if first is last else f"{first.cue.setting.format(word=first.word)} {because}"


def _spoken(moments: Sequence[_Moment], scene: _Scene) -> str:
    words = scene.words
    if not moments:
        return _hour(scene)[1]
    first, last = moments[0], moments[-1]
    noticed = last.cue.noticed.format(word=last.word)
    if first is last:
        return noticed
    opening = first.cue.spoken.format(word=first.word)
    return f"{opening} {noticed}" if words is ko_imagining else f"{opening[:1].upper()}{opening[1:]}. {noticed}"


def _hour(scene: _Scene) -> tuple[str, str]:
    if scene.situation.trigger is Trigger.IDLE:
        idle: tuple[str, str] = scene.words.IDLE
        return idle
    part: tuple[str, str] = scene.words.PARTS[DayPart.of(scene.situation.local.hour).value]
    return part
