"""Invented people: what each told, questions that it answers, and questions that nothing answers.

In a file: `- ` a memory, `  ? ` a question that the memory above it answers, `! ` a question about the person that
no memory answers, `~ ` a question about the world.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

ROOT = Path(__file__).parent / "people"
UNSEEN = Path(__file__).parent / "unseen"
CORPUS = Path(__file__).parents[2] / "corpus"
LANGUAGES = ("en", "ko")
_COLUMNS, _KEEP, _TEXT = 9, 1, 8  # of a line of the corpus


class Kind(str, Enum):
    """Whether a question has an answer."""

    ANSWERED = "answered"
    UNTOLD = "untold"  # about the person, who never told it
    GENERAL = "general"


@dataclass(frozen=True)
class Question:
    text: str
    kind: Kind
    answers: frozenset[int] = frozenset()  # places of the memories that answer


@dataclass(frozen=True)
class Store:
    """Memories of one owner, and what is asked about them. `group` names how it was made."""

    language: str
    person: str
    group: str
    memories: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def is_for_choosing(self) -> bool:
        """Half of the people choose weights and floor, the other half measures them."""
        return int(self.person) % 2 == 1


def people(language: str, folder: Path = ROOT) -> Iterator[Store]:
    for path in sorted((folder / language).glob("*.txt")):
        memories: list[str] = []
        questions: list[Question] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            mark, _, text = line.lstrip().partition(" ")
            if mark == "-":
                memories.append(text)
            elif mark == "?":
                questions.append(Question(text, Kind.ANSWERED, frozenset((len(memories) - 1,))))
            elif mark in ("!", "~"):
                questions.append(Question(text, Kind.UNTOLD if mark == "!" else Kind.GENERAL))
        yield Store(language, path.stem, "own", tuple(memories), tuple(questions))


def padded(store: Store, count: int) -> Store:
    """Adds what others told. Somebody else's dog may answer a question about a dog: untold ones are left out."""
    told = [
        columns[_TEXT]
        for path in sorted((CORPUS / store.language / "train").glob("*.tsv"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(columns := line.split("\t")) == _COLUMNS and columns[_KEEP] == "y"
    ]
    others = random.Random(store.person).sample(told, count)
    questions = tuple(each for each in store.questions if each.kind is not Kind.UNTOLD)
    return Store(store.language, store.person, f"among {count} others", (*store.memories, *others), questions)


def parts(store: Store, size: int) -> Iterator[Store]:
    """Cuts a store into small ones; each is asked its own questions and some of those without an answer."""
    starts = range(0, len(store.memories) - size + 1, size)
    unanswered = [each for each in store.questions if each.kind is not Kind.ANSWERED]
    for number, start in enumerate(starts):
        place = {start + offset: offset for offset in range(size)}
        own = [
            Question(each.text, each.kind, frozenset(place[answer] for answer in each.answers))
            for each in store.questions
            if each.answers and each.answers <= place.keys()
        ]
        asked = (*own, *unanswered[number :: len(starts)])
        yield Store(store.language, store.person, f"only {size}", store.memories[start : start + size], asked)
