"""stellar-memory's importance evaluators, using the engine's rules."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.compat.stellar.config import LLMConfig
from celestial_engine.compat.stellar.models import EvaluationResult
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record import importance
from celestial_engine.lang import LANGUAGES

_KINDS = ("FACTUAL", "EMOTIONAL", "ACTIONABLE", "EXPLICIT")


class RuleBasedEvaluator:
    """The engine's rules (English and Korean), with a separate score for each kind of pattern."""

    def __init__(self) -> None:
        self._rules = importance.RuleBasedEvaluator()

    def evaluate(self, content: str) -> EvaluationResult:
        text = content.casefold()
        factual, emotional, actionable, explicit = (
            max(_pattern_score(text, getattr(language, kind)) for language in LANGUAGES) for kind in _KINDS
        )
        return EvaluationResult(
            self._rules.evaluate(content), factual, emotional, actionable, explicit, method="rule"
        )


class NullEvaluator:
    """Always 0.5."""

    def evaluate(self, content: str) -> EvaluationResult:
        return EvaluationResult(0.5, 0.5, 0.5, 0.5, 0.5, method="default")


def create_evaluator(config: LLMConfig | None = None) -> RuleBasedEvaluator | NullEvaluator:
    """Rules, or NullEvaluator if disabled. Pass `language_model=` to StellarMemory to have a model judge."""
    return NullEvaluator() if config is not None and not config.enabled else RuleBasedEvaluator()


def _pattern_score(text: str, patterns: Sequence[str]) -> float:
    """Fraction of the patterns that match."""
    return sum(compiled(pattern).search(text) is not None for pattern in patterns) / max(1, len(patterns))
