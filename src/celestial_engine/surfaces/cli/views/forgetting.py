"""What was forgotten, what can be restored, and what was."""

from __future__ import annotations

from celestial_engine.surfaces.cli.views.format import duration, seconds_of, short, zone_name
from celestial_engine.surfaces.cli.views.shown import Shown, View


def _forgotten(shown: Shown) -> None:
    memory = shown.answer
    left = 0.0 if memory.purge_at is None else seconds_of(memory.purge_at) - shown.now
    shown.say("say.forget", id=short(memory.id), time=duration(shown.texts, left))


def _cliff(shown: Shown) -> None:
    texts = shown.texts
    rows = []
    for memory in shown.answer.memories:
        reason = left = "-"
        if memory.purge_at is not None:
            reason = texts.word("reason", memory.departed_for)
            left = duration(texts, seconds_of(memory.purge_at) - shown.now)
        rows.append([short(memory.id), reason, left, memory.content])
    shown.say_table(("id", "reason", "left", "text"), rows, "say.cliff_empty")


def _restored(shown: Shown) -> None:
    memories, request, texts = shown.answer.memories, shown.request, shown.texts
    if request.ids:
        for memory in memories:
            shown.say("say.restore", id=short(memory.id), zone=zone_name(texts, memory.zone))
        return
    nothing = "say.cliff_empty" if request.reason is None else "say.none_of_reason"
    key = {0: nothing, 1: "say.restored_one"}.get(len(memories), "say.restored_many")
    reason = "" if request.reason is None else texts.word("reason", request.reason.value)
    shown.say(key, count=len(memories), reason=reason)


VIEWS: dict[str, View] = {
    "memory_delete": _forgotten,
    "cliff_list": _cliff,
    "memory_restore": _restored,
}
