"""How well and how fast turns are decided about: `python -m benchmarks.decide`. See docs/policy.md, docs/learning.md.

By rules alone: the patterns were settled on the even lines of LoCoMo; what is reported is measured on the odd ones.
By what was learned: on labelled talk, each conversation by a policy that learned from the others, and in self-play.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import Corpus
from benchmarks.measure import Stopwatch, say
from benchmarks.selfplay import report as selfplay
from benchmarks.selfplay.play import course
from benchmarks.selfplay.users import Said
from celestial_engine import Action, CelestialMemory, Settings, StorageSettings, Utterance
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.features import features_of
from celestial_engine.core.turn.policy import Chooser, decide_turn

MEMORIES = 10_000
SOMETHING_STORED = 100


class Turn(NamedTuple):
    text: str
    wanted: Action


@dataclass(frozen=True)
class Figures:
    accuracy: float
    precision: float
    recall: float
    f1: float


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def locomo(folder: Path, odd: bool) -> list[Turn]:
    rows = lines_of(folder / "save_skip" / "locomo_turn_save_labels_dev.jsonl")[odd::2]
    return [Turn(row["text"], Action.SAVE if row["save"] else Action.SKIP) for row in rows]


def mempalace(folder: Path, language: str) -> list[Turn]:
    ending = ".ko.jsonl" if language == "ko" else ".jsonl"
    rows = lines_of(folder / "save_skip" / f"mempalace_memory_extraction_dataset{ending}")
    labels = lines_of(folder / "save_skip" / f"mempalace_memory_extraction_labels{ending}")
    kept = {row["id"] for row in labels if row["memories"]}
    return [Turn(row["text"], Action.SAVE if row["id"] in kept else Action.SKIP) for row in rows]


def questions_en(folder: Path) -> list[Turn]:
    rows = json.loads((folder / "longmemeval" / "oracle_dev150.json").read_text(encoding="utf-8"))
    return [Turn(row["question"], Action.RETRIEVE) for row in rows]


def questions_ko(folder: Path) -> list[Turn]:
    rows = lines_of(folder / "ko_strategyqa" / "ko_strategyqa_dev.jsonl")
    return [Turn(row["question"], Action.RETRIEVE) for row in rows]


def conversations(folder: Path) -> dict[str, list[list[Turn]]]:
    """The sessions of each conversation, as lists of turns."""
    found: dict[str, dict[str, list[Turn]]] = {}
    for row in lines_of(folder / "save_skip" / "locomo_turn_save_labels_dev.jsonl"):
        session = found.setdefault(row["conv"], {}).setdefault(row["dia_id"].partition(":")[0], [])
        session.append(Turn(row["text"], Action.SAVE if row["save"] else Action.SKIP))
    return {name: list(sessions.values()) for name, sessions in found.items()}


def decided(text: str) -> Action:
    return decide_turn(features_of(Utterance(text), memory_count=SOMETHING_STORED)).action


def figures(turns: Sequence[Turn], said: Sequence[Action], wanted: Action) -> Figures:
    """Precision, recall and F1 of one action against the others."""
    pairs = [(turn.wanted is wanted, action is wanted) for turn, action in zip(turns, said, strict=True)]
    correct, predicted, actual = pairs.count((True, True)), sum(p[1] for p in pairs), sum(p[0] for p in pairs)
    precision, recall = correct / predicted if predicted else 0.0, correct / actual if actual else 0.0
    f1 = 2 * precision * recall / (precision + recall) if correct else 0.0
    return Figures(sum(a is b for a, b in pairs) / len(pairs), precision, recall, f1)


def followed(sessions: Sequence[Sequence[Turn]], chooser: Chooser | None) -> list[Action]:
    """The action for each turn, given the actions of the previous turns."""
    actions: list[Action] = []
    for session in sessions:
        history: list[Utterance] = []
        for turn in session:
            stored = SOMETHING_STORED + actions.count(Action.SAVE)
            action = decide_turn(features_of(Utterance(turn.text), history, stored), chooser).action
            history.append(Utterance(turn.text, action=action))
            actions.append(action)
    return actions


def on_labelled_talk(folder: Path, lived: int, seeds: Sequence[int]) -> None:
    """Leave one out: each conversation is decided by a policy that learned from the others."""
    talks = conversations(folder)
    turns = [turn for sessions in talks.values() for session in sessions for turn in session]
    print(f"\n| labelled talk, {lived:,} turns learned from | accuracy | precision | recall | F1 |")
    print("|---|---|---|---|---|")
    for seed in (None, *seeds):
        said: list[Action] = []
        for held_out, asked in talks.items():
            others = [session for name, sessions in talks.items() if name != held_out for session in sessions]
            chooser = None if seed is None else selfplay.learned_from(map(_labelled, others), lived, seed)
            said += followed(asked, chooser)
        got = figures(turns, said, Action.SAVE)
        name = "rules" if seed is None else f"learned, seed {seed}"
        print(f"| {name} | {got.accuracy:.3f} | {got.precision:.3f} | {got.recall:.3f} | {got.f1:.3f} |", flush=True)


def _labelled(session: Iterable[Turn]) -> list[Said]:
    return [selfplay.labelled(*turn) for turn in session]


def speed(turns: Iterable[Turn], learning: bool) -> str:
    corpus, watch = Corpus(), Stopwatch()
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        embedder="none",
        settings=Settings(storage=StorageSettings(ledger_path="none"), learning=LearningSettings(enabled=learning)),
    ) as memory:
        memory.store_many([each.text for each in corpus.memories(MEMORIES)])
        if learning:
            memory.policy.adopt(course("planner", 300, 7, LearningSettings(), PlainArithmetic()).learned, 300)
        for turn in turns:
            watch.time(memory.decide, turn.text)
    timing = watch.timing("decide", MEMORIES)
    return f"{timing.p50:.2f} | {timing.p95:.2f} | {timing.cpu_p50:.2f} | {timing.cpu_p95:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("odd", "even"), default="odd", help="even: the half that was looked at")
    parser.add_argument("--no-speed", action="store_true", help="leave out the store of 10,000 memories")
    parser.add_argument("--turns", type=int, default=5_000, help="of self-play and of labelled talk; 0 leaves it out")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(selfplay.SEEDS))
    parser.add_argument("--plot", type=Path, help="write the learning curve here, as SVG")
    options = parser.parse_args(arguments)
    folder = Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data"))
    try:
        sets = {
            "LoCoMo turns, en: save": (locomo(folder, options.half == "odd"), Action.SAVE),
            "MemPalace, en: save": (mempalace(folder, "en"), Action.SAVE),
            "MemPalace, ko: save": (mempalace(folder, "ko"), Action.SAVE),
            "LongMemEval questions, en: retrieve": (questions_en(folder), Action.RETRIEVE),
            "StrategyQA questions, ko: retrieve": (questions_ko(folder), Action.RETRIEVE),
        }
    except FileNotFoundError as missing:
        say(f"There is no {missing.filename}; CELESTIAL_BENCH_DATA names the data folder. See docs/policy.md.")
        return 2
    print("| set | turns | accuracy | precision | recall | F1 |\n|---|---|---|---|---|---|")
    for name, (turns, wanted) in sets.items():
        got = figures(turns, [decided(turn.text) for turn in turns], wanted)
        alike = all(turn.wanted is wanted for turn in turns)  # only one class: nothing to confuse it with
        precision, f1 = ("-", "-") if alike else (f"{got.precision:.3f}", f"{got.f1:.3f}")
        print(f"| {name} | {len(turns)} | {got.accuracy:.3f} | {precision} | {got.recall:.3f} | {f1} |")
    if not options.no_speed:
        mixed = [turn for turns, _ in sets.values() for turn in turns[:150]]
        print("\n| decide at 10,000 memories, ms | p50 | p95 | CPU p50 | CPU p95 |\n|---|---|---|---|---|")
        for name, learning in (("rules alone", False), ("with what was learned", True)):
            print(f"| no embedder, {name}, {len(mixed)} turns | {speed(mixed, learning)} |")
    if options.turns:
        on_labelled_talk(folder, options.turns, options.seeds)
        played = selfplay.courses(options.turns, options.seeds)
        print("\n" + selfplay.table(played, options.seeds))
        if options.plot:
            selfplay.plot(played, options.seeds, options.plot)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
