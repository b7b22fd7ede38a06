"""Finding memories by a question or by another memory, and writing them out for a prompt."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from celestial_engine.core.retrieval.search_result import SearchResult
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import answers, arguments, filtering
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.views import render
from celestial_engine.surfaces.cli.views import search as found_views

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.composition import Composition


def recall(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    where = filtering.chosen(args, console.texts)
    found = memory.recall(_question(args, console), arguments.limit(args.limit), explain=True, where=where)
    return _show_found(args, console, found)


def search(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    where = filtering.chosen(args, console.texts)
    found = memory.search(_question(args, console), arguments.limit(args.limit), explain=True, where=where)
    return _show_found(args, console, found)


def compose(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """The text alone goes to standard output, so that it can be piped into a prompt; what it holds is a remark."""
    composed = memory.compose(
        _question(args, console),
        arguments.whole_number(args.budget, "budget", console.texts),
        limit=arguments.limit(args.limit),
    )
    if console.as_json:
        console.data(_composition(composed))
        return OK
    if composed.text:
        console.verbatim(composed.text)
    console.remark(found_views.composed(console.texts, composed))
    return OK


def related(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    depth = arguments.whole_number(args.depth, "depth", console.texts)
    ties = memory.related(memory.browse.find_id(args.id), depth, arguments.limit(args.limit))
    if console.as_json:
        console.data(
            [{"memory": answers.record(tie.item), "distance": tie.distance, "linked": tie.linked,
              "shared": list(tie.shared), "negative": tie.negative} for tie in ties]
        )  # fmt: skip
    elif ties:
        console.say(*found_views.related_table(console.texts, ties))
    else:
        console.say(console.texts("say.nothing_related"))
    return OK


def _question(args: Namespace, console: Console) -> str:
    return arguments.given_text(" ".join(args.question), "query", console.texts)


def _show_found(args: Namespace, console: Console, found: SearchResult) -> int:
    if not args.explain:
        items = [hit.item for hit in found.hits]
        table = render.memory_table(console.texts, items, time.time())
        return answers.show(console, items, table, "say.nothing_found")
    if console.as_json:
        console.data(_explained(found))
    else:
        console.say(*found_views.found_view(console.texts, found))
    return OK


def _explained(found: SearchResult) -> dict[str, object]:
    hits = [
        {
            "memory": answers.record(hit.item),
            "relevance": hit.relevance,
            "lists": {name: place._asdict() for name, place in hit.lists.items()},
            "parts": hit.parts,
            "features": hit.features,
        }
        for hit in found.hits
    ]
    return {"hits": hits, "stages": [asdict(stage) for stage in found.stages]}


def _composition(composed: Composition) -> dict[str, object]:
    return {
        "text": composed.text,
        "used": [asdict(used) for used in composed.used],
        "tokens": composed.tokens,
        "budget": composed.budget,
        "left_out": composed.left_out,
    }
