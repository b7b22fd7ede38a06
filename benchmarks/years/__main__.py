"""`make years`: lives of ten years, and what the memory says about them at the end of each year.

An answer is outdated if a statement of an earlier value comes before the first of the value in force. Beside it: the
same stream in a plain search by words or vectors whose five best are sorted by date.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.measure import say
from benchmarks.years.life import LANGUAGES, Life, Told, life
from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.bootstrap import open_embedder
from celestial_engine.core.model.faithful import unsaid_words
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.text.words import index_words
from celestial_engine.ports import Embedder
from celestial_engine.testing.fakes import FakeClock

_NEW_YEAR = 1_767_236_400.0
_YEARS = 10
_PLAIN_HITS = 5


@dataclass
class Plain:
    """A plain memory: every statement is kept, the best five of a search are shown newest first."""

    embedder: Embedder | None
    texts: list[str] = field(default_factory=list)
    vectors: list[Sequence[float]] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.texts.append(text)
        if self.embedder is not None:
            self.vectors.append(self.embedder.passages([text])[0])

    def answer(self, question: str) -> list[str]:
        if self.embedder is None:
            asked = set(index_words(question))
            scores: list[float] = [len(asked & set(index_words(text))) for text in self.texts]
        else:
            query = self.embedder.query(question)
            scores = [sum(map(float.__mul__, vector, query)) for vector in self.vectors]
        best = sorted(range(len(scores)), key=lambda place: -scores[place])[:_PLAIN_HITS]
        return [self.texts[place] for place in sorted(best, reverse=True) if scores[place] > 0]


class Lived:
    """One life told to a memory, and the counts of what it says."""

    def __init__(self, one: Life, embedder: Embedder | None, counts: Counter[str]) -> None:
        self.life = one
        self.counts = counts
        self.clock = FakeClock(_NEW_YEAR)
        self.plain = Plain(embedder)
        self.memory = CelestialMemory(
            ":memory:",
            rebalance_interval=None,
            clock=self.clock,
            embedder="none" if embedder is None else embedder,
            settings=Settings(storage=StorageSettings(words="pairs")),
        )
        self.in_force: dict[str, Told] = {}
        self.stated: dict[str, list[Told]] = {}
        self.kept: dict[str, str] = {}  # the id of the memory that holds a text

    def run(self) -> None:
        for week in range(self.life.weeks):
            self.clock.advance(days=7)
            if week in self.life.away:
                continue
            for told in self.life.at(week):
                self._tell(told)
            self.memory.sleep(force=True)
            if week % 52 == 51:
                self._ask()
        self._look_back()
        self.memory.close()

    def _tell(self, told: Told) -> None:
        sentence = told.sentence
        seen = self.memory.observe(sentence.text)
        self.plain.add(sentence.text)
        self.counts["told"] += 1
        if seen.item is None:
            self.counts["not kept"] += 1
        else:
            self.kept[sentence.text] = seen.item.id
            self._judge_merge(told, seen.item.content)
        if sentence.value == "-":
            return
        self.stated.setdefault(sentence.address, []).append(told)
        self.in_force[sentence.address] = told
        if told.changes:
            kind = f"change told in {'plain' if sentence.kind == 'explicit' else 'free'} words"
            self.counts[kind] += 1

    def _judge_merge(self, told: Told, content: str) -> None:
        if content == told.sentence.text:
            return
        other = next(
            (one.sentence for group in self.stated.values() for one in group if one.sentence.text == content), None
        )
        if other is None or (other.address, other.value) != (told.sentence.address, told.sentence.value):
            self.counts["false merges"] += 1
        else:
            self.counts["merged"] += 1

    def _ask(self) -> None:
        for address, questions in self.life.questions.items():
            current = self.in_force.get(address)
            if current is None:
                continue
            stated = self.stated[address]
            new = {one.sentence.text for one in stated if one.sentence.value == current.sentence.value}
            changed = max((one.week for one in stated if one.changes), default=-1)
            # What was told of the same value before it changed and changed back is not outdated.
            old = {one.sentence.text for one in stated if one.week < changed} - new
            kind = "free" if any(one.week == changed and one.sentence.kind == "free" for one in stated) else "plain"
            question = questions[current.week % len(questions)]
            hits = [item.content for item in self.memory.search(question, 10)]
            prompt = self.memory.compose(question, reinforce=False).text
            self.counts["asked"] += 1
            self.counts["answered"] += any(text in prompt for text in new)
            self.counts["plain search: answered"] += not new.isdisjoint(self.plain.answer(question))
            if not old:
                continue
            self.counts[f"asked after a change ({kind})"] += 1
            self.counts[f"outdated first ({kind})"] += _first(hits, old) < _first(hits, new)
            self.counts[f"outdated in the prompt ({kind})"] += any(text in prompt for text in old)
            shown = self.plain.answer(question)
            self.counts[f"plain search: outdated first ({kind})"] += _first(shown, old) < _first(shown, new)
            self.counts[f"plain search: outdated shown ({kind})"] += not old.isdisjoint(shown)
        for question in self.life.unknown:
            self.counts["unknown asked"] += 1
            self.counts["unknown answered"] += bool(self.memory.search(question, 5))

    def _look_back(self) -> None:
        """Counts what is lost although still true, what passed and is still here, and what nobody said."""
        items = {item.id: item for item in self.memory.list(10_000)}
        alive = {item.content: item for item in items.values()}
        for told in self.life.told:
            sentence, text = told.sentence, told.sentence.text
            if text not in self.kept:
                continue
            held = alive.get(text) or items.get(self.kept[text])
            gone = held is None or held.state not in (State.ACTIVE, State.FADED)
            if sentence.address == "passing":
                old = told.week < self.life.weeks - 70
                self.counts["passing, told long ago"] += old
                self.counts["passing, still here"] += old and not gone
            elif sentence.address == "still" or told is self.in_force.get(sentence.address):
                self.counts["still true and kept"] += 1
                self.counts["lost although true"] += gone or (held is not None and held.validity.until is not None)
        said = "\n".join(one.sentence.text for one in self.life.told)
        for item in items.values():
            if item.source is Source.DISTILLATION:
                self.counts["distilled"] += 1
                self.counts["invented"] += bool(unsaid_words(item.content, said))


def _first(texts: Sequence[str], wanted: set[str]) -> int:
    return next((place for place, text in enumerate(texts) if text in wanted), len(texts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50, help="half of them Korean")
    parser.add_argument("--years", type=int, default=_YEARS)
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    embedder = None if arguments.embedder == "none" else open_embedder(arguments.embedder)
    started = time.perf_counter()
    for language in LANGUAGES:
        counts: Counter[str] = Counter()
        for number in range(arguments.people // 2):
            Lived(life(number, language, arguments.years, arguments.seed), embedder, counts).run()
            say(f"{language} {number + 1}/{arguments.people // 2}, {time.perf_counter() - started:.0f} s")
        _print(language, counts)


_SHARES: tuple[tuple[str, str], ...] = (
    *((f"{what} ({kind})", f"asked after a change ({kind})")
      for what in ("outdated first", "outdated in the prompt", "plain search: outdated first",
                   "plain search: outdated shown")
      for kind in ("plain", "free")),
    ("answered", "asked"),
    ("plain search: answered", "asked"),
    ("unknown answered", "unknown asked"),
    ("lost although true", "still true and kept"),
    ("passing, still here", "passing, told long ago"),
    ("false merges", "told"),
    ("merged", "told"),
    ("not kept", "told"),
    ("invented", "distilled"),
)  # fmt: skip


def _print(language: str, counts: Counter[str], show: Callable[[str], None] = say) -> None:
    show(f"\n{language}: {counts['told']} told, {counts['asked']} questions")
    for name, of in _SHARES:
        share = counts[name] / counts[of] if counts[of] else 0.0
        show(f"  {name:42} {share:6.3f}   {counts[name]} of {counts[of]} {of}")


if __name__ == "__main__":
    main()
