"""Conformance tests for embedders and missing vectors."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.forgetting import State
from celestial_engine.ports import ItemKey
from celestial_engine.testing.conformance.base import SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class VectorPromises(StorePromises):
    def test_one_embedder_at_a_time(self) -> None:
        """Adopting another embedder deletes every vector; the memories stay and are listed as missing."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                assert (session.vectors.embedder_name(), session.vectors.dimension()) == (None, None)
                session.vectors.adopt_embedder("one")
                session.items.add(replace(an_item("m1"), embedding=[1.0, 0.0, 0.0]), a_course())
                assert (session.vectors.embedder_name(), session.vectors.dimension()) == ("one", 3)
                assert session.vectors.count_missing(None) == 0
                session.vectors.adopt_embedder("two")
            with store.read() as reader:
                assert (reader.vectors.embedder_name(), reader.vectors.dimension()) == ("two", None)
                assert reader.search.by_vector(SOMEBODY, [1.0, 0.0, 0.0], 5) == []
                assert reader.items.get(SOMEBODY, "m1") == an_item("m1")
                assert reader.vectors.count_missing(None) == 1

    def test_missing_vectors_of_all_owners(self) -> None:
        """Every memory in orbit without a vector is listed once, with its owner, in order per owner."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                for number in range(3):
                    session.items.add(an_item(f"m{number}", f"text {number}"), a_course())
                    session.items.add(an_item(f"x{number}", f"theirs {number}", owner=SOMEBODY_ELSE), a_course())
                session.items.add(replace(an_item("full"), embedding=[1.0, 0.0]), a_course())
                session.items.add(replace(an_item("gone"), state=State.INACTIVE), a_course())
            last: ItemKey | None = None
            seen: dict[object, list[str]] = {}
            with store.read() as reader:
                assert reader.vectors.count_missing(None) == 6
                while page := reader.vectors.missing(last, 2):
                    last = page[-1].key
                    for entry in page:
                        seen.setdefault(entry.key.owner, []).append(entry.text)
                        assert reader.items.id_of(*entry.key)[-1] == entry.text[-1]
                    assert reader.vectors.count_missing(last) == 6 - sum(map(len, seen.values()))
            assert seen == {
                SOMEBODY: ["text 0", "text 1", "text 2"],
                SOMEBODY_ELSE: ["theirs 0", "theirs 1", "theirs 2"],
            }

    def test_vectors_are_given_to_those_without(self) -> None:
        """Vectors are stored only for unchanged text; changed, embedded or forgotten memories are skipped."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                keys = {name: session.items.add(an_item(name, name), a_course()) for name in ("a", "b", "c", "d")}
                session.items.rewrite(an_item("b", "reworded"), a_course())
                session.items.rewrite(replace(an_item("c", "c"), embedding=[0.0, 1.0]), a_course())
                session.items.rewrite(replace(an_item("d", "d"), state=State.INACTIVE), a_course())
                session.vectors.put_missing(SOMEBODY, [(key, name, [1.0, 0.0]) for name, key in keys.items()])
                session.vectors.put_missing(SOMEBODY, [(max(keys.values()) + 1, "nobody", [1.0, 0.0])])
            with store.read() as reader:
                vectors = {item.id: item.embedding for item in reader.items.get_many(SOMEBODY, list(keys))}
                assert vectors == {"a": [1.0, 0.0], "b": None, "c": [0.0, 1.0], "d": None}
                assert [match.item_id for match in reader.search.by_vector(SOMEBODY, [1.0, 0.0], 5)] == ["a"]
            assert store.check() == []
