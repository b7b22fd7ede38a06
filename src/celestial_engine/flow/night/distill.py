"""distil: summarise memories with a language model, or by rules if there is none, it fails or it invents."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from celestial_engine.core.night.distillation import (
    BY_MODEL,
    Distilled,
    by_rules,
    listed,
    objection,
    prompt_for,
    sentence_in_answer,
)
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import LanguageModelError, Reason, problem
from celestial_engine.flow.base.ask_model import AnyModel, ask

logger = logging.getLogger(__name__)

_SCHEMA = {
    "type": "object",
    "properties": {"essence": {"type": "string", "minLength": 1}},
    "required": ["essence"],
    "additionalProperties": False,
}


def distil(texts: Sequence[str], model: AnyModel | None = None, tier: Tier = Tier.M90) -> Distilled:
    """Return one or two sentences that contain nothing the texts do not say; "" if the rules find none."""
    selected = by_rules(texts, tier)
    if model is None:
        return selected
    try:
        answer = sentence_in_answer(ask(model, prompt_for(texts), listed(texts), _SCHEMA))
    except LanguageModelError as error:
        logger.warning("distilled by rules instead: %s", error)
        return replace(selected, refused=problem(None, Reason.OTHER_ERROR, cause=error))
    refused = objection(answer, texts)
    if refused is not None:
        logger.warning("distilled by rules instead: the language model's text was refused: %s", refused)
        return replace(selected, refused=refused)
    return Distilled(answer, BY_MODEL)
