"""Conformance tests for filters: exact matches, newest first, isolated by owner."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

from celestial_engine.core.orbit.zones import Move
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Document,
    Emotion,
    EmotionCoordinate,
    Resolution,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemStore, Recalled
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


def marked(item_id: str, *, persona: str | None = None, content: str = "커피를 좋아한다") -> CelestialItem:
    return replace(an_item(item_id, content), agent=AgentCoordinate(persona_id=persona))


def _add(store: ItemStore, *items: CelestialItem) -> None:
    with store.write_whole_store() as session:
        for item in items:
            session.items.add(item, a_course())


def _listed(store: ItemStore, where: ItemFilter, limit: int | None = None, owner: Owner = SOMEBODY) -> list[str]:
    with store.read() as session:
        return [item.id for item in session.items.newest(owner, where, limit)]


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


class FilterPromises(StorePromises):
    def test_every_coordinate_filters(self) -> None:
        """Each condition alone finds only the memory that meets it."""
        item = replace(
            an_item("m1"),
            created_at=NOON + 60,
            arbitrary_importance=0.72,
            tier=Tier.M365,
            tags=("AGI_design", "기억"),
            time=TimeCoordinate("sess_1"),
            space=SpaceCoordinate(project="celestial", domain="AGI"),
            agent=AgentCoordinate(persona_id="synthesis", role="Integrator"),
            emotion=EmotionCoordinate(tags=(Emotion.JOY, Emotion.FEAR)),
            document=Document(bqi_snapshot={"rhythm_phase": "integration", "emotion": {"keywords": ["clarity"]}}),
            zone=1,
        )
        fitting = (
            ItemFilter(session_id="sess_1"),
            ItemFilter(persona_id="synthesis"),
            ItemFilter(role="Integrator"),
            ItemFilter(project="celestial"),
            ItemFilter(domain="AGI"),
            ItemFilter(tags=("agi_design",)),
            ItemFilter(tags=("기억", "AGI_design")),
            ItemFilter(min_importance=0.72),
            ItemFilter(min_importance=0.7),
            ItemFilter(emotion=Emotion.FEAR),
            ItemFilter(bqi=BqiFilter.read({"rhythm_phase": "integration"})),
            ItemFilter(bqi=BqiFilter.read({"emotion": ["risk", "clarity"]})),
            ItemFilter(tier=Tier.M365),
            ItemFilter(zone=1),
            ItemFilter(time_range=(_moment(NOON + 60), _moment(NOON + 60))),
            ItemFilter(time_range=(_moment(NOON + 1), None)),
        )
        missing = (
            ItemFilter(tags=("AGI_design", "other")),
            ItemFilter(min_importance=0.721),
            ItemFilter(min_importance=1.0),
            ItemFilter(emotion=Emotion.ANGER),
            ItemFilter(bqi=BqiFilter.read({"rhythm_phase": "planning", "emotion": "clarity"})),
            ItemFilter(session_id="SESS_1"),
            ItemFilter(time_range=(None, _moment(NOON - 1))),
            ItemFilter(persona_id="synthesis", domain="UI"),
            ItemFilter(states=(State.CLIFF,), persona_id="synthesis"),
            ItemFilter(states=()),
        )
        with self.opened() as store:
            _add(store, item, replace(an_item("m0"), arbitrary_importance=0.3))
            for where in fitting:
                assert _listed(store, where) == ["m1"], where
            for where in missing:
                assert _listed(store, where) == [], where

    def test_filters_follow_every_change(self) -> None:
        """A rewritten memory is found only by its new coordinates; a purged one by none."""
        with self.opened() as store:
            item = replace(marked("m1", persona="thesis"), tags=("old",), arbitrary_importance=0.9)
            _add(store, item, marked("m2", persona="thesis"))
            changed = replace(marked("m1", persona="antithesis"), tags=("new",), arbitrary_importance=0.2)
            with store.write(SOMEBODY) as session:
                session.items.rewrite(changed, a_course())
            assert _listed(store, ItemFilter(persona_id="thesis")) == ["m2"]
            assert _listed(store, ItemFilter(persona_id="antithesis")) == ["m1"]
            assert _listed(store, ItemFilter(tags=("old",))) == []
            assert _listed(store, ItemFilter(tags=("new",))) == ["m1"]
            assert _listed(store, ItemFilter(min_importance=0.85)) == []
            gone = replace(changed, state=State.CLIFF, departure=Departure(DepartureReason.MANUAL, NOON, NOON + 7))
            with store.write(SOMEBODY) as session:
                session.items.rewrite(gone, a_course(moment=NOON + 7))
            assert _listed(store, ItemFilter(persona_id="antithesis")) == []
            assert _listed(store, ItemFilter(states=(State.CLIFF,))) == ["m1"]
            assert _listed(store, ItemFilter(states=tuple(State), persona_id="antithesis")) == ["m1"]
            with store.write(SOMEBODY) as session:
                session.items.rewrite(changed, a_course())
            assert _listed(store, ItemFilter(persona_id="antithesis")) == ["m1"]
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "m1")
            assert _listed(store, ItemFilter(states=tuple(State), persona_id="antithesis")) == []
            assert store.check() == []

    def test_a_zone_is_found_wherever_memories_move(self) -> None:
        """Every zone change is visible at once, and a zone without memories is empty."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                keys = [session.items.add(an_item(f"m{number}", zone=3), a_course()) for number in range(4)]
                session.items.add(an_item("m0", zone=3, owner=SOMEBODY_ELSE), a_course())
            assert _listed(store, ItemFilter(zone=3)) == ["m3", "m2", "m1", "m0"]
            with store.write(SOMEBODY) as session:
                session.orbits.move(SOMEBODY, [Move(keys[0], 3, 1), Move(keys[1], 3, 1)])
                session.orbits.set_courses(SOMEBODY, [(keys[2], 4, a_course()), (keys[0], 1, a_course())])
                session.items.reinforce(SOMEBODY, NOON, [Recalled(keys[3], 0.0, 0, a_course())])
            found = [_listed(store, ItemFilter(zone=zone)) for zone in range(5)]
            assert found == [["m3"], ["m1", "m0"], [], [], ["m2"]]
            assert _listed(store, ItemFilter(zone=3), owner=SOMEBODY_ELSE) == ["m0"]
            with store.write(SOMEBODY) as session:
                session.orbits.move(SOMEBODY, [Move(keys[0], 1, 2), Move(keys[0], 2, 3)])
                session.items.rewrite(an_item("m1", zone=2), a_course())
            assert [_listed(store, ItemFilter(zone=zone)) for zone in (1, 2, 3)] == [[], ["m1"], ["m0"]]
            assert store.check() == []

    def test_newest_by_the_time_of_the_memory(self) -> None:
        """Order is by creation time, not by insertion: an imported memory may be old."""
        with self.opened() as store:
            items = [
                replace(marked(f"m{number:03}", persona="a"), created_at=NOON + number * 7919 % 3000)
                for number in range(3000)
            ]
            _add(store, *items)
            ordered = [item.id for item in sorted(items, key=lambda item: -item.created_at)]
            assert _listed(store, ItemFilter(persona_id="a"), 25) == ordered[:25]
            middle = ItemFilter(persona_id="a", time_range=(_moment(NOON + 100), _moment(NOON + 200)))
            assert _listed(store, middle) == ordered[2799:2900]
            assert _listed(store, middle, 3) == ordered[2799:2802]
            assert _listed(store, middle, 0) == []

    def test_a_filter_applies_before_ranking(self) -> None:
        """Thousands of higher-ranked memories do not hide the filtered one, by words, vectors and relations."""
        resolution = Resolution(triples=(("민수", "좋아함", "파이썬"),))
        with self.opened() as store:
            mine = replace(
                marked("mine", persona="b", content="I once wrote Python code, among other things, long ago"),
                embedding=[0.6, 0.8],
                resolution=resolution,
            )
            crowd = [
                replace(
                    marked(f"m{number}", persona="a", content="Python code"),
                    embedding=[1.0, 0.0],
                    resolution=resolution,
                )
                for number in range(5_200)
            ]
            _add(store, mine, *crowd)
            where = ItemFilter(persona_id="b")
            with store.read() as session:
                assert [
                    match.item_id for match in session.search.by_words(SOMEBODY, "Python code", 5, where).matches
                ] == ["mine"]
                assert [match.item_id for match in session.search.by_vector(SOMEBODY, [1.0, 0.0], 5, where)] == [
                    "mine"
                ]
                assert [match.item_id for match in session.search.by_graph(SOMEBODY, ["파이썬"], 1, 5, where)] == [
                    "mine"
                ]
                beside = session.search.candidates(SOMEBODY, ["mine"], 2, where)
                assert [candidate.item_id for candidate in beside] == ["mine"]
                half = ItemFilter(persona_id="a")
                assert len(session.search.by_vector(SOMEBODY, [1.0, 0.0], 9, half)) == 9
                assert len(session.search.by_words(SOMEBODY, "Python", 9, half).matches) == 9
                assert session.search.by_words(SOMEBODY, "Python", 9, ItemFilter(persona_id="c")).matches == []

    def test_searches_are_as_exact_as_lists(self) -> None:
        """A bound between two importances, a moment between two memories: the index is coarse, the answer is not."""
        with self.opened() as store:
            items = [
                replace(
                    an_item(f"m{number}"),
                    created_at=NOON + number,
                    arbitrary_importance=0.30 + number / 1000,
                    embedding=[1.0, 0.0],
                    zone=number % 2,
                )
                for number in range(40)
            ]
            _add(store, *items)
            with store.read() as session:
                for where, expected in (
                    (ItemFilter(min_importance=0.3245), {f"m{number}" for number in range(25, 40)}),
                    (ItemFilter(time_range=(_moment(NOON + 30), _moment(NOON + 33))), {"m30", "m31", "m32", "m33"}),
                    (ItemFilter(zone=1, min_importance=0.3345), {"m35", "m37", "m39"}),
                ):
                    near = session.search.by_vector(SOMEBODY, [1.0, 0.0], 50, where)
                    assert {match.item_id for match in near} == expected
                    result = session.search.by_words(SOMEBODY, "커피", 50, where)
                    assert {match.item_id for match in result.matches} == expected

    def test_tags_are_words(self) -> None:
        """A memory is found by the words of its tags until they are removed."""
        with self.opened() as store:
            item = replace(an_item("m1", "아무 말"), tags=("synthesis", "회의록"))
            _add(store, item, an_item("m2", "다른 말"))
            with store.read() as session:
                for question in ("synthesis", "회의록"):
                    assert [m.item_id for m in session.search.by_words(SOMEBODY, question, 5).matches] == ["m1"]
            with store.write(SOMEBODY) as session:
                session.items.rewrite(replace(item, tags=()), a_course())
            with store.read() as session:
                assert session.search.by_words(SOMEBODY, "synthesis", 5).matches == []
            assert store.check() == []

    def test_sessions(self) -> None:
        """A session has its start and its last sequence; it is listed while it has memories."""
        with self.opened() as store:
            first = replace(an_item("m1"), time=TimeCoordinate("s1", 4, 2.0))
            second = replace(an_item("m2"), created_at=NOON + 60, time=TimeCoordinate("s1", 5, 3.0))
            _add(store, first, second, replace(an_item("m3"), time=TimeCoordinate("s0")), an_item("m4"))
            with store.read() as session:
                assert session.items.session_span(SOMEBODY, "s1") == (NOON - 120.0, 5)
                assert session.items.session_span(SOMEBODY, "s2") is None
                assert session.items.session_span(SOMEBODY_ELSE, "s1") is None
                assert session.items.session_ids(SOMEBODY, ItemFilter()) == ["s0", "s1"]
                assert session.items.session_ids(SOMEBODY, ItemFilter(time_range=(_moment(NOON + 60), None))) == [
                    "s1"
                ]
                assert session.items.session_ids(SOMEBODY_ELSE, ItemFilter()) == []

    def test_filters_are_an_owners_own(self) -> None:
        """Equal coordinates of two owners do not mix."""
        with self.opened() as store:
            theirs = replace(marked("m1", persona="a"), owner=SOMEBODY_ELSE)
            _add(store, marked("m1", persona="a"), theirs)
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "m1")
            assert _listed(store, ItemFilter(persona_id="a")) == []
            assert _listed(store, ItemFilter(persona_id="a"), owner=SOMEBODY_ELSE) == ["m1"]
            with store.read() as session:
                where = ItemFilter(persona_id="a")
                assert session.search.by_words(SOMEBODY, "커피", 5, where).matches == []
                assert len(session.search.by_words(SOMEBODY_ELSE, "커피", 5, where).matches) == 1
