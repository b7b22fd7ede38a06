"""The peer, stellar-memory 3.0.0, through its public calls with the same texts and questions.

Set up as its documentation says, on a SQLite file. Left out is only what would need a model or a network
here (summaries, language model, embeddings); that makes it faster, never slower.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import Corpus, Memory
from benchmarks.measure import Fact, Figure, Stopwatch, on_one_core, say, shown
from benchmarks.ours import ANSWERS, HITS, QUESTIONS, QUIET, RECALL, STORE, STORES, questions

if TYPE_CHECKING:
    from stellar_memory import StellarMemory

NAME = "stellar-memory 3.0.0"
_FILL_SECONDS = 240.0  # it stores one by one, durably; on a slow disk the filling may end early
_REBALANCE_SECONDS = 120.0


def available() -> bool:
    try:
        import stellar_memory  # noqa: F401
    except ImportError:
        return False
    return True


def at_ten_thousand(folder: Path, corpus: Corpus, size: int) -> list[Figure]:
    """Measure store, recall and rebalance within the time limit."""
    memory = _open(folder)
    memories = _filled(memory, list(corpus.memories(size)))
    note = "" if len(memories) == size else f"with {len(memories):,} memories"

    on_one_core()
    stores = Stopwatch()
    for text in shown(corpus.memories(STORES, "more"), "peer: store", STORES):
        stores.time(memory.store, text.text)

    on_one_core()
    rebalances = Stopwatch()
    memory.reorbit()  # reorders everything; the next calls have nothing to do
    while rebalances.seconds < _REBALANCE_SECONDS and len(rebalances.wall_ms) < 3:
        rebalances.time(memory.reorbit)

    on_one_core()
    recalls, answers = Stopwatch(), 0
    for question in shown(questions(corpus, memories), "peer: recall", 2 * QUESTIONS):
        hits = recalls.time(memory.recall, question.text, HITS)
        answers += any(hit.content == question.answer for hit in hits)
    return [
        stores.timing(STORE, size, note=note),
        recalls.timing(RECALL, size, note=note),
        Fact(ANSWERS, size, 100 * answers / QUESTIONS, "%", note=note),
        rebalances.timing(QUIET, size, note=note),
    ]


def _open(folder: Path) -> StellarMemory:
    from stellar_memory import StellarConfig, StellarMemory
    from stellar_memory.config import EmbedderConfig, EventLoggerConfig, LLMConfig, SummarizationConfig, TunerConfig

    logging.getLogger("stellar_memory").setLevel(logging.ERROR)
    return StellarMemory(
        StellarConfig(
            db_path=str(folder / "peer.db"),
            event_logger=EventLoggerConfig(log_path=str(folder / "peer.jsonl")),
            tuner=TunerConfig(feedback_db_path=str(folder / "peer-feedback.db")),
            embedder=EmbedderConfig(enabled=False),
            llm=LLMConfig(enabled=False),
            summarization=SummarizationConfig(enabled=False),
        )
    )


def _filled(memory: StellarMemory, memories: Sequence[Memory]) -> Sequence[Memory]:
    watch = Stopwatch()
    for number, each in enumerate(shown(memories, "peer: filling", len(memories))):
        if watch.seconds > _FILL_SECONDS:
            say(f"  the peer is measured with {number:,} memories")
            return memories[:number]
        watch.time(memory.store, each.text)
    return memories
