"""Each owner has a hash chain; the chain from before is sealed, and anchors cover all of them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from tests.older_databases import before_owner_chains

from celestial_engine import CelestialMemory, Owner, Settings, StorageSettings
from celestial_engine.core.ledger.chain import Wrong
from celestial_engine.core.night.sleep import Duty
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.testing.fakes import FakeClock

NO_FILES = Settings(storage=StorageSettings(ledger_path="none"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


def opened(path: Path, clock: FakeClock | None = None, settings: Settings = NO_FILES) -> CelestialMemory:
    return CelestialMemory(path, rebalance_interval=None, clock=clock or FakeClock(), settings=settings)


@pytest.fixture
def older(path: Path) -> tuple[Path, str]:
    """A database with one chain over two owners, and the head that somebody kept of it."""
    with opened(path) as memory:
        first = memory.store("coffee")
        memory.of("mina").store("tea")
        memory.update(first.id, content="coffee with milk")
        memory.of("mina").store("juice")
    before_owner_chains(path)
    db = sqlite3.connect(path)
    seq, raw = db.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    db.close()
    return path, f"{seq}:{raw.hex()}"


def edited(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_the_chain_from_before_is_where_every_chain_begins(older):
    path, kept = older
    with opened(path) as memory:
        assert str(memory.ledger.head()) == str(memory.of("mina").ledger.head()) == kept
        assert memory.ledger.verify(kept).entries == 4
        memory.store("water")
        memory.of("mina").store("milk")
        memory.of("somebody-new").store("wine")
        for owner, numbers in (("local", [5, 3, 1]), ("mina", [5, 4, 2]), ("somebody-new", [5])):
            assert [event.number for event in memory.of(owner).ledger.history()] == numbers
        found = memory.ledger.verify(kept)
        assert (found.ok, found.entries) == (True, 7)
        assert memory.of("mina").ledger.verify(kept, all_owners=False).entries == 3
        assert memory.ledger.undo(3).content == "coffee"
        assert memory.maintenance.check() == []


def test_what_was_kept_elsewhere_before_still_tells(older):
    path, kept = older
    edited(path, "UPDATE ledger SET at = at + 1 WHERE seq = 4")
    with opened(path) as memory:
        memory.store("water")
        for found in (memory.ledger.verify(), memory.of("mina").ledger.verify(all_owners=False)):
            assert (found.fault.number, found.fault.wrong) == (4, Wrong.EDITED)
        assert memory.ledger.verify(f"3:{kept[2:]}").fault.wrong is Wrong.REWRITTEN


def test_a_tail_that_was_cut_before_stays_missing(older):
    path, _ = older
    edited(path, "DELETE FROM ledger WHERE seq = 4")
    with opened(path) as memory:
        memory.store("water")
        assert [event.number for event in memory.ledger.history(limit=1)] == [5]
        fault = memory.ledger.verify().fault
        assert (fault.number, fault.wrong) == (4, Wrong.CUT)


def test_the_sealed_head_cannot_be_replaced(older):
    path, _ = older
    with opened(path) as memory:
        memory.store("water")
    edited(path, f"UPDATE meta SET value = '4:{'a' * 64}' WHERE key = 'ledger_sealed'")
    with opened(path) as memory:
        assert memory.ledger.verify().fault.number in (4, 5)
    edited(path, "UPDATE meta SET value = 'nonsense' WHERE key = 'ledger_sealed'")
    with opened(path) as memory:
        assert not memory.ledger.verify().ok


def test_the_files_from_before_go_on(path, tmp_path):
    """The lines of the sealed chain stay as they are; later ones follow."""
    settings = Settings(storage=StorageSettings(ledger_path=str(tmp_path / "files")))
    with opened(path) as memory:
        memory.store("coffee")
        memory.of("mina").store("tea")
    before_owner_chains(path)
    with opened(path, settings=settings) as memory:
        assert memory.ledger.repair() == 2
        memory.of("mina").store("juice")
        memory.store("water")
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.missing, found.mirror.unreadable) == (True, 0, 0)
    (file,) = (tmp_path / "files").glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["user_id"], line["seq"], line.get("position")) for line in lines] == [
        ("local", 1, None),
        ("mina", 2, None),
        ("mina", 3, None),
        ("local", 3, 4),
    ]


def test_the_files_catch_up_without_their_head(path, tmp_path):
    """If the note about how far the files have come is lost, the lines themselves tell."""
    settings = Settings(storage=StorageSettings(ledger_path=str(tmp_path / "files")))
    with opened(path, settings=settings) as memory:
        for number in range(3):
            memory.store(f"coffee {number}")
            memory.of("mina").store(f"tea {number}")
        (tmp_path / "files" / "head").unlink()
        memory.of("mina").store("juice")
        assert memory.ledger.verify().mirror.missing == 0


def test_the_night_writes_an_anchor(path):
    clock = FakeClock()
    with opened(path, clock) as memory:
        memory.store("coffee")
        memory.of("mina").store("tea")
        assert memory.ledger.newest_anchor() is None
        memory.sleep(duties=[Duty.TIDY])
        first = memory.ledger.newest_anchor()
        assert first.number == 1
        memory.sleep(duties=[Duty.TIDY])
        memory.sleep(duties=[Duty.TIDY])
        assert memory.ledger.newest_anchor().number <= 3, "a night is an entry too"
        assert memory.ledger.verify(anchor=first).ok
        assert memory.ledger.verify(anchor=f"1:{'a' * 64}").fault.where == "anchor"
        assert memory.ledger.verify(anchor=f"9:{'a' * 64}").fault.wrong is Wrong.CUT


def test_only_the_damaged_chain_fails(path):
    with opened(path) as memory:
        memory.store("coffee")
        memory.of("mina").store("tea")
        memory.of("mina").store("juice")
    edited(path, "DELETE FROM ledger WHERE owner = 2 AND number = 2")
    with opened(path) as memory:
        assert memory.ledger.verify(all_owners=False).ok
        for found in (memory.ledger.verify(), memory.of("mina").ledger.verify(all_owners=False)):
            assert (found.fault.number, found.fault.wrong, found.fault.owner) == (2, Wrong.CUT, Owner("mina"))


def test_a_head_that_was_set_back_does_not_stop_the_owner(path):
    """Writing goes on under new numbers, and what happened stays visible."""
    with opened(path) as memory:
        memory.store("coffee")
        memory.store("tea")
    edited(path, "UPDATE owners SET ledger_number = NULL, ledger_hash = NULL")
    with opened(path) as memory:
        memory.store("water")
        assert [event.number for event in memory.ledger.history()] == [3, 2, 1]
        assert not memory.ledger.verify().ok


def test_chains_are_continued_by_whoever_writes_next(path):
    """Two engines on one file append to the same chain in turns."""
    with opened(path) as first, opened(path) as second:
        for number in range(4):
            (first, second)[number % 2].store(f"coffee {number}")
        assert [event.number for event in first.ledger.history()] == [4, 3, 2, 1]
        assert second.ledger.verify().ok
        with second.parts.store.read() as session:
            assert dict(session.ledger.chains()) == {LOCAL_OWNER: first.ledger.head()}
