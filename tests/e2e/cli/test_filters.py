"""Filters, coordinates and stars on the command line."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from celestial_engine import AgentCoordinate, CelestialMemory, Emotion, EmotionCoordinate, SpaceCoordinate
from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.testing.fakes import FakeClock

NOON = datetime(2025, 10, 11, 12, tzinfo=timezone.utc)


def memories_in(out: str) -> list[dict]:
    """Of a list, or of what was found."""
    answer = json.loads(out)
    return answer["memories"] if "memories" in answer else [hit["memory"] for hit in answer["hits"]]


@pytest.fixture
def ids(tmp_path) -> dict[str, str]:
    clock = FakeClock(NOON.timestamp())
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, clock=clock) as memory:
        first = memory.store(
            "Thesis on coffee",
            0.9,
            pinned=True,  # the command line has the real clock: these are old by now
            tags=["draft", "coffee"],
            session_id="s1",
            agent=AgentCoordinate("thesis"),
            space=SpaceCoordinate("celestial", "AGI"),
            emotion=EmotionCoordinate((Emotion.JOY,)),
        )
        clock.advance(days=5)
        second = memory.store(
            "Antithesis on coffee",
            0.2,
            pinned=True,
            tags=["draft"],
            session_id="s2",
            agent=AgentCoordinate("antithesis"),
        )
    return {"first": first.id, "second": second.id}


@pytest.mark.parametrize(
    "options",
    [
        ["--session", "s1"],
        ["--persona", "thesis"],
        ["--domain", "AGI"],
        ["--project", "celestial"],
        ["--tag", "draft", "--tag", "coffee"],
        ["--until", "2025-10-12"],
        ["--until", "2025-10-11T12:00:00Z"],
        ["--since", "2025-10-10", "--until", "2025-10-13T00:00+09:00"],
        ["--min-importance", "0.5"],
        ["--emotion", "joy"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("command", [["list"], ["search", "coffee"], ["recall", "coffee"]], ids=lambda c: c[0])
def test_every_filter_on_every_command(cli, ids, command, options):
    """Each option leaves the one memory that fits."""
    code, out, _ = cli(*command, *options, "--json")
    assert code == 0
    assert [memory["id"] for memory in memories_in(out)] == [ids["first"]]


def test_a_day_lasts_to_its_end(cli, ids):
    """On the reader's own clock: a memory of that day is of that day."""
    day = datetime.fromtimestamp((NOON + timedelta(days=5)).timestamp()).strftime("%Y-%m-%d")
    _, out, _ = cli("list", "--since", day, "--until", day, "--json")
    assert [memory["id"] for memory in memories_in(out)] == [ids["second"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--since", "yesterday"], "--since"),
        (["--since", "2025-10-12", "--until", "2025-10-10"], "ends before it starts"),
        (["--min-importance", "2"], "0 to 1"),
        (["--min-importance", "much"], "0 to 1"),
        (["--emotion", "grumpy"], "grumpy"),
        (["--persona", ""], "persona"),
        (["--session", ""], "--session"),
    ],
)
def test_wrong_filters_are_refused(cli, ids, options, said):
    code, out, err = cli("list", *options)
    assert (code, out) == (2, "")
    assert said in err


def test_stars(cli, ids):
    """One to five; a given importance stays, and the history tells of it, in both languages."""
    code, out, _ = cli("rate", ids["first"][:8], "5")
    assert code == 0
    assert "5 of 5 stars" in out
    assert "0.90" in out
    _, out, _ = cli("rate", ids["first"], "4", "--json")
    assert json.loads(out)["user_rating"] == 4
    _, out, _ = cli("history", ids["first"], "--limit", "1", "--lang", "ko")
    assert "별점" in out
    for wrong in ("0", "6", "many"):
        code, _, err = cli("rate", ids["first"], wrong)
        assert code == 2
        assert "whole number" in err
    code, _, err = cli("rate", ids["first"], "9", "--lang", "ko")
    assert "1에서 5 사이의 정수여야 하는데 9 값을 받았습니다" in err


def test_nothing_that_fits(cli, ids):
    code, out, _ = cli("list", "--persona", "nobody")
    assert code == 0
    assert out.strip()


def test_the_options_know_the_engines_choices():
    store = declared("store")["store"][0]
    assert tuple(emotion.value for emotion in Emotion) == store.field("emotions").choices
    assert tuple(kind.value for kind in ContentType) == store.field("type").choices
    assert {*store.field("source").choices, "distillation", "imagination"} == {source.value for source in Source}


