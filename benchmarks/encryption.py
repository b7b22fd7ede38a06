"""How much slower an encrypted database is: the same texts stored and searched with and without a key.

Run it with `make encryption`; CPU time, because a disk's speed is not ours.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from celestial_engine import CelestialMemory, Settings, StorageSettings

WORDS = [f"{first}{second}" for first in "bdfgklmnprstvz" for second in ("al", "en", "ir", "os", "um", "ay")]


def cpu_ms(call: Callable[[], object], count: int) -> float:
    began = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - began) * 1000 / count


def measured(key: str | None, memories: int, questions: int) -> dict[str, float]:
    dice = random.Random(7)
    texts = [" ".join(dice.choices(WORDS, k=20)) for _ in range(memories)]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(storage=StorageSettings(key=key))
        path = str(Path(folder) / "m.db")
        with CelestialMemory(path, rebalance_interval=None, embedder="hashed", settings=settings) as memory:
            memory.store_many(texts)
            one = iter([" ".join(dice.choices(WORDS, k=20)) for _ in range(200)])
            store = cpu_ms(lambda: memory.store(next(one)), 200)
        began = time.process_time()
        with CelestialMemory(path, rebalance_interval=None, embedder="hashed", settings=settings) as memory:
            memory.search("begin")
            opening = (time.process_time() - began) * 1000
            search = cpu_ms(lambda: memory.search(" ".join(dice.choices(WORDS, k=4))), questions)
            recall = cpu_ms(lambda: memory.recall(" ".join(dice.choices(WORDS, k=4))), questions)
    return {"open": opening, "store": store, "search": search, "recall": recall}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    plain, sealed = (measured(key, options.memories, options.questions) for key in (None, "a long passphrase"))
    print(f"{options.memories} memories, CPU ms\n\n| | plain | encrypted | ratio |\n|---|---|---|---|")
    for name, value in plain.items():
        print(f"| {name} | {value:.1f} | {sealed[name]:.1f} | {sealed[name] / value:.2f} |")


if __name__ == "__main__":
    main()
