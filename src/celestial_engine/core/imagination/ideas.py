"""Ideas: what could be done now, from what memories tell and how things are; templates in Korean and English."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import ModuleType

from celestial_engine.core.imagination.rules import DayPart, PatternStrength, Trigger
from celestial_engine.core.night.distillation import invented
from celestial_engine.core.night.scenes import with_particle
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import imagination as en_imagining
from celestial_engine.lang.imagination import Cue, Idea
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import imagination as ko_imagining
from celestial_engine.lang.ko import topics as ko_topics

MOST_MEMORIES = 5
_DAY = 86_400.0
_WEATHER = frozenset({"rain", "cold", "hot"})
_WEATHER_HOLDS, _MOOD_HOLDS = 0.75, 3.0  # days that a memory tells of now
_LIKED_THINGS = frozenset({"drink", "walk", "music", "book", "film", "food"})
# Ideas that need no thing but a memory of the moment itself: which moments.
_OF_MOMENTS = {"tiring": ("working", "tired"), "ailing": ("ill",), "cheering": ("glad",)}
_TIRING_HOLDS = 14.0
_PLAN_ASKED_AFTER, _PLAN_HOLDS, _PLAN_AHEAD = 1.0, 14.0, 7.0
_HAPPY, _HAPPY_AFTER, _RECENT = 0.3, 3.0, 7.0
_SHORTEST_WORD = 2
_AGAIN_TOO_SOON, _AGAIN_SOON, _LESS = 0.8, 3.0, 0.5


@dataclass(frozen=True)
class Material:
    """A memory that may be imagined with, and how much it has to do with the context, 0..1."""

    item: CelestialItem
    relevance: float = 0.0

    def age(self, now: float) -> float:
        """In days, never below 0."""
        return max(0.0, now - self.item.created_at) / _DAY

    @property
    def is_of_its_day(self) -> bool:
        """What was distilled tells of days before it was made."""
        return self.item.source is not Source.DISTILLATION

    def weight(self, now: float) -> float:
        """Recent, relevant, important."""
        return 0.5 * math.exp(-self.age(now) / 14.0) + 0.3 * self.relevance + 0.2 * self.item.arbitrary_importance


@dataclass(frozen=True)
class Situation:
    """How things are: what the host says, the owner's clock, what set the imagination off."""

    context: str
    local: datetime
    now: float
    trigger: Trigger


@dataclass(frozen=True)
class IdeaDraft:
    """An imagination that nobody has kept yet."""

    pattern: str
    memories: tuple[CelestialItem, ...]
    scenario: str
    action: str | None
    emotion: str


@dataclass(frozen=True)
class _Moment:
    """Something that is so now: by the context (no memory), or by a memory."""

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
    """{thing:을/를} has the particle that fits."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return with_particle(str(self), spec) if "/" in spec else str(self)


def telling(context: str) -> bool:
    """Whether a context says anything that an idea could begin with."""
    return any(next(_moments_in(context, words), None) for words in (ko_imagining, en_imagining))


def words_for(context: str, memories: Sequence[CelestialItem]) -> ModuleType:
    """The language of the context, else of most memories."""
    said = language_of(context)
    if said is Language.OTHER:
        korean = sum(language_of(item.content) is Language.KO for item in memories)
        return ko_imagining if 2 * korean >= len(memories) else en_imagining
    return ko_imagining if said is Language.KO else en_imagining


def best_idea(
    situation: Situation, memories: Sequence[Material], strengths: Mapping[str, PatternStrength]
) -> IdeaDraft | None:
    """The most fitting and most welcome idea; None where the memories give no reason for any."""
    words = words_for(situation.context, [one.item for one in memories])
    ranked = sorted(memories, key=lambda one: -one.weight(situation.now))
    scene = _Scene(words, situation, ranked, _moments(situation, ranked, words))
    drafts = [(draft, worth) for draft, worth in _drafts(scene, strengths) if worth > 0.0]
    return max(drafts, key=lambda pair: pair[1])[0] if drafts else None


def made_up(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Names, numbers and days that nothing says; a common noun that is new is a suggestion, not an invention."""
    return tuple(
        word
        for word in invented(text, sources)
        if re.fullmatch("[가-힣]+", word) is None
        or word.endswith("요일")
        or ko_topics.NAME_SYLLABLES.issuperset(word[-2:])
        or re.search(rf"{word}\s?(?:씨|님|군|양)", text)
    )


