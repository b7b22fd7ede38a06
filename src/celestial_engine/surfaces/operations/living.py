"""Longer lives: reminding, core memories on the user's word, and the essence of memories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Id, Limit, Nothing, One, Strict
from celestial_engine.surfaces.operations.views import Memories, Memory, memories_view, memory_view


@dataclass(frozen=True)
class Pending(Strict):
    limit: Limit = 20


@dataclass(frozen=True)
class ToDistil:
    token: Annotated[str, About("hand it in with the essence")]
    tier: str
    prompt: Annotated[str, About("what to ask a model; the memories stand in it as data")]
    sources: tuple[str, ...]
    current: Annotated[str | None, About("what rules made of them meanwhile")]


@dataclass(frozen=True)
class PendingList:
    pending: tuple[ToDistil, ...]


@dataclass(frozen=True)
class Essence(Strict):
    token: Annotated[str, About("of the pending entry")]
    text: Annotated[str, About("one or two sentences: the person, the relation and the pattern, nothing added")]


@dataclass(frozen=True)
class Approve(Strict):
    id: Id


def remind(caller: Caller, asked: One) -> Memory:
    return memory_view(caller, caller.memory.remind(asked.id))


def influenced(caller: Caller, asked: One) -> Memory:
    return memory_view(caller, caller.memory.policy.influenced(asked.id))


def nominations(caller: Caller, asked: Nothing) -> Memories:
    return memories_view(caller, caller.memory.self.nominations())


def approve(caller: Caller, asked: Approve) -> Memory:
    by = f"{caller.owner.user_id} ({caller.channel})"
    return memory_view(caller, caller.memory.self.approve_core(asked.id, by=by, channel=caller.channel))


def pending(caller: Caller, asked: Pending) -> PendingList:
    found = caller.memory.night.distill_pending(asked.limit)
    return PendingList(
        tuple(
            ToDistil(one.token, one.tier.value, one.prompt, tuple(item.id for item in one.sources), one.current)
            for one in found
        )
    )


def commit(caller: Caller, asked: Essence) -> Memory:
    return memory_view(caller, caller.memory.night.distill_commit(asked.token, asked.text))


OPERATIONS = (
    Operation(
        "memory_remind", "Bring one memory to mind: counted and fresh, and whole again if it had faded.",
        One, Memory, remind, Route("POST", "/memories/{id}/remind"), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "memory_influenced", "Note that something was done differently because of a memory.",
        One, Memory, influenced, Route("POST", "/memories/{id}/influence"), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "core_nominations",
        "Memories that could become core memories, which are never forgotten, if the user agrees.",
        Nothing, Memories, nominations, Route("GET", "/nominations"), command="approve",
    ),
    Operation(
        "core_approve", "Make a nominated memory a core memory, on the user's own word and never without it.",
        Approve, Memory, approve, Route("POST", "/nominations/{id}/approve"), Scope.APPROVE, Effect.ADDS, True,
        command="approve",
    ),
    Operation(
        "distill_pending", "Memories whose essence is to be written, each with a prompt and a token.",
        Pending, PendingList, pending, Route("GET", "/distillation"),
    ),
    Operation(
        "distill_commit", "Hand in the essence of a pending entry; what no source says is refused.",
        Essence, Memory, commit, Route("POST", "/distillation"), Scope.WRITE, Effect.ADDS,
    ),
)  # fmt: skip
