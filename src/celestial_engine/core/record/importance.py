"""A(m), how important a memory is in itself: what the text says, and what its life has shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from celestial_engine.core.patterns import compiled
from celestial_engine.lang import LANGUAGES


@dataclass(frozen=True)
class Evaluation:
    """An importance with the name of whoever judged it; `fallback_from` says what had failed before."""

    score: float
    source: str
    fallback_from: str | None = None


class ImportanceEvaluator(ABC):
    """Judges a text from 0 to 1. Subclass it and pass it as `CelestialMemory(evaluator=...)`."""

    name = "custom"

    @abstractmethod
    def evaluate(self, content: str) -> float:
        """The importance of this text, 0.0 to 1.0."""

    def assess(self, content: str) -> Evaluation:
        """The same with its source."""
        return Evaluation(self.evaluate(content), self.name)


class DefaultEvaluator(ImportanceEvaluator):
    """No opinion: always 0.5."""

    name = "default"

    def evaluate(self, content: str) -> float:
        return 0.5


GIVEN = "given"  # by whoever stored it: nobody judges it anew
BY_EVIDENCE = ("evidence", "base")
BASE = 0.3  # what a memory is worth of which nothing is known yet
_WEIGHTS = (("FACTUAL", 0.25), ("EMOTIONAL", 0.25), ("ACTIONABLE", 0.30), ("EXPLICIT", 0.20))
_READ_CHARACTERS = 20_000  # a long document shows what it is about early; judging stays quick


class RuleBasedEvaluator(ImportanceEvaluator):
    """Patterns of English and Korean: facts, feelings, things to do, explicit marks. Secrets earn nothing."""

    name = "rules"

    def evaluate(self, content: str) -> float:
        text = content[:_READ_CHARACTERS].casefold()
        return sum(
            weight * max(_share(getattr(language, kind), text) for language in LANGUAGES) for kind, weight in _WEIGHTS
        )


def _share(patterns: tuple[str, ...], text: str) -> float:
    """How many of the patterns occur. `re` keeps what it compiled, and nothing is compiled before it is needed."""
    return sum(1 for pattern in patterns if compiled(pattern).search(text)) / len(patterns)


def evidence(user_rating: int | None, references: int, sentiment: float) -> float:
    """What a memory's life says of its importance: a base, the user's stars, references, feeling."""
    rating = (user_rating or 0) / 5.0 * 0.3
    return min(1.0, BASE + rating + min(references * 0.05, 0.2) + abs(sentiment) * 0.2)
