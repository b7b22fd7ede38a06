"""The few interfaces between the flow and the outside. A store that passes `testing.conformance` fits.

A store gives sessions: `with store.read() as session` sees one consistent state; `with store.write()
as session` is one transaction, all or nothing, and the only writer meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from celestial_engine.core.item_filter import ItemFilter
from celestial_engine.ports.embedding import Embedder, EmbedFunction
from celestial_engine.ports.ledger import Ledger, LedgerMirror, MirrorLine
from celestial_engine.ports.reading import Due, Items, Orbits, Reader, Search, SessionSpan, Shelves, Vectors
from celestial_engine.ports.store import Archives, ItemStore, Jobs
from celestial_engine.ports.writing import Writer

Clock = Callable[[], float]

__all__ = [
    "Archives",
    "Clock",
    "Due",
    "EmbedFunction",
    "Embedder",
    "ItemFilter",
    "ItemStore",
    "Items",
    "Jobs",
    "Ledger",
    "LedgerMirror",
    "MirrorLine",
    "Orbits",
    "Reader",
    "Search",
    "SessionSpan",
    "Shelves",
    "Vectors",
    "Writer",
]
