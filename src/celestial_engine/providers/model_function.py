"""Any function from a prompt to an answer, as a language model."""

from __future__ import annotations

from celestial_engine.core.model.answers import describe_error, with_schema
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import Expected, LanguageModelError, ModelAnswerError, ModelUnavailableError, Reason
from celestial_engine.ports import Completion, ModelFunction, Schema
from celestial_engine.ports.language import MOST_TOKENS


class FunctionModel:
    """`function` receives one text, system prompt first; token limit and temperature are up to it."""

    def __init__(self, function: ModelFunction, name: str = "function") -> None:
        self._function = function
        self.name = name

    def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        schema: Schema | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        full_prompt = prompt if schema is None else with_schema(prompt, schema)
        full_prompt = full_prompt if system is None else f"{system}\n\n{full_prompt}"
        try:
            answer = self._function(full_prompt)
        except LanguageModelError:
            raise
        except Exception as error:
            raise ModelUnavailableError(Reason.SYSTEM_ERROR, cause=describe_error(error)) from error
        if not isinstance(answer, str):
            raise ModelAnswerError(Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(answer).__name__)
        return Completion(answer, count_tokens(full_prompt), count_tokens(answer), self.name)