# -- where a new memory lies --------------------------------------------------------------------------


def test_every_coordinate_can_be_said(cli, ids):
    """Each option of `store` becomes the field of its name, links on both sides."""
    code, out, _ = cli(
        "store", "They meet in a third thought", "--project", "essay", "--domain", "AGI", "--depth", "2",
        "--file", "a.md", "--file", "b.md", "--persona", "synthesis", "--persona-name", "Synthesis",
        "--role", "Integrator", "--backend", "local", "--emotion", "joy", "--emotion", "sadness",
        "--intensity", "0.8", "--type", "persona_response", "--prompt", "Why is that? " * 50,
        "--summary", "a third thought", "--bqi", "--parent", ids["first"][:8], "--related", ids["second"][:8],
        "--source", "import", "--json",
    )  # fmt: skip
    assert code == 0
    memory = json.loads(out)
    expected = {
        "project": "essay", "domain": "AGI", "files": ["a.md", "b.md"], "depth": 2,
        "persona_id": "synthesis", "persona_name": "Synthesis", "role": "Integrator", "backend": "local",
        "emotions": ["joy", "sadness"], "intensity": 0.8, "type": "persona_response", "summary": "a third thought",
        "parent": ids["first"], "related": [ids["second"]],
    }  # fmt: skip
    assert {name: memory[name] for name in expected} == expected
    assert len(memory["prompt"]) <= 500
    assert memory["bqi"]["rhythm_phase"] == "reflection"
    assert memory["source"] == "import"
    assert memory["tier"] in ("M90", "M365")  # as it is read, but what is imported never lives shorter
    _, out, _ = cli("show", ids["first"], "--json")
    assert json.loads(out)["children"] == [memory["id"]]


def test_what_is_not_said_is_found_out(cli):
    """Without options a memory is felt from its text, and lies nowhere."""
    _, out, _ = cli("store", "I am so happy today!", "--json")
    memory = json.loads(out)
    assert memory["emotions"] == ["joy"]
    assert memory["project"] is None
    assert (memory["source"], memory["tier"], memory["type"]) == ("user", "M90", "user_input")


def test_a_coordinate_is_found_by_its_filter(cli):
    cli("store", "a draft", "--persona", "thesis", "--project", "essay", "--emotion", "fear")
    _, out, _ = cli("list", "--persona", "thesis", "--project", "essay", "--emotion", "fear", "--json")
    assert [memory["content"] for memory in memories_in(out)] == ["a draft"]


@pytest.mark.parametrize(
    ("options", "code", "said", "korean"),
    [
        (["--persona", ""], 2, "agent.persona_id", "200자"),
        (["--project", "x" * 201], 2, "space.project", "200자"),
        (["--depth", "deep"], 2, "depth", "정수"),
        (["--depth", "-1"], 2, "space.depth_index", "사이여야"),
        (["--emotion", "grumpy"], 2, "grumpy", "고르세요"),
        (["--emotion", "joy", "--intensity", "1.5"], 2, "emotion.intensity", "사이여야"),
        (["--emotion", "joy", "--intensity", "much"], 2, "intensity", "수여야 하는데"),
        (["--intensity", "0.5"], 2, "emotions", "emotions"),
        (["--parent", "nobody"], 3, "nobody", "nobody"),
        (["--related", "nobody"], 3, "nobody", "nobody"),
        (["--source", "distillation"], 2, "distillation", "고르세요"),
        (["--lines", "--persona", "thesis", "--file", "a.md"], 2, "--persona, --file", "--source만"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_wrong_coordinates_are_refused(cli, options, code, said, korean):
    """In both languages, and nothing is stored."""
    found, out, err = cli("store", "a text", *options)
    assert (found, out) == (code, "")
    assert said in err
    assert korean in cli("store", "a text", *options, "--lang", "ko")[2]
    assert json.loads(cli("list", "--json")[1])["memories"] == []


def test_lines_say_where_they_come_from(cli):
    """--source is the one thing that many memories may have in common, beside session and importance."""
    _, out, _ = cli("store", "--lines", "one\ntwo", "--source", "conversation", "--session", "s", "--json")
    assert [(memory["source"], memory["tier"]) for memory in memories_in(out)] == [("conversation", "M90")] * 2
