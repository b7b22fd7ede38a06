"""Where a memory lies: its session, its place and its maker, its mood, its links, the user's stars."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, LLMFeeler, ReadingSettings, Settings
from celestial_engine.compat.memory_store import new_session_id
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    Emotion,
    EmotionCoordinate,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import InvalidInputError, InvalidItemError, NotFoundError, Reason, WrongStateError
from celestial_engine.storage.sqlite.schema.migrations import APPLICATION_ID, FACETED_SINCE, MIGRATIONS
from celestial_engine.testing.fakes import FakeClock


def test_coordinates_are_kept(memory):
    """What the host tells of a memory comes back with it."""
    space = SpaceCoordinate("celestial", "AGI", ("a.py",), 2)
    agent = AgentCoordinate("synthesis", "Fractal Synthesiser", "Integrator", "local")
    emotion = EmotionCoordinate((Emotion.JOY,), 0.5, sentiment_score=0.4)
    item = memory.store(
        "정과 반이 만난다",
        session_id="s1",
        space=space,
        agent=agent,
        emotion=emotion,
        document=Document(ContentType.PERSONA_RESPONSE, "합을 말해 줘"),
    )
    kept = memory.get(item.id)
    assert (kept.space, kept.agent, kept.emotion) == (space, agent, emotion)
    assert kept.document == Document(
        ContentType.PERSONA_RESPONSE, "합을 말해 줘", token_count=count_tokens("정과 반이 만난다")
    )
    assert kept.to_coordinate()["content"]["prompt_digest"] == "합을 말해 줘"


def test_a_session_counts_its_memories(memory, clock):
    """Sequence and minutes come from the store: one, two, three, whoever stores, and in the same transaction."""
    first = memory.store("one", session_id="s1")
    clock.advance(minutes=3.5)
    second = memory.store("two", session_id="s1")
    memory.store("of another session", session_id="s2")
    clock.advance(minutes=1)
    many = memory.store_many(["three", "four"], session_id="s1")
    assert first.time == TimeCoordinate("s1", 1, 0.0)
    assert second.time == TimeCoordinate("s1", 2, 3.5)
    assert [item.time for item in many] == [TimeCoordinate("s1", 3, 4.5), TimeCoordinate("s1", 4, 4.5)]
    assert memory.get(many[1].id).time == many[1].time
    assert memory.of("else").store("without", session_id="s1").time.sequence == 1, "owners have their own"
    assert memory.store("no session").time == TimeCoordinate()


def test_a_session_for_all_that_is_stored(clock):
    """An engine may be of one session; what names another is of that."""
    session_id = new_session_id(clock.now)
    assert session_id == "sess_20250615_150640"
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, session_id=session_id) as memory:
        assert memory.store("a").time.session_id == session_id
        assert memory.store("b", session_id="other").time.session_id == "other"
        assert memory.store_many(["c"])[0].time == TimeCoordinate(session_id, 2, 0.0)
        assert memory.browse.sessions() == ["other", session_id]


def test_the_mood_is_felt_unless_it_is_told(memory):
    """A text is felt; a new text is felt again, but what somebody said of the mood stays."""
    felt = memory.store("오늘 정말 행복하고 기뻐!")
    assert Emotion.JOY in felt.emotion.tags
    assert felt.emotion.sentiment_score > 0
    told = memory.store("오늘 정말 행복하고 기뻐!", emotion=EmotionCoordinate((Emotion.FEAR,)))
    assert [item.id for item in memory.list(where=ItemFilter(emotion=Emotion.FEAR))] == [told.id]
    assert memory.update(felt.id, "너무 슬퍼서 눈물이 난다").emotion.sentiment_score < 0
    assert memory.update(told.id, "너무 슬퍼서 눈물이 난다").emotion.tags == (Emotion.FEAR,)
    assert [item.id for item in memory.list(where=ItemFilter(emotion=Emotion.SADNESS))] == [felt.id]


def test_a_long_prompt_becomes_a_digest(memory):
    """At most 500 characters, on one line; what is read from it is read from all of it."""
    prompt = "다음 글을 읽어라.\n" + "가나다 " * 400 + "이제 모두 종합해 줘"
    item = memory.store("응답", document=Document(prompt_digest=prompt), bqi=True)
    digest = memory.get(item.id).document.prompt_digest
    assert digest.startswith("다음 글을 읽어라. 가나다")
    assert digest.endswith("…")
    assert len(digest) <= 500
    assert item.document.bqi_snapshot["rhythm_phase"] == "integration"
    assert memory.store("왜 그랬을까", bqi=True).document.bqi_snapshot["rhythm_phase"] == "reflection"
    phase = ItemFilter(bqi=BqiFilter.read({"rhythm_phase": "integration"}))
    assert [found.id for found in memory.list(where=phase)] == [item.id]


def test_a_new_text_has_a_new_count(memory):
    item = memory.store("짧은 글")
    text = "이제는 훨씬 더 긴 글이 되었다"
    assert memory.update(item.id, text).document.token_count == count_tokens(text)


# -- links ------------------------------------------------------------------------------------------


def test_links_are_kept_on_both_sides(memory):
    """A parent knows its children, and what is related is related both ways; the ledger tells of it."""
    parent, friend = memory.store("질문"), memory.store("비슷한 일")
    child = memory.store("대답", parent=parent.id, related=[friend.id, friend.id])
    assert child.links.parent == parent.id
    assert child.links.related == (friend.id,)
    assert memory.get(parent.id).links.children == (child.id,)
    assert memory.get(friend.id).links.related == (child.id,)
    assert memory.ledger.history(parent.id, 1)[0].detail == {"fields": ["links"]}
    assert {tie.item.id for tie in memory.related(child.id)} == {parent.id, friend.id}
    assert memory.maintenance.check() == []


def test_links_must_lead_somewhere(memory):
    """To nobody, or to somebody else's memory, is an error, and nothing is stored."""
    theirs = memory.of("else").store("남의 기억")
    for wrong in ({"parent": "nobody"}, {"related": [theirs.id]}, {"parent": theirs.id}):
        with pytest.raises(NotFoundError):
            memory.store("대답", **wrong)
    with pytest.raises(InvalidInputError):
        memory.store("대답", related=theirs.id)
    assert memory.list() == []
    assert memory.of("else").get(theirs.id).links.count == 0


