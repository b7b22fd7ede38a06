"""ask: how every stage calls a language model, whether it is a model object or a plain function."""

from __future__ import annotations

import json

from celestial_engine.core.model.answers import describe_error
from celestial_engine.core.retrieval.framing import quote_as_data
from celestial_engine.errors import LanguageModelError, Reason
from celestial_engine.ports import LanguageModel, ModelFunction, Schema

MOST_READ = 4_000  # characters of a text that are sent to a model
_MOST_BEFORE = 1_000
_MOST_TOKENS = 512

AnyModel = LanguageModel | ModelFunction


def ask(
    model: AnyModel, prompt: str, text: str, schema: Schema, *, max_tokens: int = _MOST_TOKENS, before: str = ""
) -> str:
    """Fill {text} and {before} in `prompt` with these texts quoted as data, and return the answer.

    Any failure raises LanguageModelError.
    """
    prompt = prompt.format(text=quote_as_data(text, MOST_READ), before=quote_as_data(before, _MOST_BEFORE))
    try:
        if not isinstance(model, LanguageModel):
            return model(prompt)
        answer = model.complete(prompt, schema=schema, max_tokens=max_tokens)
    except LanguageModelError:
        raise
    except Exception as error:  # whatever the client raises, the memory must still be stored
        raise LanguageModelError(Reason.SYSTEM_ERROR, cause=describe_error(error)) from error
    return answer.text if answer.data is None else json.dumps(answer.data, ensure_ascii=False)
