"""Which memories answer a question best: what each list found, brought to one scale and added up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from celestial_engine.core.record.item import Category
from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.core.text.turns import Turn
from celestial_engine.errors import ConfigError, Reason, problem


class Match(NamedTuple):
    """A memory found by one list, with that list's own score (higher is better)."""

    item_id: str
    score: float


class GraphMatch(NamedTuple):
    """A memory found by what it is about: how near in the graph, and by how many entities."""

    item_id: str
    score: float  # 0 to 1
    hops: int
    connections: int
    negative: bool


class WordMatches(NamedTuple):
    """What was found by words, and what each word of the question weighed."""

    matches: list[Match]
    weights: WordWeights


class Candidate(NamedTuple):
    """A candidate: what its score is made of, where it stands among the others, and its text."""

    item_id: str
    position: int  # memories stored one after the other have neighbouring positions
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    created_at: float
    content: str
    session_id: str | None = None
    category: Category | None = None
    resolutions: int = 1
    links: int = 0
    superseded_by: str | None = None


_MOST_WEIGHT = 1000
_MOST_POOL = 10_000


@dataclass(frozen=True)
class RecallSettings:
    """How much each part counts. What they are worth is measured in docs/benchmarks.md; 0 leaves a part out.

    Words and vectors share what was found between them; where one did not run, the other has it all.
    The others are added where they apply.
    """

    words: float = 0.45
    vectors: float = 0.55
    graph: float = 0.03  # of how near what it tells of lies to what is asked
    orbit: float = 0.10  # enough to break near ties, not enough to win on its own

    statement: float = 0.05  # for what is not itself a question
    moment: float = 0.10  # asked when, and it tells a time
    amount: float = 0.10  # asked how much, and it tells a number
    period: float = 0.20  # of the time the question names

    # A talk between people: the answer often stands beside the line that has the words.
    speaker: float = 0.30  # said by the one whom the question names
    beside: float = 0.20  # of the score of the line before, and after; half of it two lines away
    talk: float = 0.50  # of how well its talk answers
    reply: float = 0.30  # of the score of the question that it follows
    length: float = 0.20  # a long line tells more than "Wow!"

    pool: int = 40  # so many of each list
    reranked: int = 20

    def __post_init__(self) -> None:
        weights = {part.name: getattr(self, part.name) for part in fields(self) if part.type == "float"}
        wrong = [name for name, value in weights.items() if not _is_number(value) or not 0 <= value <= _MOST_WEIGHT]
        if wrong:
            raise ConfigError(
                *(
                    problem(f"recall.{name}", Reason.OUT_OF_RANGE, low=0, high=_MOST_WEIGHT, got=weights[name])
                    for name in wrong
                )
            )
        for name, least in (("pool", 1), ("reranked", 0)):
            value = getattr(self, name)
            if not _is_number(value) or value not in range(least, _MOST_POOL + 1):
                raise ConfigError(f"recall.{name}", Reason.WHOLE_OUT_OF_RANGE, low=least, high=_MOST_POOL, got=value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class ListRank(NamedTuple):
    """What one list said of a memory: its own score, and its rank if the list found it by itself."""

    score: float
    rank: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What speaks for a candidate: what each list said, and what each part adds to its relevance."""

    standing: Candidate
    turn: Turn
    lists: Mapping[str, ListRank]
    parts: Mapping[str, float]
    graph: GraphMatch | None = None

    @property
    def item_id(self) -> str:
        return self.standing.item_id

    @property
    def relevance(self) -> float:
        return sum(self.parts.values())

    def with_parts(self, more: Mapping[str, float]) -> Evidence:
        return replace(self, parts={**self.parts, **more})


Share = Callable[[float], float]  # a list's own score to a share of a perfect answer


def share_of_words(weights: WordWeights, matches: Sequence[Match]) -> Share:
    """Against the text that would have every word: half the words found is half an answer, whoever is best."""
    whole = max(weights.ideal, max((match.score for match in matches), default=0.0)) or 1.0
    return lambda score: score / whole


# How many deviations above what strangers have a clear answer lies; measured with two models on four sets.
_DEVIATIONS = 6.0
_ENOUGH_STRANGERS = 24


def share_of_cosines(background_sample: Sequence[float], closeness: Share) -> Share:
    """How far a memory stands out from strangers: every model crowds its cosines in a place of its own.

    With too few memories to know strangers by, `closeness`, the model's own word, has to do.
    """
    if len(background_sample) < _ENOUGH_STRANGERS:
        return closeness
    usual = math.fsum(background_sample) / len(background_sample)
    spread = math.sqrt(math.fsum((cosine - usual) ** 2 for cosine in background_sample) / len(background_sample))
    if spread <= 1e-6:
        return closeness
    return lambda cosine: (cosine - usual) / (_DEVIATIONS * spread)


def in_force_first(ranked: Sequence[Evidence], *, before: bool) -> list[Evidence]:
    """Statements that took each other's place stand in the order of time, each with the relevance of its place.

    First the one that holds, then the newest before it; asked how it was `before`, the one that holds comes last.
    """
    successors = {one.item_id: one.standing.superseded_by for one in ranked}
    lines: dict[str, list[int]] = {}
    for place, one in enumerate(ranked):
        last, seen = one.item_id, {one.item_id}
        while (following := successors[last]) in successors and following not in seen:
            last = following or last
            seen.add(last)
        lines.setdefault(last, []).append(place)
    ordered = list(ranked)
    for last, places in lines.items():
        line = sorted(
            (ranked[place] for place in places),
            key=lambda one: ((one.item_id == last) is before, -one.standing.created_at),
        )
        for place, one in zip(places, line, strict=True):
            if one is not ranked[place]:
                ordered[place] = one.with_parts({"validity": ranked[place].relevance - one.relevance})
    return ordered


def best_first(candidates: Iterable[Evidence]) -> list[Evidence]:
    """By relevance; the newer first among equals."""
    return sorted(candidates, key=lambda one: (one.relevance, one.standing.position), reverse=True)
