"""Backups, limits and archives from the command line, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.keeping.retention import PRESETS, RetentionPolicy
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.testing.fakes import FakeClock


def test_the_parser_knows_the_presets():
    (retain,) = declared("retain")["retain"]
    assert tuple(PRESETS) == retain.field("preset").choices


def test_back_up_verify_restore(celestial, path, tmp_path):
    celestial("store", "Mina likes tea")
    target = str(tmp_path / "backup.db")
    assert "1 memories" in celestial("backup", target)
    assert "--force" in celestial("backup", target, code=5)
    assert json.loads(celestial("backup", target, "--force", "--json"))["memories"] == 1
    assert "is sound" in celestial("backup", "verify", target)
    celestial("store", "stored since")
    assert "Nothing was changed" in celestial("backup", "restore", target, "--dry-run")
    assert len(json.loads(celestial("list", "--json"))["memories"]) == 2
    said = celestial("backup", "restore", target)
    assert "before-restore" in said
    assert len(json.loads(celestial("list", "--json"))["memories"]) == 1
    assert "백업" in celestial("backup", "verify", target, "--lang", "ko")
    assert "backup restored" in celestial("history")


def test_what_cannot_be_restored_is_refused(celestial, tmp_path):
    celestial("store", "Mina likes tea")
    letter = tmp_path / "letter.txt"
    letter.write_text("dear somebody " * 20)
    assert "not a Celestial database" in celestial("backup", "verify", str(letter), code=5)
    assert "not a Celestial database" in celestial("backup", "restore", str(letter), code=5)
    assert "FILE" in celestial("backup", "restore", code=2)
    assert "other.db" in celestial("backup", str(tmp_path / "a.db"), "other.db", code=2)


@pytest.mark.usefixtures("calendar_time")
def test_limits_and_archives(celestial, path):
    assert "no retention policy" in celestial("retain", code=2)
    clock = FakeClock(1_600_000_000.0)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        item = memory.store("Mina likes tea", session_id="sess_1")
        memory.store("Mina moved to 부산", session_id="sess_1")
        clock.advance(days=31)
        memory.departures.retain(RetentionPolicy(archive_after_days=30))
    assert "sess_1" in celestial("archive", "list")
    assert json.loads(celestial("archive", "list", "--json"))["archives"][0]["memories"] == 2
    assert "Mina likes tea" in celestial("archive", "show", item.id[:8])
    assert "Would go over the cliff: 2" in celestial("retain", "--preset", "coordinates-v1", "--dry-run")
    plan = json.loads(celestial("retain", "--preset", "coordinates-v1", "--dry-run", "--json"))
    assert (plan["forgotten"], plan["by_limit"]) == (2, {"delete_after_days": 2})
    assert "1" in celestial("archive", "bring-back", item.id[:8])
    assert "다시 가져왔습니다" in celestial("archive", "bring-back", "sess_1", "--lang", "ko")
    assert "No session" in celestial("archive", "list")
    assert "neither a session" in celestial("archive", "bring-back", item.id, code=3)
    assert "ID" in celestial("archive", "show", code=2)


@pytest.mark.usefixtures("calendar_time")
def test_a_damaged_archive_is_told_in_both_languages(cli, path):
    clock = FakeClock(1_600_000_000.0)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        memory.store("Mina likes tea", session_id="sess_1")
        clock.advance(days=31)
        memory.departures.retain(RetentionPolicy(archive_after_days=30))
    (file,) = Path(f"{path}.archive").iterdir()
    file.unlink()
    english, korean = cli("doctor"), cli("doctor", "--lang", "ko")
    brought = cli("archive", "bring-back", "sess_1", "--json")
    assert {answer.code for answer in (english, korean, brought)} == {5}
    assert "the file is not there" in english.out
    assert "보관 파일" in korean.out
    assert brought.data["problems"]
