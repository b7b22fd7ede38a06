"""anchor: append an anchor over the chains that grew since the last one."""

from __future__ import annotations

from celestial_engine.core.ledger.anchors import Anchor
from celestial_engine.ports import ItemStore


def anchor(store: ItemStore, now: float) -> Anchor | None:
    """Append an anchor over every owner's chain; None if no chain has grown."""
    with store.write_whole_store() as session:
        return session.ledger.anchor(now)
