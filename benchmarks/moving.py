"""Move an owner from SQLite to PostgreSQL and back: `python -m benchmarks.moving --memories 100000` (`make moving`).

The export of the last database must be equal to that of the first, byte for byte. Printed are the seconds and the CPU
of each way.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import Corpus
from benchmarks.measure import say
from benchmarks.scale import OPTIONS, running_postgres
from celestial_engine import CelestialMemory
from celestial_engine.errors import BusyError
from celestial_engine.moves import move_memories

_AT_ONCE = 1_000


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moving", description="Moves an owner there and back.")
    parser.add_argument("--memories", type=int, default=100_000)
    options = parser.parse_args(arguments)
    with running_postgres() as (url, _), tempfile.TemporaryDirectory() as folder:
        first, last = Path(folder) / "first.db", Path(folder) / "last.db"
        fill(first, options.memories)
        for name, source, target in (("to PostgreSQL", str(first), url), ("back to SQLite", url, str(last))):
            began, used = time.monotonic(), time.process_time()
            while not moved(source, target):
                say(f"{name}: once more, from where it was")
            say(f"{name}: {time.monotonic() - began:.0f} s, {time.process_time() - used:.0f} s CPU of this process")
        moment = time.time()
        if exported(first, Path(folder) / "first.jsonl", moment) != exported(
            last, Path(folder) / "last.jsonl", moment
        ):
            raise SystemExit("the exports differ")
        with CelestialMemory(last, **OPTIONS) as memory:
            verified = memory.ledger.verify()
            if not verified.ok:
                raise SystemExit(f"the ledger does not verify: {verified}")
        print(f"{options.memories:,} memories there and back: the exports are equal, the ledger verifies")


def moved(source: str, target: str) -> bool:
    """Moves; False if it has to be run again, because a machine without time let its hold on the owner end."""
    try:
        move_memories(source, target)
    except BusyError:
        return False
    return True


def fill(path: Path, count: int) -> None:
    texts = [each.text for each in Corpus().memories(count)]
    with CelestialMemory(path, **OPTIONS) as memory:
        for start in range(0, count, _AT_ONCE):
            memory.store_many(texts[start : start + _AT_ONCE])
            say(f"{min(count, start + _AT_ONCE):,} of {count:,} memories stored")


def exported(path: Path, target: Path, moment: float) -> bytes:
    """Returns the export, as it is at that moment: scores change with time."""
    with CelestialMemory(path, clock=lambda: moment, **OPTIONS) as memory, target.open("w", encoding="utf-8") as file:
        for record in memory.transfer.export():
            file.write(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n")
    return target.read_bytes()


if __name__ == "__main__":
    main()
