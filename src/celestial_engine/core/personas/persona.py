"""A persona, the backend that speaks for it, and the validators of its answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MOST_NAME = 200
MOST_SYSTEM_PROMPT = 20_000
MOST_ANSWER_TOKENS = 100_000
MOST_TIMEOUT_SECONDS = 3_600.0


class Stance(str, Enum):
    """The part of a persona in the argument; the scheduler orders a cycle by it."""

    THESIS = "thesis"
    ANTITHESIS = "antithesis"
    SYNTHESIS = "synthesis"


class BackendType(str, Enum):
    """What answers for a persona."""

    ENGINE = "engine"  # the language model that the memory was opened with
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    HTTP = "http"  # any server with OpenAI's protocol
    SUBPROCESS = "subprocess"  # a command: the prompt is its standard input, the answer its output
    FUNCTION = "function"  # a Python function from text to text
    ECHO = "echo"  # repeats the question; for trying out and for tests


@dataclass(frozen=True)
class BackendSpec:
    """How to reach a backend. Which fields are needed depends on its type; see docs/personas.md."""

    identifier: str
    type: BackendType
    model: str | None = None
    url: str | None = None
    command: str | None = None
    args: tuple[str, ...] = ()
    function: str | None = None  # a name that was passed, or module:name
    key_variable: str | None = None  # the environment variable that holds the API key
    timeout: float = 60.0  # seconds, for one answer

    @property
    def runs_code(self) -> bool:
        """Whether it starts a program or imports a module."""
        return self.type is BackendType.SUBPROCESS or is_importable(self.function)


@dataclass(frozen=True)
class Persona:
    """Somebody who answers from one point of view.

    >>> Persona("thesis", "Proposer", "Thesis", "main").stance.value
    'thesis'
    """

    identifier: str
    name: str
    role: str
    backend_id: str
    system_prompt: str = ""
    max_tokens: int = 512
    stance: Stance | None = None

    def __post_init__(self) -> None:
        if self.stance is None and self.identifier in {stance.value for stance in Stance}:
            object.__setattr__(self, "stance", Stance(self.identifier))


class ValidatorType(str, Enum):
    """What a validator looks at."""

    LENGTH = "length"
    LANGUAGE = "language"
    FORBIDDEN = "forbidden"
    FUNCTION = "function"


@dataclass(frozen=True)
class ValidatorSpec:
    """A condition on answers. `personas` names those it applies to; () means all."""

    type: ValidatorType
    least: int = 1  # characters
    most: int = 100_000
    language: str | None = None
    words: tuple[str, ...] = ()
    function: str | None = None
    personas: tuple[str, ...] = ()

    def applies_to(self, persona: Persona) -> bool:
        return not self.personas or persona.identifier in self.personas


def is_importable(function: str | None) -> bool:
    """Whether the name of a function is module:name, and so has to be imported."""
    return function is not None and ":" in function
