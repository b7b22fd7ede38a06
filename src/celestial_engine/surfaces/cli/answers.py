"""Memories as a command's answer: records for programs, lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK


def record(item: CelestialItem) -> dict[str, Any]:
    """A memory as JSON, without the vector, which nobody reads."""
    values = item.to_dict()
    values.pop("embedding", None)
    return values


def show(console: Console, items: Sequence[CelestialItem], lines: Sequence[str], empty: str) -> int:
    """The memories, or the sentence that says there are none."""
    if console.as_json:
        console.data([record(item) for item in items])
    elif items:
        console.say(*lines)
    else:
        console.say(console.texts(empty))
    return OK
