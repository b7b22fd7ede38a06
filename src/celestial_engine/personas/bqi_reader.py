"""Reads the BQI coordinate of a question in a run of personas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celestial_engine.core.record.bqi import read_bqi


class BqiReader:
    """Reads the question by keywords; replace it to read the answer as well."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def analyse(self, seed_prompt: str, response: str) -> dict[str, Any]:
        return read_bqi(seed_prompt, self._clock()).to_dict()
