"""The speed of filters, alone and in every combination: `python -m benchmarks.filters`. See docs/decisions/0011.

Synthetic memories of a team of personas, as skewed as real ones: one persona has half of all, a tag is on one memory
or on thousands, and some coordinates never occur together.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.data import SEED
from benchmarks.measure import Fact, Figure, Limit, Stopwatch, on_one_core, say, shown
from celestial_engine import CelestialMemory
from celestial_engine.core.orbit.memory_function import Course, Piece
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Document,
    Emotion,
    EmotionCoordinate,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.connections import Durability

LIMITS_MS = {5_000: 20.0, 1_000_000: 100.0}  # the p95 limit
BATCH, PAGE, POOL = 5_000, 20, 30
WITH_VECTORS_UP_TO, DIMENSION = 100_000, 384
NOON = 1_800_000_000.0
PERSONAS = ("synthesis", "synthesis", "thesis", "antithesis")
DOMAINS = ("AGI", "UI", "data", "talk")
EMOTIONS = (Emotion.NEUTRAL, Emotion.NEUTRAL, Emotion.JOY, Emotion.FEAR, Emotion.SADNESS)
PHASES = ("exploration", "integration", "reflection", "planning")
WORDS = tuple(f"word{number}" for number in range(5_000))
ASKED = ("word1 word40", "word300 word7", "word4000")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.filters", description="Measures filters.")
    parser.add_argument("--sizes", default="5000,100000", help="how many memories, comma between")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    parser.add_argument("--without-numpy", action="store_true", help="scan vectors by the standard library")
    options = parser.parse_args(arguments)
    if options.without_numpy:
        sys.modules["numpy"] = None  # type: ignore[assignment]  # so that importing it fails
    on_one_core()
    figures: list[Figure] = []
    for size in (int(size) for size in options.sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="celestial-filters-") as folder:
            measured = list(_measured(Path(folder) / "m.db", size))
        figures += measured
        print(f"\n{size:,} memories\n{report.table(measured)}", flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    report.write_json(options.output / "filters.json", {"random_seed": SEED, "figures": report.as_json(figures)})


def _measured(database: Path, size: int) -> Iterator[Figure]:
    say(f"{size:,} memories")
    yield Fact("store a memory", size, 1e6 * _fill(database, size) / size, "µs", note=f"{BATCH} a transaction")
    yield Fact("database", size, database.stat().st_size / 1e6, "MB")
    limit = Limit(LIMITS_MS[size]) if size in LIMITS_MS else None
    with CelestialMemory(database, rebalance_interval=None, clock=lambda: NOON, embedder="none") as memory:
        memory.search(ASKED[0], PAGE)  # warm-up: the first search loads the word lists
        for name, wheres in _filters_to_time(size).items():
            listing, searching = Stopwatch(), Stopwatch()
            slowest = (0.0, ItemFilter())
            for where in shown(wheres, f"asked {name}", len(wheres)):
                listing.time(memory.list, PAGE, where=where)
                slowest = max(slowest, (listing.wall_ms[-1], where), key=lambda pair: pair[0])
            for number, where in enumerate(wheres[:: max(1, len(wheres) // 300)]):
                searching.time(memory.search, ASKED[number % len(ASKED)], PAGE, where=where)
            yield listing.timing(f"list, {name}", size, limit)
            yield searching.timing(f"search, {name}", size, limit)
            say(f"  slowest list, {name}: {slowest[0]:.1f} ms, {_filter_text(slowest[1])}")
    if size <= WITH_VECTORS_UP_TO:
        yield from _by_vector(database, size, limit)


def _by_vector(database: Path, size: int, limit: Limit | None) -> Iterator[Figure]:
    """Vector search alone, as the engine runs it."""
    store, draw = SqliteStore(str(database)), random.Random(SEED + 2)
    with store.read() as session:
        session.search.by_vector(LOCAL_OWNER, _vector(draw), POOL)  # warm-up: loads the codes
    note = "standard library" if sys.modules.get("numpy") is None else "numpy"
    for name, wheres in _filters_to_time(size).items():
        watch = Stopwatch()
        for where in wheres[:: max(1, len(wheres) // 300)]:
            query = _vector(draw)
            with store.read() as session:
                watch.time(session.search.by_vector, LOCAL_OWNER, query, POOL, where)
        yield watch.timing(f"vectors ({note}), {name}", size, limit)
    store.close()


def _vector(draw: random.Random) -> list[float]:
    return [byte - 127.5 for byte in draw.randbytes(DIMENSION)]


def _filter_text(where: ItemFilter) -> str:
    return ", ".join(
        f"{name}={value}" for name, value in vars(where).items() if value not in (None, ()) and name != "states"
    )


def _fill(database: Path, size: int) -> float:
    draw, vectors = random.Random(SEED), random.Random(SEED + 3)
    store = SqliteStore(str(database), durability=Durability.NORMAL)
    seconds = 0.0
    for start in shown(range(0, size, BATCH), f"stored, {BATCH:,} at a time", size // BATCH):
        items = [_item(draw, number, size) for number in range(start, min(size, start + BATCH))]
        if size <= WITH_VECTORS_UP_TO:
            items = [replace(item, embedding=_vector(vectors)) for item in items]
        began = time.perf_counter()
        with store.write(items[0].owner) as session:
            for item in items:
                session.items.add(item, Course(Piece.FAST, 0.0, None))
        seconds += time.perf_counter() - began
    store.checkpoint()
    store.close()
    return seconds


def _item(draw: random.Random, number: int, size: int) -> CelestialItem:
    age = size - number
    persona = draw.choice(PERSONAS)
    words = [WORDS[int(len(WORDS) * draw.random() ** 3)] for _ in range(8)]  # some words are very common
    return CelestialItem(
        id=f"m{number}",
        content=" ".join(words),
        created_at=NOON - 60.0 * age,
        last_recalled_at=NOON - 60.0 * age,
        zone=2 if age < 1_000 else 3 if age < size // 5 else 4,  # old memories are in outer zones
        arbitrary_importance=round(draw.betavariate(2, 3), 3),
        tier=draw.choice((Tier.M30, Tier.M90, Tier.M365)),
        owner=LOCAL_OWNER,
        tags=(f"tag{int(1_000 * draw.random() ** 3)}", persona),
        time=TimeCoordinate(f"sess_{number // 50}", number % 50 + 1, float(number % 50)),
        # only the thesis has the UI: two common coordinates that never occur together
        space=SpaceCoordinate(
            project=f"project{draw.randrange(10)}",
            domain="UI" if persona == "thesis" else draw.choice(("AGI", "data", "talk")),
        ),
        agent=AgentCoordinate(persona_id=persona, role=persona.title()),
        emotion=EmotionCoordinate(tags=(draw.choice(EMOTIONS),)),
        document=Document(
            bqi_snapshot={
                "rhythm_phase": draw.choice(PHASES),
                "emotion": {"keywords": [draw.choice(("hope", "risk"))]},
            }
        ),
    )


def _conditions(size: int, draw: random.Random) -> dict[str, Any]:
    """One random value for each field, by its distribution."""
    newest = datetime.fromtimestamp(NOON - 60.0 * size * draw.random() * 0.5, timezone.utc)
    oldest = datetime.fromtimestamp(newest.timestamp() - 60.0 * size * draw.random() * 0.5, timezone.utc)
    return {
        "time_range": (oldest, newest),
        "session_id": f"sess_{draw.randrange(max(1, size // 50))}",
        "persona_id": draw.choice(PERSONAS),
        "domain": draw.choice(DOMAINS),
        "project": f"project{draw.randrange(10)}",
        "tags": (f"tag{int(1_000 * draw.random() ** 3)}",),
        "min_importance": round(draw.random(), 2),
        "emotion": draw.choice(EMOTIONS),
        "bqi": BqiFilter.read({"rhythm_phase": draw.choice(PHASES), "emotion": "hope"}),
        "tier": draw.choice((Tier.M30, Tier.M90)),
    }


def _filters_to_time(size: int) -> dict[str, list[ItemFilter]]:
    draw = random.Random(SEED + 1)
    names = list(_conditions(size, draw))
    single = [_of(_conditions(size, draw), [name]) for name in names for _ in range(20)]
    subsets = [chosen for count in range(2, len(names) + 1) for chosen in combinations(names, count)]
    zones = [_of({**_conditions(size, draw), "zone": zone}, ["zone", *some]) for zone in (0, 2, 3, 4)
             for some in ([], ["persona_id"], ["tags"], ["min_importance"], ["time_range"])]  # fmt: skip
    return {
        "one condition": single,
        f"every combination of {len(names)}": [_of(_conditions(size, draw), chosen) for chosen in subsets],
        "common, never together": [ItemFilter(persona_id="synthesis", domain="UI")] * 20,
        "with a zone": zones * 3,
    }


def _of(conditions: dict[str, Any], names: Sequence[str]) -> ItemFilter:
    return ItemFilter(**{name: conditions[name] for name in names})


if __name__ == "__main__":
    main()