# -- stars ------------------------------------------------------------------------------------------


def test_stars_raise_and_lower_importance(memory):
    """A(m) is the larger of the text's word and 0.3 + rating + references + feeling."""
    item = memory.store("평범한 말", emotion=EmotionCoordinate(sentiment_score=-0.5))
    assert memory.get(item.id).arbitrary_importance == pytest.approx(0.3 + 0.1)
    five = memory.rate(item.id, 5)
    assert five.user_rating == 5
    assert five.arbitrary_importance == pytest.approx(0.3 + 0.3 + 0.1)
    memory.store("이어진 말", parent=item.id)
    assert memory.rate(item.id, 1).arbitrary_importance == pytest.approx(0.3 + 0.06 + 0.05 + 0.1)
    event = memory.ledger.history(item.id, 1)[0]
    assert event.type is EventType.RATED
    assert event.detail["rating"] == 1
    found = memory.list(where=ItemFilter(min_importance=0.5))
    assert [one.id for one in found] == [item.id]


def test_a_given_importance_stays(memory):
    item = memory.store("중요도를 받은 기억", importance=0.2)
    assert memory.rate(item.id, 5).arbitrary_importance == 0.2
    assert memory.get(item.id).user_rating == 5


@pytest.mark.parametrize("stars", [0, 6, -1, 3.5, "5", True, None])
def test_stars_are_one_to_five(memory, stars):
    item = memory.store("기억")
    with pytest.raises(InvalidInputError, match="1 to 5"):
        memory.rate(item.id, stars)
    assert memory.get(item.id).user_rating is None


def test_nobody_rates_what_is_not_there(memory):
    item = memory.store("기억")
    with pytest.raises(NotFoundError):
        memory.of("else").rate(item.id, 3)
    memory.forget(item.id)
    with pytest.raises(WrongStateError):
        memory.rate(item.id, 3)


