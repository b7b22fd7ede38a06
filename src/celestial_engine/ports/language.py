"""Language models: a question in, an answer out, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol, runtime_checkable

Schema = Mapping[str, Any]  # the part of JSON Schema that core/answers.py checks
ModelFunction = Callable[[str], str]
MOST_TOKENS = 1_024


class Ending(str, Enum):
    """Why an answer ends where it does."""

    DONE = "done"
    CUT = "cut"  # at max_tokens
    REFUSED = "refused"


@dataclass(frozen=True)
class Completion:
    """An answer. `data` is the JSON in it, where a schema was asked for and the answer was checked against it."""

    text: str
    input_tokens: int
    output_tokens: int
    model: str
    ending: Ending = Ending.DONE
    data: Any = None


@runtime_checkable
class LanguageModel(Protocol):
    """A model that answers. Whatever goes wrong is a LanguageModelError; never ask inside a transaction."""

    @property
    def name(self) -> str:
        """Which model, and where it is asked."""
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
        """The answer to `prompt`; JSON that fits `schema`, if there is one. None: the model's own temperature."""
        ...


class Spent(NamedTuple):
    """What language models were asked on one day (UTC)."""

    calls: int
    tokens: int


class Spending(Protocol):
    """What was asked of language models, by day, kept where memories are: a restart does not forget it."""

    def spend(self, day: int, tokens: int, most_calls: int | None, most_tokens: int | None) -> bool:
        """One more call and so many tokens, unless that were more than the day allows; None: no limit."""
        ...

    def correct(self, day: int, tokens: int) -> None:
        """So many tokens more, or fewer, than was said before the call."""
        ...

    def spent(self, day: int) -> Spent: ...
