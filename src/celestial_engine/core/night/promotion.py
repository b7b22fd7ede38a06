"""Promotion: which memories get a longer lifetime, in which groups, and why. M0 is only proposed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations, islice

from celestial_engine.core.night.lifetime_rows import LifetimeRow
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.ko import grammar as ko_grammar

TOPIC_TIMES = 3
RECALLS_FOR_M90 = 3
RECALLS_FOR_M365 = 5
RECALLS_FOR_M0 = 10
STRONG = 0.7
DEEP = 0.8
SEVERAL_EMOTIONS = 2
PROVED_AFTER_DAYS = 30.0  # a memory must last a month before it is kept for a year
NOMINATED_FROM_DAYS = 330.0
_NOMINATED_BEFORE_END = 35 * 86_400.0  # seconds: a lasting fact is proposed from day 330 of its 365
MOST_SOURCES = 12  # a topic with more memories is too wide for one summary
_MOST_WORDS = 16  # of a memory that are compared
_TIMES = frozenset((*en_time.MONTHS, *en_time.WEEKDAYS))


class Why(str, Enum):
    """Why a memory is promoted."""

    TOPIC = "topic"
    RECALLED = "recalled"
    INTENSE = "intense"
    ASKED = "asked"
    INFLUENCED = "influenced"
    DEEP = "deep"
    ISLAND = "island"


@dataclass(frozen=True)
class Promotion:
    """Memories of one tier that become one distilled memory of the next. A single one is raised itself."""

    tier: Tier  # the next one
    sources: tuple[str, ...]
    why: Why

    @property
    def raises(self) -> bool:
        return len(self.sources) == 1

    @property
    def apart(self) -> list[Promotion]:
        """The same memories, each raised by itself."""
        return [Promotion(self.tier, (source,), self.why) for source in self.sources]


def promotable(life: LifetimeRow, now: float) -> bool:
    """Whether a memory can be promoted. Protected ones need no promotion; superseded ones must not be kept."""
    current = life.valid_until is None or life.valid_until > now
    young = life.tier is Tier.M90 and life.age(now) < PROVED_AFTER_DAYS
    return (
        life.tier in (Tier.M30, Tier.M90)
        and life.state.in_orbit
        and not life.protected
        and life.trusted
        and current
        and not young
    )


def promotion_reason(life: LifetimeRow) -> Why | None:
    """Returns why a memory is promoted on its own, or None."""
    if life.tier is Tier.M30:
        if life.mention_count + 1 >= TOPIC_TIMES:
            return Why.TOPIC
        if life.recall_count >= RECALLS_FOR_M90:
            return Why.RECALLED
        if life.intensity > STRONG:
            return Why.INTENSE
        return Why.ASKED if life.asked_for else None
    if life.tier is Tier.M90:
        if life.recall_count >= RECALLS_FOR_M365:
            return Why.RECALLED
        if life.influence_count:
            return Why.INFLUENCED
        if life.intensity > DEEP and life.emotions >= SEVERAL_EMOTIONS:
            return Why.DEEP
        return Why.ISLAND if life.island is not None else None
    return None


def promotions(
    lives: Sequence[LifetimeRow],
    among: Sequence[LifetimeRow] | None = None,
    words: Mapping[str, Iterable[str]] | None = None,
) -> list[Promotion]:
    """Plans promotions: groups that share a topic are distilled, and who earned it alone is raised as it is.

    A distilled text is one sentence of its sources, so that nobody who earned it alone becomes part of one. Memories
    that were distilled before may be distilled together once more.

    `among` also includes memories that were promoted before. It keeps the width of a topic constant, so that a
    second run finds nothing new. `words` are the topic words of memories, by id; without them, the keywords.
    """
    known = words or {}

    def topical(life: LifetimeRow) -> set[str]:
        """Returns its first words that are not times; imported memories may have thousands of keywords."""
        own = known.get(life.item_id, life.keywords)
        return set(islice((word for word in own if not _names_a_time(word)), _MOST_WORDS))

    first_tier = [life for life in lives if life.tier is Tier.M30]
    wide = first_tier if among is None else [life for life in among if life.tier is Tier.M30]
    groups = _topics(first_tier, wide, topical)
    planned: list[Promotion] = []
    for group in groups:
        sharing = tuple(life.item_id for life in group if promotion_reason(life) is None)
        planned += [Promotion(Tier.M90, sharing, Why.TOPIC)] if sharing else []
    earned = [(life, why) for life in lives if (why := promotion_reason(life)) is not None]
    distilled = [life for life, _ in earned if life.tier is Tier.M90 and life.promoted_from]
    for group in _grouped(distilled, topical, least=2):
        planned.append(Promotion(Tier.M365, tuple(life.item_id for life in group), Why.TOPIC))
    taken = {item_id for promotion in planned for item_id in promotion.sources}
    for life, why in earned:
        target = life.tier.next
        if target is not None and life.item_id not in taken:
            planned.append(Promotion(target, (life.item_id,), why))
    return planned


def nominee(life: LifetimeRow, now: float, of_the_self: Collection[str] = frozenset()) -> bool:
    """Whether to ask the user to make it a core memory: its year ends and it is still true, or it is old and used.

    `of_the_self` are memories that support a belief or founded an island.
    """
    return year_ends(life, now) or (
        life.tier is Tier.M365
        and life.state.in_orbit
        and life.trusted
        and life.age(now) >= NOMINATED_FROM_DAYS
        and (life.recall_count >= RECALLS_FOR_M0 or life.island is not None or life.item_id in of_the_self)
    )


def year_ends(life: LifetimeRow, now: float) -> bool:
    """Whether a lasting fact is near the end of its year, or past it."""
    return (
        life.lasting
        and not life.protected
        and life.state.in_orbit
        and life.trusted
        and life.expires_at is not None
        and life.expires_at - _NOMINATED_BEFORE_END <= now
    )


def _topics(
    lives: Sequence[LifetimeRow], among: Sequence[LifetimeRow], topical: Callable[[LifetimeRow], set[str]]
) -> list[list[LifetimeRow]]:
    """Groups memories that share a word and were said three times in all; narrowest first, each memory once.

    A word of many memories is too wide for a topic, but a pair of them is one. Groups that exceed the
    number of sources are split.
    """
    width = Counter(word for life in among for word in topical(life))
    groups = _grouped(lives, lambda life: [word for word in topical(life) if width[word] <= MOST_SOURCES])
    taken = {life.item_id for group in groups for life in group}
    ungrouped = [life for life in lives if life.item_id not in taken]
    return groups + _grouped(
        ungrouped, lambda life: combinations(sorted(word for word in topical(life) if width[word] > MOST_SOURCES), 2)
    )


def _grouped(
    lives: Sequence[LifetimeRow],
    topics: Callable[[LifetimeRow], Iterable[object]],
    least: int = TOPIC_TIMES,
) -> list[list[LifetimeRow]]:
    by_topic: defaultdict[object, list[LifetimeRow]] = defaultdict(list)
    for life in lives:
        for topic in topics(life):
            by_topic[topic].append(life)
    taken: set[str] = set()
    groups: list[list[LifetimeRow]] = []
    for _, topic in sorted((len(group), topic) for topic, group in by_topic.items() if len(group) > 1):
        free = [life for life in by_topic[topic] if life.item_id not in taken]
        for start in range(0, len(free), MOST_SOURCES):
            part = free[start : start + MOST_SOURCES]
            if len(part) > 1 and said_times(part) >= least:
                groups.append(part)
                taken.update(life.item_id for life in part)
    return groups


def said_times(lives: Iterable[LifetimeRow]) -> int:
    return sum(1 + life.mention_count for life in lives)


@lru_cache(maxsize=16_384)
def _names_a_time(word: str) -> bool:
    return (
        word in _TIMES
        or compiled(r"\d").search(word) is not None
        or compiled(ko_grammar.TIME_NOUN).fullmatch(word) is not None
    )
