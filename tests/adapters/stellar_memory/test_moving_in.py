"""A database and an export that stellar-memory itself has written arrive whole, zone by zone."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.importers import import_from

# Isolated: stellar-memory brings a package that is called celestial_engine as well, and here it is its own.
THEIRS = """
import json, sys, time
from stellar_memory import StellarConfig, StellarMemory
from stellar_memory.config import MemoryFunctionConfig

weights = MemoryFunctionConfig(w_recall=0.1, w_freshness=0.1, w_arbitrary=0.9)  # so that every zone has somebody
config = StellarConfig(db_path="theirs.db", memory_function=weights)
memory = StellarMemory(config)
now = time.time
time.time = lambda: now() - 30 * 86400  # what is in the cloud has been there for long
memory.store("오래전에 들은 이야기", importance=0.1)
time.time = now
core = memory.store("My name is Mina", importance=1.0, metadata={"tags": ["me"]})
inner = memory.store("미나는 부산에 산다", importance=0.6, metadata={"city": "Busan"})
outer = memory.store("Mina drinks tea in the evening", importance=0.3, metadata={"tags": ["tea", "evening"]})
memory.store("The bus was late", importance=0.05)
memory.start_session()
spoken = memory.store("The API key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH", importance=0.2)
memory.end_session(summarize=False)
memory.graph.add_edge(outer.id, spoken.id, "related_to")
memory.recall("tea", limit=1)
memory.reorbit()
with open("theirs.json", "w", encoding="utf-8") as stream:
    stream.write(memory.export_json())
memory.stop()
if sys.argv[1:] == ["killed"]:  # the write-ahead log is left behind
    import os
    os._exit(0)
"""
ZONES = {
    "My name is Mina": "core",
    "미나는 부산에 산다": "inner",
    "Mina drinks tea in the evening": "outer",
    "The bus was late": "belt",
    "오래전에 들은 이야기": "cloud",
}


@pytest.fixture(params=["stopped", "killed"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    subprocess.run([sys.executable, "-I", "-c", THEIRS, request.param], cwd=tmp_path, check=True, timeout=120)
    log = tmp_path / "theirs.db-wal"
    assert (log.exists() and log.stat().st_size > 0) == (request.param == "killed")
    return tmp_path


def rows(path: Path) -> dict[str, dict[str, object]]:
    """What their database holds, by the ids."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = [row for zone in (2, 3, 4) for row in connection.execute(f"SELECT * FROM memories_zone_{zone}")]
    connection.close()
    return {row["id"]: dict(row) for row in found}


def test_a_database_arrives_whole(memory: CelestialMemory, clock, folder):
    """Text, times, recalls, importance, tags, ties and the zone of every row; the file is not touched."""
    clock.now = 2_000_000_000.0
    files = {file: file.read_bytes() for file in folder.iterdir() if file.name.startswith("theirs.db")}
    report = import_from(memory, folder / "theirs.db")
    assert {file: file.read_bytes() for file in folder.iterdir() if file.name.startswith("theirs.db")} == files
    theirs = rows(folder / "theirs.db")
    ours = {item.metadata["imported"]["id"]: item for item in memory.list(100)}
    assert (report.format, report.added, report.skipped) == ("stellar-memory", len(theirs), {})
    assert ours.keys() == theirs.keys()
    assert len(theirs) == 4
    for identity, row in theirs.items():
        item = ours[identity]
        assert item.created_at == row["created_at"]
        assert item.metadata["imported"]["last_recalled_at"] == row["last_recalled_at"]
        assert item.recall_count == row["recall_count"]
        assert item.arbitrary_importance == row["arbitrary_importance"]
        assert item.metadata["imported"]["zone"] == ("core", "inner", "outer", "belt", "cloud")[row["zone"]]
        assert item.tier in (Tier.M90, Tier.M365)  # by how long its text stays true
        assert item.source is Source.IMPORT
    tea = next(item for item in ours.values() if "tea" in item.content)
    secret = next(item for item in ours.values() if "API key" in item.content)
    assert set(tea.tags) == {"tea", "evening"}
    assert "sk-proj" not in json.dumps(secret.to_dict())
    assert report.redacted == 1
    assert secret.time.session_id.startswith("stellar-memory:")
    assert secret.id in tea.links.related
    assert tea.id in secret.links.related


def test_the_export_brings_the_zones_that_the_database_never_had(memory: CelestialMemory, folder):
    """Core and inner are only in the export; what came from the database is known by then."""
    first = import_from(memory, folder / "theirs.db")
    second = import_from(memory, folder / "theirs.json")
    assert (first.added, second.added, second.known) == (4, 2, 4)
    zones = {item.content: item.metadata["imported"]["zone"] for item in memory.list(100)}
    assert ZONES.items() <= zones.items()
    assert second.zones == {"core": 1, "inner": 1, "outer": 2, "belt": 1, "cloud": 1}
    assert import_from(memory, folder / "theirs.json").added == 0


def test_what_was_nearer_there_is_not_farther_here(memory: CelestialMemory, clock, folder):
    """The order of the zones follows from what came with the memories: their recalls, ages and importances."""
    clock.now = max(row["last_recalled_at"] for row in rows(folder / "theirs.db").values())
    import_from(memory, folder / "theirs.json")
    seats = {item.content: item.zone for item in memory.list(100)}
    nearest_first = [seats[content] for content in ZONES]
    assert nearest_first == sorted(nearest_first)