# -- how things are -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _moments_in(text: str, words: ModuleType) -> Iterator[tuple[str, _Moment]]:
    for name, cue in words.MOMENTS.items():
        found = _compiled(cue.pattern).search(text)
        if found is not None:
            word = found[1] if found.re.groups and found[1] else ""
            yield name, _Moment(cue, words.WORKING.get(word.casefold(), word))


def _moments(situation: Situation, memories: Sequence[Material], words: ModuleType) -> dict[str, _Moment]:
    """What the context says; beside it what recent memories say, weather for hours and moods for days."""
    found: dict[str, _Moment] = {}
    for one in memories:
        if not one.is_of_its_day:
            continue
        for name, moment in _moments_in(one.item.content, words):
            holds = _WEATHER_HOLDS if name in _WEATHER else _MOOD_HOLDS
            if one.age(situation.now) <= holds:
                found.setdefault(name, _Moment(moment.cue, moment.word, one))
    found.update(_moments_in(situation.context, words))
    return {name: found[name] for name in words.MOMENTS if name in found}


# -- what there is ------------------------------------------------------------------------------------


def _thing(kind: str, scene: _Scene) -> _Thing | None:
    """What the best memory of this kind is about; None if there is none, or one speaks against it."""
    if kind in _OF_MOMENTS:
        return _memory_of_moments(_OF_MOMENTS[kind], scene)
    if kind == "happy":
        return _happy(scene)
    if kind == "recent":
        return _recent(scene)
    words, pattern = scene.words, _compiled(scene.words.THINGS[kind])
    telling = [(one, found) for one in scene.memories if (found := pattern.search(one.item.content))]
    averse = _compiled(words.AVERSE)
    if any(averse.search(one.item.content) for one, _ in telling):
        return None
    for one, found in telling:
        if kind == "plan" and one.age(scene.situation.now) > _PLAN_HOLDS:
            continue
        if kind in _LIKED_THINGS and not _is_fond(one.item, words):
            continue
        word = found[1]
        return _Thing(words.KINDS.get(word.casefold(), word), one)
    return None


def _is_fond(item: CelestialItem, words: ModuleType) -> bool:
    return item.category is Category.PREFERENCE or _compiled(words.FOND).search(item.content) is not None


def _memory_of_moments(names: Sequence[str], scene: _Scene) -> _Thing | None:
    for one in scene.memories:
        if one.age(scene.situation.now) <= _TIRING_HOLDS:
            for name in names:
                if _compiled(scene.words.MOMENTS[name].pattern).search(one.item.content):
                    return _Thing("", one)
    return None


def _happy(scene: _Scene) -> _Thing | None:
    for one in scene.memories:
        old = one.age(scene.situation.now) >= _HAPPY_AFTER
        if old and one.item.emotion.sentiment_score >= _HAPPY and (word := _keyword(one.item, scene.words)):
            return _Thing(word, one)
    return None


def _recent(scene: _Scene) -> _Thing | None:
    for one in scene.memories:
        lately = one.is_of_its_day and one.age(scene.situation.now) <= _RECENT
        if lately and (word := _keyword(one.item, scene.words)):
            return _Thing(word, one)
    return None


def _keyword(item: CelestialItem, words: ModuleType) -> str:
    """A noun of its text, as it stands there, that is no time and no part of a verb."""
    for word in item.keywords:
        said = re.search(re.escape(word), item.content, re.IGNORECASE)
        if said is None or len(word) < _SHORTEST_WORD or word in words.NOT_THINGS:
            continue
        if not re.search(r"\d|[다요해려어]$", word) and not re.fullmatch(ko_grammar.TIME_NOUN, word):
            return said.group()
    return ""


# -- what could be done -------------------------------------------------------------------------------


def _drafts(scene: _Scene, strengths: Mapping[str, PatternStrength]) -> Iterator[tuple[IdeaDraft, float]]:
    ideas: Mapping[str, Idea] = scene.words.IDEAS
    for name, idea in ideas.items():
        strength = strengths.get(name, PatternStrength(name))
        if strength.silent or not _fits(idea, scene):
            continue
        thing = _thing(idea.thing, scene) if idea.thing else None
        if thing is None or not _timely(name, thing, scene):
            continue
        yield _draft(name, idea, thing, scene), _worth(idea, thing, strength, scene)


