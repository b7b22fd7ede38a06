"""Several devices of one owner: note what changed here, publish it, and merge what came from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.flow.lazy import stages_of

if not TYPE_CHECKING:
    __getattr__ = stages_of(__name__)
