"""Any function from a prompt to an answer, as a language model."""

from __future__ import annotations

from celestial_engine.core.model.answers import asked_for, told
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import Expected, LanguageModelError, ModelAnswerError, ModelUnavailableError, Reason
from celestial_engine.ports import Completion, ModelFunction, Schema
from celestial_engine.ports.language import MOST_TOKENS


class FunctionModel:
    """`function` gets one text, with the system's words first; how long and how warm it answers is its own affair."""

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
        asked = prompt if schema is None else asked_for(prompt, schema)
        asked = asked if system is None else f"{system}\n\n{asked}"
        try:
            answer = self._function(asked)
        except LanguageModelError:
            raise
        except Exception as error:
            raise ModelUnavailableError(Reason.SYSTEM_ERROR, cause=told(error)) from error
        if not isinstance(answer, str):
            raise ModelAnswerError(Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(answer).__name__)
        return Completion(answer, count_tokens(asked), count_tokens(answer), self.name)
