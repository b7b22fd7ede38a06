"""Whoever edits the database behind the engine's back is found out, and told where it began."""

from __future__ import annotations

import itertools
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, Owner, Settings, StorageSettings
from celestial_engine.core.ledger.chain import Entry, Wrong, digest
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.flow.ledger.verify import verify
from celestial_engine.storage.ledger_files import LedgerFiles
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.packed_recall import unpacked
from celestial_engine.testing.fakes import FakeClock

COLUMNS = "number, at, type, owner, item_id, session_id, detail, host, version, hash"


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> Path:
    """A database with a life behind it: two owners, host events, versions, a purge."""
    path = tmp_path_factory.mktemp("ledger") / "m.db"
    clock = FakeClock()
    with CelestialMemory(
        str(path),
        rebalance_interval=None,
        clock=clock,
        embedder="none",
        settings=Settings(storage=StorageSettings(words="pairs")),
    ) as memory:
        ids = [memory.store(f"기억 {number}", importance=number / 10).id for number in range(8)]
        memory.forget(ids.pop())
        clock.advance(days=8)
        memory.rebalance()
        for item_id in ids[:4]:
            memory.update(item_id, content=f"새로운 {item_id}")
            memory.pin(item_id)
        memory.recall("새로운")
        memory.ledger.anchor()
        memory.ledger.undo(
            next(event.number for event in memory.ledger.history(ids[0]) if event.type.value == "pinned")
        )
        for number in range(3):
            memory.of("mina").store(f"somebody else's {number}")
        memory.ledger.log("s1", "rune_report", "thesis", ids[0], {"rhythm_phase": "planning"}, {"impact_score": 0.5})
        memory.ledger.log("s1", "tool_call", "thesis", None, None, None, {"action": "reorder"})
        assert memory.ledger.verify().ok
        assert memory.ledger.verify().entries > 25
    return path


