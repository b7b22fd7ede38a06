"""Run a system on tasks and compute its figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Protocol

from benchmarks.measure import Stopwatch, percentile, shown
from benchmarks.recall.data import Question, Task
from benchmarks.recall.vectors import EmbeddingCost

LIMIT = 20  # results requested; MRR uses no more
METRICS = ("recall@1", "recall@5", "recall@10", "any@1", "any@5", "any@10", "MRR", "nDCG@10")
Hits = Sequence[int]  # numbers of memories, best first


class CannotRun(Exception):  # noqa: N818 - a result, not an error
    """Why a system is left out; the message is shown in its row."""


class Library(Protocol):
    """An open system: filled once, queried often, closed."""

    def store(self, task: Task) -> None: ...
    def find(self, question: Question) -> Hits: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class System:
    """A named system. `model` is the embedding model whose cost it pays, `sets` the sets it is run on."""

    name: str
    open: Callable[[Path], Library]
    model: str | None = None
    needs: tuple[str, ...] = ()
    sets: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Answer:
    question: Question
    hits: Hits


@dataclass(frozen=True)
class Times:
    """Milliseconds, embedding included."""

    store_ms: float
    store_cpu_ms: float
    query_p50_ms: float
    query_p95_ms: float
    query_cpu_ms: float


@dataclass(frozen=True)
class Result:
    """The result of one system on one set, or why it did not run."""

    system: str
    answers: Sequence[Answer] = ()
    times: Times | None = None
    not_run: str = ""

    @property
    def overall(self) -> dict[str, float]:
        return figures((answer.question.evidence, answer.hits) for answer in self.answers)

    @property
    def by_category(self) -> dict[str, dict[str, float]]:
        names = sorted({answer.question.category for answer in self.answers} - {""})
        return {
            name: figures(
                (answer.question.evidence, answer.hits) for answer in self.answers if answer.question.category == name
            )
            for name in names
        }

    @property
    def corrected(self) -> dict[str, float] | None:
        """The figures with corrected labels."""
        if not any(answer.question.corrected for answer in self.answers):
            return None
        return figures(
            (answer.question.corrected or answer.question.evidence, answer.hits) for answer in self.answers
        )


def figures(pairs: Iterable[tuple[frozenset[int], Hits]]) -> dict[str, float]:
    """The means over questions; questions without evidence are skipped."""
    scores = [scored(evidence, hits) for evidence, hits in pairs if evidence]
    return {name: fmean(score[name] for score in scores) for name in METRICS} if scores else {}


def scored(evidence: frozenset[int], hits: Hits) -> dict[str, float]:
    """Metrics of one question: recall is the share of evidence among the first hits, any whether there is some.

    any@1 of sessions is what papers call session hit@1, or accuracy.
    """
    gain = sum(1 / math.log2(place + 1) for place, hit in enumerate(hits[:10], 1) if hit in evidence)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(evidence)) + 1))
    return {
        **{f"recall@{at}": len(evidence.intersection(hits[:at])) / len(evidence) for at in (1, 5, 10)},
        **{f"any@{at}": float(not evidence.isdisjoint(hits[:at])) for at in (1, 5, 10)},
        "MRR": next((1 / place for place, hit in enumerate(hits[:LIMIT], 1) if hit in evidence), 0.0),
        "nDCG@10": gain / best,
    }


def run_or_say_why_not(system: System, tasks: Sequence[Task], costs: Mapping[str, EmbeddingCost]) -> Result:
    """Always returns a row: a system that is missing or fails must not affect the others."""
    missing = [name for name in system.needs if find_spec(name) is None]
    if missing:
        return Result(system.name, not_run=f"not installed: {', '.join(missing)}")
    try:
        return run(system, tasks, costs)
    except CannotRun as reason:
        return Result(system.name, not_run=str(reason))
    except Exception as error:  # noqa: BLE001 - any error of a third-party library
        return Result(system.name, not_run=f"{type(error).__name__}: {error}")


def run(system: System, tasks: Sequence[Task], costs: Mapping[str, EmbeddingCost]) -> Result:
    """Fill and query the system per task, each in a new folder; embedding costs are added to its times."""
    stores, queries, answers = Stopwatch(), Stopwatch(), []
    stored = sum(len(task.memories) for task in tasks)
    for task in shown(tasks, f"{system.name}: tasks", len(tasks)):
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            library = system.open(Path(folder))
            try:
                stores.time(library.store, task)
                for question in shown(task.questions, f"{system.name}: questions", len(task.questions)):
                    hits = queries.time(library.find, question)
                    answers.append(Answer(question, tuple(dict.fromkeys(hits))))
            finally:
                library.close()
    cost = costs[system.model] if system.model is not None else EmbeddingCost()
    return Result(
        system.name,
        answers,
        Times(
            sum(stores.wall_ms) / stored + cost.passage_ms,
            sum(stores.cpu_ms) / stored + cost.passage_cpu_ms,
            percentile(queries.wall_ms, 50) + cost.query_p50_ms,
            percentile(queries.wall_ms, 95) + cost.query_p95_ms,
            fmean(queries.cpu_ms) + cost.query_cpu_ms,
        ),
    )
