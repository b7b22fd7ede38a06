"""The ledger: is it whole, and one step back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Id, Nothing, Strict
from celestial_engine.surfaces.operations.views import Happening, Memory, event_view, memory_view


@dataclass(frozen=True)
class Verify(Strict):
    head: Annotated[str | None, About("a head that was kept elsewhere, NUMBER:HASH")] = None


@dataclass(frozen=True)
class Verified:
    ok: bool
    entries: int
    head: str | None
    fault: Annotated[str | None, About("the first entry that is wrong")]


@dataclass(frozen=True)
class LedgerHead:
    head: Annotated[str | None, About("NUMBER:HASH of the newest entry; keep it elsewhere to notice a cut tail")]


@dataclass(frozen=True)
class Undo(Strict):
    event: Annotated[int, About("the number of an event, as the history shows it", 1)]


@dataclass(frozen=True)
class Log(Strict):
    session_id: Annotated[str, About("the conversation it happened in")]
    event_type: Annotated[str, About("user_input, persona_response, tool_call, evaluation, or a name of your own")]
    persona_id: Annotated[str | None, About("the persona it is about")] = None
    memory_id: Annotated[Id | None, About("the memory it is about")] = None
    memory_refs: Annotated[tuple[str, ...], About("ids of other memories it has to do with")] = ()
    bqi_coordinate: Annotated[dict[str, Any] | None, About("how the prompt was read")] = None
    evaluation: Annotated[dict[str, Any] | None, About("scores from 0 to 1, and what else was judged")] = None
    plan_adjustment: Annotated[dict[str, Any] | None, About("what was changed because of it")] = None


@dataclass(frozen=True)
class Repaired:
    lines: int


@dataclass(frozen=True)
class Compressed:
    files: tuple[str, ...]


def log(caller: Caller, asked: Log) -> Happening:
    written = caller.memory.ledger.log(
        asked.session_id,
        asked.event_type,
        asked.persona_id,
        asked.memory_id,
        asked.bqi_coordinate,
        asked.evaluation,
        asked.plan_adjustment,
        memory_refs=asked.memory_refs,
    )
    return event_view(written)


def repair(caller: Caller, asked: Nothing) -> Repaired:
    return Repaired(caller.memory.ledger.repair())


def compress(caller: Caller, asked: Nothing) -> Compressed:
    return Compressed(tuple(caller.memory.ledger.compress()))


def verify(caller: Caller, asked: Verify) -> Verified:
    told = caller.memory.ledger.verify(asked.head)
    newest = None if told.head is None else str(told.head)
    fault = (
        None
        if told.fault is None
        else f"entry {told.fault.number} of the {told.fault.where}: {told.fault.wrong.value}"
    )
    return Verified(told.ok, told.entries, newest, fault)


def head(caller: Caller, asked: Nothing) -> LedgerHead:
    newest = caller.memory.ledger.head()
    return LedgerHead(None if newest is None else str(newest))


def undo(caller: Caller, asked: Undo) -> Memory:
    return memory_view(caller, caller.memory.ledger.undo(asked.event))


OPERATIONS = (
    Operation(
        "undo", "Take one change of a memory back: a store, update, deletion, merge, rating or pin.",
        Undo, Memory, undo, Route("POST", "/events/{event}/undo"), Scope.WRITE, Effect.ADDS, command="undo",
    ),
    Operation(
        "event_log",
        "Write what the host program did into the ledger, where it stays for good; texts become digests.",
        Log, Happening, log, Route("POST", "/events", status=201), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "ledger_repair", "Write what the ledger's daily files lack.",
        Nothing, Repaired, repair, Route("POST", "/ledger/repair"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="ledger repair",
    ),
    Operation(
        "ledger_compress", "Pack the ledger's daily files of past years.",
        Nothing, Compressed, compress, Route("POST", "/ledger/compress"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="ledger compress",
    ),
    Operation(
        "ledger_verify", "Check the chain of the ledger: nothing edited, removed, inserted or reordered.",
        Verify, Verified, verify, Route("POST", "/ledger/verify"), Scope.ADMIN, tool=False, command="ledger verify",
    ),
    Operation(
        "ledger_head", "The newest entry of the ledger, to be kept elsewhere.",
        Nothing, LedgerHead, head, Route("GET", "/ledger/head"), Scope.ADMIN, tool=False, command="ledger head",
    ),
)  # fmt: skip
