"""Every operation of the engine, declared once."""

from __future__ import annotations

from typing import Any

from celestial_engine.surfaces.operations import (
    browsing,
    context,
    demo,
    forgetting,
    gossip,
    imagination,
    insight,
    ledger,
    maintenance,
    personas,
    proofs,
    proposals,
    reading,
    saving,
    search,
    self_,
    settings,
    sleep,
    sources,
    sync,
    tokens,
    transfer,
    turns,
)
from celestial_engine.surfaces.operations.declaration import Operation

OPERATIONS: tuple[Operation[Any, Any], ...] = (
    *context.OPERATIONS,
    *search.OPERATIONS,
    *saving.OPERATIONS,
    *forgetting.OPERATIONS,
    *reading.OPERATIONS,
    *browsing.OPERATIONS,
    *turns.OPERATIONS,
    *proposals.OPERATIONS,
    *self_.OPERATIONS,
    *sleep.OPERATIONS,
    *imagination.OPERATIONS,
    *personas.OPERATIONS,
    *gossip.OPERATIONS,
    *sources.OPERATIONS,
    *sync.OPERATIONS,
    *transfer.OPERATIONS,
    *ledger.OPERATIONS,
    *proofs.OPERATIONS,
    *maintenance.OPERATIONS,
    *settings.OPERATIONS,
    *insight.OPERATIONS,
    *tokens.OPERATIONS,
    *demo.OPERATIONS,
)

# Offered by the command line alone: files and the user's own place.
LOCAL_OPERATIONS: tuple[Operation[Any, Any], ...] = (
    *self_.LOCAL_OPERATIONS,
    *ledger.LOCAL_OPERATIONS,
    *maintenance.LOCAL_OPERATIONS,
    *personas.LOCAL_OPERATIONS,
    *sleep.LOCAL_OPERATIONS,
)
