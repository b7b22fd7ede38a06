"""Public data sets as tasks: memories to store, questions, and the memories that answer them.

The data is not part of the project: CELESTIAL_BENCH_DATA names its folder.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DISTRACTING_SESSIONS = 40


@dataclass(frozen=True)
class Memory:
    """A text to store. `session` groups the memories of one talk; `said_at` is Unix time."""

    text: str
    session: str = ""
    said_at: float | None = None


@dataclass(frozen=True)
class Question:
    """A question and the numbers of the memories that answer it; `corrected` replaces wrong labels."""

    text: str
    evidence: frozenset[int]
    category: str = ""
    corrected: frozenset[int] | None = None
    asked_at: float | None = None


@dataclass(frozen=True)
class Task:
    """One store: its memories and its questions."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]

    @property
    def texts(self) -> list[str]:
        return [memory.text for memory in self.memories]


@dataclass(frozen=True)
class TaskSet:
    """A public set; `note` says how its tasks were made."""

    title: str
    load: Callable[[Path], Iterator[Task]]
    note: str


def locomo(folder: Path) -> Iterator[Task]:
    """Long chats of two friends: a turn is a memory, the questions of categories 1 to 4 name their turns."""
    wrong_labels = {
        entry["question_id"]: entry for entry in _json(folder / "locomo" / "label_errors_dev4.json")
    }  # by the index of the conversation and of the question
    for place, entry in enumerate(_json(folder / "locomo" / "locomo_dev4.json")):
        memories, number = _locomo_turns(entry["conversation"])
        questions = []
        for index, asked in enumerate(entry["qa"]):
            if asked["category"] not in LOCOMO_CATEGORIES:
                continue
            audit = wrong_labels.get(f"locomo_{place}_qa{index}", {})
            evidence = _turns_named(asked.get("evidence", []), number)
            corrected = _turns_named(audit.get("correct_evidence") or [], number)
            if evidence or corrected:
                category = LOCOMO_CATEGORIES[asked["category"]]
                questions.append(Question(asked["question"], evidence, category, corrected or None))
        yield Task(entry["sample_id"], tuple(memories), tuple(questions))


def longmemeval_pool(folder: Path) -> Iterator[Task]:
    """Talks of users with an assistant: all user turns of all questions in one pool, gold has `has_answer`."""
    entries = _longmemeval(folder)
    yield _turn_task("pool", _everybody(entries).values(), _answerable(entries))


def longmemeval_haystacks(folder: Path) -> Iterator[Task]:
    """The same questions, one user each: its sessions among 40 sessions of other questions."""
    entries = _longmemeval(folder)
    everybody = _everybody(entries)
    for entry in _answerable(entries):
        own = {session.name for session in _sessions(entry)}
        others = sorted(everybody.keys() - own)
        chosen = random.Random(entry["question_id"]).sample(others, DISTRACTING_SESSIONS)
        sessions = [everybody[name] for name in own | set(chosen)]
        task = _turn_task(entry["question_id"], sessions, [entry])
        if task.questions:
            yield task


def longmemeval_sessions(folder: Path) -> Iterator[Task]:
    """LongMemEval-S: a memory is the beginning of a session's user turns, gold is the sessions with the answer."""
    gold = {entry["question_id"]: entry for entry in _answerable(_longmemeval(folder))}
    for entry in _lines(folder / "longmemeval" / "s_haystack_500chars_dev.jsonl"):
        if entry["question_id"] not in gold:
            continue
        about = gold[entry["question_id"]]
        memories = tuple(Memory(each["text"], each["sid"], _time(each["date"])) for each in entry["sessions"])
        answers = set(about["answer_session_ids"])
        evidence = frozenset(place for place, each in enumerate(entry["sessions"]) if each["sid"] in answers)
        question = Question(
            entry["question"], evidence, entry["question_type"], asked_at=_time(about["question_date"])
        )
        yield Task(entry["question_id"], memories, (question,))


def korean(folder: Path) -> Iterator[Task]:
    """Korean StrategyQA: the facts of all questions in one pool; a question's own facts are its gold."""
    entries = _lines(folder / "ko_strategyqa" / "ko_strategyqa_dev.jsonl")
    facts = sorted({fact for entry in entries for fact in entry["facts"]})
    number = {fact: place for place, fact in enumerate(facts)}
    questions = (Question(entry["question"], frozenset(number[fact] for fact in entry["facts"])) for entry in entries)
    yield Task("facts", tuple(map(Memory, facts)), tuple(question for question in questions if question.evidence))


