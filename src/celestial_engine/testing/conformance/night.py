"""Conformance tests for the queries of the nightly jobs."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.sleep import Census
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, Resolution, Validity
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

DAY = 86_400.0


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


class NightPromises(StorePromises):
    def test_everybody_is_counted_where_they_are(self) -> None:
        """The census counts by state, and by zone and tier those in orbit, per owner."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(replace(an_item("a", zone=3), tier=Tier.M30), a_course())
                session.items.add(replace(an_item("b", zone=3), state=State.FADED), a_course())
                session.items.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.items.add(an_item("d", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                assert set(reader.night.owners()) == {SOMEBODY, SOMEBODY_ELSE}
                assert reader.night.population() == {3: 2, 2: 1}
                assert reader.night.census(SOMEBODY) == Census(
                    {State.ACTIVE: 1, State.FADED: 1, State.CLIFF: 1}, {3: 2}, {Tier.M30: 1, Tier.M90: 1}
                )

    def test_lives_are_the_numbers_of_records(self) -> None:
        """Lifetime rows cover active, faded and inactive memories of the owner, in order; none on the cliff."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("a"), a_course())
                session.items.add(a_full_life("b"), a_course())
                session.items.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.items.add(replace(an_item("d"), state=State.FADED, tier=Tier.M365), a_course())
                session.items.add(an_item("e", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                lives = list(reader.night.lifetime_rows(SOMEBODY))
                records = reader.items.get_many(SOMEBODY, ["a", "b", "d"])
        assert [life._replace(key=0) for life in lives] == [lifetime_row_of(record) for record in records]
        assert sorted(life.key for life in lives) == [life.key for life in lives]
        assert (lives[1].links, lives[1].emotions, lives[1].asked_for, lives[1].trusted) == (4, 2, True, False)