class Tampering:
    """One random manipulation with raw SQL; tells the first entry that is wrong then. Most are in the first chain."""

    def __init__(self, db: sqlite3.Connection, dice: random.Random) -> None:
        self.db, self.dice = db, dice
        self.last = db.execute("SELECT max(number) FROM ledger WHERE owner = 1").fetchone()[0]
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")

    def somewhere(self, low=1, high=None) -> int:
        return self.dice.randint(low, self.last if high is None else high)

    def edit(self) -> int:
        number = self.somewhere()
        row = self.row(number)
        changes = {
            "at": row["at"] + self.dice.choice((-1.0, 1e-3, 3600.0)),
            "type": self.dice.choice([name for name in ("stored", "recalled", "nonsense") if name != row["type"]]),
            "owner": 3,
            "item_id": self.dice.choice(("somebody", "")) if row["item_id"] is None else row["item_id"][::-1],
            "session_id": "s2" if row["session_id"] else "",
            "detail": self.dice.choice((row["detail"] + " ", '{"zone":99}', "{", row["detail"].encode() or b"x")),
            "host": "{}" if row["host"] is None else None,
            "version": bytes(32) if row["version"] is None else None,
            "hash": self.dice.choice((bytes(32), "text", row["hash"][::-1])),
        }
        column = self.dice.choice(list(changes))
        self.db.execute(f"UPDATE ledger SET {column} = ? WHERE owner = 1 AND number = ?", (changes[column], number))
        return number

    def no_text(self) -> int:
        number = self.somewhere()
        self.db.execute("UPDATE ledger SET detail = CAST(x'fffe' AS TEXT) WHERE owner = 1 AND number = ?", (number,))
        return number

    def remove(self) -> int:
        number = self.somewhere(high=self.last - 1)
        self.db.execute("DELETE FROM ledger WHERE owner = 1 AND number = ?", (number,))
        return number

    def insert(self) -> int:
        number = self.somewhere()
        row = self.row(self.somewhere())
        self.db.execute("UPDATE ledger SET number = -number - 1 WHERE owner = 1 AND number >= ?", (number,))
        self.db.execute("UPDATE ledger SET number = -number WHERE number < 0")
        forged = {**row, "number": number, "item_id": "forged"}
        if self.dice.random() < 0.5:  # by somebody who knows how the hash is made
            forged["hash"] = self.hash_of(forged)
        self.db.execute(f"INSERT INTO ledger ({COLUMNS}) VALUES ({', '.join('?' * 10)})", list(forged.values()))
        return number

    def reorder(self) -> int:
        first, second = sorted(self.dice.sample(range(1, self.last + 1), 2))
        for old, new in ((first, -1), (second, first), (-1, second)):
            self.db.execute("UPDATE ledger SET number = ? WHERE owner = 1 AND number = ?", (new, old))
        return first

    def cut(self) -> int:
        number = self.somewhere()
        self.db.execute("DELETE FROM ledger WHERE owner = 1 AND number >= ?", (number,))
        if self.dice.random() < 0.5:  # by somebody who covers the traces
            self.set_head()
        return number

    def cut_another(self) -> int:
        """The tail of another owner's chain, by somebody who knows where the head is."""
        self.db.execute("DELETE FROM ledger WHERE owner = 2 AND number >= 2")
        if self.dice.random() < 0.5:
            self.set_head(2)
        return 2

    def forge_before_the_first(self) -> int:
        """An entry with a number that no chain has."""
        forged = {**self.row(1), "number": self.dice.choice((0, -1)), "item_id": "forged"}
        self.db.execute(f"INSERT INTO ledger ({COLUMNS}) VALUES ({', '.join('?' * 10)})", list(forged.values()))
        return int(forged["number"])

    def append(self) -> int:
        """A forged entry after the last one, with the right hash."""
        forged = {**self.row(1), "number": self.last + 1, "item_id": "forged"}
        forged["hash"] = self.hash_of(forged)
        self.db.execute(f"INSERT INTO ledger ({COLUMNS}) VALUES ({', '.join('?' * 10)})", list(forged.values()))
        return self.last + 1

    def swap_chains(self) -> int:
        """All entries of two owners, with their heads."""
        for old, new in ((1, 3), (2, 1), (3, 2)):
            self.db.execute("UPDATE ledger SET owner = ? WHERE owner = ?", (new, old))
        self.set_head(1)
        self.set_head(2)
        return 1

    def swap_heads(self) -> int:
        heads = self.db.execute("SELECT ledger_number, ledger_hash FROM owners ORDER BY owner LIMIT 2").fetchall()
        for owner, head in zip((2, 1), heads, strict=True):
            self.db.execute("UPDATE owners SET ledger_number = ?, ledger_hash = ? WHERE owner = ?", (*head, owner))
        return min(number for number, _ in heads) + 1

    def swap_owners(self) -> int:
        for number, name in ((1, "nobody"), (2, "local"), (1, "mina")):
            self.db.execute("UPDATE owners SET user_id = ? WHERE owner = ?", (name, number))
        return 1

    def remove_owner(self) -> int:
        self.db.execute("DELETE FROM owners WHERE owner = 2")
        return 1

    def remove_chain(self) -> int:
        for table in ("ledger", "owners"):
            self.db.execute(f"DELETE FROM {table} WHERE owner = 2")
        return 1

    def edit_anchor(self) -> int:
        table, change = self.dice.choice((("anchors", "at = at + 1"), ("anchor_heads", "number = number - 1")))
        self.db.execute(f"UPDATE {table} SET {change}")
        return 1

    def rewrite(self) -> int:
        """Another past, whose every hash is right."""
        number = self.somewhere()
        self.db.execute("UPDATE ledger SET at = at + 60 WHERE owner = 1 AND number = ?", (number,))
        for place in range(number, self.last + 1):
            self.db.execute(
                "UPDATE ledger SET hash = ? WHERE owner = 1 AND number = ?", (self.hash_of(self.row(place)), place)
            )
        self.set_head()
        return number

    def rename_owner(self) -> int:
        self.db.execute("UPDATE owners SET user_id = 'thief' WHERE user_id = 'local'")
        return 1

    def edit_version(self) -> int:
        (number,) = self.dice.choice(self.db.execute("SELECT number FROM versions").fetchall())
        change = self.dice.choice(("memory = replace(memory, '기억', '거짓')", "salt = x'00'", "memory = x'00'"))
        self.db.execute(f"UPDATE versions SET {change} WHERE number = ?", (number,))
        if self.db.execute("SELECT memory FROM versions WHERE number = ?", (number,)).fetchone()[0] == b"\0":
            return number
        self.db.execute("UPDATE versions SET memory = memory || ' ' WHERE number = ?", (number,))
        return number

    def remove_version(self) -> int:
        (number,) = self.dice.choice(self.db.execute("SELECT number FROM versions WHERE owner = 1").fetchall())
        self.db.execute("DELETE FROM versions WHERE number = ?", (number,))
        return number

    def rename_recalled(self) -> int:
        """Another memory than the one that a question recalled."""
        ref, number = self.db.execute(
            "SELECT ref, min(number) FROM ledger_references WHERE owner = 1 GROUP BY ref"
        ).fetchone()
        self.db.execute("UPDATE ledger_memories SET item_id = 'forged' WHERE owner = 1 AND ref = ?", (ref,))
        return int(number)

    def edit_packed(self) -> int:
        """One bit of what a question recalled."""
        number, raw = self.db.execute("SELECT number, host FROM ledger WHERE typeof(host) = 'blob'").fetchone()
        place = self.dice.randrange(len(raw))
        changed = raw[:place] + bytes([raw[place] ^ 1 << self.dice.randrange(8)]) + raw[place + 1 :]
        self.db.execute("UPDATE ledger SET host = ? WHERE owner = 1 AND number = ?", (changed, number))
        return int(number)

    def row(self, number: int) -> dict:
        values = self.db.execute(f"SELECT {COLUMNS} FROM ledger WHERE owner = 1 AND number = ?", (number,)).fetchone()
        row = dict(zip(COLUMNS.split(", "), values, strict=True))
        if isinstance(row["host"], bytes):
            names = dict(self.db.execute("SELECT ref, item_id FROM ledger_memories WHERE owner = 1"))
            row["detail"], row["host"] = unpacked(row["host"], names)
        return row

    def set_head(self, owner: int = 1) -> None:
        head = self.db.execute(
            "SELECT number, hash FROM ledger WHERE owner = ? ORDER BY number DESC LIMIT 1", (owner,)
        ).fetchone()
        self.db.execute(
            "UPDATE owners SET ledger_number = ?, ledger_hash = ? WHERE owner = ?", (*(head or (None, None)), owner)
        )

    def hash_of(self, row: dict) -> bytes:
        before = self.db.execute(
            "SELECT hash FROM ledger WHERE owner = 1 AND number = ?", (row["number"] - 1,)
        ).fetchone()
        user, agent = self.db.execute(
            "SELECT user_id, agent_id FROM owners WHERE owner = ?", (row["owner"],)
        ).fetchone()
        version = None if row["version"] is None else row["version"].hex()
        entry = Entry(row["number"], row["at"], row["type"], user, agent, row["item_id"], row["session_id"],
                      row["detail"], row["host"], version)  # fmt: skip
        return bytes.fromhex(digest(before[0].hex() if before else "0" * 64, entry))


