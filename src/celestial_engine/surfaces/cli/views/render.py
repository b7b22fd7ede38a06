"""What people see of memories: values in, lines out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from celestial_engine.core.orbit.zones import DEFAULT_ZONES
from celestial_engine.surfaces.cli.terminal import (
    drawn_width,
    fitted,
    harmless_json,
    harmless_lines,
    one_line,
    padded,
    terminal_columns,
)
from celestial_engine.surfaces.cli.texts.catalogue import Texts

if TYPE_CHECKING:
    from celestial_engine import CelestialItem, Explanation
    from celestial_engine.core.record.events import Event

SHORT_ID = 8
_GAP = "  "
_LEAST_TEXT_COLUMNS = 12
_BAR_COLUMNS = 20
_DETAILS = (
    "zone",
    "tier",
    "importance",
    "displaced",
    "by",
    "embedder",
    "of",
    "before",
    "after",
)  # said first, and in this order
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


# -- words --------------------------------------------------------------------------------------------


def short(item_id: str) -> str:
    """The characters of an id that people see and type."""
    return item_id[:SHORT_ID]


def zone_name(texts: Texts, zone: int) -> str:
    """A zone by its name; `-` for a memory that is in none."""
    return texts.word("zone", DEFAULT_ZONES[zone].name) if 0 <= zone < len(DEFAULT_ZONES) else "-"


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


def ago(texts: Texts, moment: float, now: float) -> str:
    """How long a moment is over."""
    return texts("time.ago", time=duration(texts, now - moment)) if now - moment >= 1 else texts("time.now")


def ahead(texts: Texts, moment: float, now: float) -> str:
    """How long until a moment."""
    return texts("time.ahead", time=duration(texts, moment - now)) if moment > now else texts("time.due")


def clock_time(moment: float) -> str:
    """A moment on the reader's own clock."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
    except (OverflowError, OSError, ValueError):  # a year that no calendar has
        return f"{moment:g}"


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


def bar(share: float, columns: int = _BAR_COLUMNS, sign: str = "█") -> str:
    """A share from 0 to 1 as a bar; a small share is still one sign, a negligible one none."""
    return sign * max(round(min(share, 1.0) * columns), 1 if share >= 0.0005 else 0)


