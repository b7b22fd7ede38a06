"""Question traces: times of memories and questions, and what each question needs and recalls."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.recall import data
from benchmarks.recall.data import Question, Task
from benchmarks.recall.ours import CONFIGURATIONS, Celestial
from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.record.importance import RuleBasedEvaluator, evidence

DAY, MINUTE = 86_400.0, 60.0
RECALLED = 5  # answers that a real recall returns and reinforces
TALKS, QUESTIONS_A_TALK = 80, 4
QUIET_DAYS = 60  # synthetic traces continue this long after the last memory
RELATED = 0.5  # probability that the next question of a synthetic talk has the same subject
DRIFT = 0.05  # share of synthetic favourites that change rank between two talks


@dataclass(frozen=True)
class Ask:
    """A question: the memories it needs, and those that its recall returns and reinforces."""

    at: float
    question: int
    needed: frozenset[int]
    recalled: frozenset[int]


@dataclass(frozen=True)
class Trace:
    """A trace: time and importance of each memory, oldest first, and the questions in order."""

    name: str
    stored_at: tuple[float, ...]
    importance: tuple[float, ...]
    asks: tuple[Ask, ...]


Timed = tuple[Task, Sequence[tuple[float, int]]]  # a task, and (time, question number) pairs


@dataclass(frozen=True)
class TraceSet:
    """Traces of one kind; `made_up` says what is not in the data."""

    title: str
    load: Callable[[Path, int], Iterator[Timed]]
    made_up: str
    natural: bool


def locomo_after(folder: Path, seed: int) -> Iterator[Timed]:
    """All questions come after the talk: the next day, in the order of the file."""
    for task in data.locomo(folder):
        begun = max(moments(task)) + DAY
        yield task, [(begun + number * MINUTE, number) for number in range(len(task.questions))]


def locomo_along(folder: Path, seed: int) -> Iterator[Timed]:
    """Each question comes at the start of a random later session, or a week after the last."""
    rng = random.Random(seed)
    for task in data.locomo(folder):
        said = moments(task)
        begun = {memory.said_at for memory in task.memories if memory.said_at is not None}
        sessions = sorted({*begun, max(begun) + 7 * DAY})
        asked: dict[float, list[int]] = {}
        for number, question in enumerate(task.questions):
            last = max(said[each] for each in question.evidence or question.corrected or ())
            asked.setdefault(rng.choice([session for session in sessions if session > last]), []).append(number)
        yield (
            task,
            [
                # Before the first turn of that session is stored.
                (session - (len(numbers) - place) * MINUTE, number)
                for session, numbers in sorted(asked.items())
                for place, number in enumerate(numbers)
            ],
        )


def longmemeval_pool(folder: Path, seed: int) -> Iterator[Timed]:
    for task in data.longmemeval_pool(folder):
        yield task, dated(task)


def longmemeval_users(folder: Path, seed: int) -> Iterator[Timed]:
    """Sort sessions oldest first: the file has another order."""
    for task in data.longmemeval_sessions(folder):
        order = sorted(range(len(task.memories)), key=lambda number: task.memories[number].said_at or 0.0)
        place = {number: rank for rank, number in enumerate(order)}
        questions = tuple(
            replace(each, evidence=frozenset(place[number] for number in each.evidence)) for each in task.questions
        )
        ordered = replace(task, memories=tuple(task.memories[number] for number in order), questions=questions)
        yield ordered, dated(ordered)


def everyday(load: Callable[[Path], Iterable[Task]]) -> Callable[[Path, int], Iterator[Timed]]:
    """Favourite questions repeat, in talks with related ones, and favourites change over time."""

    def loaded(folder: Path, seed: int) -> Iterator[Timed]:
        for task in load(folder):
            yield task, talks(task, random.Random(f"{seed} {task.name}"))

    return loaded


SETS = {
    "locomo-after": TraceSet(
        "LoCoMo, asked afterwards",
        locomo_after,
        "the moments of the questions: the day after the last session, a minute apart, in the file's order",
        True,
    ),
    "locomo-along": TraceSet(
        "LoCoMo, asked along the way",
        locomo_along,
        "the moments of the questions: the beginning of any session after their last evidence",
        True,
    ),
    "lme-pool": TraceSet(
        "LongMemEval, one pool of user turns",
        longmemeval_pool,
        "nothing but the pool: all users' turns in one memory, all dates as in the data",
        True,
    ),
    "lme-users": TraceSet(
        "LongMemEval-S, a user's sessions",
        longmemeval_users,
        "nothing: one question a user, all dates as in the data",
        True,
    ),
    "locomo-everyday": TraceSet(
        "LoCoMo, every day (made up)",
        everyday(data.locomo),
        "which question comes when: by Zipf, in talks with related ones, with drifting favourites",
        False,
    ),
    "lme-everyday": TraceSet(
        "LongMemEval pool, every day (made up)",
        everyday(data.longmemeval_pool),
        "which question comes when, as above",
        False,
    ),
}


def traces_of(timed: Iterable[Timed], recall: Recall | None = None) -> list[Trace]:
    """Each question recalls what it needs, or what `recall` finds, of what is stored by then."""
    return [_trace(task, asked, recall) for task, asked in timed]


class Recall:
    """The engine's own recall by words, cached per question."""

    def __init__(self) -> None:
        self._found: dict[str, list[list[int]]] = {}

    def hits(self, task: Task) -> list[list[int]]:
        """The numbers of the memories found for each question of the task, best first."""
        key = f"{task.name} {len(task.memories)}"
        if key not in self._found:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                memory = Celestial(Path(folder), None, CONFIGURATIONS["ours-words"])
                try:
                    memory.store(task)
                    self._found[key] = [memory.find(question) for question in task.questions]
                finally:
                    memory.close()
        return self._found[key]


