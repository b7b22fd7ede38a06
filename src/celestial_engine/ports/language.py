"""Language models: a prompt in, an answer and its cost out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol, runtime_checkable

Schema = Mapping[str, Any]  # the part of JSON Schema that core/answers.py checks
ModelFunction = Callable[[str], str]
OnText = Callable[[str], None]  # called with each piece of an answer while it is made
MOST_TOKENS = 1_024


class Ending(str, Enum):
    """Why an answer ends."""

    DONE = "done"
    CUT = "cut"  # at max_tokens
    REFUSED = "refused"


@dataclass(frozen=True)
class Completion:
    """An answer. With a schema, `data` is the JSON in it, checked against the schema."""

    text: str
    input_tokens: int
    output_tokens: int
    model: str
    ending: Ending = Ending.DONE
    data: Any = None


@runtime_checkable
class LanguageModel(Protocol):
    """A model that answers prompts. Failures raise LanguageModelError; never call it inside a transaction."""

    @property
    def name(self) -> str:
        """The model and its server."""
        ...

    def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        schema: Schema | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        """Returns the answer to `prompt`, as JSON that fits `schema` if given. None: the model's own temperature."""
        ...


@runtime_checkable
class StreamingModel(Protocol):
    """A model that can hand out its answer while it is made."""

    def stream(
        self,
        prompt: str,
        *,
        on_text: OnText,
        system: str | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        """Returns the whole answer, after `on_text` was called with its pieces."""
        ...


class Spent(NamedTuple):
    """The calls and tokens of language models on one day (UTC)."""

    calls: int
    tokens: int


class Spending(Protocol):
    """The use of language models by day, stored in the database so that it survives a restart."""

    def spend(self, day: int, tokens: int, most_calls: int | None, most_tokens: int | None) -> bool:
        """Counts one more call and its tokens; False if that would exceed the day's limits. None: no limit."""
        ...

    def correct(self, day: int, tokens: int) -> None:
        """Corrects the day's tokens by this difference after the call."""
        ...

    def spent(self, day: int) -> Spent: ...
