"""Learning together: exchange parameters with peers, aggregate them, take part and leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.flow.lazy import stages_of

if not TYPE_CHECKING:
    __getattr__ = stages_of(__name__)
