"""A simulated year, day by day: `python -m benchmarks.year`. Prints each month, writes a plot of all days."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.days import User, live
from benchmarks.measure import say
from benchmarks.report import write_json
from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.night.sleep import Census
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.testing.fakes import FakeClock

NEW_YEAR = 1_767_236_400.0
_SHOWN = (State.ACTIVE, State.FADED, State.INACTIVE, State.CLIFF)
_MONTH = 30


@dataclass(frozen=True)
class Morning:
    """The counts after a night; `purged` counts since the start of the year."""

    day: int
    census: Census
    stored: int
    purged: int

    def row(self) -> dict[str, int]:
        states = {state.value: self.census.states.get(state, 0) for state in _SHOWN}
        tiers = {tier.value: self.census.tiers.get(tier, 0) for tier in Tier}
        return {"day": self.day, "stored": self.stored, **states, "purged": self.purged, **tiers}


def lived(days: int, a_day: int, seed: int) -> list[Morning]:
    clock = FakeClock(NEW_YEAR)
    mornings: list[Morning] = []
    purged = 0
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        clock=clock,
        embedder="none",
        settings=Settings(storage=StorageSettings(words="pairs")),
    ) as memory:
        user = User(memory, seed, a_day)
        for night in live(user, clock.advance, days):
            if night.report is None:  # the machine is off: nothing changes
                mornings.append(Morning(night.day, mornings[-1].census, user.stored, purged))
                continue
            purged += night.report.count("purged")
            mornings.append(Morning(night.day, night.report.after, user.stored, purged))
    return mornings


def table(mornings: Sequence[Morning]) -> str:
    rows = [morning.row() for morning in mornings if morning.day % _MONTH == 0 or morning is mornings[-1]]
    lines = ["  ".join(f"{name:>8}" for name in rows[0])]
    lines += ["  ".join(f"{value:>8,}" for value in row.values()) for row in rows]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join(lines)


def plot(path: Path, mornings: Sequence[Morning]) -> None:
    """Plot the states of memories above, and the tiers of those in orbit below."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    rows = [morning.row() for morning in mornings]
    days = [row["day"] for row in rows]
    drawing, (above, below) = pyplot.subplots(2, 1, figsize=(10, 8), sharex=True, layout="constrained")
    states = [state.value for state in _SHOWN]
    above.stackplot(days, [[row[name] for row in rows] for name in states], labels=states,
                    colors=("tab:blue", "lightsteelblue", "lightgray", "tab:orange"))  # fmt: skip
    above.plot(days, [row["purged"] for row in rows], color="black", label="purged, in all")
    above.set_ylabel("memories")
    above.legend(loc="upper left")
    tiers = [tier.value for tier in Tier]
    below.stackplot(days, [[row[name] for row in rows] for name in tiers], labels=tiers)
    below.set_ylabel("memories in orbit")
    below.set_xlabel("day of the year; from day 180 the machine was off for three weeks")
    below.legend(loc="upper left")
    for axes in (above, below):
        axes.grid(alpha=0.3)
    drawing.savefig(path, dpi=130)
    pyplot.close(drawing)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.year", description="Lives through a user's year.")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--a-day", type=int, default=3, help="memories a day (default 3)")
    parser.add_argument("--seed", type=int, default=0, help="another user")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where plot and JSON go")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    mornings = lived(options.days, options.a_day, options.seed)
    print(table(mornings), flush=True)
    say(f"{options.days} days in {time.perf_counter() - started:.0f} s")
    options.output.mkdir(parents=True, exist_ok=True)
    write_json(options.output / "year.json", {"seed": options.seed, "days": [morning.row() for morning in mornings]})
    try:
        plot(options.output / "year.png", mornings)
    except ImportError:
        say("no plot: matplotlib is not installed here")
    else:
        say(f"plot: {options.output / 'year.png'}")


if __name__ == "__main__":
    main()
