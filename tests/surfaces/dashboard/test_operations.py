"""What the dashboard draws: the sky now, the sky then, the way ahead, days in numbers, and a life to try it with."""

from __future__ import annotations

from collections import Counter

import pytest
from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory, Settings, StorageSettings, Tier
from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.core.orbit.picture import DAY, OrbitPoint, PastEvent, days_of, replay_orbits
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.surfaces.operations.demo import TAG, DemoLanguage, demo_items
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.testing.fakes import FakeClock

COLUMNS = ("ids", "zone", "score", "importance", "tier", "protection", "state", "emotions", "recalled_at",
           "created_at", "recalls", "label")  # fmt: skip


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def memory(tmp_path, clock):
    options = {
        "embedder": "none",
        "rebalance_interval": None,
        "settings": Settings(StorageSettings("normal", words="pairs")),
    }
    with CelestialMemory(tmp_path / "m.db", clock=clock, **options) as one:
        yield one


@pytest.fixture
def http(memory):
    token, _ = memory.access.grant("all", EVERYTHING)
    return TestClient(build_app(memory), base_url="http://localhost", headers={"authorization": f"Bearer {token}"})


def asked(http, path, **params):
    answer = http.get(f"/v1{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- the sky ------------------------------------------------------------------------------------------


def test_the_sky_is_told_in_columns(memory, http, clock):
    """Each memory in orbit once, the most central first, with the engine's own zone and score."""
    for number in range(5):
        memory.store(f"I am so happy about number {number}", importance=number / 4, tier=Tier.M30)
    gone = memory.store("to be forgotten")
    memory.forget(gone.id)
    clock.advance(hours=5)
    seen = asked(http, "/orbits")
    assert {len(seen[name]) for name in COLUMNS} == {5}
    assert gone.id not in seen["ids"]
    for place, item_id in enumerate(seen["ids"]):
        item = memory.get(item_id)
        assert (seen["zone"][place], seen["tier"][place], seen["label"][place]) == (item.zone, "M30", item.content)
        assert seen["score"][place] == pytest.approx(item.total_score, abs=1e-4)
    assert sorted(zip(seen["zone"], [-score for score in seen["score"]], strict=True)) == list(
        zip(seen["zone"], [-score for score in seen["score"]], strict=True)
    )
    assert seen["emotions"][0][0][0] == "joy"
    assert seen["total"] == 5
    assert [zone["name"] for zone in seen["zones"]] == ["core", "inner", "outer", "belt", "cloud"]
    assert seen["zones"][-1]["lower"] is None
    assert len(asked(http, "/orbits", limit=2)["ids"]) == 2
    assert asked(http, "/orbits", limit=2)["total"] == 5
    assert asked(http, "/orbits", limit=2)["population"] == seen["population"]  # also of those that are not told
    assert sum(seen["population"]) == 5


def test_an_empty_sky_is_empty_columns(http):
    seen = asked(http, "/orbits")
    assert all(seen[name] == [] for name in COLUMNS)


@pytest.mark.parametrize("limit", ["0", "20001", "-1", "x"])
def test_too_much_sky_is_refused(http, limit):
    assert http.get("/v1/orbits", params={"limit": limit}).status_code == 422


# -- the sky then -------------------------------------------------------------------------------------


def decoded(pairs, frames):
    """[frame, value] where it changes, as a value for each frame."""
    values, changes = [], dict(pairs)
    for frame in range(frames):
        values.append(changes.get(frame, values[-1] if values else None))
    return values


def test_the_past_is_replayed_as_it_was(memory, http, clock):
    """At each frame the zone is the one that `as_of` tells for that moment; nobody is there before they came."""
    first = memory.store("the first of all", importance=0.9)
    clock.advance(days=2)
    second = memory.store("the second", importance=0.5)
    clock.advance(days=2)
    memory.recall("first of all")
    clock.advance(days=2)
    memory.forget(second.id)
    clock.advance(days=1)
    memory.restore(second.id)
    clock.advance(days=1)
    frames = 17
    start = clock() - 9 * DAY
    seen = memory.orbits.replay(start, None, frames)
    tracks = {track.spot.id: decoded(track.zones, frames) for track in seen.tracks}
    assert tracks.keys() == {first.id, second.id}
    for frame, moment in enumerate(seen.moments):
        past = memory.ledger.as_of(moment)
        then = {item.id: item.zone for item in past.list(10)}
        assert {item_id: zones[frame] for item_id, zones in tracks.items() if zones[frame] != -1} == then
    told = asked(http, "/orbits/past", frames=5)
    assert {len(told[name]) for name in ("ids", "label", "importance", "emotions", "zone", "score")} == {2}
    assert len(told["moments"]) == 5


def test_what_was_purged_is_only_counted(memory, http, clock):
    memory.store("stays")
    gone = memory.store("goes for good")
    memory.departures.erase([gone.id])
    seen = asked(http, "/orbits/past")
    assert gone.id not in seen["ids"]
    assert seen["gone"] == 1


def test_recalls_that_came_along_are_spread_over_a_life():
    """A memory that was brought in with recalls of its own does not jump at the moment of its coming."""
    spot = OrbitPoint("a", 2, "active", "M90", "none", 4, 8 * DAY, 0.5, 0.0, 0.0, None, "a", ())
    from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction

    deeds = [PastEvent("a", 9 * DAY, "stored", 0.0)]
    (track,) = replay_orbits(CelestialMemoryFunction(), [spot], deeds, [DAY * day for day in range(-1, 10)]).tracks
    assert track.zones[0] == (0, -1)
    assert track.zones[1][0] == 1
    scores = decoded(track.scores, 11)
    assert scores[3] < scores[5] < scores[7] < scores[9]


@pytest.mark.parametrize(
    "params",
    [{"frames": 1}, {"frames": 201}, {"start": "2999-01-01T00:00:00Z"}, {"start": "9999-12-31T23:59:59Z"}, {"start": "yesterday"},
     {"start": "2020-01-02T00:00:00Z", "end": "2020-01-01T00:00:00Z"}],
)  # fmt: skip
def test_a_past_that_is_none_is_refused(http, params):
    answer = http.get("/v1/orbits/past", params=params)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


def test_the_way_ahead_is_the_functions_own(memory, http, clock):
    """Scores fall as the engine will compute them, and zones are crossed where it says."""
    item = memory.store("a word", importance=0.9)
    seen = asked(http, f"/memories/{item.id}/outlook", days=30)
    assert seen["points"][0][0] == clock()
    scores = [score for _, score in seen["points"]]
    assert scores == sorted(scores, reverse=True)
    assert [to for _, _, to in seen["crossings"]] == [crossing.zone for crossing in memory.explain(item.id).crossings]
    assert seen["crossings"][0][1] == item.zone
    assert seen["expires_at"] == item.expires_at
    assert seen["breakdown"]["score"] == pytest.approx(memory.explain(item.id).breakdown.total)
    moment, score = seen["points"][60]
    clock.advance(seconds=moment - clock())
    assert memory.get(item.id).total_score == pytest.approx(score, abs=1e-4)
    assert http.get("/v1/memories/nobody/outlook").status_code == 404


def test_what_time_alone_does_not_end_has_no_end_ahead(memory, http):
    """A lasting fact and a pinned memory have a lifetime, and it ends neither of them."""
    fact, other = memory.store("My name is Mina."), memory.store("The bakery opens at seven.", tier="M30")
    assert fact.is_lasting
    assert fact.expires_at is not None
    assert asked(http, f"/memories/{fact.id}/outlook")["expires_at"] is None
    assert asked(http, f"/memories/{other.id}/outlook")["expires_at"] == other.expires_at
    memory.pin(other.id)
    assert asked(http, f"/memories/{other.id}/outlook")["expires_at"] is None


def test_a_turn_tells_why_it_was_decided_so(memory, http):
    """As the decision told it; what the user looked up was decided by nobody."""
    http.put("/v1/policy/unwanted/money").raise_for_status()
    texts = ("My sister Ingrid lives in Lisbon.", "My salary is 5,000 euros a month.", "Where does Ingrid live?")
    told = [memory.observe(text).decision for text in texts]
    memory.judge_answer("Where does Ingrid live?", True)
    turns = asked(http, "/turns")["turns"]
    assert [turn["reason"] for turn in turns] == [
        "looked_up",
        *(decision.reason.value for decision in reversed(told)),
    ]
    assert turns[2]["reason"] == "unwanted"


# -- days ---------------------------------------------------------------------------------------------


def test_days_are_counted(memory, http, clock):
    """What came, went and came back, by day; the totals add up; the reasons are told."""
    one = memory.store("I am happy", importance=0.5, tier=Tier.M90)
    clock.advance(days=1)
    memory.store("I am sad and lonely")
    memory.forget(one.id)
    clock.advance(days=1)
    memory.restore(one.id)
    memory.recall("happy")
    seen = asked(http, "/insight", days=4)
    assert [(day["stored"], day["forgotten"], day["restored"], day["recalled"], day["total"]) for day in seen["days"]] == [
        (0, 0, 0, 0, 0), (1, 0, 0, 0, 1), (1, 1, 0, 0, 1), (0, 0, 1, 1, 2),
    ]  # fmt: skip
    assert seen["departures"] == [{"source": "M90", "target": "manual", "count": 1}]
    assert [max(mood["emotions"], key=mood["emotions"].get) for mood in seen["moods"]] == ["joy", "sadness"]
    assert seen["moods"][0]["sentiment"] > 0 > seen["moods"][1]["sentiment"]
    assert sum(seen["zones"].values()) == 2
    assert seen["tiers"] == {"M90": 2}


def test_days_are_local_days(memory, http, clock):
    """Midnight is where the caller says it is."""
    starts = {offset: asked(http, "/insight", days=2, utc_offset=offset)["days"][0]["start"] for offset in (0, 540)}
    assert starts[0] % DAY == 0
    assert (starts[540] + 540 * 60) % DAY == 0
    assert http.get("/v1/insight", params={"utc_offset": 900}).status_code == 422


def test_promotions_are_told_by_lifetime(memory, http):
    item = memory.store("I was born in Busan", tier=Tier.M365)
    memory.self.approve_core(item.id, by="me")
    assert asked(http, "/insight")["promotions"] == [{"source": "M365", "target": "M0", "count": 1}]


def test_totals_never_fall_below_nothing():
    assert [day.total for day in days_of([0.0, DAY], {(DAY, "stored"): 3}, 1)] == [0, 1]


# -- status, guard and tokens -------------------------------------------------------------------------


def test_paths_are_for_who_was_at_the_machine(memory, http):
    """A token is told what there is, not where it lies."""
    assert asked(http, "/status")["database"] is None
    client = TestClient(build_app(memory), base_url="http://localhost:8484", follow_redirects=False)
    client.get("/login", params={"key": memory.access.login_key()})
    told = asked(client, "/status")
    assert told["database"].endswith("m.db")
    assert told["entries"] == memory.ledger.head().number
    assert {duty["duty"] for duty in told["schedule"]} >= {"expire", "fade"}


def test_the_guards_rules_are_the_policy(http, memory):
    rules = {rule["kind"]: rule["action"] for rule in asked(http, "/guard")["rules"]}
    assert (rules["password"], rules["email"]) == ("redact", "allow")


def test_tokens_are_made_listed_and_revoked(http, memory):
    """The secret is told once; nobody gives away more than they have."""
    made = http.post("/v1/tokens", json={"name": "phone", "scopes": ["write"]}).json()
    assert memory.access.check(made["secret"]).scopes == {Scope.READ, Scope.WRITE}
    assert made["secret"] not in http.get("/v1/tokens").text
    assert http.delete(f"/v1/tokens/{made['token']['id']}").json()["revoked_at"]
    assert memory.access.check(made["secret"]) is None
    again = http.delete(f"/v1/tokens/{made['token']['id']}")
    assert (again.status_code, again.json()["code"]) == (404, "token_not_found")
    assert http.post("/v1/tokens", json={"name": "bell\a", "scopes": ["read"]}).json()["code"] == "invalid_input"
    admin, _ = memory.access.grant("admin", [Scope.ADMIN])
    asking = {"name": "more", "scopes": ["admin", "approve"]}
    answer = http.post("/v1/tokens", json=asking, headers={"authorization": f"Bearer {admin}"})
    assert (answer.status_code, "approve" in answer.json()["detail"]) == (422, True)


# -- a life to try it with ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", DemoLanguage)
def test_the_demo_fills_every_zone(language):
    """Three hundred texts, none twice, over two months, with feelings, ties, lifetimes and a few on the cliff."""
    items = demo_items(language, 1_790_000_000.0)
    assert len(items) == len({item.content for item in items}) == 300
    assert not [item for item in items if "{}" in item.content]
    assert {tag.value for item in items for tag in item.emotion.tags} >= {
        "joy",
        "sadness",
        "anger",
        "fear",
        "nostalgia",
    }
    assert {item.tier for item in items} == {Tier.M30, Tier.M90, Tier.M365}
    assert Counter(item.state.value for item in items).keys() == {"active", "faded", "cliff"}
    by_id = {item.id: item for item in items}
    assert all(item.id in by_id[other].links.related for item in items for other in item.links.related)
    assert sum(bool(item.links.related) for item in items) > 200
    assert max(item.created_at for item in items) - min(item.created_at for item in items) > 50 * DAY


def test_the_demo_goes_as_it_came(tmp_path, http, memory):
    """Every zone is filled; removing takes them out wholly, and leaves a memory with the same tag alone."""
    mine = memory.store("this one is mine", tags=[TAG])
    assert http.post("/v1/demo", json={"language": "ko"}).json() == {"added": 300}
    assert http.post("/v1/demo", json={"language": "ko"}).json() == {"added": 0}
    zones = Counter(asked(http, "/orbits")["zone"])
    assert zones.keys() == {0, 1, 2, 3, 4}
    demo = next(item for item in memory.list(300) if item.id.startswith("demo-"))
    assert http.delete("/v1/demo").json() == {"removed": 300, "kept": 0}
    assert [item.id for item in memory.list(10)] == [mine.id]
    assert memory.departures.cliff() == []
    assert memory.list(10, where=ItemFilter(tags=(demo.tags[1],))) == []
    assert memory.maintenance.check() == []
    assert memory.ledger.verify().ok
    assert demo.content.encode() not in (tmp_path / "m.db").read_bytes()
    assert http.delete("/v1/demo").json() == {"removed": 0, "kept": 0}


def test_what_the_user_made_of_the_demo_stays(http, memory):
    """Written again, or said by the user as well: there is no other memory of it, so it is not taken for made up."""
    http.post("/v1/demo", json={"language": "en"})
    changed, said, *_ = (item for item in memory.list(300) if item.state is State.ACTIVE)
    memory.update(changed.id, "My dentist is called Mina", tags=["teeth"])
    mine = memory.store(said.content, importance=0.1)
    memory.sleep(allow_large=True)
    words = {said.content, "My dentist is called Mina"}
    distilled = next(item for item in memory.list(300) if item.links.promoted_from)
    memory.update(distilled.id, "My own words for it")
    words.add("My own words for it")
    assert http.delete("/v1/demo").json()["kept"] >= 1
    assert {item.content for item in memory.list(300)} >= words
    assert mine.id in {item.id for item in memory.list(300)} or memory.get(said.id).mention_count


def test_what_refuses_to_be_forgotten_stays(memory):
    """Erasing is for good; so it asks nobody twice, and leaves out who may not be forgotten."""
    kept = memory.store("for ever", immutable=True)
    gone = memory.store("not for ever")
    assert memory.departures.erase([kept.id, gone.id, "nobody"]) == [gone.id]
    assert memory.get(kept.id).content == "for ever"
    assert [event.type.value for event in memory.ledger.history(gone.id)] == ["purged", "stored"]


def test_what_was_distilled_from_it_goes_too(memory, clock):
    """Twice over, and though the first of them are gone already; whoever is also made of something else stays."""
    first = memory.store("Mina keeps bees on the roof", tier=Tier.M30)
    for days in (7, 40):
        for _ in range(8):
            clock.advance(hours=2)
            memory.recall("Mina keeps bees on the roof", limit=1)
        clock.advance(days=days)
        memory.sleep(allow_large=True)
    years = [item for item in memory.list(10) if item.tier is Tier.M365]
    assert years
    assert first.id not in years[0].links.promoted_from
    memory.departures.erase([first.id])
    assert memory.list(10, where=ItemFilter(states=tuple(State))) == []


def test_weeks_of_sleep_leave_nothing_of_the_demo(http, memory, clock):
    """Nights distil made-up memories, and the made-up ones expire: what was made of them is made up too."""
    http.post("/v1/demo", json={"language": "en"})
    memory.sleep(allow_large=True)
    clock.advance(days=40)
    memory.sleep(allow_large=True)
    assert any(item.links.promoted_from for item in memory.list(1000))
    http.delete("/v1/demo")
    assert memory.list(10, where=ItemFilter(states=tuple(State))) == []


# -- reasons ------------------------------------------------------------------------------------------


def test_a_hit_tells_its_reasons_to_whoever_asks(memory, http):
    """What each part added is only sent on request: models pay for every word."""
    memory.store("Mina is allergic to peanuts")
    question = {"query": "peanuts", "reinforce": False}
    (quiet,) = http.post("/v1/memories/search", json=question).json()["hits"]
    (told,) = http.post("/v1/memories/search", json={**question, "explain": True}).json()["hits"]
    assert quiet["parts"] is None
    assert sum(told["parts"].values()) == pytest.approx(told["relevance"], abs=0.01)


def test_the_weighted_parts_add_up_to_the_score(memory, http):
    item = memory.store("Mina is allergic to peanuts", importance=0.8)
    ahead = asked(http, f"/memories/{item.id}/outlook")
    parts, weights = ahead["breakdown"], ahead["weights"]
    assert sum(weights[name] * parts[name] for name in weights) == pytest.approx(parts["score"])


def test_a_billion_recalls_are_counted_and_not_lived_through(memory, http, clock):
    """A file may say that a memory was recalled as often as it likes: the replay takes no longer for it."""
    memory.store("Mina likes tea")
    (record,) = memory.transfer.export()
    told = {"id": "busy", "recall_count": 1_000_000_000, "created_at": clock() - 86_400 * 20, "expires_at": None}
    memory.transfer.import_([{**record, **told}])
    seen = http.get("/v1/orbits/past", params={"frames": 20}).json()
    assert all(0 < score < 1 for _, score in dict(zip(seen["ids"], seen["score"], strict=True))["busy"])
