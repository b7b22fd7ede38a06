"""The files of a database have one home: beside it, or a folder that servers can share."""

from __future__ import annotations

from pathlib import Path

import pytest

from celestial_engine import (
    CelestialMemory,
    KeepingSettings,
    RetentionPolicy,
    Settings,
    StorageSettings,
    restore_backup,
)
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import ConfigError, InvalidInputError
from celestial_engine.storage.home import FileHome


def opened(path: Path, clock, **storage) -> CelestialMemory:
    return CelestialMemory(
        path,
        rebalance_interval=None,
        clock=clock,
        settings=Settings(storage=StorageSettings(**storage), keeping=KeepingSettings(time="calendar")),
    )


def filled(memory: CelestialMemory, clock) -> None:
    memory.store("peach", session_id="s")
    clock.advance(days=31)
    memory.departures.retain(RetentionPolicy(archive_after_days=30))
    memory.self.write_soul()
    memory.of("mina").self.write_soul()


def names(folder: Path) -> set[str]:
    return {file.name.partition("-")[0] for file in folder.iterdir()}


def test_everything_is_beside_the_database(tmp_path, clock):
    with opened(tmp_path / "m.db", clock) as memory:
        filled(memory, clock)
    assert {"m.db", "m.db.ledger", "m.db.archive", "SOUL.md", "SOUL"} <= names(tmp_path)


def test_everything_is_in_one_folder(tmp_path, clock, monkeypatch):
    """Also when the environment names it; two engines with the same folder see the same files."""
    home = tmp_path / "home"
    monkeypatch.setenv("CELESTIAL_FILES", str(home))
    with opened(tmp_path / "m.db", clock) as memory:
        filled(memory, clock)
        assert memory.ledger.verify().mirror.missing == 0
        assert memory.maintenance.check() == []
    assert names(home) == {"ledger", "archive", "SOUL.md", "SOUL"}
    assert not (tmp_path / "m.db.ledger").exists()
    monkeypatch.delenv("CELESTIAL_FILES")
    with opened(tmp_path / "m.db", clock, files_path=home) as memory:
        assert Path(memory.ledger.file()).parent == home / "ledger"
        assert memory.maintenance.status().archive_path == str(home / "archive")
        assert memory.maintenance.check() == []


def test_a_path_of_its_own_comes_first(tmp_path, clock):
    with opened(tmp_path / "m.db", clock, files_path=tmp_path / "home", ledger_path=tmp_path / "log") as memory:
        memory.store("peach")
    assert list((tmp_path / "log").glob("*.jsonl"))
    assert not (tmp_path / "home" / "ledger").exists()


def test_a_restored_database_has_its_archives_at_home(tmp_path, clock, monkeypatch):
    monkeypatch.setenv("CELESTIAL_FILES", str(tmp_path / "home"))
    with opened(tmp_path / "m.db", clock) as memory:
        filled(memory, clock)
        (item,) = memory.transfer.export()
        memory.transfer.backup(tmp_path / "b.db")
    for file in (tmp_path / "home" / "archive").iterdir():
        file.unlink()
    restore_backup(tmp_path / "b.db", tmp_path / "m.db", clock=clock)
    with opened(tmp_path / "m.db", clock) as memory:
        assert memory.get(item["id"]).content == "peach"


def test_a_home_must_be_a_path(tmp_path, clock):
    with pytest.raises(ConfigError, match="files_path"):
        opened(tmp_path / "m.db", clock, files_path="a\0b")


def test_soul_files_are_apart():
    home = FileHome("/data/m.db", "/shared")
    assert home.soul(LOCAL_OWNER) == str(Path("/shared/SOUL.md"))
    assert home.soul(Owner("a", "b-c")) != home.soul(Owner("a-b", "c"))
    with pytest.raises(InvalidInputError):
        FileHome(":memory:").soul(LOCAL_OWNER)
