"""The ledger's daily files: complete after every crash, and witnesses when the database says something else."""

from __future__ import annotations

import gzip
import json
import logging
import lzma
import os
import sqlite3
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.ledger.chain import Wrong, line_of
from celestial_engine.errors import ConfigError, StorageError
from celestial_engine.testing.fakes import FakeClock

DAY_OF_THE_CLOCK = "20250615"


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "m.db"


def opened(path, clock=None, **more) -> CelestialMemory:
    return CelestialMemory(str(path), rebalance_interval=None, clock=clock, **more)


def files(path) -> dict[str, list[bytes]]:
    folder = Path(f"{path}.ledger")
    return {file.name: file.read_bytes().splitlines() for file in sorted(folder.glob("ledger-*.jsonl"))}


def numbers(path) -> list[int]:
    return [json.loads(line)["seq"] for lines in files(path).values() for line in lines]


def test_every_entry_is_a_line_of_its_day(path, clock):
    """Each line is the document with number and hash, in the file of its UTC day, private to its owner."""
    with opened(path, clock) as memory:
        item = memory.store("unmistakable-words")
        clock.advance(days=1)
        memory.forget(item.id)
        assert [len(lines) for lines in files(path).values()] == [1, 1]
        event = memory.ledger.history(limit=1)[0]
        line = json.loads(files(path)[f"ledger-{int(DAY_OF_THE_CLOCK) + 1}.jsonl"][0])
        assert line.items() >= event.to_document().items()
        assert (line["seq"], line["hash"]) == (event.number, event.hash)
        assert line["timestamp"].endswith("Z")
    folder = Path(f"{path}.ledger")
    assert (folder.stat().st_mode & 0o077, next(folder.glob("*.jsonl")).stat().st_mode & 0o077) == (0, 0)
    assert not [file for file in folder.iterdir() if b"unmistakable" in file.read_bytes()]


def test_the_head_is_kept_beside_the_files(path):
    with opened(path) as memory:
        memory.store("x")
        assert (Path(f"{path}.ledger") / "head").read_text().strip() == str(memory.ledger.head())


def test_what_a_power_cut_could_take_waits(path):
    """Recalls are not written through to the disk; they are mirrored with the next change that is, or at the end."""
    with opened(path) as memory:
        memory.store("coffee")
        memory.recall("coffee")
        assert numbers(path) == [1]
        memory.store("tea")
        assert numbers(path) == [1, 2, 3]
        memory.recall("tea")
    assert numbers(path) == [1, 2, 3, 4]


def test_a_torn_line_is_written_anew(path):
    """A crash in the middle of a line costs nothing: the line comes again below it."""
    with opened(path) as memory:
        memory.store("one")
        file = Path(memory.ledger.file())
        head = (file.parent / "head").read_text()
        memory.store("two")
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    (file.parent / "head").write_text(head)
    with opened(path) as memory:
        memory.store("three")
        found = memory.ledger.verify()
        assert found.ok
        assert (found.mirror.missing, found.mirror.unreadable) == (0, 1)
        assert found.mirror.first_unreadable == f"{file.name}:2"
    lines = file.read_bytes().splitlines()
    assert [json.loads(line)["seq"] for line in (lines[0], *lines[2:])] == [1, 2, 3]


@pytest.mark.parametrize("head", ["gone", "garbage", "empty"])
def test_without_a_head_the_files_tell_how_far_they_are(path, head):
    with opened(path) as memory:
        memory.store("one")
    note = Path(f"{path}.ledger") / "head"
    if head == "gone":
        note.unlink()
    else:
        note.write_bytes(b"" if head == "empty" else b"\xff" * 60)
    with opened(path) as memory:
        memory.store("two")
        assert numbers(path) == [1, 2]
        assert note.read_text().strip() == str(memory.ledger.head())


def test_lost_lines_are_seen_and_repaired(path):
    """Lines that somebody removed are no proof against the ledger; `repair` writes them again."""
    with opened(path) as memory:
        for number in range(6):
            memory.store(f"memory {number}")
        file = Path(memory.ledger.file())
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:2] + lines[4:]))
        found = memory.ledger.verify()
        assert found.ok
        assert found.mirror.missing == 2
        assert memory.ledger.repair() == 2
        assert memory.ledger.verify().mirror.missing == 0
        assert sorted(numbers(path)) == [1, 2, 3, 4, 5, 6]
        assert memory.ledger.repair() == 0