# -- tables -------------------------------------------------------------------------------------------


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Aligned columns; the last one gets what is left of the terminal. `right` are aligned to the right."""
    columns = terminal_columns()
    cut = None if columns is None else 4 * columns  # nobody sees more: do not clean a megabyte to show a line
    lines = [list(headers), *([one_line(cell[:cut]) for cell in row] for row in rows)]
    widths = [max(drawn_width(line[index]) for line in lines) for index in range(len(headers))]
    if columns is not None:
        taken = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(_LEAST_TEXT_COLUMNS, columns - taken))
    return [
        _GAP.join(
            padded(fitted(cell, widths[index]), widths[index], right=index in right)
            for index, cell in enumerate(line)
        ).rstrip()
        for line in lines
    ]


def memory_table(texts: Texts, items: Sequence[CelestialItem], now: float) -> list[str]:
    """Memories, a line each; what protects them is a column only where something does."""
    guarded = any(item.protection.value != "none" for item in items)
    names = ["id", "zone", "score", "recalls", "age", *(["kept"] if guarded else []), "text"]
    rows = []
    for item in items:
        row = [short(item.id), zone_name(texts, item.zone), score_text(item.total_score), str(item.recall_count)]
        row.append(duration(texts, now - item.created_at))
        if guarded:
            kept = item.protection.value
            row.append("" if kept == "none" else texts.word("protection", kept))
        rows.append([*row, told(texts, item)])
    return table([texts(f"col.{name}") for name in names], rows, right=(2, 3))


def told(texts: Texts, item: CelestialItem) -> str:
    """The text; what holds no more says until when it did."""
    note = _validity(texts, item)
    return f"[{note}] {item.content}" if note else item.content


def _validity(texts: Texts, item: CelestialItem) -> str:
    if item.validity.superseded_by is None or item.validity.until is None:
        return ""
    return texts("view.replaced", until=clock_time(item.validity.until)[:10], by=short(item.validity.superseded_by))


def cliff_table(texts: Texts, items: Sequence[CelestialItem], now: float) -> list[str]:
    rows = []
    for item in items:
        reason = left = "-"
        if item.departure is not None:
            reason = texts.word("reason", item.departure.reason.value)
            left = duration(texts, item.departure.purge_at - now)
        rows.append([short(item.id), reason, left, item.content])
    return table([texts(f"col.{name}") for name in ("id", "reason", "left", "text")], rows)


def history_table(texts: Texts, events: Sequence[Event]) -> list[str]:
    rows = [
        [
            "-" if event.number is None else str(event.number),
            clock_time(event.at),
            texts.word("event", event.type.value),
            short(event.item_id or "-"),
            _detail(texts, event),
        ]
        for event in events
    ]
    return table([texts(f"col.{name}") for name in ("number", "when", "event", "id", "detail")], rows, right=(0,))


def _detail(texts: Texts, event: Event) -> str:
    words = []
    for name in sorted(event.detail, key=lambda name: _DETAILS.index(name) if name in _DETAILS else len(_DETAILS)):
        value = event.detail[name]
        if name == "importance_source":
            continue  # said with the importance
        words.append(f"{texts.word('detail', name)} {_detail_value(texts, name, value, event)}")
    return ", ".join(words)


def _detail_value(texts: Texts, name: str, value: Any, event: Event) -> str:
    if name == "zone":
        return zone_name(texts, value)
    if name == "importance":
        source = str(event.detail.get("importance_source", ""))
        return f"{value:.2f} ({texts.word('importance', source)})" if source else f"{value:.2f}"
    if name == "fields":
        return ", ".join(texts.word("field", field) for field in value)
    if name == "reason":
        return texts.word("reason", str(value))
    if name == "was":
        return texts.word("event", str(value))
    if name == "redacted":  # kinds of secrets, and where they stood
        return ", ".join(dict.fromkeys(texts.word("secret", str(kind)) for kind, *_ in value))
    if name == "fallback_from":
        return texts.word("evaluator", str(value))
    if name in ("before", "after") and isinstance(value, dict):  # of a night
        return str(sum(value.get("zones", {}).values()))
    if name == "duties":
        return ", ".join(texts.word("duty", one["duty"]) for one in value if one["counts"]) or "-"
    if name == "until":
        return clock_time(value)
    if name == "why":
        return texts.word("why", str(value))
    if name == "kind":
        return texts.word("reward" if event.type.value == "learned" else "proposal", str(value))
    if name in ("by", "displaced", "from", "into"):  # ids of other memories
        return ", ".join(short(texts.word("by", str(by))) for by in (value if isinstance(value, list) else [value]))
    return str(value)


# -- views --------------------------------------------------------------------------------------------


def facts(texts: Texts, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Names and values below each other; a value without a name goes on with the one above it."""
    names = [texts(f"view.{name}") if name else "" for name, _ in pairs]
    width = max(map(drawn_width, names))
    return [padded(name, width) + _GAP + one_line(value) for name, (_, value) in zip(names, pairs, strict=True)]


def memory_view(texts: Texts, item: CelestialItem, now: float) -> list[str]:
    """One memory in full: what is known about it, then its text, set off so that it can imitate nothing."""
    pairs = [
        ("id", item.id),
        ("zone", _place(texts, item)),
        ("importance", _importance(texts, item)),
        ("recalls", texts("view.recalled", count=item.recall_count, when=_last_recall(texts, item, now))),
        ("created", f"{clock_time(item.created_at)} ({ago(texts, item.created_at, now)})"),
        ("lifetime", _lifetime(texts, item, now)),
        ("state", _state(texts, item, now)),
        ("protection", texts.word("protection", item.protection.value)),
        ("source", texts.word("source", item.source.value)),
        ("owner", f"{item.owner.user_id} / {item.owner.agent_id}"),
    ]
    if replaced := _validity(texts, item):
        pairs.append(("validity", replaced))
    if item.time.session_id is not None:
        pairs.append(("session", item.time.session_id))
    if item.tags:
        pairs.append(("tags", ", ".join(item.tags)))
    if item.metadata:
        pairs.append(("metadata", harmless_json(item.metadata)))
    pairs += _perceived(texts, item)
    return [*facts(texts, pairs), "", *("    " + line for line in harmless_lines(item.content))]


def _perceived(texts: Texts, item: CelestialItem) -> list[tuple[str, str]]:
    """What was read out of the text: its kind, what it is about, and its coarser readings."""
    pairs = []
    if item.category is not None:
        pairs.append(("category", texts.word("category", item.category.value)))
    if item.keywords:
        pairs.append(("keywords", ", ".join(item.keywords)))
    gist = item.resolution.gist
    if gist and one_line(gist) != one_line(item.content):
        pairs.append(("gist", gist))
    for place, triple in enumerate(item.resolution.triples):
        pairs.append(("" if place else "facts", " · ".join(triple)))
    return pairs


