"""Values as people read them: times, sizes, scores, tables."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from celestial_engine.surfaces.cli.terminal import drawn_width, fitted, one_line, padded, terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts

SHORT_ID = 8
GAP = "  "
_LEAST_TEXT_COLUMNS = 12
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def short(item_id: str) -> str:
    """The characters of an id that people see and type."""
    return item_id[:SHORT_ID]


def zone_name(texts: Texts, zone: str) -> str:
    """A zone by its name; `-` for a memory that is in none."""
    return "-" if zone == "none" else texts.word("zone", zone)


def seconds_of(moment: str) -> float:
    """A moment of an answer in seconds since 1970."""
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()


def duration(texts: Texts, seconds: float) -> str:
    """A span of time in its two largest units: 14 h 45 min."""
    rest = max(0, round(seconds))
    for index, (unit, size) in enumerate(_UNITS):
        if rest >= size:
            words = [texts(f"unit.{unit}", n=rest // size)]
            if index + 1 < len(_UNITS):
                smaller, smaller_size = _UNITS[index + 1]
                remainder = rest % size // smaller_size
                words += [texts(f"unit.{smaller}", n=remainder)] if remainder else []
            return " ".join(words)
    return texts("unit.second", n=0)


def ago(texts: Texts, moment: str, now: float) -> str:
    """How long a moment is over."""
    passed = now - seconds_of(moment)
    return texts("time.ago", time=duration(texts, passed)) if passed >= 1 else texts("time.now")


def ahead(texts: Texts, moment: str, now: float) -> str:
    """How long until a moment."""
    left = seconds_of(moment) - now
    return texts("time.ahead", time=duration(texts, left)) if left > 0 else texts("time.due")


def clock_time(moment: str | float) -> str:
    """A moment on the reader's own clock."""
    seconds = seconds_of(moment) if isinstance(moment, str) else moment
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, OSError, ValueError):  # a year that no calendar has
        return f"{seconds:g}"


def file_size(size: int) -> str:
    """Bytes, in the unit that people would use."""
    number = float(size)
    for unit in ("B", "KiB", "MiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} GiB"


def score_text(score: float) -> str:
    """A score with its sign; nothing is ever minus nothing."""
    return f"{round(score, 3) + 0.0:+.3f}"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Aligned columns; the last one gets what is left of the terminal. `right` are aligned to the right."""
    columns = terminal_columns()
    cut = None if columns is None else 4 * columns  # nobody sees more: do not clean a megabyte to show a line
    lines = [list(headers), *([one_line(cell[:cut]) for cell in row] for row in rows)]
    widths = [max(drawn_width(line[index]) for line in lines) for index in range(len(headers))]
    if columns is not None:
        taken = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(_LEAST_TEXT_COLUMNS, columns - taken))
    return [
        GAP.join(
            padded(fitted(cell, widths[index]), widths[index], right=index in right)
            for index, cell in enumerate(line)
        ).rstrip()
        for line in lines
    ]


def headed(texts: Texts, names: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A table whose columns are named by the catalogue."""
    return table([texts(f"col.{name}") for name in names], rows, right)


def facts(texts: Texts, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Names and values below each other; a value without a name goes on with the one above it."""
    names = [texts(f"view.{name}") if name else "" for name, _ in pairs]
    width = max(map(drawn_width, names))
    return [padded(name, width) + GAP + one_line(value) for name, (_, value) in zip(names, pairs, strict=True)]
