"""A(m), the importance of a memory itself: from its text, and from how it was used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from celestial_engine.core.patterns import compiled
from celestial_engine.lang import LANGUAGES


@dataclass(frozen=True)
class Evaluation:
    """An importance and the evaluator it came from; `fallback_from` names the evaluator that failed first."""

    score: float
    source: str
    fallback_from: str | None = None


class ImportanceEvaluator(ABC):
    """Rates a text from 0 to 1. Subclass it and pass it as `CelestialMemory(evaluator=...)`."""

    name = "custom"

    @abstractmethod
    def evaluate(self, content: str) -> float:
        """Returns the importance of this text, 0.0 to 1.0."""

    def assess(self, content: str) -> Evaluation:
        """Returns the importance together with its source."""
        return Evaluation(self.evaluate(content), self.name)


class DefaultEvaluator(ImportanceEvaluator):
    """Always returns 0.5."""

    name = "default"

    def evaluate(self, content: str) -> float:
        return 0.5


GIVEN = "given"  # set by the caller: never evaluated again
BY_EVIDENCE = ("evidence", "base")
BASE = 0.3  # the importance before any evidence
_WEIGHTS = (("FACTUAL", 0.25), ("EMOTIONAL", 0.25), ("ACTIONABLE", 0.30), ("EXPLICIT", 0.20))
_READ_CHARACTERS = 20_000  # enough to judge a long document, and keeps evaluation fast


class RuleBasedEvaluator(ImportanceEvaluator):
    """Matches English and Korean patterns: facts, feelings, tasks, explicit marks. Secrets add nothing."""

    name = "rules"

    def evaluate(self, content: str) -> float:
        text = content[:_READ_CHARACTERS].casefold()
        return sum(
            weight * max(_share(getattr(language, kind), text) for language in LANGUAGES) for kind, weight in _WEIGHTS
        )


def _share(patterns: tuple[str, ...], text: str) -> float:
    """The share of the patterns that match. Patterns are compiled on first use and cached."""
    return sum(1 for pattern in patterns if compiled(pattern).search(text)) / len(patterns)


def evidence(user_rating: int | None, references: int, sentiment: float) -> float:
    """Importance from use: a base plus the user's rating, references and strength of sentiment."""
    rating = (user_rating or 0) / 5.0 * 0.3
    return min(1.0, BASE + rating + min(references * 0.05, 0.2) + abs(sentiment) * 0.2)
