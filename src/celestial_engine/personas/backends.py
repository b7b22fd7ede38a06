"""Backends: what answers for a persona. A prompt in, a text out; failures raise.

Language models come with the retries, the budget and the cache of `providers/`. Commands are started directly, never
through a shell.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from celestial_engine.core.checks import check_text
from celestial_engine.core.model.answers import describe_error, without_thinking
from celestial_engine.core.personas.persona import BackendSpec, BackendType, is_importable
from celestial_engine.errors import (
    CelestialError,
    Expected,
    ModelAnswerError,
    ModelUnavailableError,
    PersonaRegistryError,
    Reason,
    os_problem,
    problem,
)
from celestial_engine.ports import LanguageModel
from celestial_engine.ports.language import OnText, StreamingModel

MOST_ANSWER_BYTES = 1 << 18
_PIECE = 1 << 14

Function = Callable[[str], str]
OpenModel = Callable[[BackendSpec], LanguageModel]


@runtime_checkable
class Backend(Protocol):
    """Answers a prompt; `max_tokens` bounds the answer, if it can be bounded."""

    def generate(self, prompt: str, max_tokens: int) -> str: ...


@runtime_checkable
class StreamingBackend(Protocol):
    """A backend that hands out its answer while it is made."""

    def stream(self, prompt: str, max_tokens: int, on_text: OnText) -> str: ...


class EchoBackend:
    """Repeats who is asked and what. It needs no model, and the same prompt gets the same answer."""

    def generate(self, prompt: str, max_tokens: int) -> str:
        lines = prompt.splitlines()[::-1] or [""]
        asked = next((line for line in lines if line.startswith("Respond as persona ")), "")
        focus = next((line for line in lines if line.startswith("Seed focus: ")), lines[0])
        words = f"{asked.removeprefix('Respond as persona ')} {focus}".split()
        return " ".join(words[:max_tokens])


class ModelBackend:
    """A language model. Reasoning before the answer is removed; an answer that was cut off is an answer."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def generate(self, prompt: str, max_tokens: int) -> str:
        return without_thinking(self._model.complete(prompt, max_tokens=max_tokens).text)

    def stream(self, prompt: str, max_tokens: int, on_text: OnText) -> str:
        if not isinstance(self._model, StreamingModel):
            return self.generate(prompt, max_tokens)
        return without_thinking(self._model.stream(prompt, max_tokens=max_tokens, on_text=on_text).text)


class FunctionBackend:
    """A Python function. One that takes too long is left behind in its thread."""

    def __init__(self, function: Function, timeout: float = 60.0) -> None:
        self._function = function
        self._timeout = timeout

    def generate(self, prompt: str, max_tokens: int) -> str:
        answers: list[Any] = []
        failures: list[BaseException] = []

        def call() -> None:
            try:
                answers.append(self._function(prompt))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                failures.append(error)

        thread = threading.Thread(target=call, name="celestial-persona", daemon=True)
        thread.start()
        thread.join(self._timeout)
        if failures and isinstance(failures[0], (Exception, KeyboardInterrupt)):
            raise failures[0]
        if failures:  # such as SystemExit: a function must not end the program
            raise ModelUnavailableError(Reason.SYSTEM_ERROR, cause=describe_error(failures[0]))
        if not answers:
            raise ModelUnavailableError(Reason.BACKEND_TIMED_OUT, seconds=self._timeout)
        if not isinstance(answers[0], str):
            got = type(answers[0]).__name__
            raise ModelAnswerError(problem("answer", Reason.WRONG_TYPE, expected=Expected.TEXT, got=got))
        return answers[0]


