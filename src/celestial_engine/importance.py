"""The importance evaluators, under the name of the original design: `celestial_engine.importance`."""

from celestial_engine.core.record.importance import DefaultEvaluator, ImportanceEvaluator, RuleBasedEvaluator
from celestial_engine.flow.turn.evaluate import LLMEvaluator

__all__ = ["DefaultEvaluator", "ImportanceEvaluator", "LLMEvaluator", "RuleBasedEvaluator"]
