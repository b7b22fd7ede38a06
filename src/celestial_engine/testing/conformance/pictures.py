"""Conformance tests for the dashboard's queries over all memories."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.browse.table import MemoryRow
from celestial_engine.core.orbit.picture import DAY, LABEL, MoodPoint, OrbitPoint, PastEvent
from celestial_engine.core.record.coordinate import (
    Document,
    Emotion,
    EmotionCoordinate,
    Resolution,
    SpaceCoordinate,
    TimeCoordinate,
    Validity,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason
from celestial_engine.core.text.entities import entity
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

GLAD = EmotionCoordinate((Emotion.JOY, Emotion.SADNESS), 0.8, sentiment_score=0.4, keywords=('"emotion":{',))


class PicturePromises(StorePromises):
    def test_a_row_has_what_a_table_shows(self) -> None:
        """Rows of one owner in any state, with labels, coordinates and relations."""
        home = replace(
            an_item("home", "Sora lives in Porto."), source=Source.CONVERSATION, tags=("kin",), emotion=GLAD,
            address=Address(Subject.PERSON, Attribute.HOME, "Porto"), lifetime=Lifetime.LASTING,
            time=TimeCoordinate(session_id="monday"), space=SpaceCoordinate(project="family"),
            resolution=Resolution(triples=(("Sora", "live in", "Porto"),)), validity=Validity(until=NOON + 9),
        )  # fmt: skip
        gone = Departure.begin(DepartureReason.MANUAL, NOON + 5)
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(home, a_course())
                session.items.add(replace(an_item("gone"), state=State.CLIFF, departure=gone), a_course())
                fact = replace(an_item("fact"), tier=Tier.M365, lifetime=Lifetime.LASTING)
                session.items.add(fact, a_course())
                session.items.add(replace(fact, id="ended", validity=Validity(until=NOON)), a_course())
                session.items.add(replace(fact, id="given", tier_reason=TierReason.GIVEN), a_course())
                session.items.add(an_item("hers", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                rows = {row.id: row for row in reader.pictures.memory_rows(SOMEBODY)}
                some = reader.pictures.memory_rows(SOMEBODY, ["home", "hers", "nobody"])
                assert some == [rows["home"]]
                assert reader.pictures.memory_rows(SOMEBODY, []) == []
                assert len(reader.pictures.memory_rows(SOMEBODY, ["home"] * 700)) >= 1
        assert rows.keys() == {"home", "gone", "fact", "ended", "given"}
        assert [name for name, row in rows.items() if row.lasting] == ["fact"]
        assert (rows["fact"].lifetime, rows["gone"].lifetime) == ("lasting", None)
        assert rows["home"] == MemoryRow(
            "home", "Sora lives in Porto.", home.zone, "active", home.tier.value, "none", 0, NOON, 0.5, 0.0, NOON,
            home.expires_at, None, "person", "home", "Porto", "conversation", "monday", "family", ("kin",),
            ("joy", "sadness"), (("Sora", "live in", "Porto"),), NOON + 9, lifetime="lasting",
        )  # fmt: skip
        assert (rows["gone"].state, rows["gone"].purge_at) == ("cliff", gone.purge_at)
        assert (rows["gone"].source, rows["gone"].subject, rows["gone"].attribute) == ("user", None, None)

    def test_columns_of_relations_have_what_is_still_there(self) -> None:
        """Oldest first, without those on the cliff and those of others; a host's own object confuses nobody."""
        ties = (("Sora", "live in", "Porto"), ("Sora", "like", '"triples":'))
        nested = Document(bqi_snapshot={"triples": [["not", "a", "relation"]]})
        gone = Departure.begin(DepartureReason.MANUAL, NOON + 5)
        with self.opened() as store:
            with store.write_whole_store() as session:
                for item in (
                    replace(an_item("later"), created_at=NOON + 1, resolution=Resolution(triples=(ties[0],))),
                    replace(
                        an_item("first"), resolution=Resolution(triples=ties),
                        address=Address(Subject.PERSON, Attribute.HOME, "Porto"), lifetime=Lifetime.LASTING,
                    ),
                    replace(an_item("hosted"), created_at=NOON + 2, document=nested),
                    replace(an_item("unused"), created_at=NOON + 3, state=State.INACTIVE),
                    replace(an_item("gone"), state=State.CLIFF, departure=gone, resolution=Resolution(triples=ties)),
                    replace(an_item("hers", owner=SOMEBODY_ELSE), resolution=Resolution(triples=ties)),
                ):  # fmt: skip
                    session.items.add(item, a_course())
            with store.read() as reader:
                columns, keys = reader.pictures.relation_columns(SOMEBODY), reader.pictures.graph_keys(SOMEBODY)
        assert columns.ids == ["first", "later", "hosted", "unused"]
        assert columns.created == [NOON, NOON + 1, NOON + 2, NOON + 3]
        assert (columns.subjects, columns.attributes) == (["person", *[None] * 3], ["home", *[None] * 3])
        relations = list(zip(columns.places, columns.sources, columns.predicates, columns.targets, strict=True))
        assert relations == [(0, *ties[0]), (0, *ties[1]), (1, *ties[0])]
        assert {"sora", "porto"} <= keys
        assert columns.known_keys == keys == set(map(entity, keys))

    def test_everybody_in_orbit_is_shown_from_the_centre_outward(self) -> None:
        """Orbit points of one owner; those out of orbit only with `everywhere`."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("far", zone=4), a_course())
                near = replace(an_item("near", "글" * 200, zone=1), emotion=GLAD, tier=Tier.M30, recall_count=3)
                session.items.add(near, a_course())
                gone = Departure.begin(DepartureReason.MANUAL, NOON + 5)
                session.items.add(replace(an_item("gone", zone=2), state=State.CLIFF, departure=gone), a_course())
                session.items.add(an_item("hers", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                shown = reader.pictures.orbit_points(SOMEBODY, 10)
                assert [spot.id for spot in shown] == ["near", "far"]
                assert shown[0] == OrbitPoint(
                    "near", 1, "active", "M30", "none", 3, NOON, 0.5, 0.0, NOON, None, "글" * LABEL,
                    (("joy", 0.8), ("sadness", 0.4)),
                )  # fmt: skip
                assert [spot.id for spot in reader.pictures.orbit_points(SOMEBODY, 1)] == ["near"]
                everybody = reader.pictures.orbit_points(SOMEBODY, 10, everywhere=True)
                assert [(spot.id, spot.left_at) for spot in everybody] == [
                    ("near", None), ("gone", NOON + 5), ("far", None),
                ]  # fmt: skip
                assert reader.pictures.tiers(SOMEBODY, ["near", "gone", "hers", "nobody"]) == {
                    "near": "M30",
                    "gone": "M90",
                }

    def test_a_hosts_own_words_are_not_taken_for_a_feeling(self) -> None:
        """A host's snapshot may contain arbitrary fields, also an emotion."""
        snapshot = {"emotion": {"tags": ["anger"], "intensity": 1.0}}
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(replace(an_item("a"), document=Document(bqi_snapshot=snapshot)), a_course())
                item = replace(an_item("b"), document=Document(bqi_snapshot=snapshot), emotion=GLAD)
                session.items.add(item, a_course())
            with store.read() as reader:
                felt = {spot.id: spot.emotions for spot in reader.pictures.orbit_points(SOMEBODY, 10)}
                assert felt == {"a": (), "b": (("joy", 0.8), ("sadness", 0.4))}

    def test_deeds_are_told_in_order_and_by_day(self) -> None:
        """Past events of one owner up to a time; imported memories count on the day they were created."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(replace(an_item("a"), created_at=NOON), a_course())
                for kind, at, detail in (
                    (EventType.STORED, NOON + 3 * DAY, {}),
                    (EventType.RECALLED, NOON + 3 * DAY, {"context": 0.5}),
                    (EventType.RATED, NOON + 3 * DAY, {}),
                    (EventType.FORGOTTEN, NOON + 4 * DAY, {"reason": "manual"}),
                ):
                    session.ledger.record(Event(kind, SOMEBODY, at, "a", detail))
                session.ledger.record(Event(EventType.STORED, SOMEBODY_ELSE, NOON, "b"))
            with store.read() as reader:
                stored, recalled, left = (
                    PastEvent("a", NOON + 3 * DAY, "stored", 0.0),
                    PastEvent("a", NOON + 3 * DAY, "recalled", 0.5),
                    PastEvent("a", NOON + 4 * DAY, "forgotten", 0.0),
                )
                assert reader.pictures.past_events(SOMEBODY, NOON + 9 * DAY, 10) == [stored, recalled, left]
                assert reader.pictures.past_events(SOMEBODY, NOON + 9 * DAY, 2) == [recalled, left]
                assert reader.pictures.past_events(SOMEBODY, NOON + 3 * DAY, 10) == [stored, recalled]
                assert reader.pictures.daily_event_counts(SOMEBODY, NOON, NOON + 9 * DAY) == {
                    (NOON, "stored"): 1, (NOON + 3 * DAY, "recalled"): 1, (NOON + 3 * DAY, "rated"): 1,
                    (NOON + 4 * DAY, "forgotten"): 1,
                }  # fmt: skip

    def test_moods_are_those_of_memories_made_since(self) -> None:
        """Moods are newest first, with their sentiment."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(replace(an_item("old"), created_at=NOON - 1), a_course())
                session.items.add(replace(an_item("a"), emotion=GLAD), a_course())
                session.items.add(replace(an_item("b"), created_at=NOON + 1), a_course())
            with store.read() as reader:
                felt = MoodPoint(NOON, (("joy", 0.8), ("sadness", 0.4)), 0.4)
                assert reader.pictures.moods(SOMEBODY, NOON, 10) == [MoodPoint(NOON + 1, (), 0.0), felt]
                assert reader.pictures.moods(SOMEBODY, NOON, 1) == [MoodPoint(NOON + 1, (), 0.0)]
