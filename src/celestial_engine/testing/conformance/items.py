"""Conformance tests for records: stored completely, found by words and vectors, isolated by owner."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.paging import PagePosition
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, SpaceCoordinate, Validity
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import NotFoundError
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class ItemPromises(StorePromises):
    def test_every_facet_comes_back(self) -> None:
        """A record is read exactly as it was added, with every field."""
        item = replace(
            an_item("m1", "줄\n바꿈 \0 and ‘quotes’ 🎉"),
            recall_count=7,
            arbitrary_importance=0.25,
            metadata={"key": ["값", 1, None, {"deep": True}]},
            embedding=[0.5, -0.25, 1.0],
            importance_source="rules",
            context_score=0.75,
            tier=Tier.M365,
            expires_at=NOON + 9.5,
            protection=Protection.PINNED,
            state_since=NOON - 1.5,
            validity=Validity(NOON - 60.0, NOON, "m9"),
            mention_count=3,
            influence_count=2,
            user_rating=4,
            category=Category.PREFERENCE,
            keywords=("커피",),
            tags=("a", "b"),
            space=SpaceCoordinate(project="celestial", file_context=("a.py",)),
            emotion=EmotionCoordinate(tags=(Emotion.JOY, Emotion.SADNESS), intensity=0.9, sentiment_score=-0.1),
            links=Links(parent="m0", related=("m2",)),
            source=Source.IMPORT,
        )
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(item, a_course())
            with store.read() as session:
                assert session.items.get(SOMEBODY, "m1") == item
                assert session.items.get_many(SOMEBODY, ["m1"]) == [item]
                assert [entry for _, entry in session.items.page(SOMEBODY, -1, 9)] == [item]

    def test_many_are_added_as_one_after_the_other(self) -> None:
        """Keys rise, every memory is found, and what the transaction did before and after counts too."""
        items = [replace(an_item(f"m{n}", f"apple {n}"), embedding=[1.0, n / 8], tags=("fruit",)) for n in range(4)]
        items[2] = replace(items[2], state=State.INACTIVE)
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                first = session.items.add(items[0], a_course())
                keys = session.items.add_many([(item, a_course()) for item in items[1:3]])
                last = session.items.add(items[3], a_course())
                assert session.items.add_many([]) == []
            with store.read() as session:
                assert [first, *keys, last] == sorted([first, *keys, last])
                assert session.items.page(SOMEBODY, -1, 9) == list(zip([first, *keys, last], items, strict=True))
                in_orbit = {"m0", "m1", "m3"}
                assert {match.item_id for match in session.search.by_words(SOMEBODY, "apple", 9).matches} == in_orbit
                assert {match.item_id for match in session.search.by_vector(SOMEBODY, [1.0, 0.0], 9)} == in_orbit
                tagged = session.items.newest(SOMEBODY, ItemFilter(tags=("fruit",)), 9)
                assert {item.id for item in tagged} == in_orbit

    def test_got_items_are_copies(self) -> None:
        """Mutating an item after adding or reading it does not change the store."""
        with self.opened() as store:
            added = an_item("m1")
            with store.write(SOMEBODY) as session:
                session.items.add(added, a_course())
            added.content = "changed"
            with store.read() as session:
                got = session.items.get(SOMEBODY, "m1")
                assert got is not None
                got.metadata["changed"] = True
                again = session.items.get(SOMEBODY, "m1")
            assert again is not None
            assert again.content == "커피를 좋아한다"
            assert again.metadata == {}

    def test_rewrite_replaces_everything(self) -> None:
        """A rewritten memory is found only by its new words, and keeps its position in the order."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                before = session.items.key_of(SOMEBODY, "m1")
                changed = replace(an_item("m1", "녹차를 마신다"), embedding=[0.0, 1.0], tier=Tier.M30)
                session.items.rewrite(changed, a_course())
                assert session.items.key_of(SOMEBODY, "m1") == before
                assert session.items.keys_of(SOMEBODY, ["m1", "nobody"]) == {"m1": before}
                assert session.items.keys_of(SOMEBODY_ELSE, ["m1"]) == {}
            with store.read() as session:
                assert session.items.keys_of(SOMEBODY, ["nobody", "m1"]) == {"m1": before}
                assert session.items.keys_of(SOMEBODY_ELSE, ["m1"]) == {}
                assert session.items.get(SOMEBODY, "m1") == changed
                assert session.search.by_words(SOMEBODY, "커피", 5).matches == []
                assert [match.item_id for match in session.search.by_words(SOMEBODY, "녹차", 5).matches] == ["m1"]
                assert session.search.by_vector(SOMEBODY, [0.0, 1.0], 1)[0].score > 0.99

    def test_missing_ids(self) -> None:
        """For an unknown id `get` returns None, `get_many` skips it, and changes raise."""
        with self.opened() as store:
            with store.read() as session:
                assert session.items.get(SOMEBODY, "nobody") is None
                assert session.items.get_many(SOMEBODY, ["nobody"]) == []
            for change in ("rewrite", "purge", "key_of"):
                try:
                    with store.write(SOMEBODY) as session:
                        if change == "rewrite":
                            session.items.rewrite(an_item("nobody"), a_course())
                        elif change == "purge":
                            session.items.purge(SOMEBODY, "nobody")
                        else:
                            session.items.key_of(SOMEBODY, "nobody")
                except NotFoundError:
                    continue
                raise AssertionError(f"{change} of an unknown id passed")

    def test_newest_first_and_filters(self) -> None:
        """Lists are newest first and filtered by state, zone and tier."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for number in range(6):
                    item = replace(an_item(f"m{number}", zone=number % 2), created_at=NOON + number)
                    session.items.add(replace(item, tier=Tier.M30) if number < 3 else item, a_course())
            with store.read() as session:
                assert _ids(session.items.newest(SOMEBODY, ItemFilter(), 3)) == ["m5", "m4", "m3"]
                assert _ids(session.items.newest(SOMEBODY, ItemFilter(zone=1), None)) == ["m5", "m3", "m1"]
                assert _ids(session.items.newest(SOMEBODY, ItemFilter(zone=0, tier=Tier.M30), None)) == ["m2", "m0"]
                assert session.items.newest(SOMEBODY, ItemFilter(states=(State.CLIFF,)), None) == []
                assert session.items.newest(SOMEBODY, ItemFilter(), 0) == []
                assert session.items.state_counts(SOMEBODY) == {State.ACTIVE: 6}

    def test_pages_follow_each_other(self) -> None:
        """Paging returns every memory once, oldest first."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                for number in range(5):
                    session.items.add(an_item(f"m{number}"), a_course())
                    session.items.add(an_item(f"x{number}", owner=SOMEBODY_ELSE), a_course())
            seen, key = [], -1
            with store.read() as session:
                while page := session.items.page(SOMEBODY, key, 2):
                    key = page[-1][0]
                    seen += [item.id for _, item in page]
            assert seen == ["m0", "m1", "m2", "m3", "m4"]

    def test_ids_by_prefix(self) -> None:
        """Prefixes are literal text without wildcards."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for item_id in ("abc", "abd", "a%c", "b_"):
                    session.items.add(an_item(item_id), a_course())
            with store.read() as session:
                assert session.items.ids_starting(SOMEBODY, "ab", 9) == ["abc", "abd"]
                assert session.items.ids_starting(SOMEBODY, "a%", 9) == ["a%c"]
                assert session.items.ids_starting(SOMEBODY, "_", 9) == []
                assert len(session.items.ids_starting(SOMEBODY, "a", 2)) == 2

    # -- owners -------------------------------------------------------------------------------------

    def test_owners_are_strangers(self) -> None:
        """One owner cannot see, find or change another's memories, even with the same id."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(replace(an_item("same"), embedding=[1.0, 0.0]), a_course())
                mine = replace(an_item("same", owner=SOMEBODY_ELSE), recall_count=5)
                session.items.add(mine, a_course())
                session.ledger.record(Event(EventType.STORED, SOMEBODY, NOON, "same"))
                session.items.purge(SOMEBODY, "same")
            with store.read() as session:
                assert session.items.get(SOMEBODY, "same") is None
                assert session.items.get(SOMEBODY_ELSE, "same") == mine
                assert session.search.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.search.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert session.items.page(SOMEBODY, -1, 9) == []
                assert session.items.newest(SOMEBODY, ItemFilter(), 5) == []
                assert session.orbits.zone_counts(SOMEBODY, [2]) == {2: 0}
                assert session.ledger.events(SOMEBODY_ELSE, None, 5) == []
                assert session.items.ids_starting(Owner("nobody"), "s", 5) == []
                assert len(session.search.by_words(SOMEBODY_ELSE, "커피", 5).matches) == 1

    def test_purged_is_gone(self) -> None:
        """After a purge nothing finds the memory, and its id can be used again."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                session.items.purge(SOMEBODY, "m1")
                session.items.add(an_item("m1", "새로운 글"), a_course())
            with store.read() as session:
                assert session.search.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.search.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert len(session.search.by_words(SOMEBODY, "새로운", 5).matches) == 1
            assert store.check() == []

    def test_purged_is_gone_from_links(self) -> None:
        """Links to a purged memory are removed; other fields and other owners' memories stay unchanged."""
        with self.opened() as store:
            hub = replace(an_item("m1"), links=Links("m2", ("m3",), ("m4", "nobody")))
            tied = [
                replace(an_item("m2"), links=Links(children=("m0", "m1")), tags=("kept",), embedding=[1.0, 0.0]),
                replace(an_item("m3"), links=Links(parent="m1"), zone=4),
                replace(an_item("m4"), links=Links(related=("m1", "m2"), promoted_from=("m1",))),
                replace(an_item("m4", owner=SOMEBODY_ELSE), links=Links(related=("m1",))),
            ]
            with store.write_whole_store() as session:
                for item in (hub, *tied):
                    session.items.add(item, a_course())
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "m1")
            with store.read() as session:
                assert session.items.get(SOMEBODY, "m2") == replace(tied[0], links=Links(children=("m0",)))
                assert session.items.get(SOMEBODY, "m3") == replace(tied[1], links=Links())
                assert session.items.get(SOMEBODY, "m4") == replace(
                    tied[2], links=Links(related=("m2",), promoted_from=("m1",))
                )
                assert session.items.get(SOMEBODY_ELSE, "m4") == tied[3]
            assert store.check() == []

    def test_memories_are_counted_by_category_and_by_zone(self) -> None:
        """Counts include only memories in orbit: by category per owner, by zone over all owners."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(replace(an_item("a", zone=3), category=Category.FACT), a_course())
                session.items.add(replace(an_item("b", zone=3), category=Category.FACT), a_course())
                session.items.add(replace(an_item("c"), category=Category.FACT, state=State.CLIFF), a_course())
                session.items.add(an_item("d"), a_course())
                session.items.add(
                    replace(an_item("e", zone=3, owner=SOMEBODY_ELSE), category=Category.EMOTION), a_course()
                )
            with store.read() as reader:
                assert reader.items.category_counts(SOMEBODY) == {Category.FACT: 2}
                assert reader.items.category_counts(SOMEBODY_ELSE) == {Category.EMOTION: 1}
                assert reader.night.population() == {2: 1, 3: 3}

    def test_a_list_goes_on_where_it_ended(self) -> None:
        """Paging is complete for equal times, with and without a filter, despite concurrent changes."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for number in range(6):  # two per time
                    item = replace(an_item(f"m{number}"), created_at=NOON + number // 2, tier=Tier.M30)
                    session.items.add(item, a_course())
            for where in (ItemFilter(), ItemFilter(tier=Tier.M30)):
                with store.read() as reader:
                    first = reader.items.newest(SOMEBODY, where, 3)
                    assert [item.id for item in first] == ["m5", "m4", "m3"]
                    place = PagePosition(first[-1].created_at, first[-1].id)
                    rest = reader.items.newest(SOMEBODY, where, 9, place)
                    assert [item.id for item in rest] == ["m2", "m1", "m0"]
                    gone = PagePosition(NOON + 1, "nobody")  # purged meanwhile: older memories must still follow
                    assert [item.id for item in reader.items.newest(SOMEBODY, where, 9, gone)] == ["m1", "m0"]
                    assert reader.items.newest(SOMEBODY, where, 9, PagePosition(NOON - 1, "m0")) == []

    def test_lasting_memories_by_address(self) -> None:
        """Of each address the newest lasting memories in orbit are listed; others and other owners' are not."""
        home, likes = (Address(Subject.USER, attribute) for attribute in (Attribute.HOME, Attribute.LIKES))
        lasting = replace(an_item(""), lifetime=Lifetime.LASTING, address=home)
        with self.opened() as store:
            with store.write_whole_store() as session:
                for number in range(4):  # two per time
                    item = replace(lasting, id=f"home{number}", created_at=NOON + number // 2)
                    session.items.add(item, a_course())
                for item in (
                    replace(lasting, id="likes", address=likes, state=State.FADED),
                    replace(lasting, id="hers", address=replace(home, subject=Subject.PERSON)),
                    replace(lasting, id="season", lifetime=Lifetime.SEASON),
                    replace(lasting, id="left", state=State.CLIFF),
                    replace(lasting, id="foreign", owner=SOMEBODY_ELSE),
                    replace(lasting, id="nowhere", address=None),
                    an_item("unread"),
                ):
                    session.items.add(item, a_course())
            with store.read() as reader:
                facts = reader.items.lasting(SOMEBODY, 3)
                at_home = [fact.item_id for fact in facts if fact[:2] == (Subject.USER, Attribute.HOME)]
                assert at_home == ["home3", "home2", "home1"]
                others = {fact.item_id: fact[:2] for fact in facts if fact.item_id not in at_home}
                assert others == {
                    "likes": (Subject.USER, Attribute.LIKES), "hers": (Subject.PERSON, Attribute.HOME),
                }  # fmt: skip
                assert [fact.item_id for fact in reader.items.lasting(SOMEBODY_ELSE, 3)] == ["foreign"]
                assert reader.items.lasting(Owner("nobody", "default"), 3) == []
            with store.write(SOMEBODY) as session:
                session.items.rewrite(replace(lasting, id="home3", lifetime=Lifetime.PASSING), a_course())
                session.items.purge(SOMEBODY, "likes")
            with store.read() as reader:
                assert {fact.item_id for fact in reader.items.lasting(SOMEBODY, 9)} == {
                    "home2", "home1", "home0", "hers",
                }  # fmt: skip


def _ids(items: list[CelestialItem]) -> list[str]:
    return [item.id for item in items]
