"""What a store promises about limits and archives."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.keeping.archive import stub_of
from celestial_engine.core.orbit.memory_function import RESTING
from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import Reason
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

FILE = "20250615T150640Z-000000000000.jsonl.gz"
OTHER_FILE = "20250615T150640Z-111111111111.jsonl.gz"


def of_session(item_id: str, session_id: str = "s") -> CelestialItem:
    return replace(an_item(item_id), time=TimeCoordinate(session_id))


def archived(store: ItemStore, *item_ids: str) -> None:
    with store.write(SOMEBODY) as session:
        for item_id in item_ids:
            session.items.add(of_session(item_id), a_course())
        session.archives.begin(SOMEBODY, FILE, "s", NOON)
    with store.write(SOMEBODY) as session:
        for item in session.items.get_many(SOMEBODY, list(item_ids)):
            session.items.rewrite(stub_of(item), RESTING)
        session.archives.add_members(SOMEBODY, FILE, item_ids)


class ArchivePromises(StorePromises):
    def test_retention_rows_weigh_an_owners_memories(self) -> None:
        """Session, touch, importance, size and protection of each; per owner, without those on the cliff."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(of_session("a"), a_course())
                pinned = replace(an_item("b", "a longer text"), protection=Protection.PINNED)
                session.items.add(replace(pinned, last_recalled_at=NOON + 9), a_course())
                session.items.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.items.add(an_item("d", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                first, second = reader.archives.retention_rows(SOMEBODY)
        assert (first.item_id, first.session_id, first.touched_at, first.protected) == ("a", "s", NOON, False)
        assert (second.session_id, second.touched_at, second.protected) == (None, NOON + 9, True)
        assert first.size_bytes > 0
        assert not first.archived

    def test_archived_memories_keep_their_place_and_are_not_found(self) -> None:
        """The row names the file; no search finds the memory, and its text is removed."""
        with self.opened() as store:
            archived(store, "a", "b")
            with store.read() as reader:
                (note,) = reader.archives.notes(SOMEBODY)
                assert (note.file, note.session_id, note.memories, note.changed) == (FILE, "s", 2, False)
                assert reader.archives.notes(SOMEBODY_ELSE) == []
                assert reader.archives.members(SOMEBODY, FILE) == ["a", "b"]
                assert reader.archives.members(SOMEBODY_ELSE, FILE) == []
                assert reader.archives.file_of(SOMEBODY, "a") == FILE
                assert reader.archives.file_of(SOMEBODY_ELSE, "a") is None
                assert reader.search.by_words(SOMEBODY, "커피", 5).matches == []
                item = reader.items.get(SOMEBODY, "a")
                assert item is not None
                assert (item.state, item.content, item.time.session_id) == (State.ARCHIVED, "", "s")
                assert all(row.archived for row in reader.archives.retention_rows(SOMEBODY))
            assert [problem for problem in store.check() if problem.reason is not Reason.IN_ARCHIVE] == []

    def test_who_leaves_an_archive_marks_it_as_changed(self) -> None:
        """Restoring, purging or moving a memory marks its old file as changed."""
        with self.opened() as store:
            archived(store, "a", "b", "c")
            with store.write(SOMEBODY) as session:
                session.items.rewrite(of_session("a"), a_course())
                session.items.purge(SOMEBODY, "b")
                session.archives.begin(SOMEBODY, OTHER_FILE, "s", NOON)
                session.archives.add_members(SOMEBODY, OTHER_FILE, ["c"])
            with store.read() as reader:
                notes = {note.file: (note.memories, note.changed) for note in reader.archives.notes()}
                assert notes == {FILE: (0, True), OTHER_FILE: (1, False)}
                assert reader.archives.file_of(SOMEBODY, "a") is None
                assert [match.item_id for match in reader.search.by_words(SOMEBODY, "커피", 5).matches] == ["a"]
            with store.write(SOMEBODY) as session:
                session.archives.remove(SOMEBODY, FILE)
            with store.read() as reader:
                assert [note.file for note in reader.archives.notes()] == [OTHER_FILE]

    def test_an_archive_that_was_begun_is_known(self) -> None:
        """Before the file has members, so that a leftover of a crash is found again."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("a"), a_course())
                session.archives.begin(SOMEBODY, FILE, "s", NOON)
            with store.read() as reader:
                (note,) = reader.archives.notes()
        assert (note.memories, note.changed) == (0, True)

    def test_versions_leave_and_come_back(self) -> None:
        """Versions taken for an archive and put back are in the ledger again, exactly once each."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("a"), a_course())
                session.items.rewrite(an_item("a", "녹차"), a_course())
                number = session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, "a"))
            with store.write(SOMEBODY) as session:
                taken = session.archives.take_versions(SOMEBODY, "a")
                session.archives.put_versions(SOMEBODY, "a", taken)
                session.archives.put_versions(SOMEBODY, "a", taken)
            with store.read() as reader:
                assert reader.ledger.version(SOMEBODY, number) == an_item("a")
                assert reader.ledger.damaged_versions() == []

    def test_archive_files_give_back_what_was_written(self) -> None:
        """A missing file or header is reported."""
        with self.opened() as store:
            store.archive_files.write(FILE, b"not a header\n")
            assert store.archive_files.names() == [FILE]
            assert [problem.reason for problem in store.archive_files.read(FILE).problems] == [Reason.ARCHIVE_HEADER]
            store.archive_files.remove(FILE)
            store.archive_files.remove(FILE)
            assert [problem.reason for problem in store.archive_files.read(FILE).problems] == [Reason.FILE_MISSING]
