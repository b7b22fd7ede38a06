"""Filters and stars on the command line."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from celestial_engine import AgentCoordinate, CelestialMemory, Emotion, EmotionCoordinate, SpaceCoordinate
from celestial_engine.surfaces.cli import filter_options, main
from celestial_engine.testing.fakes import FakeClock

NOON = datetime(2025, 10, 11, 12, tzinfo=timezone.utc)


@pytest.fixture(autouse=True)
def _plain_english(monkeypatch, tmp_path):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "m.db"))


@pytest.fixture
def cli(capsys):
    def run(*argv: str) -> tuple[int, str, str]:
        code = main(argv)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


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
    assert [memory["id"] for memory in json.loads(out)] == [ids["first"]]


def test_a_day_lasts_to_its_end(cli, ids):
    """On the reader's own clock: a memory of that day is of that day."""
    day = datetime.fromtimestamp((NOON + timedelta(days=5)).timestamp()).strftime("%Y-%m-%d")
    _, out, _ = cli("list", "--since", day, "--until", day, "--json")
    assert [memory["id"] for memory in json.loads(out)] == [ids["second"]]


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


def test_the_options_know_the_engines_emotions():
    assert tuple(emotion.value for emotion in Emotion) == filter_options.EMOTIONS
