"""The interfaces between the flow and the outside. A store that passes `testing.conformance` implements them.

A store opens sessions, and a session has groups of methods: `with store.read() as session` sees one consistent state;
`with store.write(owner) as session` is one transaction, all or nothing. `session.items`, `.search`, `.vectors`,
`.orbits`, `.presence`, `.archives`, `.ledger`, `.self`, `.lessons`, `.ideas`, `.night`, `.pictures`, `.keys`,
`.gossip` and `.sync` are small Protocols, each in its own file here.
"""

from __future__ import annotations

from collections.abc import Callable

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.ports.archives import Archives, ArchiveWriter
from celestial_engine.ports.embedding import Embedder, EmbedFunction
from celestial_engine.ports.gossip import Gossip, GossipWriter, Identity, PeerUnreachableError, Transport
from celestial_engine.ports.grants import Grants, RateLimits
from celestial_engine.ports.ideas import Ideas, IdeaWriter
from celestial_engine.ports.items import ItemKey, Items, ItemWriter, LastingFact, Recalled, SessionSpan
from celestial_engine.ports.language import (
    Completion,
    Ending,
    LanguageModel,
    ModelFunction,
    Schema,
    Spending,
    Spent,
)
from celestial_engine.ports.ledger import Ledger, LedgerMirror, LedgerWriter, MirrorLine
from celestial_engine.ports.lessons import Lessons, LessonWriter
from celestial_engine.ports.night import Night
from celestial_engine.ports.orbits import Due, Orbits, OrbitWriter
from celestial_engine.ports.pictures import Pictures
from celestial_engine.ports.presence import Presence, PresenceWriter
from celestial_engine.ports.request_keys import RequestKeys, RequestKeyWriter
from celestial_engine.ports.search import Search
from celestial_engine.ports.self_state import SelfState, SelfWriter
from celestial_engine.ports.sessions import OwnerMismatchError, Reader, Writer
from celestial_engine.ports.store import ArchiveFiles, ItemStore, Jobs, JobState, Progress, SoulFile
from celestial_engine.ports.sync import SyncRecord, SyncRecords, SyncRecordWriter
from celestial_engine.ports.vectors import MissingVector, Vectors, VectorWriter

Clock = Callable[[], float]

__all__ = [
    "ArchiveFiles",
    "ArchiveWriter",
    "Archives",
    "Clock",
    "Completion",
    "Due",
    "EmbedFunction",
    "Embedder",
    "Ending",
    "Gossip",
    "GossipWriter",
    "Grants",
    "IdeaWriter",
    "Ideas",
    "Identity",
    "ItemFilter",
    "ItemKey",
    "ItemStore",
    "ItemWriter",
    "Items",
    "JobState",
    "Jobs",
    "LanguageModel",
    "LastingFact",
    "Ledger",
    "LedgerMirror",
    "LedgerWriter",
    "LessonWriter",
    "Lessons",
    "MirrorLine",
    "MissingVector",
    "ModelFunction",
    "Night",
    "OrbitWriter",
    "Orbits",
    "OwnerMismatchError",
    "PeerUnreachableError",
    "Pictures",
    "Presence",
    "PresenceWriter",
    "Progress",
    "RateLimits",
    "Reader",
    "Recalled",
    "RequestKeyWriter",
    "RequestKeys",
    "Schema",
    "Search",
    "SelfState",
    "SelfWriter",
    "SessionSpan",
    "SoulFile",
    "Spending",
    "Spent",
    "SyncRecord",
    "SyncRecordWriter",
    "SyncRecords",
    "Transport",
    "VectorWriter",
    "Vectors",
    "Writer",
]