# -- bad coordinates --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"space": SpaceCoordinate(project=3)}, "space.project"),
        ({"space": {"project": "x"}}, "space"),
        ({"space": SpaceCoordinate(depth_index=-1)}, "space.depth_index"),
        ({"agent": AgentCoordinate(persona_id="")}, "agent.persona_id"),
        ({"agent": AgentCoordinate(role="half \udc00")}, "agent.role"),
        ({"emotion": EmotionCoordinate(sentiment_score=float("nan"))}, "emotion.sentiment_score"),
        ({"emotion": EmotionCoordinate(tags=("joy", "grumpy"))}, "emotion.tags"),
        ({"document": Document(bqi_snapshot={"a": float("nan")})}, "document.bqi_snapshot"),
        ({"document": Document(type="poem")}, "document.type"),
        ({"session_id": ""}, "time.session_id"),
        ({"session_id": 12}, "time.session_id"),
        ({"session_id": "x" * 201}, "time.session_id"),
    ],
)
def test_wrong_coordinates_are_named(memory, wrong, named):
    with pytest.raises(InvalidItemError, match=named):
        memory.store("기억", **wrong)
    assert memory.list() == []


# -- filters at the front ---------------------------------------------------------------------------


@pytest.mark.parametrize("opened", ["memory", "embedded"])
def test_a_filtered_question_finds_what_others_outrank(request, opened):
    """Hundreds of better answers of another persona do not hide the one of this persona, and stay unrecalled."""
    memory = request.getfixturevalue(opened)
    mine = memory.store("Python, I vaguely remember, is a language", agent=AgentCoordinate("thesis"))
    memory.store_many([f"Python is a programming language, note {number}" for number in range(300)])
    question = "Python language"
    where = ItemFilter(persona_id="thesis")
    assert mine.id not in [item.id for item in memory.search(question, 20)]
    assert [item.id for item in memory.search(question, where=where)] == [mine.id]
    assert [item.id for item in memory.recall(question, where=where)] == [mine.id]
    assert memory.get(mine.id).recall_count == 1
    assert all(item.recall_count == 0 for item in memory.list(50))
    explained = memory.search(question, where=where, explain=True)
    assert [hit.item.id for hit in explained.hits] == [mine.id]


def test_neighbours_in_a_talk_are_filtered_too(memory):
    """What stands beside a line that was found joins in only if it fits."""
    memory.store("[2025-06-01] Anna: What did you plant in the garden?", session_id="s1", tags=["a"])
    memory.store("[2025-06-01] Ben: Only tomatoes this year.", session_id="s1", tags=["b"])
    memory.store("[2025-06-01] Anna: Tomatoes in the garden, lovely.", session_id="s1", tags=["a"])
    found = memory.search("What did Ben plant in the garden?", where=ItemFilter(tags=("a",)))
    assert found
    assert all(item.tags == ("a",) for item in found)


def test_filters_must_be_filters(memory):
    for wrong in ({"zone": 1}, "thesis", 3):
        with pytest.raises(InvalidInputError, match="where"):
            memory.search("q", where=wrong)
    with pytest.raises(InvalidInputError, match="zone"):
        memory.list(where=ItemFilter(zone=9))
    with pytest.raises(InvalidInputError, match="every memory"):
        memory.departures.forget_where(ItemFilter())


def test_forgetting_by_a_filter(memory):
    """All that fit go over the cliff, but what refuses stays; all can be restored, filters included."""
    gone = [memory.store(f"임시 {number}", tags=["temporary"]) for number in range(3)]
    kept = memory.store("임시지만 굳은 것", tags=["temporary"], immutable=True)
    other = memory.store("다른 것")
    where = ItemFilter(tags=("temporary",))
    assert {item.id for item in memory.departures.forget_where(where)} == {item.id for item in gone}
    assert [item.id for item in memory.list(where=where)] == [kept.id]
    assert {item.id for item in memory.list()} == {kept.id, other.id}
    memory.restore(gone[0].id)
    assert {item.id for item in memory.list(where=where)} == {kept.id, gone[0].id}
    assert memory.maintenance.check() == []


