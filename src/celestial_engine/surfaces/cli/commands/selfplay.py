"""Self-play on the command line: lives with simulated users, the curve of each, and what is kept of them."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from statistics import mean
from typing import Any

from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.selfplay import PLAYERS, Course, Marks, course, stops_until
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.conversation import Action
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.terminal import harmless_json, padded
from celestial_engine.surfaces.cli.views import render
from celestial_engine.surfaces.curves import curve_svg, sparkline

_MOST_TURNS = 1_000_000
_BAR_COLUMNS = 20
_TOLD_EVERY = 50  # turns


def selfplay(args: Namespace, console: Console) -> int:
    turns = arguments.whole_number(args.turns, "turns", console.texts)
    seed = arguments.whole_number(args.seed, "seed", console.texts)
    if not 1 <= turns <= _MOST_TURNS:
        raise InvalidInputError("turns", Reason.WHOLE_OUT_OF_RANGE, low=1, high=1_000_000, got=turns)
    if args.keep and args.player is None:
        raise InvalidInputError("player", Reason.ONE_PLAYER)
    players = [args.player] if args.player else [name for name in PLAYERS if name != "crowd"]
    courses = [_course(player, turns, seed, console) for player in players]
    figures = {"turns": turns, "seed": seed, "players": [_figures(one) for one in courses]}
    if args.out is not None:
        figures["written"] = _write(Path(args.out), courses, figures, console)
    if args.keep:
        with CelestialMemory(args.db, rebalance_interval=None, user_id=args.user, agent_id=args.agent) as memory:
            figures["kept"] = memory.policy.adopt(courses[0].learned, turns).version
    if console.as_json:
        console.data(figures)
    else:
        _say(courses, figures, console)
    return OK


def _course(player: str, turns: int, seed: int, console: Console) -> Course:
    def told(turn: int) -> None:
        if turn % _TOLD_EVERY == 0:
            bar = padded(render.bar(turn / turns, _BAR_COLUMNS), _BAR_COLUMNS)
            console.progress(console.texts("say.selfplaying", player=player, bar=bar, done=turn, total=turns))

    try:
        return course(player, turns, seed, LearningSettings(), PlainArithmetic(), stops_until(turns), told=told)
    finally:
        console.progress("")


def _say(courses: list[Course], figures: dict[str, Any], console: Console) -> None:
    """The mean of all players in a table, and each one's curve."""
    texts = console.texts
    rows = [_row(texts("say.selfplay_rules"), [one.rules for one in courses])]
    for place, point in enumerate(courses[0].points):
        rows.append(_row(f"{point.turns:,}", [one.points[place].marks for one in courses]))
    names = [f"F1 {texts.word('turn', action.value)}" for action in Action]
    headers = [texts("col.turns"), texts("col.accuracy"), *names, texts("col.reward")]
    console.say(*render.table(headers, rows, right=range(len(headers))), "")
    for one in courses:
        reached = [point.marks.accuracy for point in one.points]
        console.say(
            texts(
                "say.selfplay_player", player=one.player, rules=f"{one.rules.accuracy:.3f}",
                learned=f"{reached[-1]:.3f}", curve=sparkline(reached),
            )
        )  # fmt: skip
    console.say(*(texts("say.selfplay_wrote", path=path) for path in figures.get("written", ())))
    if "kept" in figures:
        console.say(texts("say.selfplay_kept", version=figures["kept"]))


def _row(name: str, marks: list[Marks]) -> list[str]:
    scores = [mean(one.f1[action] for one in marks) for action in Action]
    accuracy, reward = mean(one.accuracy for one in marks), mean(one.mean_reward for one in marks)
    return [name, *(f"{value:.3f}" for value in (accuracy, *scores)), f"{reward:+.3f}"]


def _write(folder: Path, courses: list[Course], figures: dict[str, Any], console: Console) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    lines = {one.player: [(float(point.turns), point.marks.accuracy) for point in one.points] for one in courses}
    drawn = curve_svg(console.texts("say.selfplay_title"), lines, mean(one.rules.accuracy for one in courses))
    (folder / "selfplay.svg").write_text(drawn, encoding="utf-8")
    (folder / "selfplay.json").write_text(harmless_json(figures, indent=2) + "\n", encoding="utf-8")
    return [str(folder / name) for name in ("selfplay.svg", "selfplay.json")]


def _figures(one: Course) -> dict[str, Any]:
    points = [
        {"turns": point.turns, "trust": round(point.trust, 4), "on": point.on, **_marks(point.marks)}
        for point in one.points
    ]
    return {"player": one.player, "rules": _marks(one.rules), "learned": points}


def _marks(marks: Marks) -> dict[str, Any]:
    f1 = {action.value: round(value, 4) for action, value in marks.f1.items()}
    return {"accuracy": round(marks.accuracy, 4), "f1": f1, "mean_reward": round(marks.mean_reward, 4)}
