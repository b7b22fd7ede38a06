"""What came from a source, and what went with it."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import short, zone_name
from celestial_engine.surfaces.operations.sources import SourceTrace
from celestial_engine.surfaces.operations.views import Memory

_MOST_SHOWN = 20


def _trace(result: CommandResult) -> None:
    _say(result, result.answer)


def _retracted(result: CommandResult) -> None:
    answer = result.answer
    _say(result, answer.trace)
    if answer.dry_run:
        result.say("say.retract_planned", count=len(answer.trace.leaving))
    elif answer.event is None:
        result.say("say.retract_nothing")
    else:
        result.say("say.retracted", count=len(answer.trace.leaving), event=answer.event)


def _undone(result: CommandResult) -> None:
    for memory in result.answer.memories:
        result.say("say.restore", id=short(memory.id), zone=zone_name(result.texts, memory.zone))


def _say(result: CommandResult, trace: SourceTrace) -> None:
    for name in ("sources", "distilled", "imagined", "shared", "superseded"):
        _say_memories(result, name, getattr(trace, name))
    for name in ("merged_into", "islands", "beliefs", "protected"):
        if ids := getattr(trace, name):
            result.say(f"say.trace_{name}", ids=", ".join(short(one) for one in ids))
    result.say("say.trace_triples", count=trace.triples)
    if trace.learned_since:
        version = "-" if trace.policy_version is None else trace.policy_version
        result.say("say.trace_learned", count=trace.learned_since, version=version)


def _say_memories(result: CommandResult, name: str, memories: Sequence[Memory]) -> None:
    if not memories:
        return
    result.say(f"say.trace_{name}", count=len(memories))
    for memory in memories[:_MOST_SHOWN]:
        result.say("say.trace_memory", id=short(memory.id), text=one_line(memory.content))


VIEWS: dict[str, View] = {
    "source_trace": _trace,
    "source_retract": _retracted,
    "source_retract_undo": _undone,
}