def talks(task: Task, rng: random.Random) -> list[tuple[float, int]]:
    """(time, question) pairs: talks at random times, each started by a favourite and partly about it."""
    said = moments(task)
    last_evidence = [max((said[each] for each in question.evidence), default=None) for question in task.questions]
    favourites = [number for number, last in enumerate(last_evidence) if last is not None]
    rng.shuffle(favourites)
    related = _related(task)
    asked: list[tuple[float, int]] = []
    begin = said[len(said) // 10]  # before that too little is stored
    for at in sorted(rng.uniform(begin, said[-1] + QUIET_DAYS * DAY) for _ in range(TALKS)):
        known = [number for number in favourites if (last_evidence[number] or 0.0) < at]
        current: int | None = None
        for place in range(QUESTIONS_A_TALK if known else 0):
            near = [] if current is None else [number for number in related[current] if number in known]
            if near and rng.random() < RELATED:
                current = rng.choice(near)
            else:
                current = rng.choices(known, [1 / rank for rank in range(1, len(known) + 1)])[0]
            asked.append((at + place * MINUTE, current))
        for _ in range(int(DRIFT * len(favourites))):
            one, other = rng.randrange(len(favourites)), rng.randrange(len(favourites))
            favourites[one], favourites[other] = favourites[other], favourites[one]
    return sorted(asked)  # talks may overlap


def importance_of(text: str) -> float:
    """A(m) of a new unrated memory, like the engine: the larger of the rules' and the emotion's value."""
    return max(RuleBasedEvaluator().evaluate(text), evidence(None, 0, feel(text).sentiment_score))


def moments(task: Task) -> list[float]:
    """The time of each memory; turns of a session are a second apart, so that their order is kept."""
    found: list[float] = []
    began = turn = 0.0
    for memory in task.memories:
        turn = turn + 1.0 if memory.said_at == began else 0.0
        began = memory.said_at or 0.0
        found.append(max(began + turn, found[-1] if found else began))
    return found


def dated(task: Task) -> list[tuple[float, int]]:
    return sorted((question.asked_at or 0.0, number) for number, question in enumerate(task.questions))


def _trace(task: Task, asked: Sequence[tuple[float, int]], recall: Recall | None) -> Trace:
    stored_at = moments(task)
    asks = []
    for at, number in asked:
        question: Question = task.questions[number]
        # Some labels of the data name later turns, which cannot be stored yet.
        needed = frozenset(each for each in question.evidence if stored_at[each] < at)
        recalled = needed
        if recall is not None:
            recalled = frozenset([each for each in recall.hits(task)[number] if stored_at[each] < at][:RECALLED])
        asks.append(Ask(at, number, needed, recalled))
    return Trace(task.name, tuple(stored_at), tuple(importance_of(text) for text in task.texts), tuple(asks))


def _related(task: Task) -> list[list[int]]:
    """For each question the others with evidence in the same sessions."""
    sessions = [{task.memories[each].session for each in question.evidence} for question in task.questions]
    return [
        [other for other, theirs in enumerate(sessions) if other != number and theirs & own]
        for number, own in enumerate(sessions)
    ]
