"""What a host program tells the ledger, checked; its texts become digests, because the ledger is for ever."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from celestial_engine.core.checks import check_id, check_metadata
from celestial_engine.core.record.events import MEASURES, Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, InvalidMetadataError

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
    """An event of the host's own; those that only the engine writes are refused."""
    kind, detail = _kind(event_type)
    return Event(
        kind,
        owner,
        now,
        None if memory_id is None else _identifier(memory_id, "memory_id"),
        detail,
        _identifier(session_id, "session_id"),
        None if persona_id is None else _identifier(persona_id, "persona_id"),
        tuple(_identifier(ref, "memory_refs") for ref in _listed(memory_refs)),
        _digested("bqi_coordinate", bqi_coordinate),
        _judged(_digested("evaluation", evaluation)),
        _digested("plan_adjustment", plan_adjustment),
    )


def _kind(event_type: object) -> tuple[EventType, dict[str, Any]]:
    name = event_type.value if isinstance(event_type, EventType) else event_type
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInputError(field="event_type", reason=f"it is {name!r}, not a name of 1 to 64 characters")
    try:
        kind = EventType(name)
    except ValueError:
        return EventType.HOST, {"name": name}
    if not kind.of_the_host:
        raise InvalidInputError(field="event_type", reason=f"{name!r} is written by the engine alone")
    return kind, {}


def _identifier(value: object, field: str) -> str:
    text = check_id(value)
    if not text.strip() or len(text) > 200:
        raise InvalidInputError(field=field, reason=f"it must have 1 to 200 characters, not {len(text)}")
    return text


def _listed(values: object) -> Iterable[object]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInputError(field="memory_refs", reason="they must be a list of ids")
    return values


def _digested(field: str, value: object) -> dict[str, Any] | None:
    if value is None:
        return None
    try:
        checked = check_metadata(value)
    except InvalidMetadataError as error:
        raise InvalidInputError(field=field, reason=str(error.details["reason"])) from None
    return {name: _without_texts(inner, name) for name, inner in checked.items()}


def _without_texts(value: object, name: str = "") -> object:
    if isinstance(value, dict):
        return {key: _without_texts(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_texts(inner, name) for inner in value]
    if isinstance(value, str) and (name in _PROMPTS or len(value) > MOST_TEXT_CHARACTERS):
        return {"characters": len(value), "sha256": sha256(value.encode()).hexdigest()}
    return value


def _judged(evaluation: dict[str, Any] | None) -> dict[str, Any] | None:
    for measure in MEASURES:
        value = None if evaluation is None else evaluation.get(measure)
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if value is not None and not (number and 0 <= value <= 1):
            raise InvalidInputError(field=measure, reason=f"it must be a number from 0 to 1, not {value!r}")
    return evaluation
