"""Sessions: one consistent view of the store, or one transaction, in groups of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports.archives import Archives, ArchiveWriter
    from celestial_engine.ports.gossip import Gossip, GossipWriter
    from celestial_engine.ports.ideas import Ideas, IdeaWriter
    from celestial_engine.ports.items import Items, ItemWriter
    from celestial_engine.ports.ledger import Ledger, LedgerWriter
    from celestial_engine.ports.lessons import Lessons, LessonWriter
    from celestial_engine.ports.night import Night
    from celestial_engine.ports.orbits import Orbits, OrbitWriter
    from celestial_engine.ports.pictures import Pictures
    from celestial_engine.ports.presence import Presence, PresenceWriter
    from celestial_engine.ports.request_keys import RequestKeys, RequestKeyWriter
    from celestial_engine.ports.search import Search
    from celestial_engine.ports.self_state import SelfState, SelfWriter
    from celestial_engine.ports.sync import SyncRecords, SyncRecordWriter
    from celestial_engine.ports.vectors import Vectors, VectorWriter


class OwnerMismatchError(RuntimeError):
    """A bug in the calling code: a session of one owner was used to write for another."""

    def __init__(self, session_owner: Owner, owner: Owner | None) -> None:
        whose = "for all owners" if owner is None else f"for {owner}"
        super().__init__(f"a session that writes for {session_owner} cannot write {whose}")
        self.session_owner = session_owner
        self.owner = owner


class Reader(Protocol):
    """A session that reads. All groups see the same state: what was committed when the session began."""

    @property
    def items(self) -> Items: ...
    @property
    def search(self) -> Search: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def orbits(self) -> Orbits: ...
    @property
    def presence(self) -> Presence: ...
    @property
    def archives(self) -> Archives: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def self(self) -> SelfState: ...
    @property
    def lessons(self) -> Lessons: ...
    @property
    def ideas(self) -> Ideas: ...
    @property
    def night(self) -> Night: ...
    @property
    def pictures(self) -> Pictures: ...
    @property
    def keys(self) -> RequestKeys: ...
    @property
    def gossip(self) -> Gossip: ...
    @property
    def sync(self) -> SyncRecords: ...


class Writer(Reader, Protocol):
    """A session that reads and writes in one transaction; every group sees what the others wrote.

    Everything is committed when the block ends, or nothing if it raises. A session of one owner raises
    OwnerMismatchError on a write for another, or for all; reading has no such limit.
    """

    @property
    def items(self) -> ItemWriter: ...
    @property
    def vectors(self) -> VectorWriter: ...
    @property
    def orbits(self) -> OrbitWriter: ...
    @property
    def presence(self) -> PresenceWriter: ...
    @property
    def archives(self) -> ArchiveWriter: ...
    @property
    def ledger(self) -> LedgerWriter: ...
    @property
    def self(self) -> SelfWriter: ...
    @property
    def lessons(self) -> LessonWriter: ...
    @property
    def ideas(self) -> IdeaWriter: ...
    @property
    def keys(self) -> RequestKeyWriter: ...
    @property
    def gossip(self) -> GossipWriter: ...
    @property
    def sync(self) -> SyncRecordWriter: ...
