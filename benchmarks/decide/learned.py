"""What learning from feedback adds: on labelled talk, each conversation by a policy that learned from the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.decide.public import SOMETHING_STORED, Turn, conversations
from benchmarks.decide.scores import accuracy, binary
from benchmarks.selfplay import report as selfplay
from benchmarks.selfplay.users import Said
from celestial_engine import Action, Utterance
from celestial_engine.core.turn.features import features_of
from celestial_engine.core.turn.policy import Chooser, decide_turn
from celestial_engine.flow.base.read import read_text


def on_labelled_talk(folder: Path, lived: int, seeds: Sequence[int]) -> None:
    """Leave one out: each conversation is decided by a policy that learned from the others."""
    talks = conversations(folder)
    wanted = [turn.wanted is Action.SAVE for sessions in talks.values() for session in sessions for turn in session]
    print(f"\n| labelled talk, {lived:,} turns learned from | accuracy | precision | recall | F1 |")
    print("|---|---|---|---|---|")
    for seed in (None, *seeds):
        said: list[bool] = []
        for held_out, asked in talks.items():
            others = [session for name, sessions in talks.items() if name != held_out for session in sessions]
            chooser = None if seed is None else selfplay.learned_from(map(_labelled, others), lived, seed)
            said += [action is Action.SAVE for action in _followed(asked, chooser)]
        got = binary(wanted, said)
        name = "nothing learned" if seed is None else f"learned, seed {seed}"
        right = accuracy(wanted, said)
        print(f"| {name} | {right:.3f} | {got.precision:.3f} | {got.recall:.3f} | {got.f1:.3f} |", flush=True)


def in_self_play(turns: int, seeds: Sequence[int], plot: Path | None) -> None:
    played = selfplay.courses(turns, seeds)
    print("\n" + selfplay.table(played, seeds))
    if plot:
        selfplay.plot(played, seeds, plot)


def _followed(sessions: Sequence[Sequence[Turn]], chooser: Chooser | None) -> list[Action]:
    """The action for each turn, given the actions of the previous turns."""
    actions: list[Action] = []
    for session in sessions:
        history: list[Utterance] = []
        for turn in session:
            stored = SOMETHING_STORED + actions.count(Action.SAVE)
            features = features_of(Utterance(turn.text), read_text(turn.text), history, stored)
            action = decide_turn(features, chooser).action
            history.append(Utterance(turn.text, action=action))
            actions.append(action)
    return actions


def _labelled(session: Iterable[Turn]) -> list[Said]:
    return [selfplay.labelled(*turn) for turn in session]