def explanation_view(texts: Texts, explanation: Explanation, now: float) -> list[str]:
    """The four parts of a score, drawn, and the way ahead."""
    item, parts, weights = explanation.item, explanation.breakdown, explanation.config
    rows = []
    for name, value, weight in (
        ("recall", parts.recall_score, weights.w_recall),
        ("freshness", parts.freshness_score, weights.w_freshness),
        ("arbitrary", parts.arbitrary_score, weights.w_arbitrary),
        ("context", parts.context_score, weights.w_context),
    ):
        added = value * weight
        drawing = bar(abs(added) / weights.w_freshness, sign="█" if added > 0 else "░")
        rows.append([texts(f"part.{name}"), score_text(value), f"{weight:.2f}", score_text(added), drawing])
    rows.append([texts("part.total"), "", "", score_text(parts.total), ""])
    headers = [*(texts(f"col.{name}") for name in ("part", "value", "weight", "contribution")), ""]
    lines = [
        fitted(f"{short(item.id)}{_GAP}{one_line(item.content[:1000])}", terminal_columns() or 100),
        "",
        *table(headers, rows, right=(1, 2, 3)),
        "",
        *facts(texts, [("zone", _place(texts, item, parts.target_zone)), ("importance", _importance(texts, item))]),
    ]
    if item.departure is not None:
        return [*lines, *facts(texts, [("state", _state(texts, item, now))])]
    if not explanation.crossings:
        return [*lines, "", texts("view.stays")]
    ways = [
        texts("view.crossing", when=ahead(texts, crossing.at, now), zone=zone_name(texts, crossing.zone))
        for crossing in explanation.crossings
    ]
    return [*lines, "", texts("view.if_idle"), *(_GAP + way for way in ways)]


def stats_view(texts: Texts, stats: dict[str, Any], path: str | None, size: int | None) -> list[str]:
    """The zones with a bar each: of a limited zone its fullness, of an open one its share of all memories."""
    zones = stats["zones"].values()
    total = stats["total"]
    names = [texts.word("zone", zone["name"]) for zone in zones]
    kinds = {"tiers": "tier", "categories": "category", "states": "state"}
    rest = ("total", "cliff", *kinds, "database", "size")
    labels = [*names, *(texts(f"view.{name}") for name in rest)]
    width = max(map(drawn_width, labels))
    digits = len(str(max(total, stats["cliff"])))
    counts = [f"{zone['count']:>{digits}} / {zone['capacity'] or '∞':<4}" for zone in zones]
    lines = []
    for name, count, zone in zip(names, counts, zones, strict=True):
        share = zone["count"] / (zone["capacity"] or total or 1)
        lines.append(f"{padded(name, width)}{_GAP}{count}{_GAP}{bar(share)}".rstrip())
    values = [("total", f"{total:>{digits}}"), ("cliff", f"{stats['cliff']:>{digits}}")]
    for name, kind in kinds.items():
        told = [f"{texts.word(kind, value)} {count}" for value, count in stats[name].items() if count]
        values += [(name, ", ".join(told))] if told else []
    if path is not None:
        values.append(("database", path))
    if size is not None:
        values.append(("size", file_size(size)))
    return [*lines, *(padded(texts(f"view.{name}"), width) + _GAP + value for name, value in values)]


def _place(texts: Texts, item: CelestialItem, target: int | None = None) -> str:
    zone, score = zone_name(texts, item.zone), score_text(item.total_score)
    if target is not None and target < item.zone:
        return texts("view.waits", zone=zone, score=score, target=zone_name(texts, target))
    return texts("view.scored", zone=zone, score=score)


def _importance(texts: Texts, item: CelestialItem) -> str:
    source = texts.word("importance", item.importance_source)
    return texts("view.judged", importance=f"{item.arbitrary_importance:.2f}", source=source)


def _last_recall(texts: Texts, item: CelestialItem, now: float) -> str:
    return ago(texts, item.last_recalled_at, now) if item.recall_count else texts("time.never")


def _lifetime(texts: Texts, item: CelestialItem, now: float) -> str:
    when = texts("time.never") if item.expires_at is None else ahead(texts, item.expires_at, now)
    return texts("view.until", tier=item.tier.value, when=when)


def _state(texts: Texts, item: CelestialItem, now: float) -> str:
    state = texts.word("state", item.state.value)
    if item.departure is None:
        return state
    reason = texts.word("reason", item.departure.reason.value)
    return texts("view.departed", state=state, reason=reason, when=ahead(texts, item.departure.purge_at, now))
