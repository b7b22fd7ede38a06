"""Public data sets, of which only some of 3i4K was trained on. CELESTIAL_BENCH_DATA names their folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from training.public import korean_acts

from benchmarks.decide.scores import accuracy, binary
from celestial_engine import Action, Utterance
from celestial_engine.core.record.labels import Act
from celestial_engine.core.turn.features import features_of
from celestial_engine.core.turn.policy import Decision, decide_turn
from celestial_engine.flow.base.read import read_text

SOMETHING_STORED = 100
_EVERY = 10  # of 55,000 Korean utterances


class Turn(NamedTuple):
    text: str
    wanted: Action


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def locomo(folder: Path) -> list[Turn]:
    return [turn for sessions in conversations(folder).values() for session in sessions for turn in session]


def conversations(folder: Path) -> dict[str, list[list[Turn]]]:
    """The sessions of each conversation of LoCoMo, as lists of turns."""
    found: dict[str, dict[str, list[Turn]]] = {}
    for row in lines_of(folder / "save_skip" / "locomo_turn_save_labels_dev.jsonl"):
        session = found.setdefault(row["conv"], {}).setdefault(row["dia_id"].partition(":")[0], [])
        session.append(Turn(row["text"], Action.SAVE if row["save"] else Action.SKIP))
    return {name: list(sessions.values()) for name, sessions in found.items()}


def mempalace(folder: Path, language: str) -> list[Turn]:
    ending = ".ko.jsonl" if language == "ko" else ".jsonl"
    rows = lines_of(folder / "save_skip" / f"mempalace_memory_extraction_dataset{ending}")
    labels = lines_of(folder / "save_skip" / f"mempalace_memory_extraction_labels{ending}")
    kept = {row["id"] for row in labels if row["memories"]}
    return [Turn(row["text"], Action.SAVE if row["id"] in kept else Action.SKIP) for row in rows]


def questions_en(folder: Path) -> list[Turn]:
    rows = json.loads((folder / "longmemeval" / "oracle_dev150.json").read_text(encoding="utf-8"))
    return [Turn(row["question"], Action.RETRIEVE) for row in rows]


def decided(text: str) -> Decision:
    return decide_turn(features_of(Utterance(text), read_text(text), memory_count=SOMETHING_STORED))


def sets(folder: Path) -> dict[str, tuple[list[Turn], Action]]:
    return {
        "LoCoMo turns, en: save": (locomo(folder), Action.SAVE),
        "MemPalace, en: save": (mempalace(folder, "en"), Action.SAVE),
        "MemPalace, ko: save": (mempalace(folder, "ko"), Action.SAVE),
        "LongMemEval questions, en: fetched for": (questions_en(folder), Action.RETRIEVE),
    }


def decisions(found: dict[str, tuple[list[Turn], Action]]) -> str:
    lines = ["| public set | turns | accuracy | precision | recall | F1 |", "|---|---|---|---|---|---|"]
    for name, (turns, wanted) in found.items():
        lines.append(_line(name, [turn.wanted is wanted for turn in turns], _said(turns, wanted)))
    return "\n".join(lines)


def questions_ko(folder: Path) -> str:
    """3i4K: questions against statements, in Korean without punctuation."""
    others = korean_acts(folder, trained_on=False)[::_EVERY]
    others = [turn for turn in others if turn.labels["act"] != Act.REQUEST.value]
    wanted = [turn.labels["act"] == Act.QUESTION.value for turn in others]
    said = [read_text(turn.text).act is Act.QUESTION for turn in others]
    return _line("3i4K, ko: a question, not a statement", wanted, said)


def _said(turns: Sequence[Turn], wanted: Action) -> list[bool]:
    """A question that also tells something is saved, and fetched for."""
    found = [decided(turn.text) for turn in turns]
    return [one.fetches if wanted is Action.RETRIEVE else one.action is wanted for one in found]


def _line(name: str, wanted: Sequence[bool], said: Sequence[bool]) -> str:
    got = binary(wanted, said)
    alike = all(wanted)  # only one class: nothing to confuse it with
    precision, f1 = ("-", "-") if alike else (f"{got.precision:.3f}", f"{got.f1:.3f}")
    right = accuracy(wanted, said)
    return f"| {name} | {len(wanted):,} | {right:.3f} | {precision} | {got.recall:.3f} | {f1} |"
