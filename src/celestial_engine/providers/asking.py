"""What the language models over HTTP have in common: doing without what a server refuses, and naming failures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import LanguageModelError, ModelAnswerError, ModelUnavailableError
from celestial_engine.providers.http import HttpError, JsonEndpoint

_NOT_UNDERSTOOD = (400, 422)


class Concessions:
    """Asks one server; what it answers 400 to is left out, one feature after the other, and not asked for again.

    No list of models says what they accept: it changes with every release (a temperature, a JSON mode).
    """

    def __init__(self, endpoint: JsonEndpoint) -> None:
        self._endpoint = endpoint
        self._refused: frozenset[str] = frozenset()

    def post(self, wanted: Sequence[str], body_with: Callable[[Collection[str]], Mapping[str, Any]]) -> Any:
        """The answer to the body with all features `wanted` that the server takes; given up from the first on."""
        left = [feature for feature in wanted if feature not in self._refused]
        while True:
            try:
                answer = self._endpoint.post(body_with(left))
            except HttpError as error:
                if error.status not in _NOT_UNDERSTOOD or not left:
                    raise failed(error) from error
                left = left[1:]
                continue
            self._refused |= frozenset(wanted) - frozenset(left)
            return answer


def failed(error: HttpError) -> LanguageModelError:
    kind = ModelAnswerError if error.unusable else ModelUnavailableError
    return kind(error.problem)


def tokens_in(usage: object, name: str, text: str) -> int:
    """What the server counted; what we estimate, if it did not."""
    said = usage.get(name) if isinstance(usage, dict) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else count_tokens(text)
