"""distil: the essence of memories, by a language model if there is one; by rules where it fails or invents."""

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
    written,
)
from celestial_engine.errors import LanguageModelError, Reason, problem
from celestial_engine.flow.base.ask_model import Asked, ask

logger = logging.getLogger(__name__)

_SCHEMA = {
    "type": "object",
    "properties": {"essence": {"type": "string", "minLength": 1}},
    "required": ["essence"],
    "additionalProperties": False,
}


def distil(texts: Sequence[str], model: Asked | None = None) -> Distilled:
    """One or two sentences that say nothing that no text says."""
    if model is None:
        return by_rules(texts)
    try:
        answer = written(ask(model, prompt_for(texts), listed(texts), _SCHEMA))
    except LanguageModelError as error:
        logger.warning("distilled by rules instead: %s", error)
        return replace(by_rules(texts), refused=problem(None, Reason.OTHER_ERROR, cause=error))
    refused = objection(answer, texts)
    if refused is not None:
        logger.warning("distilled by rules instead: what the language model wrote was refused: %s", refused)
        return replace(by_rules(texts), refused=refused)
    return Distilled(answer, BY_MODEL)
