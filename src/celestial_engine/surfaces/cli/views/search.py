"""What people see of what was found: why each memory stands where it does, and what ties memories together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, Stage
from celestial_engine.surfaces.cli.terminal import fitted, one_line, terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.render import short, table, told

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.composition import Composition

_LISTS = ("words", "vectors", "graph")
_LEAST_SHARE = 0.01
_SHARED_COLUMNS = 30


def found_view(texts: Texts, found: SearchResult) -> list[str]:
    """The memories with what speaks for them, then the stages that ran or were skipped."""
    lines = _hit_table(texts, found.hits) if found.hits else [texts("say.nothing_found")]
    return [*lines, "", *_stage_table(texts, found.stages)] if found.stages else lines


def _hit_table(texts: Texts, hits: Sequence[Hit]) -> list[str]:
    lists = [name for name in _LISTS if any(_rank(hit, name) for hit in hits)]
    headers = [
        *(texts(f"col.{name}") for name in ("rank", "id", "relevance")),
        *(texts.word("stage", name) for name in lists),
        texts("col.parts"),
        texts("col.text"),
    ]
    most = _parts_shown(terminal_columns())
    rows = [
        [
            str(rank),
            short(hit.item.id),
            f"{hit.relevance:.3f}",
            *(_rank(hit, name) or "-" for name in lists),
            _weightiest(texts, hit.parts, most),
            told(texts, hit.item),
        ]
        for rank, hit in enumerate(hits, 1)
    ]
    return table(headers, rows, right=(0, *range(2, 3 + len(lists))))


def _rank(hit: Hit, name: str) -> str:
    place = hit.lists.get(name)
    return "" if place is None or place.rank is None else str(place.rank)


def _parts_shown(columns: int | None) -> int:
    """Fewer on a narrow terminal, where the text needs the room."""
    if columns is None or columns >= 120:
        return 4
    return 3 if columns >= 100 else 2


def _weightiest(texts: Texts, parts: Mapping[str, float], most: int) -> str:
    """The parts that weigh most, each with its share of all that was weighed; what speaks against is negative."""
    whole = sum(map(abs, parts.values())) or 1.0
    shares = sorted(((value / whole, name) for name, value in parts.items()), key=lambda part: -abs(part[0]))
    told = [f"{texts.word('relevance', name)} {share:.0%}" for share, name in shares if abs(share) >= _LEAST_SHARE]
    return ", ".join(told[:most]) or "-"


def _stage_table(texts: Texts, stages: Sequence[Stage]) -> list[str]:
    rows = []
    for stage in stages:
        name = texts.word("stage", stage.name)
        if stage.skipped is None:
            rows.append([name, str(stage.memories), ""])
        else:
            rows.append([name, "-", texts("view.skipped", reason=stage.skipped.message(texts.language))])
    return table([texts("col.stage"), texts("col.memories"), ""], rows, right=(1,))


def composed(texts: Texts, composition: Composition) -> str:
    """One line about a text for a prompt: what it holds, and what found no room."""
    from celestial_engine.core.retrieval.composition import FACTS, FULL, GIST

    levels = [used.level for used in composition.used]
    if not levels:
        key = "say.nothing_fits" if composition.left_out else "say.nothing_found"
        return texts(key, budget=composition.budget, left_out=composition.left_out)
    return texts(
        "say.composed",
        count=len(levels),
        tokens=composition.tokens,
        budget=composition.budget,
        full=levels.count(FULL),
        gist=levels.count(GIST),
        facts=levels.count(FACTS),
        left_out=composition.left_out,
    )


class Tie(Protocol):
    """A memory that is tied to another, as the engine tells of it."""

    @property
    def item(self) -> CelestialItem: ...
    @property
    def distance(self) -> int: ...
    @property
    def linked(self) -> bool: ...
    @property
    def shared(self) -> tuple[str, ...]: ...
    @property
    def negative(self) -> bool: ...


def related_table(texts: Texts, ties: Sequence[Tie]) -> list[str]:
    """Memories, nearest first, with what ties them; a negation is a column only where there is one."""
    negated = any(tie.negative for tie in ties)
    names = ["distance", "id", "shared", *(["negated"] if negated else []), "text"]
    rows = []
    for tie in ties:
        row = [str(tie.distance), short(tie.item.id), _shared(texts, tie)]
        if negated:
            row.append(texts("view.negated") if tie.negative else "")
        rows.append([*row, tie.item.content])
    return table([texts(f"col.{name}") for name in names], rows, right=(0,))


def _shared(texts: Texts, tie: Tie) -> str:
    words = [*([texts("view.linked")] if tie.linked else []), *tie.shared]
    said = one_line(", ".join(words)) or "-"
    return said if terminal_columns() is None else fitted(said, _SHARED_COLUMNS)
