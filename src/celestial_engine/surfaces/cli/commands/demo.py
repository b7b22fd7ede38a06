"""A tour of the engine on a temporary database."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.execute import caller_of
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.terminal import drawn_width, fitted, padded, terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import format as shape
from celestial_engine.surfaces.cli.views.reading import stats_lines
from celestial_engine.surfaces.operations.fields import EmptyRequest
from celestial_engine.surfaces.operations.reading import stats

_A_MONDAY_MORNING = 1_767_600_000.0
_USUAL_COLUMNS = 100

# Memories and questions are in both languages, whatever --lang says: that they mix is the point.
_MEMORIES: tuple[tuple[str, float | None], ...] = (
    ("Python was released in 1991 by Guido van Rossum", 1.0),
    ("The deadline for the tax report is 2026-03-31", 0.75),
    ("The office printer is on the second floor", 0.2),
    ("민수는 커피를 좋아하지만 저녁에는 디카페인만 마신다", 0.8),
    ("회의는 매주 화요일 오전 10시, 중요하니 꼭 기억해", None),
    ("점심에 먹은 비빔밥이 맛있었다", 0.1),
)
_QUESTIONS = ("When did Python appear?", "민수 커피 취향이 뭐였지?")
_MUCH_ASKED = "Who released Python?"
_CRAVING = "커피"
_FAR_MEMORY = "화요일 회의 몇 시야?"


@dataclass(frozen=True)
class Step:
    """A heading and what the engine answered."""

    title: str
    lines: tuple[str, ...]


class _Clock:
    """Time that passes when the story says so."""

    def __init__(self) -> None:
        self.now = _A_MONDAY_MORNING

    def __call__(self) -> float:
        return self.now

    def let_pass(self, span: timedelta) -> None:
        self.now += span.total_seconds()


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    """It takes none."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Tells the story step by step."""
    with tempfile.TemporaryDirectory(prefix="celestial-demo-") as folder:
        clock = _Clock()
        # Without a model the story is the same on every machine.
        with CelestialMemory(
            str(Path(folder, "demo.db")), clock=clock, rebalance_interval=None, embedder="none"
        ) as memory:
            steps = _Tour(console, memory, clock).steps()
            if console.as_json:
                console.data([asdict(step) for step in steps])
                return OK
            for step in steps:
                console.say(step.title, *(f"  {line}" for line in step.lines), "")
    return OK


class _Tour:
    """Every line comes from a call to the engine."""

    def __init__(self, console: Console, memory: CelestialMemory, clock: _Clock) -> None:
        self._console, self._texts = console, console.texts
        self._memory = memory
        self._clock = clock

    def steps(self) -> Iterator[Step]:
        say = self._texts
        yield Step(say("demo.opening"), ())
        yield Step(say("demo.store"), tuple(self._store()))
        yield Step(say("demo.ask"), (*self._ask(*_QUESTIONS), *self._ask_thrice(), self._sky()))
        yield Step(say("demo.day"), tuple(self._wait(timedelta(days=1))))
        yield Step(say("demo.weeks"), tuple(self._wait(timedelta(weeks=3))))
        yield Step(say("demo.recall"), (*self._come_back(), self._sky()))
        yield Step(say("demo.forget"), tuple(self._forget_and_restore()))
        yield Step(say("demo.stats"), tuple(self._stats()))
        commands = tuple(say(f"demo.next_{name}") for name in ("store", "recall", "explain"))
        yield Step(say("demo.next"), commands)

    def _store(self) -> Sequence[str]:
        items = [self._memory.store(text, importance) for text, importance in _MEMORIES]
        return [*(self._line(item, self._judged(item)) for item in items), self._sky()]

    def _ask(self, *questions: str) -> Iterator[str]:
        for question in questions:
            yield self._texts("demo.question", question=question)
            yield from (self._line(item) for item in self._memory.recall(question, limit=1))

    def _ask_thrice(self) -> Iterator[str]:
        yield self._texts("demo.thrice", question=_MUCH_ASKED)
        answers = [self._memory.recall(_MUCH_ASKED, limit=1) for _ in range(3)]
        yield from (self._line(item) for item in answers[-1])

    def _wait(self, span: timedelta) -> Iterator[str]:
        self._clock.let_pass(span)
        result = self._memory.rebalance()
        yield self._texts("demo.moved", moved=result.moved, forgotten=result.forgotten)
        yield self._sky()

    def _come_back(self) -> Iterator[str]:
        yield self._texts("demo.question", question=_FAR_MEMORY)
        for found in self._memory.search(_FAR_MEMORY, limit=1):
            before = found.zone
            (after,) = self._memory.recall(_FAR_MEMORY, limit=1)
            yield self._cut(
                self._texts(
                    "demo.journey",
                    id=shape.short(after.id),
                    before=self._zone(before),
                    after=self._zone(after.zone),
                    text=after.content,
                )
            )

    def _forget_and_restore(self) -> Iterator[str]:
        (coffee,) = self._memory.search(_CRAVING, limit=1)
        forgotten = self._memory.forget(coffee.id)
        seconds_left = forgotten.departure.purge_at - self._clock() if forgotten.departure else 0.0
        yield self._texts(
            "demo.forgotten",
            id=shape.short(forgotten.id),
            time=shape.duration(self._texts, seconds_left),
            question=_CRAVING,
            count=len(self._memory.search(_CRAVING)),
        )
        back = self._memory.restore(coffee.id)
        yield self._texts(
            "demo.restored",
            id=shape.short(back.id),
            zone=self._zone(back.zone),
            question=_CRAVING,
            count=len(self._memory.search(_CRAVING)),
        )

    def _stats(self) -> Sequence[str]:
        # The path and the size of a file that is about to vanish would only mislead.
        counted = stats(caller_of(self._memory, self._console), EmptyRequest())
        return stats_lines(self._texts, replace(counted, database=None, size_bytes=None))

    def _line(self, item: CelestialItem, note: str = "") -> str:
        zone = padded(self._zone(item.zone), self._zone_columns())
        return self._cut(
            f"{shape.short(item.id)}  {zone}  {shape.score_text(item.total_score)}  {note}{item.content}"
        )

    def _judged(self, item: CelestialItem) -> str:
        source = self._texts.word("importance", item.importance_source)
        return f"[{item.arbitrary_importance:.2f} {source}] "

    def _sky(self) -> str:
        """The zones in a row, a dot a memory."""
        zones = self._memory.stats()["zones"].values()
        return "   ".join(f"{self._texts.word('zone', zone['name'])} {'●' * zone['count'] or '·'}" for zone in zones)

    def _zone(self, zone: int) -> str:
        return shape.zone_name(self._texts, self._memory.orbits.zones()[zone].name)

    def _zone_columns(self) -> int:
        zones = self._memory.stats()["zones"]
        return max(drawn_width(self._zone(zone)) for zone in zones)

    def _cut(self, line: str) -> str:
        return fitted(line, (terminal_columns() or _USUAL_COLUMNS) - 2)
