"""Whatever goes wrong, as an exit code, a stable name and a sentence."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from celestial_engine.errors import (
    ApprovalError,
    CelestialError,
    EmbeddingError,
    InvalidInputError,
    NotFoundError,
    Problem,
    ProtectedError,
    SoulError,
    StorageError,
    SyncError,
    UndoError,
    WrongStateError,
)
from celestial_engine.surfaces.cli.texts.catalogue import Texts

OK, UNEXPECTED, BAD_INPUT, NOT_FOUND, REFUSED, STORAGE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

_EXIT_CODES: tuple[tuple[type[CelestialError], int], ...] = (
    (InvalidInputError, BAD_INPUT),
    (NotFoundError, NOT_FOUND),
    (ProtectedError, REFUSED),
    (WrongStateError, REFUSED),
    (ApprovalError, REFUSED),
    (SoulError, REFUSED),
    (SyncError, REFUSED),
    (UndoError, REFUSED),
    (StorageError, STORAGE),
    (EmbeddingError, BAD_INPUT),  # the model that was asked for is not there or does not work
)

# argparse speaks English only, and differently in each version: we say what it means.
_MOST_MISTYPED = 2  # letters too many or too few
_USAGE_PATTERNS = (
    (r"the following arguments are required: (?P<names>.+)", "usage.required"),
    (r"unrecognized arguments: (?P<names>.*)", "usage.unknown"),
    (r"argument (?P<name>.+?): invalid choice: (?P<value>.+) \(choose from (?P<choices>.+)\)", "usage.choice"),
    (r"argument (?P<name>.+?): expected (?:one|at least one) argument", "usage.value"),
)


class UsageError(Exception):
    """The command line itself cannot be understood; the message is argparse's own."""


class CommandError(Exception):
    """Something that only the command line can get wrong: the key of its sentence and the fields of it."""

    def __init__(self, code: str, exit_code: int, **fields: object) -> None:
        self.code = code
        self.exit_code = exit_code
        self.fields = fields
        super().__init__(code)


@dataclass(frozen=True)
class Failure:
    """What the caller of a command gets to know."""

    exit_code: int
    code: str
    message: str


def failure_of(error: BaseException, texts: Texts) -> Failure:
    """The failure that an exception stands for."""
    if isinstance(error, UsageError):
        return Failure(BAD_INPUT, "usage", f"{_usage(str(error), texts)} {texts('usage.advice')}")
    if isinstance(error, CommandError):
        fields = {
            name: texts.problem(value) if isinstance(value, Problem) else value
            for name, value in error.fields.items()
        }
        return Failure(error.exit_code, error.code, texts(f"fail.{error.code}", **fields))
    if isinstance(error, CelestialError):
        exit_code = next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), UNEXPECTED)
        return Failure(exit_code, error.code, texts.error(error))
    if isinstance(error, KeyboardInterrupt):
        return Failure(INTERRUPTED, "interrupted", texts("fail.interrupted"))
    return Failure(UNEXPECTED, "unexpected", _unexpected(error, texts))


def _usage(message: str, texts: Texts) -> str:
    for pattern, key in _USAGE_PATTERNS:
        found = re.fullmatch(pattern, message)
        if found:
            fields = found.groupdict()
            near = _near(fields["value"], fields["choices"]) if key == "usage.choice" else None
            return texts(key, **fields) if near is None else texts("usage.near", near=near, **fields)
    return texts("usage.other", message=message)


def _near(value: str, choices: str) -> str | None:
    """What was most likely meant, if it was mistyped: who types "get" does not mean "forget"."""
    from difflib import get_close_matches  # needed only when something was mistyped

    typed = value.strip("'")
    alike = [each for each in re.findall(r"[\w-]+", choices) if abs(len(each) - len(typed)) <= _MOST_MISTYPED]
    return next(iter(get_close_matches(typed, alike, 1)), None)


def _unexpected(error: BaseException, texts: Texts) -> str:
    import traceback  # needed only when something has gone very wrong

    frames = traceback.extract_tb(error.__traceback__)
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else "?"
    return texts("fail.unexpected", kind=type(error).__name__, reason=str(error), place=place)
