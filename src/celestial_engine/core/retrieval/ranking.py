"""Ranks memories for a question: the scores of each list are brought to one scale and added up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import NamedTuple

from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.errors import ConfigError, Reason, problem


class Match(NamedTuple):
    """A memory found by one list, with the list's score (higher is better)."""

    item_id: str
    score: float


class GraphMatch(NamedTuple):
    """A memory found in the entity graph: its distance, and by how many entities."""

    item_id: str
    score: float  # 0 to 1
    hops: int
    connections: int
    negative: bool


class WordMatches(NamedTuple):
    """Matches by words, and the weight of each word of the question."""

    matches: list[Match]
    weights: WordWeights


class Candidate(NamedTuple):
    """A memory to be ranked: the inputs of its score, its position, its text and what was read in it.

    Stores return it as they hold it: nothing is parsed for a candidate. `speaker` and what follows are the
    `TextTraits` of its text.
    """

    item_id: str
    position: int  # memories stored one after the other have adjacent positions
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    created_at: float
    content: str
    session_id: str | None = None
    category: str | None = None
    resolutions: int = 1
    links: int = 0
    superseded_by: str | None = None
    speaker: str | None = None
    said_at: float | None = None
    begins: int = 0
    kinds: int = 0


_MOST_WEIGHT = 1000
_MOST_POOL = 10_000


@dataclass(frozen=True)
class RecallSettings:
    """The weight of each part of the relevance; 0 turns a part off. docs/benchmarks.md measures their effect.

    If only one of words and vectors ran, it gets the weight of both. The other parts are added where they apply.
    """

    words: float = 0.45
    vectors: float = 0.55
    graph: float = 0.03  # how near its entities are to those of the question
    topics: float = 0.40  # it is about the same, although in other words; compared if there is no embedder
    orbit: float = 0.10  # breaks near ties, does not win on its own

    statement: float = 0.05  # it is not itself a question
    moment: float = 0.10  # the question asks when, and it has a time
    amount: float = 0.10  # the question asks how much, and it has a number
    period: float = 0.20  # it is from the time the question names

    # Dialogue between people: the answer is often next to the line that has the words.
    speaker: float = 0.30  # said by the speaker whom the question names
    around: float = 0.90  # share of the question's words in it and the lines around; orders lines among themselves
    beside: float = 0.20  # share of the score of the lines before and after; half of it two lines away
    talk: float = 0.50  # share of the best scores of its dialogue
    reply: float = 0.30  # share of the score of the question that it follows
    length: float = 0.20  # a long line says more than "Wow!"

    pool: int = 40  # candidates taken from each list
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
    """A list's score for a memory, and its rank if the list itself found it."""

    score: float
    rank: int | None = None


class Evidence(NamedTuple):
    """A candidate with the score of each list, and what each part adds to its relevance."""

    candidate: Candidate
    lists: Mapping[str, ListRank]
    parts: Mapping[str, float]
    relevance: float  # the sum of the parts
    graph: GraphMatch | None = None

    @classmethod
    def of(
        cls,
        candidate: Candidate,
        lists: Mapping[str, ListRank],
        parts: Mapping[str, float],
        graph: GraphMatch | None = None,
    ) -> Evidence:
        return cls(candidate, lists, parts, sum(parts.values()), graph)

    @property
    def item_id(self) -> str:
        return self.candidate.item_id

    def with_parts(self, more: Mapping[str, float]) -> Evidence:
        return Evidence.of(self.candidate, self.lists, {**self.parts, **more}, self.graph) if more else self


ScoreNormaliser = Callable[[float], float]  # maps a list's score to a share of a perfect answer


def share_of_words(weights: WordWeights, matches: Sequence[Match]) -> ScoreNormaliser:
    """Relative to a text with every word: half the words are half an answer, even for the best match."""
    perfect = max(weights.ideal, max((match.score for match in matches), default=0.0)) or 1.0
    return lambda score: score / perfect


# Deviations above the background mean at which an answer is clear; measured with two models on four sets.
_DEVIATIONS = 6.0
_ENOUGH_BACKGROUND = 24


def share_of_cosines(background_sample: Sequence[float], closeness: ScoreNormaliser) -> ScoreNormaliser:
    """Relative to random memories: every embedding model has its own typical range of cosines.

    With too small a sample, `closeness`, the model's own scale, is used.
    """
    if len(background_sample) < _ENOUGH_BACKGROUND:
        return closeness
    mean = math.fsum(background_sample) / len(background_sample)
    spread = math.sqrt(math.fsum((cosine - mean) ** 2 for cosine in background_sample) / len(background_sample))
    if spread <= 1e-6:
        return closeness
    return lambda cosine: (cosine - mean) / (_DEVIATIONS * spread)


def valid_statements_first(
    ranked: Sequence[Evidence], *, before: bool, likely: Mapping[str, str] = MappingProxyType({})
) -> list[Evidence]:
    """Orders statements that superseded each other by time; each takes the relevance of its new rank.

    The valid one comes first, then the newest before it. If the question asks how it was `before`, the valid
    one comes last. `likely` holds successors that are no more than likely, by the ids of what they succeed.
    """
    successors = {
        evidence.item_id: evidence.candidate.superseded_by or likely.get(evidence.item_id) for evidence in ranked
    }
    chains: dict[str, list[int]] = {}
    for rank, evidence in enumerate(ranked):
        last, seen = evidence.item_id, {evidence.item_id}
        while (following := successors[last]) in successors and following not in seen:
            last = following or last
            seen.add(last)
        chains.setdefault(last, []).append(rank)
    ordered = list(ranked)
    for last, ranks in chains.items():
        chain = sorted(
            (ranked[rank] for rank in ranks),
            key=lambda evidence: ((evidence.item_id == last) is before, -evidence.candidate.created_at),
        )
        for rank, evidence in zip(ranks, chain, strict=True):
            if evidence is not ranked[rank]:
                ordered[rank] = evidence.with_parts({"validity": ranked[rank].relevance - evidence.relevance})
    return ordered


def best_first(candidates: Iterable[Evidence]) -> list[Evidence]:
    """Sorts by relevance; ties go to the newer."""
    return sorted(candidates, key=lambda evidence: (evidence.relevance, evidence.candidate.position), reverse=True)
