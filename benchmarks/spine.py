"""The speed of the spine: `python -m benchmarks.spine`. See docs/benchmarks.md."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from benchmarks import ours, peers, report
from benchmarks.data import SEED, Corpus
from benchmarks.measure import Figure, on_one_core, say

EVERYDAY = 10_000  # up to this size everything and the peer is measured; above it only what must not grow
OWNERS, EACH = 1_000, 100


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    one_core = on_one_core()
    corpus = Corpus()
    mine: list[Figure] = []
    theirs: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="celestial-bench-") as name:
        for size in options.sizes:
            folder = Path(name) / str(size)
            folder.mkdir()
            say(f"{size:,} memories")
            measured = (ours.at_ten_thousand if size <= EVERYDAY else ours.at_a_million)(folder, corpus, size)
            mine += measured
            _print(f"{size:,} memories", report.table(measured))
            if options.peer and size <= EVERYDAY:
                say(f"{peers.NAME}, {size:,} memories")
                others = peers.at_ten_thousand(folder, corpus, size)
                theirs += others
                _print(f"{size:,} memories, beside {peers.NAME}", report.comparison(measured, others, "peer"))
        owners = OWNERS // 10 if options.quick else OWNERS
        say(f"{owners:,} owners")
        measured = ours.many_owners(Path(name), corpus, owners, EACH)
        mine += measured
        _print(f"{owners:,} owners x {EACH} memories", report.table(measured))
    _write(options.output, mine, theirs, one_core)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spine", description="Measures the engine's speed.")
    parser.add_argument("--sizes", type=_sizes, help="how many memories, comma between (default 10000,1000000)")
    parser.add_argument("--quick", action="store_true", help="1,000 and 20,000 memories: does it run at all?")
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="without the other engine")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where plot and JSON go")
    options = parser.parse_args(arguments)
    options.sizes = options.sizes or ([1_000, 20_000] if options.quick else [10_000, 1_000_000])
    if options.peer and not peers.available():
        say(f"{peers.NAME} is not installed here: measured without it")
        options.peer = False
    return options


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(size.replace("_", "")) for size in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers") from None
    if not sizes or min(sizes) < 1_000:
        raise argparse.ArgumentTypeError("at least 1000 memories are needed")
    return sizes


def _print(title: str, text: str) -> None:
    print(f"\n{title}\n{text}", flush=True)


def _write(folder: Path, mine: list[Figure], theirs: list[Figure], one_core: bool) -> None:
    report.write_json(
        folder / "spine.json",
        {
            "measured_at": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "python": sys.version.split()[0],
            "sqlite": sqlite3.sqlite_version,
            "one_core": one_core,
            "random_seed": SEED,
            "ours": report.as_json(mine),
            "peer": {"name": peers.NAME, "figures": report.as_json(theirs)} if theirs else None,
        },
    )
    say(f"figures: {folder / 'spine.json'}")
    try:
        report.plot(folder / "spine.png", mine, theirs, peers.NAME)
    except ImportError:
        say("no plot: matplotlib is not installed here")
    else:
        say(f"plot: {folder / 'spine.png'}")


if __name__ == "__main__":
    main()
