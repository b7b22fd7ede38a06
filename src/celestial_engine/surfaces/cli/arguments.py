"""What was typed, as values; what cannot be one is refused with the engine's own errors."""

from __future__ import annotations

import json
import sys
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
