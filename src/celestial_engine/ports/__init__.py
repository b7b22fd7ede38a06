"""The few interfaces between the flow and the outside. A store that passes `testing.conformance` fits.

A store gives sessions: `with store.read() as session` sees one consistent state; `with store.write()
as session` is one transaction, all or nothing, and the only writer meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.ports.embedding import Embedder, EmbedFunction
from celestial_engine.ports.grants import Grants
from celestial_engine.ports.imagining import Patterns, PatternWriting
from celestial_engine.ports.language import (
    Completion,
    Ending,
    LanguageModel,
    ModelFunction,
    Schema,
    Spending,
    Spent,
)
from celestial_engine.ports.learning import Lessons, LessonWriting
from celestial_engine.ports.ledger import Ledger, LedgerMirror, MirrorLine
from celestial_engine.ports.lives import Lives
from celestial_engine.ports.nights import Nights
from celestial_engine.ports.reading import Due, Items, Orbits, Reader, Search, SessionSpan, Shelves, Vectors
from celestial_engine.ports.selfhood import SelfReading, SelfWriting, SoulFile
from celestial_engine.ports.store import Archives, ItemStore, Jobs, JobState, Progress
from celestial_engine.ports.writing import Writer

Clock = Callable[[], float]

__all__ = [
    "Archives",
    "Clock",
    "Completion",
    "Due",
    "EmbedFunction",
    "Embedder",
    "Ending",
    "Grants",
    "ItemFilter",
    "ItemStore",
    "Items",
    "JobState",
    "Jobs",
    "LanguageModel",
    "Ledger",
    "LedgerMirror",
    "LessonWriting",
    "Lessons",
    "Lives",
    "MirrorLine",
    "ModelFunction",
    "Nights",
    "Orbits",
    "PatternWriting",
    "Patterns",
    "Progress",
    "Reader",
    "Schema",
    "Search",
    "SelfReading",
    "SelfWriting",
    "SessionSpan",
    "Shelves",
    "SoulFile",
    "Spending",
    "Spent",
    "Vectors",
    "Writer",
]
