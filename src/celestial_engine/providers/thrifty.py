"""Wrappers around a language model: cache, daily budget, pause after a failure, answer checks."""

from __future__ import annotations

import copy
import hashlib
import json
from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from celestial_engine.core.model.answers import describe_error, parse_answer, refuses, retry_prompt, without_thinking
from celestial_engine.core.model.settings import ModelSettings, utc_day
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import (
    BudgetError,
    LanguageModelError,
    ModelAnswerError,
    ModelUnavailableError,
    Problem,
    Reason,
)
from celestial_engine.ports import Clock, Completion, Ending, LanguageModel, Schema, Spending
from celestial_engine.ports.language import MOST_TOKENS, OnText, StreamingModel


@dataclass(frozen=True)
class Request:
    """A request to a model."""

    prompt: str
    system: str | None = None
    schema: Schema | None = None
    max_tokens: int = MOST_TOKENS
    temperature: float | None = None
    on_text: OnText | None = None  # where pieces of the answer go; not part of the request itself

    @property
    def key(self) -> list[Any]:
        """What makes two requests the same."""
        return [self.prompt, self.system, self.schema, self.max_tokens, self.temperature]

    def ask(self, model: LanguageModel) -> Completion:
        """Returns the model's answer; any other exception becomes a LanguageModelError."""
        try:
            if self.on_text is not None and isinstance(model, StreamingModel):
                return model.stream(
                    self.prompt,
                    on_text=self.on_text,
                    system=self.system,
                    max_tokens=self.max_tokens,
                    temperature=self.temperature,
                )
            return model.complete(
                self.prompt,
                system=self.system,
                schema=self.schema,
                max_tokens=self.max_tokens,
                temperature=self.temperature,
            )
        except LanguageModelError:
            raise
        except Exception as error:
            raise ModelUnavailableError(Reason.SYSTEM_ERROR, cause=describe_error(error)) from error


class _Around(ABC):
    """A language model that wraps another."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        schema: Schema | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        return self._answer(Request(prompt, system, schema, max_tokens, temperature))

    def stream(
        self,
        prompt: str,
        *,
        on_text: OnText,
        system: str | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        return self._answer(Request(prompt, system, None, max_tokens, temperature, on_text))

    @abstractmethod
    def _answer(self, request: Request) -> Completion: ...


class CachedModel(_Around):
    """Sends the same request once an hour. Answers stay in RAM, so that purged texts leave no copy on disk."""

    def __init__(self, model: LanguageModel, clock: Clock, *, most: int = 256, seconds: float = 3_600.0) -> None:
        super().__init__(model)
        self._clock = clock
        self._most = most
        self._seconds = seconds
        self._answers: OrderedDict[str, tuple[float, Completion]] = OrderedDict()
        self._lock = Lock()

    def _answer(self, request: Request) -> Completion:
        key = hashlib.sha256(json.dumps([self.name, request.key], sort_keys=True).encode()).hexdigest()
        now = self._clock()
        with self._lock:
            cached_at, cached = self._answers.get(key, (now, None))
            if cached is not None and 0 <= now - cached_at < self._seconds:
                self._answers.move_to_end(key)
                if request.on_text is not None:
                    request.on_text(cached.text)
                return copy.deepcopy(cached)
        answer = request.ask(self._model)
        with self._lock:
            self._answers[key] = (now, copy.deepcopy(answer))
            self._answers.move_to_end(key)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer


class CheckedModel(_Around):
    """Returns complete answers that fit the schema, or raises. JSON that does not fit is requested once more."""

    def _answer(self, request: Request) -> Completion:
        first, problem = self._checked(request, request)
        if problem is None:
            return first
        again = replace(request, prompt=retry_prompt(request.prompt, first.text, problem))
        second, problem = self._checked(request, again)
        if problem is not None:
            raise ModelAnswerError(problem)
        return replace(
            second,
            input_tokens=first.input_tokens + second.input_tokens,
            output_tokens=first.output_tokens + second.output_tokens,
        )

    def _checked(self, request: Request, sent: Request) -> tuple[Completion, Problem | None]:
        answer = sent.ask(self._model)
        text = without_thinking(answer.text)
        if answer.ending is Ending.CUT:
            raise ModelAnswerError(Reason.ANSWER_CUT, most=request.max_tokens)
        if answer.ending is Ending.REFUSED:
            raise ModelAnswerError(Reason.ANSWER_REFUSED)
        data, problem = (None, None) if request.schema is None else parse_answer(text, request.schema)
        if (request.schema is None or problem is not None) and refuses(text):
            raise ModelAnswerError(Reason.ANSWER_REFUSED)
        if request.schema is None and not text:
            raise ModelAnswerError(Reason.EMPTY)
        return replace(answer, text=text, data=data), problem


class RestingModel(_Around):
    """Skips an unreachable model for a while, so that storing does not wait for it each time."""

    def __init__(self, model: LanguageModel, clock: Clock, *, seconds: float = 30.0) -> None:
        super().__init__(model)
        self._clock = clock
        self._seconds = seconds
        self._failed_at: float | None = None

    def _answer(self, request: Request) -> Completion:
        now = self._clock()
        if self._failed_at is not None and 0 <= now - self._failed_at < self._seconds:
            raise ModelUnavailableError(Reason.MODEL_RESTING)
        try:
            answer = request.ask(self._model)
        except ModelUnavailableError:
            self._failed_at = self._clock()
            raise
        self._failed_at = None
        return answer


class BudgetedModel(_Around):
    """Stays within the day's budget. The maximum cost of a call is reserved before it, and corrected after."""

    def __init__(self, model: LanguageModel, spending: Spending, settings: ModelSettings, clock: Clock) -> None:
        super().__init__(model)
        self._spending = spending
        self._settings = settings
        self._clock = clock

    def _answer(self, request: Request) -> Completion:
        day, most = utc_day(self._clock()), self._settings
        aside = count_tokens(f"{request.system or ''}\n{request.prompt}") + request.max_tokens
        if not self._spending.spend(day, aside, most.daily_calls, most.daily_tokens):
            spent = self._spending.spent(day)
            raise BudgetError(Reason.BUDGET_SPENT, calls=spent.calls, tokens=spent.tokens)
        try:
            answer = request.ask(self._model)
        except ModelUnavailableError:
            self._spending.correct(day, -aside)
            raise
        self._spending.correct(day, answer.input_tokens + answer.output_tokens - aside)
        return answer


def thrifty(
    model: LanguageModel, spending: Spending, settings: ModelSettings, clock: Clock, *, checked: bool = True
) -> LanguageModel:
    """Combines all wrappers: cached answers are free, and a repeated request for its form costs twice.

    Without `checked`, answers may be cut off or decline: a text for people is still one.
    """
    within_budget = RestingModel(BudgetedModel(model, spending, settings, clock), clock)
    return CachedModel(CheckedModel(within_budget) if checked else within_budget, clock)
