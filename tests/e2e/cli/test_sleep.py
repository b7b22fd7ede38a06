"""Sleep from the command line, in both languages: what would happen, what happened, and what waits for a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.night.sleep import Duty, Outcome, Rhythm
from celestial_engine.engine.schedule.night import LEASE_SECONDS, lease_of
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.surfaces.cli.texts.en import general as texts_en
from celestial_engine.testing.fakes import FakeClock


def stored_long_ago(path: str, days: float, texts: list[str]) -> list[str]:
    """Memories of the past, seen from the real clock that the command has."""
    import time

    clock = FakeClock(time.time() - days * 86_400)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        return [memory.store(text, tier=Tier.M30).id for text in texts]


def test_the_parser_knows_the_duties():
    sleep, *_ = declared("sleep")["sleep"]
    assert tuple(duty.value for duty in Duty) == sleep.field("duties").choices


@pytest.mark.parametrize(("kind", "words"), [("duty", Duty), ("rhythm", Rhythm), ("outcome", Outcome)])
def test_every_word_of_sleep_is_translated(kind, words):
    for word in words:
        assert f"{kind}.{word.value}" in texts_en.TEXTS


@pytest.mark.usefixtures("calendar_time")
def test_a_dry_run_shows_who_and_why_and_changes_nothing(celestial, path):
    (old,) = stored_long_ago(path, 31, ["the tent is in the cellar"])
    celestial("store", "today's news")
    said = celestial("sleep", "--dry-run")
    assert f"{old[:8]}  its time is over  the tent is in the cellar" in said
    assert "Nothing was changed" in said
    assert "수명이 다함" in celestial("sleep", "--dry-run", "--lang", "ko")
    assert "No memory" not in celestial("show", old)
    assert json.loads(celestial("sleep", "reports", "--json"))["nights"] == []


@pytest.mark.usefixtures("calendar_time")
def test_a_night_is_told_with_before_and_after(celestial, path):
    stored_long_ago(path, 31, ["the tent is in the cellar"])
    said = celestial("sleep")
    assert "expired 1" in said
    assert "cliff" in said
    again = celestial("sleep")
    assert "Nothing is due" in again
    assert "expired 1" in celestial("sleep", "reports")
    assert "slept" in celestial("history")


@pytest.mark.usefixtures("calendar_time")
def test_json_has_it_all(celestial, path):
    (old,) = stored_long_ago(path, 31, ["the tent is in the cellar"])
    planned = json.loads(celestial("sleep", "--dry-run", "--json"))
    (expire,) = [one for one in planned["duties"] if one["duty"] == "expire"]
    assert (planned["dry_run"], expire["planned"][0]["id"], expire["leaving"]) == (True, old, [old])
    slept = json.loads(celestial("sleep", "--json"))
    assert slept["before"]["states"] == {"active": 1}
    assert slept["after"]["states"] == {"cliff": 1}
    assert [one["after"] for one in json.loads(celestial("sleep", "reports", "--json"))["nights"]] == [slept["after"]]


def test_one_duty_alone(celestial, path):
    stored_long_ago(path, 31, ["the tent is in the cellar"])
    (done,) = json.loads(celestial("sleep", "--duty", "fade", "--json"))["duties"]
    assert done["duty"] == "fade"
    assert "dance" in celestial("sleep", "--duty", "dance", code=2)


def test_the_status(celestial):
    celestial("store", "something")
    assert "now" in celestial("sleep", "status")
    celestial("sleep")
    rows = json.loads(celestial("sleep", "status", "--json"))["duties"]
    assert all(row["last_run"] < row["next_run"] for row in rows)
    assert "매일" in celestial("sleep", "status", "--lang", "ko")
    celestial("sleep", "status", "--dry-run", code=2)


def test_everybody(celestial):
    celestial("store", "mine")
    celestial("store", "hers", "--user", "mina")
    slept = json.loads(celestial("sleep", "--everybody", "--json"))["nights"]
    assert {one["owner"] for one in slept} == {"local/default", "mina/default"}
    assert "mina/default" in celestial("sleep", "--everybody", "--force")


def test_whoever_comes_second_is_told(celestial, path):
    """And can take over."""
    import time

    celestial("store", "something")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.parts.store.jobs.claim(lease_of(memory.owner), "host-1-4711-abc", time.time(), 0.0, LEASE_SECONDS)
    assert "Process 4711 is asleep" in celestial("sleep", code=5)
    assert "4711번" in celestial("sleep", "--lang", "ko", code=5)
    assert "4711" in celestial("sleep", "status")
    celestial("sleep", "--force")


def test_the_real_command_sleeps(path):
    done = subprocess.run(
        [sys.executable, "-m", "celestial_engine", "--db", path, "sleep", "--json"],
        capture_output=True, env={**os.environ, "CELESTIAL_SLEEP": "off"}, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["before"]["states"] == {}
