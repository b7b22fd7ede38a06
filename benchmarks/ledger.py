"""The cost of the ledger: `python -m benchmarks.ledger`. Stores with it, without its files, and without it.

The three are measured in turns, a few memories each, so that whatever else the machine does hits all alike. Then the
space that recalls take for good: five hits each, in the database and in the files of a month that was packed.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.data import Corpus
from benchmarks.measure import Fact, Figure, Stopwatch, on_one_core, percentile, say
from benchmarks.report import table
from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.connections import Durability
from celestial_engine.storage.sqlite.items.ledger import SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.session import SqliteWriter
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.store import SqliteStore
from celestial_engine.testing.fakes import FakeClock

_TURN = 20
_LIMIT = 0.20
_RECALL_KILOBYTES = 0.3  # 3 MB for 10,000 recalls
_HITS = 5
_PLACES = ("garden", "harbour", "kitchen", "library", "workshop", "orchard", "market", "studio", "bakery", "station")
_THINGS = (
    "roof",
    "wall",
    "lamp",
    "table",
    "window",
    "clock",
    "gate",
    "stove",
    "ladder",
    "sink",
    "floor",
    "shelf",
    "door",
)
_WORDS = [f"the {place} {thing}" for place in _PLACES for thing in _THINGS]
_WITH, _CHAIN, _WITHOUT = "with ledger and files", "with ledger alone", "without ledger"


class _Unrecorded(SqliteLedgerWriter):
    """A ledger that writes nothing."""

    def record(self, event: Event) -> int:
        self._tx.enrolled(event.owner)
        return 0


class _ForgetfulStore(SqliteStore):
    """A store without a ledger."""

    @contextlib.contextmanager
    def write(self, owner: Owner | None, *, durable: bool = True) -> Iterator[SqliteWriter]:
        with self._connections.writing(durable=durable) as connection:
            transaction = Transaction(connection, self._words, writes_for=owner)
            session = SqliteWriter(transaction)
            session.ledger = _Unrecorded(transaction)
            yield session


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description="Measures the ledger's cost.")
    parser.add_argument("--memories", type=int, default=2_000, help="how many each stores (default 2000)")
    parser.add_argument("--recalls", type=int, default=10_000, help="how many recalls are weighed (default 10000)")
    parser.add_argument("--only-recalls", action="store_true", help="weigh the recalls and nothing else")
    options = parser.parse_args(arguments)
    on_one_core()
    with tempfile.TemporaryDirectory(prefix="celestial-bench-") as folder:
        print(f"\nrecalls\n{table(weigh_recalls(Path(folder), options.recalls))}", flush=True)
    if options.only_recalls:
        return
    for durability in ("full", "normal"):
        with tempfile.TemporaryDirectory(prefix="celestial-bench-") as folder:
            print(f"\nstore, durability {durability}\n{table(_stores(Path(folder), durability, options.memories))}")
    with tempfile.TemporaryDirectory(prefix="celestial-bench-") as folder:
        print(f"\nthe rest\n{table(_auditing(Path(folder), options.memories))}", flush=True)


def _stores(folder: Path, durability: str, count: int) -> list[Figure]:
    say(f"storing {count:,} memories three times, durability {durability}")
    texts = [memory.text for memory in Corpus().memories(count)]
    kinds = (_WITH, _CHAIN, _WITHOUT)
    watches = {kind: Stopwatch() for kind in kinds}
    memories = {kind: _opened(folder / f"{number}.db", kind, durability) for number, kind in enumerate(kinds)}
    for turn, start in enumerate(range(0, count, _TURN)):
        for place in range(len(kinds)):
            kind = kinds[(turn + place) % len(kinds)]
            for text in texts[start : start + _TURN]:
                watches[kind].time(memories[kind].store, text)
    for memory in memories.values():
        memory.close()
    figures: list[Figure] = [watch.timing(f"store {kind}", count) for kind, watch in watches.items()]
    for kind in (_WITH, _CHAIN):
        for name, pick in (("wall", "wall_ms"), ("CPU", "cpu_ms")):
            mine, bare = (percentile(getattr(watches[name], pick), 50) for name in (kind, _WITHOUT))
            share = Fact(f"{kind}, {name} p50 more than without", count, mine / bare - 1, "of it", _LIMIT)
            figures.append(share)
    return figures


def _opened(path: Path, kind: str, durability: str) -> CelestialMemory:
    if kind == _WITHOUT:
        store = _ForgetfulStore(str(path), durability=Durability(durability))
        return CelestialMemory(item_store=store, rebalance_interval=None, embedder="none")
    files = None if kind == _WITH else "none"
    return CelestialMemory(
        path,
        rebalance_interval=None,
        embedder="none",
        settings=Settings(storage=StorageSettings(durability=durability, words="pairs", ledger_path=files)),
    )


def _auditing(folder: Path, count: int) -> list[Figure]:
    figures: list[Figure] = []
    with CelestialMemory(
        folder / "m.db",
        rebalance_interval=None,
        embedder="none",
        settings=Settings(storage=StorageSettings(words="pairs")),
    ) as memory:
        items = memory.store_many([entry.text for entry in Corpus().memories(count)])
        memory.store("so that the files are up to date")
        memory.ledger.repair()
        once = Stopwatch()
        verified = once.time(memory.ledger.verify)
        assert verified.ok
        assert verified.mirror is not None
        assert verified.mirror.missing == 0
        figures.append(Fact("verify, entries a second", count, verified.entries / once.seconds, "/s"))
        change, undo = Stopwatch(), Stopwatch()
        moment = time.time()
        for item in items[:200]:
            change.time(memory.update, item.id, content=item.content + " 다시")
            undo.time(memory.ledger.undo, memory.ledger.history(item.id, 1)[0].number)
        figures += [change.timing("update", count), undo.timing("undo", count)]
        past = Stopwatch()
        past.time(memory.ledger.as_of, moment)
        figures.append(past.timing("as_of", count))
        sizes = {
            "database": (folder / "m.db").stat().st_size,
            "files": sum(file.stat().st_size for file in (folder / "m.db.ledger").iterdir()),
        }
        entries = memory.ledger.verify().entries
    figures.append(Fact("bytes a line of the files", count, sizes["files"] / entries, "B"))
    return figures


def weigh_recalls(folder: Path, count: int) -> list[Figure]:
    """Recall over one month, pack it, and verify; sizes are pages and bytes that were not there before."""
    clock = FakeClock()
    with CelestialMemory(
        folder / "m.db",
        rebalance_interval=None,
        embedder="none",
        clock=clock,
        settings=Settings(storage=StorageSettings(words="pairs")),
    ) as memory:
        memory.store_many(
            [f"{_WORDS[n % len(_WORDS)]} needs attention before winter, entry {n}" for n in range(1_000)]
        )
        _pack(memory, clock)
        before, entries = _sizes(folder), memory.ledger.verify().entries
        say(f"recalling {count:,} times")
        dice, hits, watch = Random(count), 0, Stopwatch()
        for _ in range(count):
            clock.advance(seconds=27 * 86_400 / count)
            hits += len(watch.time(memory.recall, dice.choice(_WORDS), limit=_HITS))
        plain = _sizes(folder)
        _pack(memory, clock)
        after, verified = _sizes(folder), memory.ledger.verify()
        assert verified.ok
        assert verified.mirror is not None
        assert verified.mirror.missing == 0
    database, files = after[0] - before[0], after[1] - before[1]
    return [
        watch.timing(f"recall, {hits / count:.1f} hits", 1_000),
        Fact("entries a recall", 1_000, (verified.entries - entries - 1) / count, "", 1.01),
        Fact("database, bytes a recall", 1_000, database / count, "B"),
        Fact("files, bytes a recall, packed", 1_000, files / count, "B"),
        Fact("both, kilobytes a recall", 1_000, (database + files) / count / 1e3, "kB", _RECALL_KILOBYTES),
        Fact(f"both, {count:,} recalls", 1_000, (database + files) / 1e6, "MB", 1e-3 * _RECALL_KILOBYTES * count),
        Fact("database before packing", 1_000, (plain[0] - before[0]) / count, "B"),
    ]


def _pack(memory: CelestialMemory, clock: FakeClock) -> None:
    memory.store("so that the files are up to date")
    memory.ledger.repair()
    clock.advance(days=40)
    memory.ledger.compress()


def _sizes(folder: Path) -> tuple[int, int]:
    """The pages in use of the database, and the ledger's files, in bytes."""
    db = sqlite3.connect(folder / "m.db")
    pages, free, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    db.close()
    return (pages - free) * size, sum(file.stat().st_size for file in (folder / "m.db.ledger").iterdir())


if __name__ == "__main__":
    main()
