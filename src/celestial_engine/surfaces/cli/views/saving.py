"""What was stored, changed, rated or pinned."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.surfaces.cli.failures import BAD_INPUT, CommandError
from celestial_engine.surfaces.cli.views.command_result import Before, CommandResult, View
from celestial_engine.surfaces.cli.views.format import short, zone_name
from celestial_engine.surfaces.cli.views.memories import show_memory, show_replaced
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.fields import MemoryIdRequest
from celestial_engine.surfaces.operations.saving import UpdateRequest


def _stored(result: CommandResult) -> None:
    memory, texts = result.answer, result.texts
    result.say(
        "say.stored",
        id=short(memory.id),
        zone=zone_name(texts, memory.zone),
        importance=f"{memory.importance:.2f}",
        source=texts.word("importance", memory.importance_source),
    )
    show_replaced(result, memory)
    _say_redacted(result, (memory.content, result.request.content))


def _stored_many(result: CommandResult) -> None:
    result.say("say.stored_many", count=len(result.answer.memories))
    _say_redacted(
        result, *zip((memory.content for memory in result.answer.memories), result.request.contents, strict=True)
    )


def _updated(result: CommandResult) -> None:
    show_memory(result)
    _say_redacted(result, (result.answer.content, result.request.content or result.answer.content))


def _say_redacted(result: CommandResult, *texts: tuple[str, str]) -> None:
    """Says what was redacted in texts, each stored and as it was given, in their own languages."""
    from celestial_engine.core.guard.secrets import redaction_notice

    for notice in dict.fromkeys(redaction_notice(stored, given) for stored, given in texts):
        if notice:
            result.console.remark(notice)


def _rated(result: CommandResult) -> None:
    memory = result.answer
    result.say(
        "say.rated",
        id=short(memory.id),
        stars=memory.user_rating,
        importance=f"{memory.importance:.2f}",
        source=result.texts.word("importance", memory.importance_source),
    )


def _protection(key: str) -> View:
    def view(result: CommandResult) -> None:
        memory = result.answer
        sentence = f"{key}_already" if memory.protection == result.before else key
        result.say(sentence, id=short(memory.id), protection=result.texts.word("protection", memory.protection))

    return view


def _protected_by(caller: Caller, request: MemoryIdRequest) -> str:
    return caller.memory.get(request.id).protection.value


def _something_to_change(caller: Caller, request: UpdateRequest) -> None:
    if replace(request, if_version=None) == UpdateRequest(request.id):
        raise CommandError("nothing_to_update", BAD_INPUT)


VIEWS: dict[str, View] = {
    "memory_save": _stored,
    "memory_save_many": _stored_many,
    "memory_update": _updated,
    "memory_rate": _rated,
    "memory_pin": _protection("say.pin"),
    "memory_unpin": _protection("say.unpin"),
}
BEFORE: dict[str, Before] = {
    "memory_update": _something_to_change,
    "memory_pin": _protected_by,
    "memory_unpin": _protected_by,
}
