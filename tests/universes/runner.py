"""Plays many universes, and shrinks one that fails."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.universes.world import START, BrokenPromiseError, Step, play, steps_of

from celestial_engine import CelestialMemory


@dataclass
class Outcome:
    universes: int = 0
    steps: int = 0
    power_cuts: int = 0
    faults: int = 0
    memories: int = 0
    noticed: int = 0
    names: Counter[str] = field(default_factory=Counter)


def template_in(folder: Path) -> Path:
    """An empty database, made once: creating one takes longer than a short universe."""
    template = folder / "template"
    template.mkdir()
    with CelestialMemory(
        str(template / "m.db"), rebalance_interval=None, clock=lambda: START, embedder="hashed", auto_forget_days=None
    ):
        pass  # fmt: skip
    return template


def run(seeds: Iterable[int], length: int, *, betrayed: bool = False) -> Outcome:
    """Plays these universes; raises BrokenPromiseError with the seed and the shortest list of steps that still fails.

    In betrayed ones the disk loses a write at the end that it had acknowledged.
    """
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="universes-") as root:
        template = template_in(Path(root))
        for seed in seeds:
            steps = steps_of(seed, length)
            try:
                world = play(seed, Path(root) / str(seed), template, steps, betrayed=betrayed)
            except BrokenPromiseError as error:
                least = shrunk(seed, steps, Path(root), template, betrayed=betrayed)
                raise BrokenPromiseError(_report(seed, length, least, error)) from error
            outcome.universes += 1
            outcome.steps += len(steps)
            outcome.power_cuts += world.generation
            outcome.faults += world.faults
            outcome.memories += len(world.known)
            outcome.noticed += world.noticed
            outcome.names.update(step.name for step in steps)
    return outcome


def shrunk(seed: int, steps: list[Step], root: Path, template: Path, *, betrayed: bool = False) -> list[Step]:
    """Leaves out steps, in halves and then one by one, as long as the universe still fails."""
    size = max(1, len(steps) // 2)
    while True:
        for start in range(0, len(steps), size):
            shorter = steps[:start] + steps[start + size :]
            if shorter and _fails(seed, shorter, root, template, betrayed):
                steps = shorter
                break
        else:
            if size == 1:
                return steps
            size //= 2


def _fails(seed: int, steps: list[Step], root: Path, template: Path, betrayed: bool) -> bool:
    folder = root / "shrinking"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        play(seed, folder, template, steps, betrayed=betrayed)
    except BrokenPromiseError:
        return True
    except Exception:  # noqa: BLE001 - another failure than the one that is looked for
        return False
    return False


def _report(seed: int, length: int, steps: list[Step], error: BrokenPromiseError) -> str:
    lines = "\n".join(f"    {step}" for step in steps)
    return (
        f"universe {seed}: {error}\n  play it again: python -m tests.universes --seed {seed} --length {length}\n"
        f"  it still fails with:\n{lines}"
    )
