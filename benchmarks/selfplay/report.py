"""Learning curves of simulated users, and of labelled talk between people: what `benchmarks.decide` adds.

Simulated users answer as `benchmarks.selfplay.users` assumes. On labelled talk what was done with a turn is answered
in the same way, by its label; a policy learns from some talks and is examined on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from statistics import mean

from benchmarks.selfplay.curves import curve_svg
from benchmarks.selfplay.play import PLAYERS, Course, course, lived, settled
from benchmarks.selfplay.users import Said, Topic
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.text.language import Language
from celestial_engine.core.turn.conversation import Action
from celestial_engine.core.turn.policy import Chooser

SEEDS = (7, 8, 9)
STOPS = (0, 100, 300, 1_000, 5_000, 20_000)
EXAMINED = 1_000
_PLAINLY = PlainArithmetic()


def courses(turns: int, seeds: Sequence[int] = SEEDS, workers: int = 2) -> list[list[Course]]:
    """One list per seed, with one course per player."""
    jobs = [(player, turns, seed) for seed in seeds for player in PLAYERS]
    with ProcessPoolExecutor(workers) as pool:
        lived = list(pool.map(_course, jobs))
    return [lived[start : start + len(PLAYERS)] for start in range(0, len(lived), len(PLAYERS))]


def _course(job: tuple[str, int, int]) -> Course:
    player, turns, seed = job
    return course(player, turns, seed, LearningSettings(), _PLAINLY, STOPS, EXAMINED)


def table(played: Sequence[Sequence[Course]], seeds: Sequence[int]) -> str:
    """The mean over single-person players per seed, then each player over all seeds."""
    stops = [point.turns for point in played[0][0].points]
    lines = [
        "| | rules | " + " | ".join(f"{stop:,} turns" for stop in stops) + " |",
        "|---" * (len(stops) + 2) + "|",
    ]
    for name, of in _MEASURES.items():
        for seed, row in zip(seeds, played, strict=True):
            people = [run for run in row if run.player != "crowd"]
            lines.append(_line(f"{name}, seed {seed}", people, of))
    for player in PLAYERS:
        of = _MEASURES["accuracy"]
        lines.append(
            _line(f"accuracy of {player}", [run for row in played for run in row if run.player == player], of)
        )
    return "\n".join(lines)


def plot(played: Sequence[Sequence[Course]], seeds: Sequence[int], path: Path) -> None:
    people = [[run for run in row if run.player != "crowd"] for row in played]
    lines = {
        f"seed {seed}": [
            (point.turns, mean(run.points[index].marks.accuracy for run in row))
            for index, point in enumerate(row[0].points)
        ]
        for seed, row in zip(seeds, people, strict=True)
    }
    rules = mean(run.rules.accuracy for row in people for run in row)
    path.write_text(curve_svg("Accuracy by turns lived; dashed: rules alone", lines, rules), encoding="utf-8")


def learned_from(talks: Iterable[Sequence[Said]], turns: int, seed: int) -> Chooser | None:
    """The policy learned from these talks, repeated for `turns` turns."""
    life = lived(cycle(map(tuple, talks)), seed, LearningSettings(), _PLAINLY)
    return settled(next(islice(life, turns, None)).learned, _PLAINLY)


def labelled(text: str, wanted: Action) -> Said:
    return Said(text, Topic.EVENT, wanted, Language.EN)


def _line(name: str, rows: Sequence[Course], of: object) -> str:
    assert callable(of)
    rules = mean(of(run.rules) for run in rows)
    cells = [mean(of(run.points[index].marks) for run in rows) for index in range(len(rows[0].points))]
    return f"| {name} | " + " | ".join(f"{value:.3f}" for value in (rules, *cells)) + " |"


_MEASURES = {
    "accuracy": lambda marks: marks.accuracy,
    "F1 of save": lambda marks: marks.f1[Action.SAVE],
    "F1 of skip": lambda marks: marks.f1[Action.SKIP],
    "F1 of retrieve": lambda marks: marks.f1[Action.RETRIEVE],
    "mean reward": lambda marks: marks.mean_reward,
}
