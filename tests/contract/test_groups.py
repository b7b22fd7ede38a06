"""The conformance suite leaves no method of a session out, and every session has every group."""

from __future__ import annotations

from pathlib import Path

import pytest

from celestial_engine import ports
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.testing import conformance
from celestial_engine.testing.conformance.sessions import WRITES_FOR_ALL, writes_for
from celestial_engine.testing.in_memory.store import DictStore

READ_ONLY = {
    "items": ports.Items,
    "search": ports.Search,
    "vectors": ports.Vectors,
    "orbits": ports.Orbits,
    "presence": ports.Presence,
    "archives": ports.Archives,
    "ledger": ports.Ledger,
    "self": ports.SelfState,
    "lessons": ports.Lessons,
    "ideas": ports.Ideas,
    "night": ports.Night,
    "pictures": ports.Pictures,
    "keys": ports.RequestKeys,
    "gossip": ports.Gossip,
    "sync": ports.SyncRecords,
}
READ_AND_WRITE = READ_ONLY | {
    "items": ports.ItemWriter,
    "vectors": ports.VectorWriter,
    "orbits": ports.OrbitWriter,
    "presence": ports.PresenceWriter,
    "archives": ports.ArchiveWriter,
    "ledger": ports.LedgerWriter,
    "self": ports.SelfWriter,
    "lessons": ports.LessonWriter,
    "ideas": ports.IdeaWriter,
    "keys": ports.RequestKeyWriter,
    "gossip": ports.GossipWriter,
    "sync": ports.SyncRecordWriter,
}


def methods(protocol: type) -> set[str]:
    return {name for name in dir(protocol) if not name.startswith("_")}


def test_the_groups_are_all_there_are():
    assert methods(ports.Reader) == methods(ports.Writer) == set(READ_AND_WRITE)


@pytest.mark.parametrize("group", READ_AND_WRITE)
def test_every_method_has_a_promise(group):
    folder = Path(conformance.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    assert not {name for name in methods(READ_AND_WRITE[group]) if f".{group}.{name}(" not in text}


def test_every_write_is_tried_for_the_wrong_owner():
    written = {
        f"{group}.{name}"
        for group, protocol in READ_AND_WRITE.items()
        for name in methods(protocol) - methods(READ_ONLY[group])
    }
    assert written == set(writes_for(LOCAL_OWNER)) | set(WRITES_FOR_ALL)


@pytest.mark.parametrize("make_store", [SqliteStore, DictStore])
def test_sessions_have_the_methods_of_their_groups(make_store):
    store = make_store()
    with store.read() as reader:
        for group, protocol in READ_ONLY.items():
            assert methods(protocol) <= methods(type(getattr(reader, group)))
    with store.write_whole_store() as writer:
        for group, protocol in READ_AND_WRITE.items():
            assert methods(protocol) <= methods(type(getattr(writer, group)))
    store.close()
