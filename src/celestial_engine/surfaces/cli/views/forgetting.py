"""What was forgotten, what can be restored, and what was."""

from __future__ import annotations

from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import duration, seconds_of, short, zone_name


def _forgotten(result: CommandResult) -> None:
    memory = result.answer
    seconds_left = 0.0 if memory.purge_at is None else seconds_of(memory.purge_at) - result.now
    result.say("say.forget", id=short(memory.id), time=duration(result.texts, seconds_left))


def _cliff(result: CommandResult) -> None:
    texts = result.texts
    rows = []
    for memory in result.answer.memories:
        reason = left = "-"
        if memory.purge_at is not None:
            reason = texts.word("reason", memory.departed_for)
            left = duration(texts, seconds_of(memory.purge_at) - result.now)
        rows.append([short(memory.id), reason, left, memory.content])
    result.say_table(("id", "reason", "left", "text"), rows, "say.cliff_empty")


def _restored(result: CommandResult) -> None:
    memories, request, texts = result.answer.memories, result.request, result.texts
    if request.ids:
        for memory in memories:
            result.say("say.restore", id=short(memory.id), zone=zone_name(texts, memory.zone))
        return
    nothing = "say.cliff_empty" if request.reason is None else "say.none_of_reason"
    key = {0: nothing, 1: "say.restored_one"}.get(len(memories), "say.restored_many")
    reason = "" if request.reason is None else texts.word("reason", request.reason.value)
    result.say(key, count=len(memories), reason=reason)


VIEWS: dict[str, View] = {
    "memory_delete": _forgotten,
    "cliff_list": _cliff,
    "memory_restore": _restored,
}
