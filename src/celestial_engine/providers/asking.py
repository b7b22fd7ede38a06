"""Shared by the HTTP language models: drop features that a server refuses, and map failures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import LanguageModelError, ModelAnswerError, ModelUnavailableError
from celestial_engine.providers.http import HttpError, JsonEndpoint

_NOT_UNDERSTOOD = (400, 422)


class FeatureFallback:
    """Sends requests to one server; features that it rejects with 400 are dropped one by one and not sent again.

    No list of models says what they accept: it changes with every release (a temperature, a JSON mode).
    """

    def __init__(self, endpoint: JsonEndpoint) -> None:
        self._endpoint = endpoint
        self._refused: frozenset[str] = frozenset()

    def post(self, wanted: Sequence[str], body_with: Callable[[Collection[str]], Mapping[str, Any]]) -> Any:
        """Posts the body with the `wanted` features that the server accepts; the first is dropped first."""
        return self._sent(wanted, body_with, self._endpoint.post)

    def post_for_events(
        self,
        wanted: Sequence[str],
        body_with: Callable[[Collection[str]], Mapping[str, Any]],
        on_event: Callable[[Any], None],
    ) -> None:
        """The same, for an answer that comes as events."""
        self._sent(wanted, body_with, lambda body: self._endpoint.post_for_events(body, on_event))

    def _sent(
        self,
        wanted: Sequence[str],
        body_with: Callable[[Collection[str]], Mapping[str, Any]],
        send: Callable[[Mapping[str, Any]], Any],
    ) -> Any:
        remaining = [feature for feature in wanted if feature not in self._refused]
        while True:
            try:
                answer = send(body_with(remaining))
            except HttpError as error:
                if error.status not in _NOT_UNDERSTOOD or not remaining:
                    raise failed(error) from error
                remaining = remaining[1:]
                continue
            self._refused |= frozenset(wanted) - frozenset(remaining)
            return answer


def failed(error: HttpError) -> LanguageModelError:
    kind = ModelAnswerError if error.unusable else ModelUnavailableError
    return kind(error.problem)


def tokens_in(usage: object, name: str, text: str) -> int:
    """Returns the server's token count, or our estimate."""
    reported = usage.get(name) if isinstance(usage, dict) else None
    return (
        reported
        if isinstance(reported, int) and not isinstance(reported, bool) and reported >= 0
        else count_tokens(text)
    )
