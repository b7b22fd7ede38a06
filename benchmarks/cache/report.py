"""Shares as tables, as JSON, and as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.cache.policies import SHIPPED
from benchmarks.cache.replay import Seated
from benchmarks.recall.report import aligned

CAPACITIES = (0.02, 0.05, 0.1, 0.2, 0.5, 20, 120, 1120)  # fractions of the corpus; the slots up to Core, Inner, Outer
JUDGED = (0.05, 0.1, 0.2)  # where variations are compared
CLAIRVOYANT = "clairvoyant"
_COLOURS = {
    "LRU": "tab:red",
    "LFU": "tab:orange",
    "FSRS-like": "tab:green",
    "random": "tab:gray",
    CLAIRVOYANT: "black",
}  # ours are blue

Shares = Mapping[float, float]  # by capacity


@dataclass(frozen=True)
class Gain:
    """The gain in share within the slots over the shipped function, and its error."""

    share: float
    error: float


@dataclass(frozen=True)
class Result:
    """The results of one set of traces with one kind of recall."""

    title: str
    recalled: str
    questions: int
    memories: int
    shares: Mapping[str, Shares]
    seated: Seated
    gains: Mapping[str, Mapping[float, Gain]]


def table(result: Result) -> str:
    """One row per policy, one column per capacity."""
    heads = [f"{capacity:.0%}" if capacity < 1 else f"{capacity:,}" for capacity in CAPACITIES]
    rows = [(name, *(f"{shares[each]:.3f}" for each in CAPACITIES)) for name, shares in result.shares.items()]
    return aligned([("share of the needed within", *heads), *rows])


def gain_table(results: Sequence[Result], broken: Mapping[str, Sequence[str]], capacity: float) -> str:
    """One row per variation, one column per set; the last column lists broken promises."""
    heads = [f"{place} {result.recalled}" for place, result in enumerate(results, 1)]
    rows: list[Sequence[str]] = [(f"more within {capacity:.0%}", *heads, "breaks")]
    for name, claims in broken.items():
        gains = [result.gains[name][capacity] for result in results]
        rows.append((name, *(f"{each.share:+.3f} ±{each.error:.3f}" for each in gains), str(len(claims))))
    return aligned(rows)


def as_json(result: Result) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in ("title", "recalled", "questions", "memories")},
        "shares": {name: {str(each): share for each, share in of.items()} for name, of in result.shares.items()},
        "seated_by_bounds": asdict(result.seated),
        "gains": {name: {str(each): asdict(gain) for each, gain in of.items()} for name, of in result.gains.items()},
    }


def plot(path: Path, results: Sequence[Result]) -> None:
    """One panel per set: one line per policy, from small caches to half of the corpus."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    columns = min(2, len(results))
    lines = -(-len(results) // columns)
    drawing, panels = pyplot.subplots(
        lines, columns, figsize=(7.0 * columns, 3.6 * lines), layout="constrained", squeeze=False
    )
    for panel in panels.flat[len(results) :]:
        panel.set_visible(False)
    parts = [capacity for capacity in CAPACITIES if capacity < 1]
    for panel, result in zip(panels.flat, results, strict=False):
        for name, shares in result.shares.items():
            dashed = name in (CLAIRVOYANT, "random") or (name != SHIPPED and name.startswith(SHIPPED))
            panel.plot(
                parts,
                [shares[each] for each in parts],
                "--" if dashed else "-",
                marker=".",
                color=_COLOURS.get(name, "tab:blue"),
                linewidth=2.5 if name == SHIPPED else 1.3,
                label=name,
            )
        panel.set_xscale("log")
        panel.set_xticks(parts, [f"{each:.0%}" for each in parts])
        panel.minorticks_off()
        panel.set_ylim(0, 1.03)
        panel.set_title(f"{result.title} ({result.questions} questions)", fontsize=10)
        panel.grid(alpha=0.3)
    panels.flat[0].legend(fontsize=8)
    drawing.supxlabel("slots, as a part of the corpus")
    drawing.supylabel("share of the needed memories within the slots, just before the question")
    drawing.savefig(path, dpi=130)
    pyplot.close(drawing)
