"""What learning together is worth, and what attackers can do: `python -m benchmarks.federation`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.federation.privacy import privacy
from benchmarks.federation.processes import compared, processes
from benchmarks.federation.speed import speed
from benchmarks.federation.users import ATTACKS, Attack, Defences, Sharing, User
from benchmarks.measure import say
from benchmarks.selfplay.users import PERSONALITIES
from celestial_engine.core.federation.vectors import Vector
from celestial_engine.core.learning.seeded_random import mixed

_USERS = 8
_EVERY = 25  # turns of each user between two rounds
_ATTACKED_TURNS = 200
_MOST_REAL_TURNS = 300  # of a real process: 8 ms each
_STOPS = (100, 200, 400, 800)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.federation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=201)
    parser.add_argument("--turns", type=int, default=800, help="turns of each user (800)")
    parser.add_argument(
        "--only", choices=("together", "newcomer", "processes", "attacks", "privacy", "speed"), help="one part alone"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="every figure, as JSON")
    options = parser.parse_args(argv)
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "together": lambda: together(seeds, options.turns),
        "newcomer": lambda: newcomer(seeds, options.turns),
        "processes": lambda: processes(seeds, min(options.turns, _MOST_REAL_TURNS)),
        "attacks": lambda: attacks(seeds, options.turns),
        "privacy": lambda: privacy(seeds),
        "speed": lambda: speed(seeds[0]),
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
            figures[f"{like} {stop}"] = compared(f"{like}, {stop} turns", alone, shared)
    return figures


def newcomer(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """One user of each kind joins seven who have lived 1,500 turns: alone, and by each way of sharing."""
    figures: dict[str, Any] = {}
    rewards: dict[tuple[str, int], list[list[float]]] = {}
    ways: tuple[Sharing | None, ...] = (None, *Sharing)
    for seed in seeds:
        updates = _village(seed)
        for way in ways:
            users = [User(person, mixed(seed, 500 + place)) for place, person in enumerate(PERSONALITIES)]
            for turn in range(_EVERY, turns + 1, _EVERY):
                for user in users:
                    if way is not None:
                        user.receive(updates, Defences(), way)
                    user.live(_EVERY)
                if turn in _STOPS:
                    rewards.setdefault((_name(way), turn), []).append([user.marks().mean_reward for user in users])
        say(f"newcomer, seed {seed}")
    for stop in [stop for stop in _STOPS if stop <= turns]:
        for way in Sharing:
            name = f"newcomer, {stop} turns, {way.value}"
            figures[f"{stop} {way.value}"] = compared(name, rewards[_name(None), stop], rewards[_name(way), stop])
    return figures


def _name(way: Sharing | None) -> str:
    return "alone" if way is None else way.value


def attacks(seeds: Sequence[int], turns: int) -> dict[str, Any]:
    """Five newcomers among seven honest peers, and f attackers more; each defence is switched off alone, or on alone.

    The figures are relative to the same peers, with the same settings, before the attackers came.
    """
    figures: dict[str, Any] = {}
    turns = min(turns, _ATTACKED_TURNS)
    settings = {
        "all on": Defences(),
        "no clipping": Defences(clipping=False),
        "no Krum": Defences(krum=False),
        "no likeness": Defences(likeness=False),
        "no guard rail": Defences(guard_rail=False),
        "nothing": Defences(clipping=False, krum=False, likeness=False, guard_rail=False),
        "only clipping": Defences(krum=False, likeness=False, guard_rail=False),
        "only Krum": Defences(clipping=False, likeness=False, guard_rail=False),
        "only likeness": Defences(clipping=False, krum=False, guard_rail=False),
    }
    for count in (1, 2, 3):
        tuned = {label: replace(defences, attackers=count) for label, defences in settings.items()}
        honest = mean(_attacked(seed, turns, None, 0, tuned["all on"]) for seed in seeds)
        figures[f"none, f={count}"] = round(honest, 4)
        say(f"no attacker, f={count}: {honest:.4f}")
        for name, attack in ATTACKS.items():
            row = {
                label: round(mean(_attacked(seed, turns, attack, count, one) for seed in seeds) / honest - 1.0, 4)
                for label, one in tuned.items()
            }
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
    """The mean reward of a newcomer of each kind among seven honest peers and so many attackers."""
    village = _village(seed)
    if attack is not None:
        village += [attack(village, village[place], place) for place in range(count)]
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


if __name__ == "__main__":
    main()