def _fits(idea: Idea, scene: _Scene) -> bool:
    if any(name in scene.moments for name in idea.against):
        return False
    return any(name in scene.moments for name in idea.moments) or _suits_the_hour(idea, scene.situation)


def _suits_the_hour(idea: Idea, situation: Situation) -> bool:
    part = DayPart.of(situation.local.hour).value
    return part in idea.parts or ("idle" in idea.parts and situation.trigger is Trigger.IDLE)


def _timely(name: str, thing: _Thing, scene: _Scene) -> bool:
    """Luck is wished before, and asked after when it may be over."""
    age = thing.source.age(scene.situation.now)
    if name == "encourage":
        return age <= _PLAN_AHEAD
    return name != "how_was_it" or age >= _PLAN_ASKED_AFTER


def _worth(idea: Idea, thing: _Thing, strength: PatternStrength, scene: _Scene) -> float:
    """Strength times fit; what came to mind today already waits, and what did lately counts less."""
    now = scene.situation.now
    since = math.inf if strength.last_at is None else abs(now - strength.last_at) / _DAY
    if since < _AGAIN_TOO_SOON:
        return 0.0
    told = [scene.moments[name] for name in idea.moments if name in scene.moments]
    by_context = sum(moment.source is None for moment in told)
    by_memory = sum(moment.source.weight(now) for moment in told if moment.source is not None)
    fit = 1.0 + thing.source.weight(now) + by_memory + 0.7 * by_context
    return strength.strength * fit * (_LESS if since < _AGAIN_SOON else 1.0)


def _draft(name: str, idea: Idea, thing: _Thing, scene: _Scene) -> IdeaDraft:
    told = [moment for key, moment in scene.moments.items() if key in idea.moments]
    said = {"scene": _reason(told, scene), "said": _spoken(told, scene), "thing": _Word(thing.word)}
    support = [thing.source, *(moment.source for moment in told if moment.source is not None), *_backing(idea, scene)]
    used = {one.item.id: one.item for one in support}
    scenario = idea.scenario.format(**said)
    return IdeaDraft(
        name,
        tuple(used.values())[:MOST_MEMORIES],
        scenario[:1].upper() + scenario[1:],
        " ".join(idea.action.format(**said).split()),
        idea.emotion,
    )


def _backing(idea: Idea, scene: _Scene) -> Iterator[Material]:
    """Memories of the last two weeks that tell of the same moments."""
    for name in idea.moments:
        if name in scene.moments and name not in _WEATHER:
            pattern = _compiled(scene.words.MOMENTS[name].pattern)
            for one in scene.memories:
                if one.age(scene.situation.now) <= _TIRING_HOLDS and pattern.search(one.item.content):
                    yield one


def _reason(told: Sequence[_Moment], scene: _Scene) -> str:
    """비 오는 날 아직 코딩 중이니까; it is raining and they are still coding."""
    words = scene.words
    if not told:
        return _hour(scene)[0]
    if words is en_imagining:
        return " and ".join(moment.cue.because.format(word=moment.word) for moment in told[:2])
    first, last = told[0], told[-1]
    because = last.cue.because.format(word=last.word)
    return because if first is last else f"{first.cue.setting.format(word=first.word)} {because}"


def _spoken(told: Sequence[_Moment], scene: _Scene) -> str:
    words = scene.words
    if not told:
        return _hour(scene)[1]
    first, last = told[0], told[-1]
    noticed = last.cue.noticed.format(word=last.word)
    if first is last:
        return noticed
    begun = first.cue.spoken.format(word=first.word)
    return f"{begun} {noticed}" if words is ko_imagining else f"{begun[:1].upper()}{begun[1:]}. {noticed}"


def _hour(scene: _Scene) -> tuple[str, str]:
    if scene.situation.trigger is Trigger.IDLE:
        idle: tuple[str, str] = scene.words.IDLE
        return idle
    told: tuple[str, str] = scene.words.PARTS[DayPart.of(scene.situation.local.hour).value]
    return told
