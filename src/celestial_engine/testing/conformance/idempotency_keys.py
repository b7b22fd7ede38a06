"""What a store promises to those who ask over a network: keys, pages and numbers."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.paging import PagePosition
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

DAY = 86_400.0
USED = UsedKey("digest", "a")


class AskedPromises(StorePromises):
    def test_a_key_is_kept_for_its_owner(self) -> None:
        """Found again by whoever used it, as long as it is asked for."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                session.use_key(SOMEBODY, "k", USED, NOON, NOON - DAY)
            with store.read() as reader:
                assert reader.used_key(SOMEBODY, "k", NOON) == USED
                assert reader.used_key(SOMEBODY, "k", NOON + 1) is None
                assert reader.used_key(SOMEBODY_ELSE, "k", NOON) is None
                assert reader.used_key(SOMEBODY, "other", NOON) is None

    def test_old_keys_are_forgotten(self) -> None:
        """When the next one is kept, and when the memory is purged."""
        with self.opened() as store:
            with store.write() as session:
                for name in ("a", "b"):
                    session.add(an_item(name), a_course())
                session.use_key(SOMEBODY, "old", USED, NOON, NOON)
                session.use_key(SOMEBODY, "new", UsedKey("digest", "b"), NOON + DAY, NOON + DAY)
            with store.read() as reader:
                assert reader.used_key(SOMEBODY, "old", 0.0) is None
                assert reader.used_key(SOMEBODY, "new", 0.0) is not None
            with store.write() as session:
                session.purge(SOMEBODY, "b")
            with store.read() as reader:
                assert reader.used_key(SOMEBODY, "new", 0.0) is None

    def test_a_list_goes_on_where_it_ended(self) -> None:
        """Also among those of one moment, with a filter or without, whoever has come or gone meanwhile."""
        with self.opened() as store:
            with store.write() as session:
                for number in range(6):  # two each moment
                    item = replace(an_item(f"m{number}"), created_at=NOON + number // 2, tier=Tier.M30)
                    session.add(item, a_course())
            for where in (ItemFilter(), ItemFilter(tier=Tier.M30)):
                with store.read() as reader:
                    first = reader.newest(SOMEBODY, where, 3)
                    assert [item.id for item in first] == ["m5", "m4", "m3"]
                    place = PagePosition(first[-1].created_at, first[-1].id)
                    rest = reader.newest(SOMEBODY, where, 9, place)
                    assert [item.id for item in rest] == ["m2", "m1", "m0"]
                    gone = PagePosition(NOON + 1, "nobody")  # purged since: those of older moments are sure to follow
                    assert [item.id for item in reader.newest(SOMEBODY, where, 9, gone)] == ["m1", "m0"]
                    assert reader.newest(SOMEBODY, where, 9, PagePosition(NOON - 1, "m0")) == []

    def test_memories_are_counted_by_category_and_by_zone(self) -> None:
        """In orbit only; by category of one owner, by zone of all."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("a", zone=3), category=Category.FACT), a_course())
                session.add(replace(an_item("b", zone=3), category=Category.FACT), a_course())
                session.add(replace(an_item("c"), category=Category.FACT, state=State.CLIFF), a_course())
                session.add(an_item("d"), a_course())
                session.add(replace(an_item("e", zone=3, owner=SOMEBODY_ELSE), category=Category.EMOTION), a_course())
            with store.read() as reader:
                assert reader.category_counts(SOMEBODY) == {Category.FACT: 2}
                assert reader.category_counts(SOMEBODY_ELSE) == {Category.EMOTION: 1}
                assert reader.population() == {2: 1, 3: 3}
