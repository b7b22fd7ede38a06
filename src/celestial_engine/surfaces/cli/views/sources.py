"""What came from a source, and what went with it."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views.format import short, zone_name
from celestial_engine.surfaces.cli.views.shown import Shown, View
from celestial_engine.surfaces.operations.sources import SourceTrace
from celestial_engine.surfaces.operations.views import Memory

_MOST_SHOWN = 20


def _trace(shown: Shown) -> None:
    _say(shown, shown.answer)


def _retracted(shown: Shown) -> None:
    answer = shown.answer
    _say(shown, answer.trace)
    if answer.dry_run:
        shown.say("say.retract_planned", count=len(answer.trace.leaving))
    elif answer.event is None:
        shown.say("say.retract_nothing")
    else:
        shown.say("say.retracted", count=len(answer.trace.leaving), event=answer.event)


def _undone(shown: Shown) -> None:
    for memory in shown.answer.memories:
        shown.say("say.restore", id=short(memory.id), zone=zone_name(shown.texts, memory.zone))


def _say(shown: Shown, found: SourceTrace) -> None:
    for name in ("sources", "distilled", "imagined", "shared", "superseded"):
        _say_memories(shown, name, getattr(found, name))
    for name in ("merged_into", "islands", "beliefs", "protected"):
        if ids := getattr(found, name):
            shown.say(f"say.trace_{name}", ids=", ".join(short(one) for one in ids))
    shown.say("say.trace_triples", count=found.triples)
    if found.learned_since:
        version = "-" if found.policy_version is None else found.policy_version
        shown.say("say.trace_learned", count=found.learned_since, version=version)


def _say_memories(shown: Shown, name: str, memories: Sequence[Memory]) -> None:
    if not memories:
        return
    shown.say(f"say.trace_{name}", count=len(memories))
    for memory in memories[:_MOST_SHOWN]:
        shown.say("say.trace_memory", id=short(memory.id), text=one_line(memory.content))


VIEWS: dict[str, View] = {
    "source_trace": _trace,
    "source_retract": _retracted,
    "source_retract_undo": _undone,
}
