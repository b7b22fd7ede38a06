"""Lets people talk to a memory of their own and notes what it does with each turn.

It reads people from standard input and imports nothing but the engine, so that an older engine can be measured with
it, by `python -m benchmarks.decide.before`. Input: a list of people, each a list of [text, what was said before].
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from celestial_engine import CelestialMemory, LearningSettings, Settings, StorageSettings

_KNOWN = "The museum by the river opens at nine."  # something to look among, from the first turn on


@dataclass(frozen=True)
class Done:
    """What was done with a turn."""

    kept: bool  # saved, or counted as a repetition of what is
    fetched: bool
    asks: bool
    category: str


def observed(people: Iterable[Sequence[tuple[str, str | None]]]) -> list[Done]:
    """What is done with each turn; nothing is learned from one turn to the next."""
    settings = Settings(storage=StorageSettings(ledger_path="none"), learning=LearningSettings(enabled=False))
    done = list[Done]()
    for turns in people:
        with CelestialMemory(":memory:", rebalance_interval=None, embedder="none", settings=settings) as memory:
            memory.store(_KNOWN)
            for text, before in turns:
                history = [] if before is None else [{"role": "assistant", "content": before}]
                decision = memory.decide(text, history)
                if decision.action.value == "save":
                    memory.store(text)
                kept = decision.action.value == "save" or decision.duplicate_of is not None
                features = decision.features
                done.append(Done(kept, decision.fetches, features.question, features.category.value))
    return done


if __name__ == "__main__":
    json.dump([asdict(one) for one in observed(json.load(sys.stdin))], sys.stdout)
