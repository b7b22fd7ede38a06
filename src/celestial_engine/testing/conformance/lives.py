"""What a store promises about the lives of memories."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.night.lives import lifetime_row_of
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, Resolution, Validity
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


def a_full_life(item_id: str) -> CelestialItem:
    return replace(
        an_item(item_id, "이건 꼭 기억해 줘"),
        tier=Tier.M30,
        state=State.INACTIVE,
        protection=Protection.PINNED,
        expires_at=NOON + 9,
        state_since=NOON - 5,
        validity=Validity(until=NOON + 3),
        recall_count=4,
        mention_count=2,
        influence_count=1,
        user_rating=5,
        trust=Trust.LOW,
        keywords=("커피", "카페"),
        resolution=Resolution("gist", (("a", "b", "c"),)),
        emotion=EmotionCoordinate((Emotion.JOY, Emotion.SADNESS, Emotion.NEUTRAL), 0.9, sentiment_score=-0.4),
        links=Links("p", ("c1", "c2"), ("r",), ("s1", "s2"), "island"),
    )


class LifePromises(StorePromises):
    def test_lives_are_the_numbers_of_records(self) -> None:
        """Of the active, the faded and the inactive, in their order; nobody else's, and none on the cliff."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                session.add(a_full_life("b"), a_course())
                session.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.add(replace(an_item("d"), state=State.FADED, tier=Tier.M365), a_course())
                session.add(an_item("e", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                lives = list(reader.lives(SOMEBODY))
                records = reader.get_many(SOMEBODY, ["a", "b", "d"])
        assert [life._replace(key=0) for life in lives] == [lifetime_row_of(record) for record in records]
        assert sorted(life.key for life in lives) == [life.key for life in lives]
        assert (lives[1].links, lives[1].emotions, lives[1].asked_for, lives[1].trusted) == (4, 2, True, False)

    def test_the_ledger_says_what_was_told_of_whom(self) -> None:
        """By type and by memory; another owner's events say nothing."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                session.record(Event(EventType.PROMOTED, SOMEBODY, NOON, "a", {"into": "d", "tier": "M90"}))
                session.record(Event(EventType.PROMOTED, SOMEBODY, NOON, "d", {"sources": 1, "tier": "M90"}))
                session.record(Event(EventType.FADED, SOMEBODY, NOON, "b"))
                session.record(Event(EventType.PROMOTED, SOMEBODY_ELSE, NOON, "c"))
            with store.read() as reader:
                assert reader.told_of(SOMEBODY, ["a", "b", "c", "d"], EventType.PROMOTED) == {"a", "d"}
                assert reader.told_of(SOMEBODY, ["a", "b", "c", "d"], EventType.PROMOTED, "into") == {"a"}
                assert reader.told_of(SOMEBODY, [], EventType.PROMOTED) == set()
