"""Results as text, as JSON, and as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.recall.budget import BudgetResult
from benchmarks.recall.imports import ImportTime
from benchmarks.recall.measure import METRICS, Result
from benchmarks.recall.ours import NAME
from benchmarks.recall.sweep import Sweep, shown_settings

_TIMES = ("store ms", "CPU ms", "query p50", "p95", "CPU ms")


def table(results: Sequence[Result]) -> str:
    """One row per system: its metrics, and its cost including embedding."""
    rows: list[Sequence[str]] = [("", *METRICS, *_TIMES)]
    for result in results:
        if result.times is None:
            rows.append((f"{result.system}  not run: {result.not_run}", *[""] * (len(METRICS) + len(_TIMES))))
            continue
        times = asdict(result.times).values()
        rows.append((result.system, *_shares(result.overall), *(_short(value) for value in times)))
    return aligned(rows)


def corrected_table(results: Sequence[Result]) -> str:
    """The results with corrected labels; empty if there are none."""
    rows = [(each.system, *_shares(each.corrected)) for each in results if each.corrected is not None]
    return aligned([("with corrected labels", *METRICS), *rows]) if rows else ""


def category_table(results: Sequence[Result], metric: str = "recall@5") -> str:
    """One metric by category; empty if there are none."""
    ran = [result for result in results if result.by_category]
    if not ran:
        return ""
    names = list(ran[0].by_category)
    counts = [sum(answer.question.category == name for answer in ran[0].answers) for name in names]
    heads = [f"{name} ({count})" for name, count in zip(names, counts, strict=True)]
    rows = [(each.system, *(f"{each.by_category[name][metric]:.3f}" for name in names)) for each in ran]
    return aligned([(metric, *heads), *rows])


def import_table(times: Sequence[ImportTime]) -> str:
    rows = [("", "ms a memory", "a second", "CPU ms", "with embedding")]
    rows += [
        (each.system, f"{each.wall_ms:.2f}", f"{1000 / each.wall_ms:,.0f}", f"{each.cpu_ms:.2f}",
         f"{each.with_embedding_ms:.1f}")
        for each in times
    ]  # fmt: skip
    return aligned(rows)


def budget_table(results: Sequence[BudgetResult]) -> str:
    """One row per system and budget: the evidence that the prompt quotes, and what it costs."""
    rows = [("", "budget", "evidence", "tokens", "evidence for 1,000 tokens")]
    rows += [
        (each.system, str(each.budget), f"{each.evidence:.3f}", f"{each.tokens:.0f}", f"{each.for_a_thousand:.2f}")
        for each in results
    ]
    return aligned(rows)


def sweep_table(result: Sweep) -> str:
    rows: list[Sequence[str]] = [("held out", *METRICS, "chosen on the others")]
    for fold in result.folds:
        rows.append((fold.held_out, *_shares(fold.figures), f"  {shown_settings(fold.chosen)}"))
        rows.append(("", *_shares(fold.default), "  default"))
    rows.append(("all, each held out", *_shares(result.overall), ""))
    rows.append(("all, default", *_shares(result.default), ""))
    seen: list[Sequence[str]] = [("for looking: on all", *METRICS, "")]
    seen += [(shown_settings(settings), *_shares(each), "") for settings, each in result.everywhere.items()]
    return f"{aligned(rows)}\n\n{aligned(seen)}"


def as_json(result: Result) -> dict[str, Any]:
    if result.times is None:
        return {"system": result.system, "not_run": result.not_run}
    return {
        "system": result.system,
        "questions": len(result.answers),
        "overall": result.overall,
        "corrected_labels": result.corrected,
        "by_category": result.by_category,
        "times": asdict(result.times),
    }


def plot(path: Path, sets: Sequence[tuple[str, Sequence[Result]]]) -> None:
    """One panel per set: recall@5 as bars, recall@1 and recall@10 as the ends of a line."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    columns = min(2, len(sets))
    lines = -(-len(sets) // columns)
    most = max(len(results) for _, results in sets)
    drawing, panels = pyplot.subplots(
        lines, columns, figsize=(7.5 * columns, (0.9 + 0.3 * most) * lines), layout="constrained", squeeze=False
    )
    for panel in panels.flat[len(sets) :]:
        panel.set_visible(False)
    for panel, (title, results) in zip(panels.flat, sets, strict=False):
        ran = [result for result in results if result.times is not None][::-1]
        for place, result in enumerate(ran):
            found = result.overall
            colour = "tab:blue" if result.system.startswith(NAME) else "tab:gray"
            panel.barh(place, found["recall@5"], height=0.6, color=colour, alpha=0.6)
            panel.plot([found["recall@1"], found["recall@10"]], [place] * 2, "|-", color="black", markersize=7)
            panel.text(found["recall@10"] + 0.01, place, f"{found['recall@5']:.3f}", va="center", fontsize=8)
        panel.set_yticks(range(len(ran)), [result.system for result in ran], fontsize=8)
        panel.set_xlim(0, 1.08)
        panel.set_title(title, fontsize=10)
        panel.grid(axis="x", alpha=0.3)
    drawing.supxlabel("share of the evidence found: recall@5 as bar and number, recall@1 to recall@10 as line")
    drawing.savefig(path, dpi=130)
    pyplot.close(drawing)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align the first column left, the others right; a line under the header. A single cell may be of any length."""
    widths = [max(len(row[place]) for row in rows if any(row[1:])) for place in range(len(rows[0]))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([lines[0].rstrip(), "-" * len(lines[0]), *(line.rstrip() for line in lines[1:])])


def _shares(found: Mapping[str, float]) -> list[str]:
    return [f"{found[name]:.3f}" for name in METRICS]


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