def test_files_that_are_gone_are_made_again(path):
    with opened(path) as memory:
        memory.store("one")
        file = Path(memory.ledger.file())
        for name in file.parent.iterdir():
            name.unlink()
        file.parent.rmdir()
        memory.store("two")
        assert numbers(path) == [1, 2]


def test_garbage_duplicates_and_empty_lines_do_no_harm(path):
    with opened(path) as memory:
        memory.store("one")
        memory.store("two")
        file = Path(memory.ledger.file())
        with file.open("ab") as stream:
            stream.write(file.read_bytes())  # twice the same, as after two processes
            stream.write(b'\xff\xfe garbage\n\n[1, 2]\n{"seq": "x", "hash": 3}\n"' + b"[" * 5_000 + b"\n")
        found = memory.ledger.verify()
        assert found.ok
        assert (found.mirror.missing, found.mirror.unreadable) == (0, 4)
        memory.store("three")
        assert memory.ledger.verify().mirror.missing == 0


def test_a_line_that_was_edited_is_no_witness(path):
    """Its hash no longer fits its words: counted as unreadable, and its entry as missing until it is repaired."""
    with opened(path) as memory:
        memory.store("one")
        file = Path(memory.ledger.file())
        file.write_bytes(file.read_bytes().replace(b'"event_type":"stored"', b'"event_type":"purged"'))
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.missing, found.mirror.unreadable) == (True, 1, 1)
        memory.ledger.repair()
        assert memory.ledger.verify().mirror.missing == 0


def test_a_mirror_that_knows_more_is_never_overwritten(path, caplog):
    """An older state of the database was put back: verify says so, and the files stay as they were."""
    with opened(path) as memory:
        memory.store("one")
    older = path.read_bytes()
    with opened(path) as memory:
        memory.store("two")
        memory.store("three")
        kept = files(path)
    path.write_bytes(older)
    with opened(path) as memory, caplog.at_level(logging.WARNING):
        found = memory.ledger.verify()
        assert (found.fault.number, found.fault.wrong, found.fault.where) == (2, Wrong.CUT, "files")
        memory.store("another two")
        memory.store("another three")
        memory.ledger.repair()
        fault = memory.ledger.verify().fault
        assert (fault.number, fault.wrong, fault.where) == (2, Wrong.REWRITTEN, "files")
        for name, lines in kept.items():
            assert files(path)[name][: len(lines)] == lines
    assert [record.levelname for record in caplog.records] == ["WARNING"], "said once"


def test_a_writer_beside_a_verification_cuts_nothing(path, monkeypatch):
    """Another process stores something each time, after the table was read and before the files are."""
    with opened(path) as memory, opened(path) as other:
        memory.store("one")
        mirror = memory.parts.store.mirror
        lines = mirror.lines

        def lines_after_a_write():
            other.store("something else")
            return lines()

        monkeypatch.setattr(mirror, "lines", lines_after_a_write)
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.lines, found.mirror.missing) == (True, 2, 0)
        monkeypatch.undo()
        assert memory.ledger.verify().entries == 2


def test_a_folder_that_cannot_be_written_costs_one_warning(path, caplog):
    """Nothing is lost: the memory is stored, and the files catch up when they can."""
    folder = Path(f"{path}.ledger")
    folder.write_text("a file in the way")
    with opened(path) as memory, caplog.at_level(logging.WARNING):
        memory.store("one")
        memory.store("two")
        assert len(caplog.records) == 1
        assert "cannot be written" in caplog.text
        assert memory.ledger.verify().ok
        folder.unlink()
        memory.store("three")
        assert numbers(path) == [1, 2, 3]
        assert len(caplog.records) == 1


