"""What a store promises about limits and archives."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.keeping.archive import bare
from celestial_engine.core.orbit.memory_function import RESTING
from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

FILE = "20250615T150640Z-000000000000.jsonl.gz"
OTHER_FILE = "20250615T150640Z-111111111111.jsonl.gz"


def of_session(item_id: str, session_id: str = "s") -> CelestialItem:
    return replace(an_item(item_id), time=TimeCoordinate(session_id))


def archived(store: ItemStore, *item_ids: str) -> None:
    with store.write() as session:
        for item_id in item_ids:
            session.add(of_session(item_id), a_course())
        session.begin_archive(FILE, SOMEBODY, "s", NOON)
    with store.write() as session:
        for item in session.get_many(SOMEBODY, list(item_ids)):
            session.rewrite(bare(item), RESTING)
        session.shelve(SOMEBODY, item_ids, FILE)


class ShelfPromises(StorePromises):
    def test_holdings_weigh_an_owners_memories(self) -> None:
        """Session, touch, importance, size and protection of each; nobody else's, and none on the cliff."""
        with self.opened() as store:
            with store.write() as session:
                session.add(of_session("a"), a_course())
                pinned = replace(an_item("b", "a longer text"), protection=Protection.PINNED)
                session.add(replace(pinned, last_recalled_at=NOON + 9), a_course())
                session.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.add(an_item("d", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                first, second = reader.holdings(SOMEBODY)
        assert (first.item_id, first.session_id, first.touched_at, first.protected) == ("a", "s", NOON, False)
        assert (second.session_id, second.touched_at, second.protected) == (None, NOON + 9, True)
        assert first.size_bytes > 0
        assert not first.archived

    def test_archived_memories_keep_their_place_and_are_not_found(self) -> None:
        """The row says where it lies; no search gives it, and its text is gone."""
        with self.opened() as store:
            archived(store, "a", "b")
            with store.read() as reader:
                (note,) = reader.archive_notes(SOMEBODY)
                assert (note.file, note.session_id, note.memories, note.changed) == (FILE, "s", 2, False)
                assert reader.archive_notes(SOMEBODY_ELSE) == []
                assert reader.shelved_in(FILE) == ["a", "b"]
                assert reader.archive_of(SOMEBODY, "a") == FILE
                assert reader.archive_of(SOMEBODY_ELSE, "a") is None
                assert reader.by_words(SOMEBODY, "커피", 5).matches == []
                row = reader.get(SOMEBODY, "a")
                assert row is not None
                assert (row.state, row.content, row.time.session_id) == (State.ARCHIVED, "", "s")
                assert all(holding.archived for holding in reader.holdings(SOMEBODY))
            assert [problem for problem in store.check() if not problem.startswith("archive ")] == []

    def test_who_leaves_an_archive_marks_it_as_changed(self) -> None:
        """Whether it comes back, is purged, or moves to another file."""
        with self.opened() as store:
            archived(store, "a", "b", "c")
            with store.write() as session:
                session.rewrite(of_session("a"), a_course())
                session.purge(SOMEBODY, "b")
                session.begin_archive(OTHER_FILE, SOMEBODY, "s", NOON)
                session.shelve(SOMEBODY, ["c"], OTHER_FILE)
            with store.read() as reader:
                notes = {note.file: (note.memories, note.changed) for note in reader.archive_notes()}
                assert notes == {FILE: (0, True), OTHER_FILE: (1, False)}
                assert reader.archive_of(SOMEBODY, "a") is None
                assert [match.item_id for match in reader.by_words(SOMEBODY, "커피", 5).matches] == ["a"]
            with store.write() as session:
                session.drop_archive(FILE)
            with store.read() as reader:
                assert [note.file for note in reader.archive_notes()] == [OTHER_FILE]

    def test_an_archive_that_was_begun_is_known(self) -> None:
        """Before anything lies in it: what a crash leaves behind is found again."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                session.begin_archive(FILE, SOMEBODY, "s", NOON)
            with store.read() as reader:
                (note,) = reader.archive_notes()
        assert (note.memories, note.changed) == (0, True)

    def test_archive_files_give_back_what_was_written(self) -> None:
        """And say so when there is none."""
        with self.opened() as store:
            store.archives.write(FILE, b"not a header\n")
            assert store.archives.names() == [FILE]
            assert store.archives.read(FILE).problems == ("its first line cannot be read",)
            store.archives.remove(FILE)
            store.archives.remove(FILE)
            assert store.archives.read(FILE).problems == ("the file is not there",)
