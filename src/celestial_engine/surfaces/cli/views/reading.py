"""Lists, explanations, histories and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celestial_engine.surfaces.cli.terminal import bar, drawn_width, fitted, one_line, padded, terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import (
    GAP,
    ahead,
    clock_time,
    facts,
    file_size,
    headed,
    score_text,
    short,
    table,
    zone_name,
)
from celestial_engine.surfaces.cli.views.memories import importance, lifetime, memory_table, show_memory, state
from celestial_engine.surfaces.operations.reading import MemoryStats
from celestial_engine.surfaces.operations.views import LedgerEvent

# Of an event these details come first, and in this order.
_DETAILS = ("zone", "tier", "importance", "displaced", "by", "embedder", "of", "before", "after")


def _listed(result: CommandResult) -> None:
    if result.answer.memories:
        result.console.say(*memory_table(result.texts, result.answer.memories, result.now))
        return
    # An empty list must say whether there is nothing at all, or only nothing that matches.
    counts = result.caller.memory.stats()
    if not counts["total"] and not counts["cliff"]:
        result.say("say.nothing_listed")
        return
    result.say("say.nothing_matches")
    if counts["cliff"]:
        result.say("say.see_cliff", count=counts["cliff"])


def _explained(result: CommandResult) -> None:
    """The four parts of a score, drawn, and the way ahead."""
    answer, texts = result.answer, result.texts
    memory, rows = answer.memory, []
    for name in ("recall", "freshness", "importance", "context"):
        value, weight = getattr(answer, name), getattr(answer.weights, name)
        drawing = bar(abs(value * weight) / answer.weights.freshness, sign="█" if value * weight > 0 else "░")
        rows.append([texts(f"part.{name}"), score_text(value), f"{weight:.2f}", score_text(value * weight), drawing])
    rows.append([texts("part.total"), "", "", score_text(answer.score), ""])
    headers = [*(texts(f"col.{name}") for name in ("part", "value", "weight", "contribution")), ""]
    result.console.say(
        fitted(f"{short(memory.id)}{GAP}{one_line(memory.content[:1000])}", terminal_columns() or 100),
        "",
        *table(headers, rows, right=(1, 2, 3)),
        "",
        *facts(
            texts,
            [
                ("zone", _place(result)),
                ("importance", importance(texts, memory)),
                ("lifetime", lifetime(texts, memory, result.now)),
            ],
        ),
    )
    if memory.purge_at is not None:
        result.console.say(*facts(texts, [("state", state(texts, memory, result.now))]))
        return
    result.console.say("", texts("view.if_idle" if answer.drifts else "view.stays"))
    for drift in answer.drifts:
        when = ahead(texts, drift.at, result.now)
        result.console.say(GAP + texts("view.crossing", when=when, zone=zone_name(texts, drift.zone)))


def _place(result: CommandResult) -> str:
    memory, texts = result.answer.memory, result.texts
    zone, score = zone_name(texts, memory.zone), score_text(memory.score)
    names = [zone.name for zone in result.caller.zones]
    target = result.answer.target_zone
    if memory.zone in names and names.index(target) < names.index(memory.zone):
        return texts("view.waits", zone=zone, score=score, target=zone_name(texts, target))
    return texts("view.scored", zone=zone, score=score)


def _history(result: CommandResult) -> None:
    if result.answer.events:
        zones = [zone.name for zone in result.caller.zones]
        result.console.say(*history_table(result.texts, result.answer.events, zones))
    else:
        result.say("say.no_history")


def history_table(texts: Texts, events: Sequence[LedgerEvent], zones: Sequence[str]) -> list[str]:
    rows = [
        [str(event.number or "-"), clock_time(event.at), texts.word("event", event.type),
         short(event.memory_id or "-"), _detail(texts, event, zones)]
        for event in events
    ]  # fmt: skip
    return headed(texts, ("number", "when", "event", "id", "detail"), rows, right=(0,))


def _detail(texts: Texts, event: LedgerEvent, zones: Sequence[str]) -> str:
    words, detail = [], event.detail
    if event.type == "recalled" and event.memory_id is None:  # of several memories: their number will do
        recalled = len(detail.get("context", ()))
        detail = {"memories": recalled} | ({"displaced": [*event.memory_ids[recalled:]]} if "by" in detail else {})
    for name in sorted(detail, key=lambda name: _DETAILS.index(name) if name in _DETAILS else len(_DETAILS)):
        if name != "importance_source":  # said with the importance
            value = _detail_value(texts, name, detail[name], event, zones)
            words.append(f"{texts.word('detail', name)} {value}")
    return ", ".join(words)


def _detail_value(texts: Texts, name: str, value: Any, event: LedgerEvent, zones: Sequence[str]) -> str:
    match name:
        case "zone":
            return zone_name(texts, zones[value] if 0 <= value < len(zones) else "none")
        case "importance":
            source = str(event.detail.get("importance_source", ""))
            return f"{value:.2f} ({texts.word('importance', source)})" if source else f"{value:.2f}"
        case "fields":
            return ", ".join(texts.word("field", field) for field in value)
        case "reason" | "why":
            return texts.word(name, str(value))
        case "was":
            return texts.word("event", str(value))
        case "redacted":  # kinds of secrets, and where they stood
            return ", ".join(dict.fromkeys(texts.word("secret", str(kind)) for kind, *_ in value))
        case "fallback_from":
            return texts.word("evaluator", str(value))
        case "before" | "after" if isinstance(value, dict):  # of a night
            return str(sum(value.get("zones", {}).values()))
        case "duties":
            return ", ".join(texts.word("duty", one["duty"]) for one in value if one["counts"]) or "-"
        case "until":
            return clock_time(value)
        case "kind":
            return texts.word("reward" if event.type == "learned" else "proposal", str(value))
        case "by" | "displaced" | "from" | "into":  # ids of other memories
            others = value if isinstance(value, list) else [value]
            return ", ".join(short(texts.word("by", str(other))) for other in others)
    return str(value)


def _stats(result: CommandResult) -> None:
    result.console.say(*stats_lines(result.texts, result.answer))


def stats_lines(texts: Texts, stats: MemoryStats) -> list[str]:
    """The zones with a bar each: of a limited zone its fullness, of an open one its share of all memories."""
    names = [texts.word("zone", zone) for zone in stats.zones]
    kinds = {"tiers": "tier", "categories": "category", "states": "state"}
    labels = [*names, *(texts(f"view.{name}") for name in ("total", "cliff", *kinds, "database", "size"))]
    width = max(map(drawn_width, labels))
    digits = len(str(max(stats.total, stats.cliff)))
    lines = []
    for name, (zone, count) in zip(names, stats.zones.items(), strict=True):
        capacity = stats.capacities[zone]
        share = bar(count / (capacity or stats.total or 1))
        lines.append(f"{padded(name, width)}{GAP}{count:>{digits}} / {capacity or '∞':<4}{GAP}{share}".rstrip())
    values = [("total", f"{stats.total:>{digits}}"), ("cliff", f"{stats.cliff:>{digits}}")]
    for name, kind in kinds.items():
        counted = [f"{texts.word(kind, value)} {count}" for value, count in getattr(stats, name).items() if count]
        values += [(name, ", ".join(counted))] if counted else []
    if stats.database is not None:
        values.append(("database", stats.database))
    if stats.size_bytes is not None:
        values.append(("size", file_size(stats.size_bytes)))
    return [*lines, *(padded(texts(f"view.{name}"), width) + GAP + value for name, value in values)]


VIEWS: dict[str, View] = {
    "memory_get": show_memory,
    "memory_list": _listed,
    "memory_explain": _explained,
    "memory_history": _history,
    "memory_stats": _stats,
}