TOOLS = ("row", "hash_of", "set_head", "somewhere")
KINDS = [name for name in vars(Tampering) if name not in TOOLS and not name.startswith("_")]


@pytest.mark.parametrize("rounds", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_random_manipulations_are_all_found(original, tmp_path, rounds):
    """Edited, removed, inserted, reordered, cut or rewritten: each is noticed, at the entry where it begins."""
    dice = random.Random(rounds)
    target = tmp_path / "m.db"
    mirror = LedgerFiles(f"{original}.ledger")
    for number, kind in zip(range(rounds), itertools.cycle(KINDS), strict=False):
        shutil.copyfile(original, target)
        db = sqlite3.connect(target)
        db.execute("PRAGMA synchronous = OFF")
        expected = getattr(Tampering(db, dice), kind)()
        db.commit()
        db.close()
        store = SqliteStore(str(target), mirror=mirror)
        try:
            found = verify(store, LOCAL_OWNER)
        finally:
            store.close()
        assert found.fault is not None, f"round {number}: {kind} at {expected} was not noticed"
        assert found.fault.number == expected, f"round {number}: {kind} at {expected}, said {found.fault}"


@pytest.mark.parametrize(("kind", "wrong"), [("rewrite", Wrong.REWRITTEN), ("cut", Wrong.CUT)])
def test_without_files_an_anchor_tells(original, tmp_path, kind, wrong):
    """Somebody careful who also sets the head in the owner's row contradicts the anchor over it."""
    target = tmp_path / "m.db"
    shutil.copyfile(original, target)
    db = sqlite3.connect(target)
    tampering = Tampering(db, random.Random(1))
    (anchored,) = db.execute("SELECT number FROM anchor_heads WHERE owner = 1").fetchone()
    tampering.somewhere = lambda: anchored - 1
    getattr(tampering, kind)()
    tampering.set_head()
    db.execute("DELETE FROM versions WHERE (owner, number) NOT IN (SELECT owner, number FROM ledger)")
    db.commit()
    db.close()
    store = SqliteStore(str(target))
    for all_owners in (True, False):
        fault = verify(store, LOCAL_OWNER, all_owners=all_owners).fault
        expected = anchored if kind == "rewrite" else anchored - 1
        assert (fault.number, fault.wrong, fault.where, fault.owner) == (expected, wrong, "anchor", LOCAL_OWNER)
    assert verify(store, Owner("mina"), all_owners=False).ok, "the chain of another is whole"
    store.close()


@pytest.mark.parametrize("with_head", [False, True])
def test_without_files_a_head_kept_elsewhere_tells(original, tmp_path, with_head):
    """A chain that was rewritten or cut by somebody careful holds in itself; only what is kept elsewhere knows."""
    for kind, wrong in (("rewrite", Wrong.REWRITTEN), ("cut", Wrong.CUT)):
        target = tmp_path / f"{kind}.db"
        shutil.copyfile(original, target)
        with CelestialMemory(
            str(target), rebalance_interval=None, settings=Settings(storage=StorageSettings(ledger_path="none"))
        ) as memory:
            head = memory.ledger.head()
        db = sqlite3.connect(target)
        dice = random.Random(1)
        tampering = Tampering(db, dice)
        expected = getattr(tampering, kind)()
        tampering.set_head()
        db.execute("DELETE FROM versions WHERE (owner, number) NOT IN (SELECT owner, number FROM ledger)")
        db.execute("DELETE FROM anchor_heads")
        db.execute("DELETE FROM anchors")
        db.commit()
        db.close()
        with CelestialMemory(
            str(target), rebalance_interval=None, settings=Settings(storage=StorageSettings(ledger_path="none"))
        ) as memory:
            found = memory.ledger.verify(str(head) if with_head else None)
        if not with_head:
            assert found.ok
        else:
            assert found.fault.wrong is wrong
            assert found.fault.number == (expected if kind == "cut" else head.number)


def test_a_cut_tail_leaves_a_gap_for_good(original, tmp_path):
    """Numbers are not given twice: what is written after a cut cannot fill the hole."""
    target = tmp_path / "m.db"
    shutil.copyfile(original, target)
    db = sqlite3.connect(target)
    db.execute("DROP TRIGGER ledger_is_kept")
    (last,) = db.execute("SELECT max(number) FROM ledger WHERE owner = 1").fetchone()
    db.execute("DELETE FROM ledger WHERE owner = 1 AND number > ?", (last - 3,))
    db.commit()
    db.close()
    with CelestialMemory(
        str(target), rebalance_interval=None, settings=Settings(storage=StorageSettings(ledger_path="none"))
    ) as memory:
        memory.store("written later")
        written = [event.number for event in memory.ledger.history(limit=9) if event.number > last - 3]
        assert min(written) == last + 1
        fault = memory.ledger.verify().fault
        assert (fault.number, fault.wrong) == (last - 2, Wrong.MISSING)
