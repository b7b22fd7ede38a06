"""What learning together is worth, and what attackers can do: `python -m benchmarks.federation`."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.federation.privacy import privacy
from benchmarks.federation.users import ATTACKS, Attack, Defences, User
from benchmarks.measure import say
from benchmarks.selfplay.users import PERSONALITIES
from celestial_engine.core.federation.vectors import Vector
from celestial_engine.core.learning.seeded_random import mixed

_USERS = 8
_EVERY = 25  # turns of each user between two rounds
_STOPS = (100, 200, 400, 800)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.federation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=800, help="turns of each user (800)")
    parser.add_argument("--only", choices=("together", "newcomer", "attacks", "privacy"), help="one part alone")
    parser.add_argument("--out", type=Path, metavar="FILE", help="every figure, as JSON")
    options = parser.parse_args(argv)
    seeds = range(101, 101 + options.seeds)
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "together": lambda: together(seeds, options.turns),
        "newcomer": lambda: newcomer(seeds, options.turns),
        "attacks": lambda: attacks(seeds, options.turns),
        "privacy": lambda: privacy(seeds),
    }
    figures = {name: part() for name, part in parts.items() if options.only in (None, name)}
    if options.out is not None:
        options.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def together(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """Eight users who start at the same time: alone, together, and together with people who are like them."""
    figures: dict[str, Any] = {}
    for like in ("mixed", "alike"):
        rows = {
            condition: [_lives(seed, turns, like, shares=condition == "together") for seed in seeds]
            for condition in ("alone", "together")
        }
        for stop in [stop for stop in _STOPS if stop <= turns]:
            alone, shared = ([row[stop] for row in rows[name]] for name in ("alone", "together"))
            figures[f"{like} {stop}"] = _compared(f"{like}, {stop} turns", alone, shared)
    return figures


def newcomer(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """One user of each kind joins seven who have lived 1,500 turns."""
    figures: dict[str, Any] = {}
    rewards: dict[tuple[str, int], list[list[float]]] = {}
    for seed in seeds:
        village = [User(PERSONALITIES[place % 5], mixed(seed, place, 77)) for place in range(7)]
        for user in village:
            user.live(1_500)
        updates = [user.update() for user in village]
        for condition in ("alone", "together"):
            users = [User(person, mixed(seed, 500 + place)) for place, person in enumerate(PERSONALITIES)]
            for turn in range(_EVERY, turns + 1, _EVERY):
                for user in users:
                    if condition == "together":
                        user.receive(updates, Defences())
                    user.live(_EVERY)
                if turn in _STOPS:
                    rewards.setdefault((condition, turn), []).append([user.marks().mean_reward for user in users])
        say(f"newcomer, seed {seed}")
    for stop in [stop for stop in _STOPS if stop <= turns]:
        name = f"newcomer, {stop} turns"
        figures[str(stop)] = _compared(name, rewards["alone", stop], rewards["together", stop])
    return figures


def attacks(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """Six honest users and one or two attackers; each defence is switched off alone."""
    figures: dict[str, Any] = {}
    undisturbed = mean(_attacked(seed, turns, None, 0, Defences()) for seed in seeds)
    say(f"no attacker: {undisturbed:.4f}")
    figures["none"] = undisturbed
    settings = {
        "all on": Defences(),
        "no clipping": Defences(clipping=False),
        "no Krum": Defences(krum=False),
        "no guard rail": Defences(guard_rail=False),
        "only clipping": Defences(krum=False, guard_rail=False),
        "only Krum": Defences(clipping=False, guard_rail=False),
        "nothing": Defences(clipping=False, krum=False, guard_rail=False),
    }
    for name, attack in ATTACKS.items():
        for count in (1, 2):
            row = {}
            for label, defences in settings.items():
                tuned = Defences(defences.clipping, defences.krum, defences.guard_rail, attackers=count)
                reward = mean(_attacked(seed, turns, attack, count, tuned) for seed in seeds)
                row[label] = round(reward / undisturbed - 1.0, 4)
            figures[f"{name} x{count}"] = row
            say(f"{name} x{count}: " + ", ".join(f"{label} {value:+.1%}" for label, value in row.items()))
    return figures


def _lives(seed: int, turns: int, like: str, *, shares: bool) -> dict[int, list[float]]:
    person = seed % len(PERSONALITIES)
    people = [PERSONALITIES[person if like == "alike" else place % len(PERSONALITIES)] for place in range(_USERS)]
    users = [User(one, mixed(seed, place, 77)) for place, one in enumerate(people)]
    rewards = {}
    for turn in range(_EVERY, turns + 1, _EVERY):
        for user in users:
            user.live(_EVERY)
        if shares:
            updates = [user.update() for user in users]
            for place, user in enumerate(users):
                user.receive(updates[:place] + updates[place + 1 :], Defences())
        if turn in _STOPS:
            rewards[turn] = [user.marks().mean_reward for user in users]
    return rewards


def _attacked(seed: int, turns: int, attack: Attack | None, count: int, defences: Defences) -> float:
    """The mean reward of six newcomers among seven peers, of whom `count` are attackers."""
    village = _village(seed)
    if attack is not None:
        honest = village[count:]
        village = [attack(honest, village[place], place) for place in range(count)] + list(honest)
    users = [User(person, mixed(seed, 500 + place)) for place, person in enumerate(PERSONALITIES)]
    for _ in range(_EVERY, turns + 1, _EVERY):
        for user in users:
            user.receive(village, defences)
            user.live(_EVERY)
    return mean(user.marks().mean_reward for user in users)


_VILLAGES: dict[int, list[Vector]] = {}


def _village(seed: int) -> list[Vector]:
    if seed not in _VILLAGES:
        users = [User(PERSONALITIES[place % 5], mixed(seed, place, 77)) for place in range(7)]
        for user in users:
            user.live(1_500)
        _VILLAGES[seed] = [user.update() for user in users]
    return list(_VILLAGES[seed])


def _compared(name: str, alone: Sequence[Sequence[float]], shared: Sequence[Sequence[float]]) -> dict[str, float]:
    """Means and worst users; the error is that of the paired differences of seeds."""
    differences = [mean(ours) - mean(mine) for ours, mine in zip(shared, alone, strict=True)]
    error = stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.nan
    row = {
        "alone": mean(map(mean, alone)),
        "together": mean(map(mean, shared)),
        "gain": mean(differences),
        "error": error,
        "worst alone": mean(map(min, alone)),
        "worst together": mean(map(min, shared)),
    }
    say(f"{name}: " + ", ".join(f"{label} {value:+.4f}" for label, value in row.items()))
    return {label: round(value, 5) for label, value in row.items()}


if __name__ == "__main__":
    main()
