"""What the group `sync` of a session promises."""

from __future__ import annotations

from celestial_engine.ports.sync import SyncRecord
from celestial_engine.testing.conformance.base import SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class SyncPromises(StorePromises):
    def test_notes_of_a_device_are_kept_by_owner(self) -> None:
        """A note is replaced by its name, listed by prefix, deleted, and never another owner's."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.sync.put_note(SOMEBODY, "device", b"first")
                session.sync.put_note(SOMEBODY, "device", bytes(range(256)))
                session.sync.put_note(SOMEBODY, "seen/b", b"b")
                session.sync.put_note(SOMEBODY, "seen/a", b"a")
            with store.write(SOMEBODY_ELSE) as session:
                session.sync.put_note(SOMEBODY_ELSE, "seen/a", b"other")
            with store.read() as reader:
                assert reader.sync.note(SOMEBODY, "device") == bytes(range(256))
                assert reader.sync.note(SOMEBODY_ELSE, "device") is None
                assert list(reader.sync.notes(SOMEBODY, "seen/").items()) == [("seen/a", b"a"), ("seen/b", b"b")]
            with store.write(SOMEBODY) as session:
                session.sync.drop_note(SOMEBODY, "seen/a")
                session.sync.drop_note(SOMEBODY, "seen/zz")
            with store.read() as reader:
                assert reader.sync.notes(SOMEBODY, "seen/") == {"seen/b": b"b"}
                assert reader.sync.notes(SOMEBODY_ELSE, "") == {"seen/a": b"other"}

    def test_records_come_by_id_by_page_and_by_change(self) -> None:
        """Records are replaced by id; pages are in the order of ids, changes in the order of their numbers."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for number, item_id in enumerate(("m2", "", "m1"), 1):
                    session.sync.put_record(SOMEBODY, SyncRecord(item_id, b"marks", b"texts", number))
                session.sync.put_record(SOMEBODY, SyncRecord("m2", b"again", None, 4, "folder"))
            with store.read() as reader:
                assert reader.sync.records(SOMEBODY, ["m2", "zz"]) == {
                    "m2": SyncRecord("m2", b"again", None, 4, "folder")
                }
                assert [record.item_id for record in reader.sync.page(SOMEBODY, None, 9)] == ["", "m1", "m2"]
                assert [record.item_id for record in reader.sync.page(SOMEBODY, "", 1)] == ["m1"]
                assert [record.item_id for record in reader.sync.changed(SOMEBODY, 2, 9)] == ["m1", "m2"]
                assert reader.sync.changed(SOMEBODY, 2, 1)[0].changed == 3
                assert reader.sync.page(SOMEBODY_ELSE, None, 9) == []

    def test_a_purge_deletes_the_texts_of_a_record(self) -> None:
        """Purging a memory leaves the marks of its record, and no text."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1"), a_course())
                session.sync.put_record(SOMEBODY, SyncRecord("m1", b"marks", b"texts", 1))
                session.sync.put_record(SOMEBODY, SyncRecord("m2", b"marks", b"texts", 2))
                session.items.purge(SOMEBODY, "m1")
            with store.read() as reader:
                found = reader.sync.records(SOMEBODY, ["m1", "m2"])
            assert (found["m1"].marks, found["m1"].texts, found["m2"].texts) == (b"marks", None, b"texts")
