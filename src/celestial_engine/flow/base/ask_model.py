"""ask: the one way in which stages ask a language model, be it a model or a plain function."""

from __future__ import annotations

import json

from celestial_engine.core.model.answers import told
from celestial_engine.core.retrieval.framing import as_data
from celestial_engine.errors import LanguageModelError, Reason
from celestial_engine.ports import LanguageModel, ModelFunction, Schema

MOST_READ = 4_000  # characters of a text that a model is given
_MOST_TOKENS = 512

Asked = LanguageModel | ModelFunction


def ask(model: Asked, prompt: str, text: str, schema: Schema) -> str:
    """The answer to `prompt`, whose {text} becomes the text, quoted as data; whatever fails is LanguageModelError."""
    prompt = prompt.format(text=as_data(text, MOST_READ))
    try:
        if not isinstance(model, LanguageModel):
            return model(prompt)
        answer = model.complete(prompt, schema=schema, max_tokens=_MOST_TOKENS)
    except LanguageModelError:
        raise
    except Exception as error:  # whatever their client raises, the memory must be kept
        raise LanguageModelError(Reason.SYSTEM_ERROR, cause=told(error)) from error
    return answer.text if answer.data is None else json.dumps(answer.data, ensure_ascii=False)
