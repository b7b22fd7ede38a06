"""Figures as a text table, as JSON, and as a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Fact, Figure, Timing

_COLUMNS = ("", "runs", "p50 ms", "p95 ms", "CPU p50", "CPU p95", "limit", "of limit", "", "note")


def table(figures: Sequence[Figure]) -> str:
    """Times first, then the other numbers; each against its limit."""
    rows = [_COLUMNS]
    for figure in figures:
        share = figure.share_of_limit
        judged = ("", "") if share is None else (f"{share:.0%}", verdict(figure))
        if isinstance(figure, Timing):
            times = [_short(value) for value in (figure.p50, figure.p95, figure.cpu_p50, figure.cpu_p95)]
            limit = "" if figure.limit is None else f"{figure.limit.of} < {figure.limit.value:g}"
            rows.append((figure.name, str(len(figure.wall_ms)), *times, limit, *judged, figure.note))
        else:
            limit = "" if figure.limit is None else f"< {figure.limit:g}"
            value = f"{_short(figure.value)} {figure.unit}"
            rows.append((figure.name, "", value, "", "", "", limit, *judged, figure.note))
    return _aligned(rows)


def comparison(ours: Sequence[Figure], theirs: Sequence[Figure], peer: str) -> str:
    """The same operations side by side, with the ratio of the peer's figure to ours."""
    rows = [("", "ours", peer, "peer / ours", "CPU ours", "CPU peer", "peer / ours", "note")]
    mine = {figure.name: figure for figure in ours}
    for figure in theirs:
        own = mine.get(figure.name)
        if isinstance(figure, Timing) and isinstance(own, Timing):
            rows.append((
                f"{figure.name}, p95 ms", _short(own.p95), _short(figure.p95), f"{figure.p95 / own.p95:.1f} x",
                _short(own.cpu_p95), _short(figure.cpu_p95), f"{figure.cpu_p95 / own.cpu_p95:.1f} x", figure.note,
            ))  # fmt: skip
        elif isinstance(figure, Fact) and isinstance(own, Fact):
            rows.append((f"{figure.name}, {figure.unit}", _short(own.value), _short(figure.value),
                         "", "", "", "", figure.note))  # fmt: skip
    return _aligned(rows)


def verdict(figure: Figure) -> str:
    share = figure.share_of_limit
    return "" if share is None else "ok" if share < 1 else "over"


def as_json(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    """Write the figures with their percentiles, without the single runs."""
    return [
        {
            "name": figure.name,
            "memories": figure.memories,
            **_numbers(figure),
            "share_of_limit": figure.share_of_limit,
            "verdict": verdict(figure),
            "note": figure.note,
        }
        for figure in figures
    ]


def write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def plot(path: Path, ours: Sequence[Figure], theirs: Sequence[Figure], peer: str) -> None:
    """Each limited time as a bar from p50 to p95, its limit as a line, the peer's p95 as a cross."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    timings = [figure for figure in ours if isinstance(figure, Timing) and figure.limit is not None][::-1]
    peers = {(figure.name, figure.memories): figure for figure in theirs if isinstance(figure, Timing)}
    drawing, axes = pyplot.subplots(figsize=(10, 1.2 + 0.6 * len(timings)), layout="constrained")
    for place, figure in enumerate(timings):
        below = figure.limit.value if figure.limit is not None else 0.0
        colour = "tab:blue" if verdict(figure) == "ok" else "tab:red"
        axes.barh(place, figure.p95, height=0.5, color=colour, alpha=0.35)
        axes.barh(place, figure.p50, height=0.5, color=colour)
        axes.plot([below] * 2, [place - 0.4, place + 0.4], color="black", linewidth=2)
        other = peers.get((figure.name, figure.memories))
        if other is not None:
            axes.plot(other.p95, place, "x", color="tab:orange", markersize=10, markeredgewidth=3)
    axes.set_yticks(range(len(timings)), [f"{figure.name}\n{figure.memories:,} memories" for figure in timings])
    axes.set_xscale("log")
    axes.set_xlabel("milliseconds: p50 dark, p95 light, limit black" + (f", {peer} p95 orange" if theirs else ""))
    axes.grid(axis="x", alpha=0.3)
    drawing.savefig(path, dpi=130)
    pyplot.close(drawing)


def _numbers(figure: Figure) -> dict[str, Any]:
    if isinstance(figure, Fact):
        return {"value": figure.value, "unit": figure.unit, "limit": figure.limit}
    return {
        "runs": len(figure.wall_ms),
        **{name: getattr(figure, name) for name in ("p50", "p95", "cpu_p50", "cpu_p95")},
        "unit": "ms",
        "limit": None if figure.limit is None else {"of": figure.limit.of, "below": figure.limit.value},
    }


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align the first and last column left, numbers right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0], cells[-1] = row[0].ljust(widths[0]), row[-1]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