SETS = {
    "locomo": TaskSet(
        "LoCoMo, turns, categories 1 to 4",
        locomo,
        "each turn a memory `[date] Speaker: text [caption]`, a memory file per conversation",
    ),
    "lme-pool": TaskSet(
        "LongMemEval, user turns in one pool",
        longmemeval_pool,
        "the user turns of all sessions, without dates; abstention questions and those with no user turn that "
        "has_answer left out",
    ),
    "lme-turns": TaskSet(
        "LongMemEval, user turns, a haystack per question",
        longmemeval_haystacks,
        f"a question's own oracle sessions and {DISTRACTING_SESSIONS} sessions of other questions, drawn from all of "
        "them with the question's id as the random seed, in the order of their dates; user turns, without dates",
    ),
    "lme-sessions": TaskSet(
        "LongMemEval-S, sessions, first 500 characters",
        longmemeval_sessions,
        "its own haystacks of 41 to 50 sessions; abstention questions left out",
    ),
    "korean": TaskSet(
        "Korean StrategyQA, facts in one pool", korean, "a question against the facts of all questions"
    ),
}


def data_folder() -> Path:
    return Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data"))


def reduced(tasks: Sequence[Task], questions: int | None) -> list[Task]:
    """Keep at most `questions` questions, spread evenly; tasks without questions are dropped."""
    total = sum(len(task.questions) for task in tasks)
    if questions is None or questions >= total:
        return list(tasks)
    kept = {place * total // questions for place in range(questions)}
    result, first = [], 0
    for task in tasks:
        chosen = tuple(each for place, each in enumerate(task.questions, first) if place in kept)
        first += len(task.questions)
        if chosen:
            result.append(replace(task, questions=chosen))
    return result


@dataclass(frozen=True)
class _Session:
    name: str
    began_at: float
    turns: tuple[dict[str, Any], ...]


def _longmemeval(folder: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = _json(folder / "longmemeval" / "oracle_dev150.json")
    return entries


def _answerable(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop the abstention questions: they have no answer to find."""
    return [entry for entry in entries if not entry["question_id"].endswith("_abs")]


def _everybody(entries: Iterable[dict[str, Any]]) -> dict[str, _Session]:
    return {session.name: session for entry in entries for session in _sessions(entry)}


def _sessions(entry: dict[str, Any]) -> list[_Session]:
    columns = zip(entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True)
    return [_Session(name, _time(date), tuple(turns)) for name, date, turns in columns]


def _turn_task(name: str, sessions: Iterable[_Session], entries: Sequence[dict[str, Any]]) -> Task:
    """User turns, oldest session first; evidence are the turns of a question's own sessions that have its answer."""
    memories: list[Memory] = []
    answering: dict[str, set[int]] = {}
    for session in sorted(sessions, key=lambda each: (each.began_at, each.name)):
        for turn in session.turns:
            if turn["role"] == "user" and turn["content"].strip():
                if turn.get("has_answer"):
                    answering.setdefault(session.name, set()).add(len(memories))
                memories.append(Memory(turn["content"], session.name, session.began_at))
    questions = []
    for entry in entries:
        own = [answering.get(session, set()) for session in entry["haystack_session_ids"]]
        if evidence := frozenset().union(*own):
            asked_at = _time(entry["question_date"])
            questions.append(Question(entry["question"], evidence, entry["question_type"], asked_at=asked_at))
    return Task(name, tuple(memories), tuple(questions))


def _locomo_turns(talk: dict[str, Any]) -> tuple[list[Memory], dict[str, int]]:
    memories: list[Memory] = []
    number: dict[str, int] = {}
    session = 1
    while turns := talk.get(f"session_{session}"):
        when = talk[f"session_{session}_date_time"]
        said_at = datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=timezone.utc).timestamp()
        for turn in turns:
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            number[turn["dia_id"]] = len(memories)
            memories.append(Memory(f"[{when}] {turn['speaker']}: {turn['text']}{caption}", str(session), said_at))
        session += 1
    return memories, number


def _turns_named(evidence: Iterable[str], number: dict[str, int]) -> frozenset[int]:
    """The labels are written by hand: `D8:6; D9:17`, `D:11:26`."""
    names = re.findall(r"D\d+:\d+", " ".join(evidence).replace("D:", "D"))
    return frozenset(number[name] for name in names if name in number)


def _time(text: str) -> float:
    """2023/05/26 (Fri) 09:04"""
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=timezone.utc).timestamp()


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
