"""Promises about records: kept whole, found by words and vectors, strangers to other owners."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, SpaceCoordinate, Validity
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import NotFoundError
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class RecordPromises(StorePromises):
    def test_every_facet_comes_back(self) -> None:
        """What is added is what is got, down to the last facet."""
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
            with store.write() as session:
                session.add(item, a_course())
            with store.read() as session:
                assert session.get(SOMEBODY, "m1") == item
                assert session.get_many(SOMEBODY, ["m1"]) == [item]
                assert [entry for _, entry in session.page(SOMEBODY, -1, 9)] == [item]

    def test_got_items_are_copies(self) -> None:
        """Changing what a store gave, or what it was given, changes nothing in the store."""
        with self.opened() as store:
            given = an_item("m1")
            with store.write() as session:
                session.add(given, a_course())
            given.content = "changed"
            with store.read() as session:
                got = session.get(SOMEBODY, "m1")
                assert got is not None
                got.metadata["changed"] = True
                again = session.get(SOMEBODY, "m1")
            assert again is not None
            assert again.content == "커피를 좋아한다"
            assert again.metadata == {}

    def test_rewrite_replaces_everything(self) -> None:
        """A rewritten memory is found by its new words only, and keeps its place in the order."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                before = session.key_of(SOMEBODY, "m1")
                changed = replace(an_item("m1", "녹차를 마신다"), embedding=[0.0, 1.0], tier=Tier.M30)
                session.rewrite(changed, a_course())
                assert session.key_of(SOMEBODY, "m1") == before
            with store.read() as session:
                assert session.get(SOMEBODY, "m1") == changed
                assert session.by_words(SOMEBODY, "커피", 5).matches == []
                assert [match.item_id for match in session.by_words(SOMEBODY, "녹차", 5).matches] == ["m1"]
                assert session.by_vector(SOMEBODY, [0.0, 1.0], 1)[0].score > 0.99

    def test_missing_ids(self) -> None:
        """An unknown id is None to get, left out by get_many, and an error to change."""
        with self.opened() as store:
            with store.read() as session:
                assert session.get(SOMEBODY, "nobody") is None
                assert session.get_many(SOMEBODY, ["nobody"]) == []
            for change in ("rewrite", "purge", "key_of"):
                try:
                    with store.write() as session:
                        if change == "rewrite":
                            session.rewrite(an_item("nobody"), a_course())
                        elif change == "purge":
                            session.purge(SOMEBODY, "nobody")
                        else:
                            session.key_of(SOMEBODY, "nobody")
                except NotFoundError:
                    continue
                raise AssertionError(f"{change} of an unknown id passed")

    def test_newest_first_and_filters(self) -> None:
        """Lists are newest first and filtered by state, zone and tier."""
        with self.opened() as store:
            with store.write() as session:
                for number in range(6):
                    item = replace(an_item(f"m{number}", zone=number % 2), created_at=NOON + number)
                    session.add(replace(item, tier=Tier.M30) if number < 3 else item, a_course())
            with store.read() as session:
                assert _ids(session.newest(SOMEBODY, ItemFilter(), 3)) == ["m5", "m4", "m3"]
                assert _ids(session.newest(SOMEBODY, ItemFilter(zone=1), None)) == ["m5", "m3", "m1"]
                assert _ids(session.newest(SOMEBODY, ItemFilter(zone=0, tier=Tier.M30), None)) == ["m2", "m0"]
                assert session.newest(SOMEBODY, ItemFilter(states=(State.CLIFF,)), None) == []
                assert session.newest(SOMEBODY, ItemFilter(), 0) == []
                assert session.state_counts(SOMEBODY) == {State.ACTIVE: 6}

    def test_pages_follow_each_other(self) -> None:
        """Page by page every memory comes once, oldest first."""
        with self.opened() as store:
            with store.write() as session:
                for number in range(5):
                    session.add(an_item(f"m{number}"), a_course())
                    session.add(an_item(f"x{number}", owner=SOMEBODY_ELSE), a_course())
            seen, key = [], -1
            with store.read() as session:
                while page := session.page(SOMEBODY, key, 2):
                    key = page[-1][0]
                    seen += [item.id for _, item in page]
            assert seen == ["m0", "m1", "m2", "m3", "m4"]

    def test_ids_by_prefix(self) -> None:
        """Prefixes are text: no character of them is a wildcard."""
        with self.opened() as store:
            with store.write() as session:
                for item_id in ("abc", "abd", "a%c", "b_"):
                    session.add(an_item(item_id), a_course())
            with store.read() as session:
                assert session.ids_starting(SOMEBODY, "ab", 9) == ["abc", "abd"]
                assert session.ids_starting(SOMEBODY, "a%", 9) == ["a%c"]
                assert session.ids_starting(SOMEBODY, "_", 9) == []
                assert len(session.ids_starting(SOMEBODY, "a", 2)) == 2

    # -- owners -------------------------------------------------------------------------------------

    def test_owners_are_strangers(self) -> None:
        """Nothing of one owner is seen, found or changed through another, the same id included."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("same"), embedding=[1.0, 0.0]), a_course())
                mine = replace(an_item("same", owner=SOMEBODY_ELSE), recall_count=5)
                session.add(mine, a_course())
                session.record(Event(EventType.STORED, SOMEBODY, NOON, "same"))
                session.purge(SOMEBODY, "same")
            with store.read() as session:
                assert session.get(SOMEBODY, "same") is None
                assert session.get(SOMEBODY_ELSE, "same") == mine
                assert session.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert session.page(SOMEBODY, -1, 9) == []
                assert session.newest(SOMEBODY, ItemFilter(), 5) == []
                assert session.zone_counts(SOMEBODY, [2]) == {2: 0}
                assert session.events(SOMEBODY_ELSE, None, 5) == []
                assert session.ids_starting(Owner("nobody"), "s", 5) == []
                assert len(session.by_words(SOMEBODY_ELSE, "커피", 5).matches) == 1

    # -- search -------------------------------------------------------------------------------------

    def test_words_in_both_languages(self) -> None:
        """Any word counts; Korean particles do not hide nouns; case and width do not matter."""
        texts = {
            "ko": "민수는 서울에서 커피를 마신다",
            "en": "Python was released in 1991",
            "mix": "FastAPI로 서버를 만든다",
        }
        with self.opened() as store:
            with store.write() as session:
                for item_id, text in texts.items():
                    session.add(an_item(item_id, text), a_course())
            with store.read() as session:
                asked = {
                    "커피": "ko",
                    "서울 날씨": "ko",
                    "PYTHON history": "en",
                    "ｐｙｔｈｏｎ": "en",
                    "fastapi": "mix",
                    "서버": "mix",
                }
                for question, expected in asked.items():
                    assert [m.item_id for m in session.by_words(SOMEBODY, question, 5).matches] == [expected], (
                        question
                    )

    def test_questions_are_text(self) -> None:
        """No question is a syntax error, and no operator or wildcard in one means anything."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("m1", "alpha beta"), a_course())
            with store.read() as session:
                for question in (
                    '"',
                    "alpha AND",
                    "NOT alpha",
                    "alpha*",
                    "(alpha",
                    "a:b NEAR(",
                    "%",
                    "",
                    "^alpha",
                    "'",
                ):
                    session.by_words(SOMEBODY, question, 5)
                assert session.by_words(SOMEBODY, "alp*", 5).matches == []
                assert len(session.by_words(SOMEBODY, "beta NOT alpha", 5).matches) == 1

    def test_vectors(self) -> None:
        """The nearest comes first; vectors of another length are passed over."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("east"), embedding=[1.0, 0.1]), a_course())
                session.add(replace(an_item("north"), embedding=[0.1, 1.0]), a_course())
                session.add(replace(an_item("other"), embedding=[1.0, 0.0, 0.0]), a_course())
                session.add(an_item("none"), a_course())
            with store.read() as session:
                found = session.by_vector(SOMEBODY, [1.0, 0.0], 5)
                assert [match.item_id for match in found] == ["east", "north"]
                assert found[0].score > 0.99 > found[1].score
                compared = session.compared(SOMEBODY, ["north", "none", "other", "nobody"], [1.0, 0.0])
                assert [(match.item_id, match.score < 0.2) for match in compared] == [("north", True)]
                assert session.by_vector(SOMEBODY, [-1.0, -1.0], 5) == [], "who points away is not near"

    def test_the_cliff_is_not_searched(self) -> None:
        """A memory out of orbit is got by id but found by nothing, and found again once it is back."""
        with self.opened() as store:
            item = replace(an_item("m1"), embedding=[1.0, 0.0])
            gone = replace(item, state=State.CLIFF, departure=Departure(DepartureReason.MANUAL, NOON, NOON + 7))
            with store.write() as session:
                session.add(item, a_course())
                session.rewrite(gone, a_course(moment=NOON + 7))
            with store.read() as session:
                assert session.get(SOMEBODY, "m1") == gone
                assert session.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert session.zone_counts(SOMEBODY, [2]) == {2: 0}
                assert session.orbiting() == 0
            with store.write() as session:
                session.rewrite(item, a_course())
            with store.read() as session:
                assert len(session.by_words(SOMEBODY, "커피", 5).matches) == 1
                assert len(session.by_vector(SOMEBODY, [1.0, 0.0], 5)) == 1
            assert store.check() == []

    def test_purged_is_gone(self) -> None:
        """After a purge nothing finds the memory, and its id is free."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                session.purge(SOMEBODY, "m1")
                session.add(an_item("m1", "새로운 글"), a_course())
            with store.read() as session:
                assert session.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert len(session.by_words(SOMEBODY, "새로운", 5).matches) == 1
            assert store.check() == []

    def test_purged_is_gone_from_links(self) -> None:
        """Whoever was tied to a purged memory is so no longer; all else of them stays, and others' namesakes do."""
        with self.opened() as store:
            hub = replace(an_item("m1"), links=Links("m2", ("m3",), ("m4", "nobody")))
            tied = [
                replace(an_item("m2"), links=Links(children=("m0", "m1")), tags=("kept",), embedding=[1.0, 0.0]),
                replace(an_item("m3"), links=Links(parent="m1"), zone=4),
                replace(an_item("m4"), links=Links(related=("m1", "m2"), promoted_from=("m1",))),
                replace(an_item("m4", owner=SOMEBODY_ELSE), links=Links(related=("m1",))),
            ]
            with store.write() as session:
                for item in (hub, *tied):
                    session.add(item, a_course())
            with store.write() as session:
                session.purge(SOMEBODY, "m1")
            with store.read() as session:
                assert session.get(SOMEBODY, "m2") == replace(tied[0], links=Links(children=("m0",)))
                assert session.get(SOMEBODY, "m3") == replace(tied[1], links=Links())
                assert session.get(SOMEBODY, "m4") == replace(
                    tied[2], links=Links(related=("m2",), promoted_from=("m1",))
                )
                assert session.get(SOMEBODY_ELSE, "m4") == tied[3]
            assert store.check() == []


def _ids(items: list[CelestialItem]) -> list[str]:
    return [item.id for item in items]
