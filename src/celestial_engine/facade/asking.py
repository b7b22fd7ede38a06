"""The language model of a memory: which it is, what it is used for, and what it has been asked today."""

from __future__ import annotations

from celestial_engine.core.model.settings import utc_day
from celestial_engine.core.record.importance import ImportanceEvaluator, RuleBasedEvaluator
from celestial_engine.core.text.perception import Feeler, Perceiver, RulePerceiver
from celestial_engine.facade.ground import Ground
from celestial_engine.ports import LanguageModel, Spent


class Asking(Ground):
    """Looks at the language model."""

    @property
    def language_model(self) -> LanguageModel | None:
        """The model, within its budget and with its answers checked; None where there is none."""
        return self._model

    def model_spent(self) -> Spent:
        """What language models were asked today (UTC) on this database, by whomever."""
        return self._store.spending.spent(utc_day(self._now()))


def evaluator_by(model: LanguageModel | None) -> ImportanceEvaluator:
    if model is None:
        return RuleBasedEvaluator()
    from celestial_engine.flow.turn.evaluate import LLMEvaluator  # most memories do without

    return LLMEvaluator(model)


def perceiver_by(model: LanguageModel | None) -> Perceiver:
    if model is None:
        return RulePerceiver()
    from celestial_engine.flow.turn.perceive import LLMPerceiver

    return LLMPerceiver(model)


def feeler_by(model: LanguageModel | None) -> Feeler | None:
    """None leaves the mood to the rules."""
    if model is None:
        return None
    from celestial_engine.flow.turn.feel import LLMFeeler

    return LLMFeeler(model)