class SubprocessBackend:
    """A command with a list of arguments: the prompt is its standard input, the answer its standard output."""

    def __init__(self, command: str, args: tuple[str, ...] = (), timeout: float = 60.0) -> None:
        self._argv = [command, *args]
        self._timeout = timeout

    def generate(self, prompt: str, max_tokens: int) -> str:
        try:
            process = subprocess.Popen(  # noqa: S603 - a list from the user's own file, and no shell
                self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise ModelUnavailableError(os_problem(error)) from None
        output = _Output(process, prompt.encode())
        try:
            output.wait(self._timeout)
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.returncode != 0:
            raise ModelUnavailableError(Reason.BACKEND_EXITED, status=process.returncode)
        return bytes(output.received).decode("utf-8", "replace").strip()


class _Output:
    """Feeds a process and reads what it writes, up to the longest answer; in two threads, as either may block."""

    def __init__(self, process: subprocess.Popen[bytes], prompt: bytes) -> None:
        self._process = process
        self.received = bytearray()
        threading.Thread(target=self._feed, args=(prompt,), name="celestial-persona-in", daemon=True).start()
        self._reader = threading.Thread(target=self._read, name="celestial-persona-out", daemon=True)
        self._reader.start()

    def wait(self, timeout: float) -> None:
        """Waits until the process has ended; raises if that takes too long, or if it writes too much."""
        ends = time.monotonic() + timeout
        self._reader.join(timeout)
        if len(self.received) > MOST_ANSWER_BYTES:
            got = len(self.received)
            raise ModelAnswerError(problem("answer", Reason.TOO_LARGE, most=MOST_ANSWER_BYTES, got=got))
        try:
            if not self._reader.is_alive():
                self._process.wait(max(0.0, ends - time.monotonic()))
                return
        except subprocess.TimeoutExpired:
            pass
        raise ModelUnavailableError(Reason.BACKEND_TIMED_OUT, seconds=timeout)

    def _feed(self, prompt: bytes) -> None:
        # It need not read everything.
        with contextlib.suppress(OSError), self._process.stdin or contextlib.nullcontext() as pipe:
            if pipe is not None:
                pipe.write(prompt)

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._process.stdout or contextlib.nullcontext() as pipe:
            while pipe is not None and len(self.received) <= MOST_ANSWER_BYTES:
                piece = pipe.read1(_PIECE)  # type: ignore[attr-defined]  # a pipe is buffered
                if not piece:
                    return
                self.received += piece


class BackendFactory:
    """Makes the backends of a registry, each once.

    `functions` are Python functions by the names that a registry uses; `open_model` opens language models, by default
    without a budget. `offline` answers with echo backends in place of all language models.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        open_model: OpenModel | None = None,
        *,
        offline: bool = False,
    ) -> None:
        self.functions = dict(functions or {})
        self._open_model = open_model or _open_model
        self._offline = offline
        self._backends: dict[BackendSpec, Backend] = {}

    def create(self, spec: BackendSpec) -> Backend:
        """Returns the backend; the same one for the same specification."""
        if spec not in self._backends:
            self._backends[spec] = self._created(spec)
        return self._backends[spec]

    __call__ = create

    def function(self, name: str) -> Callable[..., Any]:
        """Returns a function that was passed, or imports module:name."""
        if name in self.functions:
            return self.functions[name]
        if is_importable(name):
            module, _, attribute = name.partition(":")
            found = getattr(_imported(module, name), attribute, None)
            if callable(found):
                return found  # type: ignore[no-any-return]  # whatever the module holds
        raise PersonaRegistryError("", problem("function", Reason.NO_SUCH_FUNCTION, got=name))

    def _created(self, spec: BackendSpec) -> Backend:
        match spec.type:
            case BackendType.ECHO:
                return EchoBackend()
            case BackendType.FUNCTION:
                return FunctionBackend(self.function(spec.function or ""), spec.timeout)
            case BackendType.SUBPROCESS:
                return SubprocessBackend(spec.command or "", spec.args, spec.timeout)
            case _:
                return EchoBackend() if self._offline else ModelBackend(self._open_model(spec))


def _imported(module: str, name: str) -> object:
    """Imports the module of a function; None if there is none. One that fails on import is an error."""
    try:
        return import_module(module) if module.strip(".") else None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the module may do anything
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            return None
        cause = describe_error(error)
        raise PersonaRegistryError("", problem("function", Reason.MODULE_FAILED, got=name, cause=cause)) from None


def _open_model(spec: BackendSpec) -> LanguageModel:
    from celestial_engine.bootstrap import open_backend_model  # loads providers, which echo does without

    return open_backend_model(spec)


def as_backend(made: object) -> Backend:
    """Returns what a factory made as a backend; a plain function is one."""
    if isinstance(made, Backend):
        return made
    if callable(made):
        return FunctionBackend(made)
    got = type(made).__name__
    raise PersonaRegistryError("", problem("backend", Reason.WRONG_TYPE, expected=Expected.MODEL_FUNCTION, got=got))


def checked_answer(text: object) -> str:
    """Returns the text of a backend; an empty, overlong or unstorable one is no answer."""
    if isinstance(text, str) and (size := len(text.encode("utf-8", "replace"))) > MOST_ANSWER_BYTES:
        raise CelestialError(problem("answer", Reason.TOO_LARGE, most=MOST_ANSWER_BYTES, got=size))
    if isinstance(text, str) and not text.strip():
        raise CelestialError(problem("answer", Reason.EMPTY))
    return check_text(text, "answer").strip()