def test_an_older_database_learns_to_filter(tmp_path: Path):
    """Opening a database of before brings its memories into the filters, and their tags into the words."""
    path = tmp_path / "old.db"
    with CelestialMemory(path, rebalance_interval=None, clock=FakeClock()) as memory:
        item = memory.store("아무 말", tags=["synthesis"], agent=AgentCoordinate("thesis"), importance=0.8)
        memory.forget(memory.store("잊은 말", agent=AgentCoordinate("thesis")).id)
    with sqlite3.connect(path) as db:
        for table in ("facet_bits", "facets", "spans"):
            db.execute(f"DELETE FROM {table}")
    db.close()
    with CelestialMemory(path, rebalance_interval=None, clock=FakeClock()) as memory:
        assert Reason.FACETS_DIFFER in [problem.reason for problem in memory.maintenance.check()]
        assert memory.maintenance.repair() == []
        assert [one.id for one in memory.list(where=ItemFilter(persona_id="thesis", min_importance=0.8))] == [item.id]


def test_the_migration_fills_the_filters(tmp_path: Path):
    """A file of the version before facets, with a memory in it, can be filtered once it is opened."""
    path = tmp_path / "before.db"
    db = sqlite3.connect(path)
    for migration in MIGRATIONS[: FACETED_SINCE - 1]:
        for statement in migration:
            db.execute(statement)
    db.execute("INSERT INTO meta VALUES ('analyser', 'pairs-and-stems-1')")
    db.execute("INSERT INTO owners (owner, user_id, agent_id) VALUES (1, 'local', 'default')")
    seq = (1 << 40) + 1
    db.execute(
        "INSERT INTO items (seq, owner, id, state, zone, piece, level, tier, protection, created_at, last_recalled_at,"
        " recall_count, mention_count, arbitrary_importance, importance_source, context_score)"
        " VALUES (?, 1, 'm1', 'active', 2, 0, 0.0, 'M90', 'none', 1.75e9, 1.75e9, 0, 0, 0.6, 'given', 0.0)",
        (seq,),
    )
    facets = '{"tags":["synthesis"],"agent":{"persona_id":"thesis"},"time":{"session_id":"s1"}}'
    db.execute("INSERT INTO texts (seq, content, metadata, facets) VALUES (?, '아무 말', '{}', ?)", (seq, facets))
    db.execute("INSERT INTO words (rowid, body) VALUES (?, '아무 무말 아')", (seq,))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {FACETED_SINCE - 1}")
    db.commit()
    db.close()
    with CelestialMemory(path, rebalance_interval=None, clock=FakeClock(1.75e9)) as memory:
        assert memory.maintenance.check() == []
        assert [item.id for item in memory.list(where=ItemFilter(persona_id="thesis", tags=("synthesis",)))] == ["m1"]
        assert [item.id for item in memory.search("synthesis")] == ["m1"]
        assert memory.store("다음", session_id="s1").time.sequence == 1


def test_a_language_model_may_tell_the_mood(caplog):
    """What it says counts, in an update too; babbling is replaced by the rules."""
    answers = ['{"tags": ["envy"], "intensity": 0.4, "sentiment": -0.2}', "no idea"]
    feeler = LLMFeeler(lambda prompt: answers[0] if "neighbour" in prompt else answers[1])
    with CelestialMemory(
        ":memory:", rebalance_interval=None, settings=Settings(reading=ReadingSettings(feeler=feeler))
    ) as memory:
        item = memory.store("The neighbour has a new car")
        assert item.emotion.tags == (Emotion.ENVY,)
        assert memory.recall("car")[0].emotion == item.emotion
        assert memory.update(item.id, "I am so happy today!").emotion.tags[0] is Emotion.JOY
        assert "rules" in caplog.text
        (many,) = memory.store_many(["My neighbour sings"])
        assert many.emotion.tags == (Emotion.ENVY,)


def test_composed_from_what_was_asked_for(memory):
    memory.store("The deadline is on Friday", session_id="a")
    memory.store("The deadline was moved to Monday", session_id="b")
    composed = memory.compose("When is the deadline?", where=ItemFilter(session_id="b"))
    assert "Monday" in composed.text
    assert "Friday" not in composed.text