def test_a_full_disk_tears_a_line_and_heals(path, monkeypatch):
    with opened(path) as memory:
        memory.store("one")
        write = os.write

        def half(file, data):
            return write(file, data[: len(data) // 2]) if len(data) > 200 else write(file, data)

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", half)
            memory.store("two")
        memory.store("three")
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.missing, found.mirror.unreadable) == (True, 0, 1)


def test_a_clock_that_jumps_only_chooses_the_file(path, clock):
    """Order is by number; a year that no calendar has is its nearest day."""
    with opened(path, clock) as memory:
        for moment in (clock.now, -9e10, 9e10, 0.0, clock.now - 86_400):
            clock.now = moment
            memory.store("x")
        assert memory.ledger.verify().ok
        assert memory.ledger.verify().mirror.missing == 0
    names = list(files(path))
    assert names[0] == "ledger-00010101.jsonl"
    assert "ledger-19700101.jsonl" in names
    assert len(names) == 5


def test_past_months_are_packed(path, clock):
    """Packed files are verified like the others, and lines that are repaired later join them."""
    with opened(path, clock) as memory:
        memory.store("one")
        file = Path(memory.ledger.file())
        clock.advance(days=40)
        memory.store("two")
        packed = file.with_name(f"{file.name[:13]}.jsonl.xz")
        assert memory.ledger.compress() == [packed.name]
        assert not file.exists()
        assert memory.ledger.verify().mirror.missing == 0
        assert memory.ledger.compress() == []
        packed.write_bytes(lzma.compress(b""))
        assert memory.ledger.verify().mirror.missing == 1
        assert memory.ledger.repair() == 1
        assert memory.ledger.compress() == [packed.name]
        assert memory.ledger.verify().mirror.missing == 0
        packed.write_bytes(packed.read_bytes()[:-20])
        found = memory.ledger.verify()
        assert found.ok
        assert found.mirror.unreadable == 1
        packed.write_bytes(b"nothing packed")
        assert memory.ledger.verify().mirror.unreadable == 1


def test_files_that_an_older_release_packed_join_their_month(path, clock):
    """It packed each day on its own. A crash may have left a day beside its month: each line stays once."""
    with opened(path, clock) as memory:
        memory.store("one")
        first = Path(memory.ledger.file())
        clock.advance(days=1)
        memory.store("two")
        second = Path(memory.ledger.file())
        lines = first.read_bytes()
        Path(f"{first}.gz").write_bytes(gzip.compress(lines))
        clock.advance(days=40)
        memory.store("three")
        (packed,) = memory.ledger.compress()
        assert not any(file.exists() for file in (first, second, Path(f"{first}.gz")))
        first.write_bytes(lines)
        assert memory.ledger.compress() == [packed]
        assert lzma.decompress((first.parent / packed).read_bytes()).count(b"\n") == 2
        found = memory.ledger.verify()
        assert found.ok
        assert (found.mirror.missing, found.mirror.lines) == (0, found.entries)


def test_a_damaged_month_is_left_as_it_is(path, clock):
    """It is evidence; the days that came later wait beside it."""
    with opened(path, clock) as memory:
        memory.store("one")
        first = Path(memory.ledger.file())
        clock.advance(days=40)
        memory.store("two")
        (name,) = memory.ledger.compress()
        packed = first.parent / name
        packed.write_bytes(b"damaged")
        assert memory.ledger.repair() == 1
        with pytest.raises(StorageError):
            memory.ledger.compress()
        memory.sleep(duties=["tidy"])
        assert packed.read_bytes() == b"damaged"
        assert first.exists()
        assert memory.ledger.verify().ok


def test_sleep_packs_the_files_of_past_months(path, clock):
    """This month's files stay as they are; packed ones are verified like the others."""
    with opened(path, clock=clock) as memory:
        memory.store("one")
        first = Path(memory.ledger.file())
        clock.advance(days=40)
        memory.store("two")
        second = Path(memory.ledger.file())
        memory.sleep(duties=["tidy"])
        assert not first.exists()
        assert first.with_name(f"{first.name[:13]}.jsonl.xz").exists()
        assert second.exists()
        memory.store("three")  # the night's own entry follows with a change that is on disk
        found = memory.ledger.verify()
        assert found.ok
        assert found.mirror.missing == 0
        assert memory.ledger.compress() == []


def test_where_the_files_are(tmp_path, monkeypatch):
    """Beside the database, or where the parameter or CELESTIAL_LEDGER says; `none` and RAM have none."""
    with opened(
        tmp_path / "a.db", settings=Settings(storage=StorageSettings(ledger_path=tmp_path / "elsewhere"))
    ) as memory:
        memory.store("x")
        assert memory.ledger.file().startswith(str(tmp_path / "elsewhere"))
    assert not (tmp_path / "a.db.ledger").exists()
    monkeypatch.setenv("CELESTIAL_LEDGER", str(tmp_path / "from-environment"))
    with opened(tmp_path / "b.db") as memory:
        memory.store("x")
        assert memory.ledger.file().startswith(str(tmp_path / "from-environment"))
    monkeypatch.setenv("CELESTIAL_LEDGER", "none")
    with opened(tmp_path / "c.db") as memory:
        memory.store("x")
        assert memory.ledger.file() is None
        assert memory.ledger.verify().mirror is None
        assert (memory.ledger.repair(), memory.ledger.compress()) == (0, [])
    monkeypatch.delenv("CELESTIAL_LEDGER")
    with opened(":memory:") as memory:
        memory.store("x")
        assert memory.ledger.file() is None
        assert memory.ledger.verify().ok
    with pytest.raises(ConfigError, match="ledger_path"):
        opened(tmp_path / "d.db", settings=Settings(storage=StorageSettings(ledger_path="")))


def test_an_old_database_gets_its_chain(path, clock):
    """Entries from before there was a chain are chained when the file is opened, and mirrored with the next."""
    from celestial_engine.storage.sqlite.schema import migrations as schema

    before = next(n for n, migration in enumerate(schema.MIGRATIONS) if "ledger ADD COLUMN hash" in str(migration))
    db = sqlite3.connect(path)
    for migration in schema.MIGRATIONS[:before]:
        for statement in migration:
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {before}")
    db.execute("INSERT INTO owners (user_id, agent_id) VALUES ('local', 'default')")
    for number in range(3):
        db.execute(
            "INSERT INTO ledger (at, type, owner, item_id, detail) VALUES (?, 'recalled', 1, 'm1', ?)",
            (clock.now + number, '{"zone":2,"context":0.25}'),
        )
    db.commit()
    db.close()
    with opened(path, clock) as memory:
        assert memory.ledger.verify().ok
        assert memory.ledger.verify().entries == 3
        assert memory.ledger.history("m1")[0].detail == {"zone": 2, "context": 0.25}
        memory.store("x")
        assert numbers(path) == [1, 2, 3, 4]
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.Error, match="append-only"):
        db.execute("UPDATE ledger SET hash = NULL")
    db.close()


