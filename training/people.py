"""Reads the people of `corpus/people`: what each told, what changed, what they ask, and what they never told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from training.corpus import LANGUAGES, ROOT, Pair

FOLDER = ROOT / "people"
# Beside a change, and beside any other memory, so many of the older memories that it leaves true.
_BESIDE_A_CHANGE, _BESIDE_OTHERS = 6, 2
_STRIDE, _STEP = 13, 29  # which of them
# People who tell a few plain facts and ask for them as plainly. They are rarer here than in life, and count more.
PLAIN_PEOPLE, PLAIN_COUNTS_AS = ("021", "028"), 4.0


class Kind(str, Enum):
    """What a question asks for."""

    ANSWERED = "answered"
    CHANGED = "changed"  # a later memory answers it, an earlier one is outdated
    UNTOLD = "untold"  # about the person, who never told it
    GENERAL = "general"


@dataclass(frozen=True)
class Question:
    """A question with the places of the memories that answer it, and of those that did before something changed."""

    text: str
    kind: Kind
    answers: frozenset[int] = frozenset()
    outdated: frozenset[int] = frozenset()

    @property
    def is_answered(self) -> bool:
        return self.kind in (Kind.ANSWERED, Kind.CHANGED)


@dataclass(frozen=True)
class Person:
    """One person: memories in the order in which they were told, and questions asked later."""

    language: str
    number: str
    memories: tuple[str, ...]
    questions: tuple[Question, ...]


def counts_as(number: str) -> float:
    """Returns how much what a train person asks counts when something is fitted to it."""
    first, last = PLAIN_PEOPLE
    return PLAIN_COUNTS_AS if first <= number <= last else 1.0


def people(part: str, language: str) -> Iterator[Person]:
    """Yields the people of a part (train, test); raises ValueError for a line that has no meaning."""
    for path in sorted((FOLDER / language / part).glob("*.txt")):
        yield person_in(path, language)


def person_in(path: Path, language: str) -> Person:
    memories: list[str] = []
    questions: list[Question] = []
    before: frozenset[int] | None = None  # what the memory above made outdated; None: it changes nothing
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, _, text = line.strip().partition(" ")
        text = text.strip()
        last = frozenset((len(memories) - 1,))
        if mark in ("-", "+"):
            memories.append(text)
            before = frozenset() if mark == "+" else None
        elif mark == "<" and before is not None and text in memories:
            before |= {memories.index(text)}
        elif mark == "?" and memories:
            kind = Kind.ANSWERED if before is None else Kind.CHANGED
            questions.append(Question(text, kind, last, before or frozenset()))
        elif mark in ("!", "~"):
            questions.append(Question(text, Kind.UNTOLD if mark == "!" else Kind.GENERAL))
        elif mark and mark != "#":
            raise ValueError(f"{path.name}:{number}: {line!r}")
    ended = frozenset[int]().union(*(question.outdated for question in questions))
    # What a later memory made outdated does not answer any more.
    kept = [each for each in questions if each.kind is not Kind.ANSWERED or not each.answers & ended]
    return Person(language, path.stem, tuple(memories), tuple(kept))


def told_pairs(part: str) -> list[Pair]:
    """Returns what people told later beside what they had told before: what it ended, and some that stays true."""
    return [
        pair
        for language in LANGUAGES
        for person in people(part, language)
        for place in range(1, len(person.memories))
        for pair in _pairs_of(person, place)
    ]


def _pairs_of(person: Person, place: int) -> Iterator[Pair]:
    text, name = person.memories[place], person.language + person.number
    ended = sorted(
        frozenset[int]().union(*(each.outdated for each in person.questions if place in each.answers))
        & frozenset(range(place))
    )
    yield from (Pair("replaces", "free", person.memories[older], text, name) for older in ended)
    rest = [older for older in range(place) if older not in ended]
    count = min(len(rest), _BESIDE_A_CHANGE if ended else _BESIDE_OTHERS)
    chosen = {rest[(place * _STRIDE + number * _STEP) % len(rest)] for number in range(count)}
    yield from (Pair("both", "free", person.memories[older], text, name) for older in sorted(chosen))
