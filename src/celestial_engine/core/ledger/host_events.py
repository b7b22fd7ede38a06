"""Validates events of a host program; texts become digests, because the ledger is permanent."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from celestial_engine.core.checks import check_id, check_metadata
from celestial_engine.core.record.events import MEASURES, Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Expected, InvalidInputError, InvalidMetadataError, Reason

MOST_TEXT_CHARACTERS = 100
_PROMPTS = ("prompt", "raw_prompt", "response", "text", "content")
_NAME = re.compile(r"[^\W\d][\w.-]{0,63}")


def host_event(
    owner: Owner,
    now: float,
    session_id: str,
    event_type: str,
    persona_id: str | None,
    memory_id: str | None,
    memory_refs: Iterable[str],
    bqi_coordinate: dict[str, Any] | None,
    evaluation: dict[str, Any] | None,
    plan_adjustment: dict[str, Any] | None,
) -> Event:
    """Builds an event of the host; raises InvalidInputError for types that only the engine writes."""
    kind, detail = _kind(event_type)
    return Event(
        kind,
        owner,
        now,
        None if memory_id is None else _identifier(memory_id, "memory_id"),
        detail,
        _identifier(session_id, "session_id"),
        None if persona_id is None else _identifier(persona_id, "persona_id"),
        tuple(_identifier(ref, "memory_refs") for ref in _check_iterable(memory_refs)),
        _digested("bqi_coordinate", bqi_coordinate),
        _check_measures(_digested("evaluation", evaluation)),
        _digested("plan_adjustment", plan_adjustment),
    )


def _kind(event_type: object) -> tuple[EventType, dict[str, Any]]:
    name = event_type.value if isinstance(event_type, EventType) else event_type
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInputError("event_type", Reason.WRONG_VALUE, expected=Expected.EVENT_NAME, got=name)
    try:
        kind = EventType(name)
    except ValueError:
        return EventType.HOST, {"name": name}
    if not kind.is_host_event:
        raise InvalidInputError("event_type", Reason.ENGINE_ALONE, got=name)
    return kind, {}


def _identifier(value: object, field: str) -> str:
    text = check_id(value)
    if not text.strip() or len(text) > 200:
        raise InvalidInputError(field, Reason.WRONG_LENGTH, least=1, most=200, got=len(text))
    return text


def _check_iterable(values: object) -> Iterable[object]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInputError(
            "memory_refs", Reason.WRONG_TYPE, expected=Expected.LIST_OF_IDS, got=type(values).__name__
        )
    return values


def _digested(field: str, value: object) -> dict[str, Any] | None:
    if value is None:
        return None
    try:
        checked = check_metadata(value)
    except InvalidMetadataError as error:
        raise InvalidInputError(*(found.at(field) for found in error.problems)) from None
    return {name: _without_texts(inner, name) for name, inner in checked.items()}


def _without_texts(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return {key: _without_texts(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_texts(inner, name) for inner in value]
    if isinstance(value, str) and (name in _PROMPTS or len(value) > MOST_TEXT_CHARACTERS):
        return {"characters": len(value), "sha256": sha256(value.encode()).hexdigest()}
    return value


def _check_measures(evaluation: dict[str, Any] | None) -> dict[str, Any] | None:
    for measure in MEASURES:
        value = None if evaluation is None else evaluation.get(measure)
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if value is not None and not (number and 0 <= value <= 1):
            raise InvalidInputError(measure, Reason.OUT_OF_RANGE, low=0, high=1, got=value)
    return evaluation
