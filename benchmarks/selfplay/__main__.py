"""Learning curves of policies that live with simulated users: `python -m benchmarks.selfplay`; docs/learning.md."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.measure import say
from benchmarks.selfplay.curves import curve_svg, sparkline
from benchmarks.selfplay.play import PLAYERS, Course, Marks, course, stops_until
from celestial_engine import Action, CelestialMemory
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings

_MOST_TURNS = 1_000_000
_TITLE = "Accuracy after so many turns with simulated users; dashed: rules alone"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selfplay", description=__doc__)
    parser.add_argument("--turns", type=_turns, default=5_000, help="how many turns each policy lives (5000)")
    parser.add_argument("--seed", type=int, default=7, help="the same seed gives the same lives (7)")
    parser.add_argument("--player", choices=PLAYERS, help="one of them, or crowd: all of them with one policy")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for selfplay.svg and selfplay.json")
    parser.add_argument("--keep", metavar="DB", help="save what was learned in this database; with one --player")
    options = parser.parse_args(argv)
    if options.keep and options.player is None:
        parser.error("--keep needs one --player: a policy is one person's")
    players = [options.player] if options.player else [name for name in PLAYERS if name != "crowd"]
    courses = [_course(player, options.turns, options.seed) for player in players]
    print(table(courses))
    if options.out is not None:
        write(options.out, courses, options.turns, options.seed)
    if options.keep:
        with CelestialMemory(options.keep, rebalance_interval=None) as memory:
            version = memory.policy.adopt(courses[0].learned, options.turns).version
        print(f"Saved as version {version}. `celestial policy rollback` takes it back.")


def table(courses: Sequence[Course]) -> str:
    """The mean of all players after so many turns, and the curve of each."""
    rows = [_row("rules", [one.rules for one in courses])]
    for place, point in enumerate(courses[0].points):
        rows.append(_row(f"{point.turns:,}", [one.points[place].marks for one in courses]))
    header = ["turns", "accuracy", *(f"F1 {action.value}" for action in Action), "reward"]
    lines = [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]
    for one in courses:
        reached = [point.marks.accuracy for point in one.points]
        curve = sparkline(reached)
        lines.append(f"{one.player}: accuracy {one.rules.accuracy:.3f} by rules, {reached[-1]:.3f} learned  {curve}")
    return "\n".join(lines)


def write(folder: Path, courses: Sequence[Course], turns: int, seed: int) -> None:
    """The curve as a picture, and every figure."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = {one.player: [(float(point.turns), point.marks.accuracy) for point in one.points] for one in courses}
    drawn = curve_svg(_TITLE, lines, mean(one.rules.accuracy for one in courses))
    (folder / "selfplay.svg").write_text(drawn, encoding="utf-8")
    figures = {"turns": turns, "seed": seed, "players": [_figures(one) for one in courses]}
    (folder / "selfplay.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _turns(text: str) -> int:
    turns = int(text)
    if not 1 <= turns <= _MOST_TURNS:
        raise argparse.ArgumentTypeError(f"it must be from 1 to {_MOST_TURNS:,}")
    return turns


def _course(player: str, turns: int, seed: int) -> Course:
    say(f"{player}: {turns:,} turns")
    return course(player, turns, seed, LearningSettings(), PlainArithmetic(), stops_until(turns))


def _row(name: str, marks: Sequence[Marks]) -> list[str]:
    scores = [mean(one.f1[action] for one in marks) for action in Action]
    accuracy, reward = mean(one.accuracy for one in marks), mean(one.mean_reward for one in marks)
    return [name, *(f"{value:.3f}" for value in (accuracy, *scores)), f"{reward:+.3f}"]


def _figures(one: Course) -> dict[str, Any]:
    points = [
        {"turns": point.turns, "trust": round(point.trust, 4), "on": point.on, **_marks(point.marks)}
        for point in one.points
    ]
    return {"player": one.player, "rules": _marks(one.rules), "learned": points}


def _marks(marks: Marks) -> dict[str, Any]:
    f1 = {action.value: round(value, 4) for action, value in marks.f1.items()}
    return {"accuracy": round(marks.accuracy, 4), "f1": f1, "mean_reward": round(marks.mean_reward, 4)}


if __name__ == "__main__":
    main()
