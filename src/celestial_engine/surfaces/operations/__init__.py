"""Every operation of the engine, declared once."""

from __future__ import annotations

from typing import Any

from celestial_engine.surfaces.operations import (
    auditing,
    demo,
    finding,
    forgetting,
    granting,
    imagining,
    insight,
    keeping,
    living,
    looking,
    moving,
    orbits,
    remembering,
    selfhood,
    sleeping,
    turns,
)
from celestial_engine.surfaces.operations.declaration import Operation

OPERATIONS: tuple[Operation[Any, Any], ...] = (
    *finding.OPERATIONS,
    *remembering.OPERATIONS,
    *forgetting.OPERATIONS,
    *looking.OPERATIONS,
    *turns.OPERATIONS,
    *living.OPERATIONS,
    *selfhood.OPERATIONS,
    *sleeping.OPERATIONS,
    *imagining.OPERATIONS,
    *moving.OPERATIONS,
    *auditing.OPERATIONS,
    *keeping.OPERATIONS,
    *orbits.OPERATIONS,
    *insight.OPERATIONS,
    *granting.OPERATIONS,
    *demo.OPERATIONS,
)
