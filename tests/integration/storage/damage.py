"""Damages a copy of a database in one of many ways, all chosen by a seed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

PAGE = 4096
Damage = Callable[[Path, random.Random], None]


def _flip_bits(file: Path, dice: random.Random, most: int = 8) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(dice.randint(1, most)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    file.write_bytes(bytes(data))


def flipped_bits(path: Path, dice: random.Random) -> None:
    _flip_bits(path, dice)


def flipped_bit_in_a_text(path: Path, dice: random.Random) -> None:
    """Where SQLite notices nothing: in the letters of a memory."""
    data = bytearray(path.read_bytes())
    places = [place for place in range(len(data)) if data.startswith(b"marker-", place)]
    data[dice.choice(places) + dice.randrange(7)] ^= 1 << dice.randrange(5)
    path.write_bytes(bytes(data))


def zeroed_page(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    start = dice.randrange(1, len(data) // PAGE) * PAGE
    data[start : start + PAGE] = bytes(PAGE)
    path.write_bytes(bytes(data))


def swapped_pages(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    one, two = (page * PAGE for page in dice.sample(range(1, len(data) // PAGE), 2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]
    path.write_bytes(bytes(data))


def stale_page(path: Path, dice: random.Random) -> None:
    """A write that the disk acknowledged and lost: the page is as it was in the older copy."""
    old, data = path.with_suffix(".older").read_bytes(), bytearray(path.read_bytes())
    pages = [
        page
        for page in range(1, min(len(old), len(data)) // PAGE)
        if old[page * PAGE : (page + 1) * PAGE] != data[page * PAGE : (page + 1) * PAGE]
    ]
    start = dice.choice(pages) * PAGE
    data[start : start + PAGE] = old[start : start + PAGE]
    path.write_bytes(bytes(data))


def torn_page(path: Path, dice: random.Random) -> None:
    """Half of a page is the older one."""
    old, data = path.with_suffix(".older").read_bytes(), bytearray(path.read_bytes())
    start = dice.randrange(1, min(len(old), len(data)) // PAGE) * PAGE
    cut = dice.randrange(512, PAGE, 512)
    data[start + cut : start + PAGE] = old[start + cut : start + PAGE]
    path.write_bytes(bytes(data))


def cut_short(path: Path, dice: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: dice.randrange(100, len(data))])


def deleted_log(path: Path, dice: random.Random) -> None:
    log = path.with_name(path.name + "-wal")
    log.unlink()
    path.with_name(path.name + "-shm").unlink(missing_ok=True)


def cut_log(path: Path, dice: random.Random) -> None:
    log = path.with_name(path.name + "-wal")
    log.write_bytes(log.read_bytes()[: dice.randrange(32, log.stat().st_size)])


def flipped_log(path: Path, dice: random.Random) -> None:
    _flip_bits(path.with_name(path.name + "-wal"), dice)


EDITS = (
    "INSERT INTO words (words) VALUES ('delete-all')",
    "UPDATE texts SET content = replace(content, 'marker', 'Marker') WHERE seq % 3 = 0",
    "UPDATE texts SET metadata = '{}' WHERE metadata != '{}'",
    "UPDATE items SET created_at = created_at - 86400 WHERE seq % 5 = 0",
    "UPDATE items SET tier = 'M99' WHERE seq % 7 = 0",
    "UPDATE owners SET orbiting = orbiting + 1",
    "DELETE FROM facet_bits",
    "DELETE FROM spans",
    "DELETE FROM sayings",
    "DELETE FROM relations WHERE number = 0",
    "UPDATE entities SET degree = 7",
    "UPDATE vectors SET embedding = substr(embedding, 1, 8) WHERE seq % 2 = 0",
    "DELETE FROM texts WHERE seq % 6 = 0",
    "DELETE FROM items WHERE seq % 6 = 1",
    "DROP INDEX items_newest",
    "DROP TRIGGER ledger_is_kept; DELETE FROM ledger WHERE seq = 3",
    "DROP TRIGGER ledger_is_true; UPDATE ledger SET at = at + 1 WHERE seq = 5",
    "DROP TRIGGER ledger_is_kept; DELETE FROM ledger WHERE seq > 20",
    "UPDATE owners SET ledger_number = 1",
    "UPDATE versions SET memory = '{}'",
    "DELETE FROM meta WHERE key = 'analyser'",
    "UPDATE archived SET file = file || 'x'",
)


def edited_rows(path: Path, dice: random.Random) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA foreign_keys = OFF")
    db.executescript(dice.choice(EDITS))
    db.commit()
    db.close()


def damaged_ledger_files(path: Path, dice: random.Random) -> None:
    file = dice.choice(sorted(path.with_name(path.name + ".ledger").glob("*.jsonl")))
    match dice.randrange(4):
        case 0:
            file.unlink()
        case 1:
            _flip_bits(file, dice)
        case 2:
            file.write_bytes(file.read_bytes()[: dice.randrange(file.stat().st_size)])
        case _:
            file.write_bytes(file.read_bytes() + b'{"seq": "x"}\nnonsense')


def damaged_archive(path: Path, dice: random.Random) -> None:
    file = dice.choice(sorted(path.with_name(path.name + ".archive").iterdir()))
    match dice.randrange(3):
        case 0:
            file.unlink()
        case 1:
            _flip_bits(file, dice)
        case _:
            file.write_bytes(file.read_bytes()[: dice.randrange(file.stat().st_size)])


ON_A_CLOSED_DATABASE: tuple[Damage, ...] = (
    flipped_bits, flipped_bit_in_a_text, zeroed_page, swapped_pages, stale_page, torn_page, cut_short, edited_rows,
    edited_rows, damaged_ledger_files, damaged_archive,
)  # fmt: skip
ON_A_KILLED_PROCESS: tuple[Damage, ...] = (deleted_log, cut_log, flipped_log)


def copy_of(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target / "m.db"
