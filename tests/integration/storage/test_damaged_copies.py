"""`celestial doctor --repair` on 200 damaged copies: what it calls well is right, and nothing gets worse."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.integration.storage.damage import ON_A_CLOSED_DATABASE, ON_A_KILLED_PROCESS, copy_of

from celestial_engine import CelestialMemory, KeepingSettings, RetentionPolicy, Settings
from celestial_engine.surfaces.cli import main

COPIES = 200
OWNERS = ("local", "mina")
START = 1_780_000_000.0


def opened(path, now=START):
    return CelestialMemory(
        str(path), rebalance_interval=None, embedder="hashed", clock=lambda: now,
        settings=Settings(keeping=KeepingSettings(time="calendar")),
    )  # fmt: skip


def fill(memory, numbers):
    for number in numbers:
        whose = memory.of(OWNERS[number % 2])
        item = whose.store(
            f"marker-{number} Mina {number} works at office {number * 7}, 기억 {number}",
            metadata={"n": number}, tags=(f"tag{number % 3}",), session_id=f"s{number % 4}",
        )  # fmt: skip
        if number % 4 == 1:
            whose.update(item.id, content=f"marker-{number} moved to house {number}", metadata={"n": -number})
        if number % 5 == 0:
            whose.recall(f"office {number}")
        if number % 9 == 8:
            whose.forget(item.id)


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """One database that was closed, and one as a killed process leaves it; each with an older copy."""
    folders = {}
    for name in ("closed", "killed"):
        folder = tmp_path_factory.mktemp(name)
        path = folder / "m.db"
        with opened(path) as memory:
            fill(memory, range(24))
        with opened(path, START + 40 * 86_400) as memory:
            memory.of("mina").departures.retain(RetentionPolicy(archive_after_days=30))
        shutil.copyfile(path, folder / "m.older")
        memory = opened(path, START + 41 * 86_400)
        fill(memory, range(24, 44))
        if name == "closed":
            memory.close()
        copied = tmp_path_factory.mktemp(f"{name}-copy") / "all"
        shutil.copytree(folder, copied)
        memory.close()
        folders[name] = copied
    return folders


def contents(path):
    with opened(path) as memory:
        return {
            (user, line["id"]): (line["content"], line["metadata"], line["tags"], line["created_at"], line["state"])
            for user in OWNERS
            for line in memory.of(user).transfer.export()
        }


def readable(path: Path) -> dict[str, str]:
    """What can be read row by row, whatever else is damaged."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = {}
    try:
        for owner in (1, 2):
            for seq in range((owner << 40) + 1, (owner << 40) + 40):
                try:
                    rows = db.execute("SELECT id, content FROM items JOIN texts USING (seq) WHERE seq = ?", (seq,))
                    found.update(rows.fetchall())
                except (sqlite3.Error, UnicodeDecodeError):  # noqa: PERF203
                    continue
    finally:
        db.close()
    return found


def doctor(path, capsys):
    code = main(["doctor", "--json", "--repair", "--db", str(path)])
    said = capsys.readouterr()
    assert said.err == ""
    checks = json.loads(said.out)["checks"]
    return code, [check for check in checks if check["status"] in ("warning", "problem")]


@pytest.mark.slow
def test_what_the_doctor_calls_well_is_right(originals, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    expected = {name: contents(copy_of(folder, tmp_path / f"look-{name}")) for name, folder in originals.items()}
    assert len(expected["closed"]) == len(expected["killed"]) == 44
    counts = {"well": 0, "told": 0}
    for seed in range(COPIES):
        dice = random.Random(seed)
        name = "killed" if seed % 5 == 4 else "closed"
        damage = dice.choice(ON_A_KILLED_PROCESS if name == "killed" else ON_A_CLOSED_DATABASE)
        path = copy_of(originals[name], tmp_path / str(seed))
        damage(path, dice)
        right = {content for content, *_ in expected[name].values()}
        before = {item_id for item_id, content in readable(path).items() if content in right}
        code, complaints = doctor(path, capsys)
        after = {item_id for item_id, content in readable(path).items() if content in right}
        about = f"seed {seed}: {damage.__name__}, {complaints}"
        assert before <= after, about
        if code == 0 and not complaints:
            counts["well"] += 1
            assert contents(path) == expected[name], about
        else:
            counts["told"] += 1
        shutil.rmtree(path.parent)
    assert counts["well"] + counts["told"] == COPIES
    assert counts["well"] > 20, "much can be mended"
    print(counts)
