"""`python -m benchmarks.people`: what a memory answers to people whose lives change.

Of each person in `corpus/people`: is the answer found, also after a change told in free words; does the outdated
statement come first, or into the prompt; and do questions that nothing answers get something?
"""

from __future__ import annotations

import argparse
from collections import Counter

from training.corpus import LANGUAGES
from training.people import Kind, Person, people

from benchmarks.measure import say
from celestial_engine import CelestialMemory
from celestial_engine.testing.fakes import FakeClock

_NEW_YEAR = 1_767_236_400.0
_HITS = 10


def counted(person: Person, embedder: str, counts: Counter[str]) -> None:
    """Tells a memory all that this person told, asks all questions, and counts what comes back."""
    clock = FakeClock(_NEW_YEAR)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embedder=embedder) as memory:
        ids = list[str]()
        for text in person.memories:
            clock.advance(days=3)
            ids.append(memory.store(text).id)
        clock.advance(days=10)
        ended = frozenset[int]().union(*(question.outdated for question in person.questions))
        for place in range(len(ids)):
            state = "still true" if place not in ended else "ended"
            counts[state] += 1
            counts[f"{state}: replaced"] += memory.get(ids[place]).validity.superseded_by is not None
        for question in person.questions:
            hits = [item.id for item in memory.search(question.text, _HITS)]
            counts[question.kind.value] += 1
            if not question.is_answered:
                counts[f"{question.kind.value}: got something"] += bool(hits)
                continue
            first = _first(hits, [ids[place] for place in question.answers])
            prompt = memory.compose(question.text, reinforce=False).text
            counts[f"{question.kind.value}: found"] += first < len(hits)
            counts[f"{question.kind.value}: found first"] += bool(hits) and first == 0
            counts[f"{question.kind.value}: in the prompt"] += any(
                person.memories[place] in prompt for place in question.answers
            )
            if question.kind is Kind.CHANGED and question.outdated:
                outdated = [ids[place] for place in question.outdated]
                counts["changed: outdated first"] += _first(hits, outdated) < first
                counts["changed: outdated in the prompt"] += any(
                    person.memories[place] in prompt for place in question.outdated
                )


def _first(hits: list[str], wanted: list[str]) -> int:
    return min((hits.index(each) for each in wanted if each in hits), default=len(hits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--part", default="test", choices=("train", "test"))
    arguments = parser.parse_args()
    for language in LANGUAGES:
        counts: Counter[str] = Counter()
        for person in people(arguments.part, language):
            counted(person, arguments.embedder, counts)
        say(f"\n{language}, {arguments.part} people, embedder {arguments.embedder}")
        for name, count in sorted(counts.items()):
            kind, colon, _ = name.partition(":")
            if colon:
                say(f"  {name:34} {count / counts[kind]:.3f} of {counts[kind]}")


if __name__ == "__main__":
    main()
