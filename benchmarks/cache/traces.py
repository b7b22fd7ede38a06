"""Question traces: when each memory was stored, when each question came, what it needed and what it recalled."""

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
RECALLED = 5  # answers that a real recall gives, and reinforces
TALKS, QUESTIONS_A_TALK = 80, 4
QUIET_DAYS = 60  # the made-up traces go on for so long after the last memory
RELATED = 0.5  # how often the next question of a made-up talk stays with what the last one was about
DRIFT = 0.05  # how many of the made-up favourites change place between two talks


@dataclass(frozen=True)
class Ask:
    """A question: the memories it needs, and those that its recall returns and so reinforces."""

    at: float
    question: int
    needed: frozenset[int]
    recalled: frozenset[int]


@dataclass(frozen=True)
class Trace:
    """A memory's life: the moment and the importance of each memory, oldest first, and the questions in order."""

    name: str
    stored_at: tuple[float, ...]
    importance: tuple[float, ...]
    asks: tuple[Ask, ...]


Timed = tuple[Task, Sequence[tuple[float, int]]]  # a task, and when which of its questions is asked


@dataclass(frozen=True)
class TraceSet:
    """Traces of one kind; `made_up` says what is not in the data."""

    title: str
    load: Callable[[Path, int], Iterator[Timed]]
    made_up: str
    natural: bool


def locomo_after(folder: Path, seed: int) -> Iterator[Timed]:
    """Everything is asked when the talk is over: the day after, in the order of the file."""
    for task in data.locomo(folder):
        begun = max(moments(task)) + DAY
        yield task, [(begun + number * MINUTE, number) for number in range(len(task.questions))]


def locomo_along(folder: Path, seed: int) -> Iterator[Timed]:
    """Each question comes at the beginning of a later session, any of them, or a week after the last."""
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
    """The oldest session first: the file has them in another order."""
    for task in data.longmemeval_sessions(folder):
        order = sorted(range(len(task.memories)), key=lambda number: task.memories[number].said_at or 0.0)
        place = {number: rank for rank, number in enumerate(order)}
        questions = tuple(
            replace(each, evidence=frozenset(place[number] for number in each.evidence)) for each in task.questions
        )
        ordered = replace(task, memories=tuple(task.memories[number] for number in order), questions=questions)
        yield ordered, dated(ordered)


def everyday(load: Callable[[Path], Iterable[Task]]) -> Callable[[Path, int], Iterator[Timed]]:
    """Favourite questions come again and again, in talks with related ones, and favourites change."""

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
    """Each question recalls what it needs, or what `recall` finds; what is not stored yet cannot be either."""
    return [_trace(task, asked, recall) for task, asked in timed]


class Recall:
    """What the engine's own recall returns for a question, by words alone; each question is looked up once."""

    def __init__(self) -> None:
        self._found: dict[str, list[list[int]]] = {}

    def hits(self, task: Task) -> list[list[int]]:
        """For each question of the task the numbers of the memories found, best first."""
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
    """When which question is asked: talks at any time, each begun by a favourite and partly staying with it."""
    said = moments(task)
    last_evidence = [max((said[each] for each in question.evidence), default=None) for question in task.questions]
    favourites = [number for number, last in enumerate(last_evidence) if last is not None]
    rng.shuffle(favourites)
    related = _related(task)
    asked: list[tuple[float, int]] = []
    begin = said[len(said) // 10]  # before that there is little to tell of
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
    return sorted(asked)  # a talk may begin before another is over


def importance_of(text: str) -> float:
    """A(m) of a new memory that nobody rated, as the engine gives it: the rules' word or the mood's, the larger."""
    return max(RuleBasedEvaluator().evaluate(text), evidence(None, 0, feel(text).sentiment_score))


def moments(task: Task) -> list[float]:
    """When each memory was stored; the turns of a session a second apart, so that the later is the newer."""
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
        # Some labels of the data name what is said later: nobody can have that ready.
        needed = frozenset(each for each in question.evidence if stored_at[each] < at)
        recalled = needed
        if recall is not None:
            recalled = frozenset([each for each in recall.hits(task)[number] if stored_at[each] < at][:RECALLED])
        asks.append(Ask(at, number, needed, recalled))
    return Trace(task.name, tuple(stored_at), tuple(importance_of(text) for text in task.texts), tuple(asks))


def _related(task: Task) -> list[list[int]]:
    """For each question the others whose evidence is of the same sessions."""
    sessions = [{task.memories[each].session for each in question.evidence} for question in task.questions]
    return [
        [other for other, theirs in enumerate(sessions) if other != number and theirs & own]
        for number, own in enumerate(sessions)
    ]