def test_a_line_can_be_checked_without_the_database(path):
    """The line holds all that the chain is made of."""
    with opened(path) as memory:
        memory.store("x")
        with memory.parts.store.read() as session:
            (entry,) = session.ledger.entries(memory.owner, 0, 1)
    line = json.loads(files(path).popitem()[1][0])
    assert line == json.loads(line_of(entry))
    assert {
        "seq",
        "at",
        "type",
        "user_id",
        "agent_id",
        "memory_id",
        "session_id",
        "detail",
        "version",
        "hash",
    } <= set(line)


def test_a_late_mirror_catches_up_step_by_step(path, monkeypatch):
    """Who switches the files on late does not wait for all of the past at once."""
    from celestial_engine.storage import ledger_files

    monkeypatch.setattr(ledger_files, "_MOST_AT_ONCE", 4)
    with opened(path, settings=Settings(storage=StorageSettings(ledger_path="none"))) as memory:
        memory.store_many([f"memory {number}" for number in range(10)])
    with opened(path) as memory:
        memory.store("one")
        assert numbers(path) == [1, 2, 3, 4]
        memory.store("two")
        memory.store("three")
        memory.store("four")
        assert numbers(path) == list(range(1, 15))


def test_owners_share_the_files_and_not_the_view(path):
    """The files are everybody's; each has a chain of their own, and nobody sees another's entries."""
    with opened(path, FakeClock()) as memory:
        memory.store("mine")
        memory.of("mina").store("yours")
        assert numbers(path) == [1, 1]
        lines = [json.loads(line) for lines in files(path).values() for line in lines]
        assert [(line["user_id"], line.get("position")) for line in lines] == [("local", None), ("mina", 2)]
        assert [event.number for event in memory.ledger.history()] == [1]
        assert [event.number for event in memory.of("mina").ledger.history()] == [1]
        assert memory.ledger.verify().entries == 2
        assert memory.ledger.verify(all_owners=False).entries == 1
        assert memory.of("mina").ledger.verify(all_owners=False).mirror.lines == 1


def test_files_that_were_set_aside_are_kept(path, clock):
    """Who puts an older database back moves the witnesses away, and a new mirror begins."""
    with opened(path, clock) as memory:
        memory.store("one")
    older = path.read_bytes()
    with opened(path, clock) as memory:
        memory.store("two")
    path.write_bytes(older)
    with opened(path, clock) as memory:
        kept = files(path)
        first, again = memory.parts.store.mirror.set_aside(clock.now), memory.parts.store.mirror.set_aside(clock.now)
        assert again is None
        assert sorted(Path(first).glob("*.jsonl"))[0].read_bytes().splitlines() == next(iter(kept.values()))
        memory.store("another two")
        found = memory.ledger.verify()
        assert (found.ok, found.mirror.missing) == (True, 0)
        assert memory.parts.store.mirror.set_aside(clock.now) == f"{first}-2"
