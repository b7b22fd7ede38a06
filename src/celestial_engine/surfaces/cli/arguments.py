"""What was typed, as values; what cannot be one is refused with the engine's own errors."""

from __future__ import annotations

import json
import sys
from datetime import datetime, time
from typing import Any

from celestial_engine.core.checks import MOST_METADATA_DEPTH
from celestial_engine.errors import (
    Expected,
    InvalidImportanceError,
    InvalidInputError,
    InvalidLimitError,
    InvalidMetadataError,
    InvalidTextError,
    Reason,
    os_problem,
)
from celestial_engine.surfaces.cli.texts.catalogue import Texts


def given_text(text: str, field: str, texts: Texts) -> str:
    """The argument itself, or what standard input holds where the argument is `-`."""
    if text != "-":
        return text
    raw = b"" if sys.stdin is None else sys.stdin.buffer.read()
    try:
        # A byte order mark is no part of the text, and neither is the newline that echo adds.
        return raw.decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InvalidTextError(field, Reason.NOT_UTF8, position=error.start) from None


def importance(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidImportanceError(value=text) from None


def limit(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidLimitError(value=text) from None


def whole_number(text: str, field: str, texts: Texts) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInputError(field, Reason.WRONG_VALUE, expected=Expected.WHOLE_NUMBER, got=text) from None


def number(text: str, field: str, texts: Texts) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInputError(field, Reason.WRONG_VALUE, expected=Expected.NUMBER, got=text) from None


def metadata(text: str, texts: Texts) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise InvalidMetadataError(Reason.JSON_CONSTANT, got=constant)

    try:
        value = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise InvalidMetadataError(Reason.NOT_JSON_AT, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InvalidMetadataError(Reason.TOO_DEEP, most=MOST_METADATA_DEPTH) from None
    if not isinstance(value, dict):
        raise InvalidMetadataError(Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(value).__name__)
    return value


def moment(text: str, field: str, texts: Texts, *, end_of_day: bool) -> datetime:
    """On the reader's own clock, unless the text names a zone; a day alone begins at its start or ends at its end."""
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        if len(text.strip()) == len("2025-10-10"):
            found = datetime.combine(found.date(), time.max if end_of_day else time.min)
        return found if found.tzinfo is not None else found.astimezone()
    except (ValueError, OverflowError, OSError):
        raise InvalidInputError(field, Reason.WRONG_VALUE, expected=Expected.MOMENT, got=text) from None


def turns(path: str, texts: Texts) -> list[Any]:
    """Earlier turns from a file: a JSON list, or one turn a line; a text alone is what the user said."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError("history", Reason.UNREADABLE_FILE, path=path, cause=os_problem(error)) from None
    try:
        parts = [text] if text.startswith("[") else [line for line in text.split("\n") if line.strip()]
        found = [json.loads(part) for part in parts]
    except (json.JSONDecodeError, RecursionError):
        raise InvalidInputError("history", Reason.MUST_BE, expected=Expected.TURNS_FILE) from None
    listed = [turn for part in found for turn in (part if isinstance(part, list) else [part])]
    return [{"content": turn} if isinstance(turn, str) else turn for turn in listed]
