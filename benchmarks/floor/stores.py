"""The stores that are asked: the people of `corpus/people` with all of their memories, with few of them and among
those of others, and the conversations of LoCoMo."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from training.corpus import LANGUAGES, YES, turns
from training.people import Kind, Person, Question, people

from benchmarks.recall.data import SETS

OWN, LOCOMO = "own", "LoCoMo"
# How many memories a store has, and of which train people it is made: every so many.
_FEW = {2: 8, 5: 4}
_OTHERS = {60: 6, 400: 24}
# Ordinary people all are asked, others in turns: to ask all of them takes an hour, and they are as many.
_OWN, _ORDINARY = 2, "601"
_ADVERSARIAL = 5
_EVERY = 2  # of the questions of a long conversation: it must not outweigh the people
_GENERAL = 60


@dataclass(frozen=True)
class Store:
    """Memories of one owner, and what is asked about them. `group` names how it was made."""

    person: Person
    group: str

    @property
    def name(self) -> str:
        return self.person.language + self.person.number

    @property
    def is_for_choosing(self) -> bool:
        """Half of the people choose trees and floor, the other half measures them."""
        return int(self.person.number) % 2 == 1


def own_stores(part: str) -> Iterator[Store]:
    yield from (Store(person, OWN) for language in LANGUAGES for person in people(part, language))


def train_stores(data: Path | None) -> Iterator[Store]:
    for place, store in enumerate(own_stores("train")):
        if is_asked(place, store.person):
            yield store
        for size, every in _FEW.items():
            yield from parts(store.person, size) if place % every == 0 else ()
        for count, every in _OTHERS.items():
            yield from (padded(store.person, count),) if place % every == 0 else ()
    if data is not None:
        yield from conversations(data)


def is_asked(place: int, person: Person) -> bool:
    """Whether trees are fitted to what this train person asks."""
    return place % _OWN == 0 or person.number >= _ORDINARY


def parts(person: Person, size: int) -> Iterator[Store]:
    """Cuts a store into small ones; each is asked its own questions and some of those without an answer."""
    starts = range(0, len(person.memories) - size + 1, size)
    unanswered = [each for each in person.questions if not each.is_answered]
    for number, start in enumerate(starts):
        place = {start + offset: offset for offset in range(size)}
        own = [
            Question(each.text, each.kind, _moved(each.answers, place), _moved(each.outdated, place))
            for each in person.questions
            if each.answers and each.answers <= place.keys()
        ]
        asked = (*own, *unanswered[number :: len(starts)])
        memories = person.memories[start : start + size]
        yield Store(Person(person.language, person.number, memories, asked), f"only {size}")


def _moved(places: frozenset[int], to: dict[int, int]) -> frozenset[int]:
    return frozenset(to[place] for place in places if place in to)


def padded(person: Person, count: int) -> Store:
    """Adds what others told. Somebody else's dog may answer a question about a dog: untold ones are left out."""
    others = random.Random(person.number).sample(_told_by_others(person.language), count)
    moved = {place: place + count for place in range(len(person.memories))}
    questions = tuple(
        Question(each.text, each.kind, _moved(each.answers, moved), _moved(each.outdated, moved))
        for each in person.questions
        if each.kind is not Kind.UNTOLD
    )
    memories = (*others, *person.memories)
    return Store(Person(person.language, person.number, memories, questions), f"among {count} others")


@lru_cache(maxsize=2)
def _told_by_others(language: str) -> list[str]:
    return [turn.text for turn in turns("train", language) if turn.labels["keep"] == YES]


def conversations(data: Path) -> Iterator[Store]:
    """LoCoMo: some of the questions, those of the adversarial category, and questions about the world."""
    train = own_stores("train")
    general = [each for store in train for each in store.person.questions if each.kind is Kind.GENERAL][:_GENERAL]
    entries = json.loads((data / "locomo" / "locomo_dev4.json").read_text(encoding="utf-8"))
    for number, (task, entry) in enumerate(zip(SETS["locomo"].load(data), entries, strict=True), 1):
        answered = [Question(each.text, Kind.ANSWERED, frozenset(each.evidence)) for each in task.questions[::_EVERY]]
        untold = [Question(each["question"], Kind.UNTOLD) for each in entry["qa"] if each["category"] == _ADVERSARIAL]
        questions = (*answered, *untold[::_EVERY], *general)
        yield Store(Person("en", str(number), tuple(task.texts), questions), LOCOMO)
