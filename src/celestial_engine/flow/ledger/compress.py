"""compress: pack the ledger's daily files of past months. `verify` reads packed and plain files alike."""

from __future__ import annotations

import logging

from celestial_engine.core.record.events import day_of
from celestial_engine.ports import ItemStore

logger = logging.getLogger(__name__)


def compress_past_months(store: ItemStore, now: float) -> list[str]:
    """Pack the files of the months before this one, and return the names of the packed ones. Raises OSError."""
    return [] if store.mirror is None else store.mirror.compress(day_of(now)[:6])


def compress_if_possible(store: ItemStore, now: float) -> None:
    """Pack them at night; files that another process holds, or a full disk, wait for the next night."""
    try:
        compress_past_months(store, now)
    except OSError as error:
        logger.warning("the ledger's files of past months were not compressed: %s", error)
