"""What was found: the memories, or why each stands where it does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from celestial_engine.surfaces.cli.terminal import terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import short, table
from celestial_engine.surfaces.cli.views.memories import content, memory_table
from celestial_engine.surfaces.operations.search import SearchHits
from celestial_engine.surfaces.operations.views import SearchHit

_LISTS = ("words", "vectors", "graph")
_LEAST_SHARE = 0.01
_WIDE, _VERY_WIDE = 120, 140


def _found(result: CommandResult) -> None:
    answer = result.answer
    if result.request.explain:
        result.console.say(*explained(result.texts, answer))
    elif answer.hits:
        result.console.say(*memory_table(result.texts, [hit.memory for hit in answer.hits], result.now))
    else:
        result.say("say.nothing_found")


def explained(texts: Texts, answer: SearchHits) -> list[str]:
    """The memories with what speaks for them, then the stages that ran or were skipped."""
    lines = _hit_table(texts, answer.hits) if answer.hits else [texts("say.nothing_found")]
    return [*lines, "", *_stage_table(texts, answer.stages)] if answer.stages else lines


def _hit_table(texts: Texts, hits: Sequence[SearchHit]) -> list[str]:
    lists = [name for name in _LISTS if any(_rank(hit, name) for hit in hits)]
    columns = terminal_columns()
    most, wide = _parts_shown(columns), columns is None or columns >= _VERY_WIDE
    headers = [
        *(texts(f"col.{name}") for name in ("rank", "id", "relevance", *(("probability",) if wide else ()))),
        *(texts.word("stage", name) for name in lists),
        texts("col.parts"),
        texts("col.text"),
    ]
    rows = [
        [
            str(rank),
            short(hit.memory.id),
            f"{hit.relevance:.3f}",
            *([f"{hit.probability:.2f}"] if wide else []),
            *(_rank(hit, name) or "-" for name in lists),
            _weightiest(texts, hit.parts or {}, most),
            content(texts, hit.memory),
        ]
        for rank, hit in enumerate(hits, 1)
    ]
    return table(headers, rows, right=(0, *range(2, 3 + wide + len(lists))))


def _rank(hit: SearchHit, name: str) -> str:
    rank = (hit.ranks or {}).get(name)
    return "" if rank is None else str(rank)


def _parts_shown(columns: int | None) -> int:
    """Fewer on a narrow terminal, where the text needs the room."""
    if columns is None or columns >= _WIDE:
        return 4
    return 3 if columns >= 100 else 2


def _weightiest(texts: Texts, parts: Mapping[str, float], most: int) -> str:
    """The parts that weigh most, each with its share of all that was weighed; what speaks against is negative."""
    whole = sum(map(abs, parts.values())) or 1.0
    shares = sorted(((value / whole, name) for name, value in parts.items()), key=lambda part: -abs(part[0]))
    named = [f"{texts.word('relevance', name)} {share:.0%}" for share, name in shares if abs(share) >= _LEAST_SHARE]
    return ", ".join(named[:most]) or "-"


def _stage_table(texts: Texts, stages: Mapping[str, str]) -> list[str]:
    rows = []
    for name, outcome in stages.items():
        counted = re.fullmatch(r"(\d+) memories(?:; (.*))?", outcome)
        remark = (counted[2] or "") if counted else texts("view.skipped", reason=outcome)
        rows.append([texts.word("stage", name), counted[1] if counted else "-", remark])
    return table([texts("col.stage"), texts("col.memories"), ""], rows, right=(1,))


VIEWS: dict[str, View] = {"memory_search": _found}
