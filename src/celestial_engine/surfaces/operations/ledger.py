"""The ledger: is it whole, and one step back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.surfaces.operations.declaration import (
    LOCAL,
    About,
    Caller,
    Command,
    Effect,
    Operation,
    Route,
    Scope,
)
from celestial_engine.surfaces.operations.fields import EmptyRequest, Id, Limit, StrictRequest
from celestial_engine.surfaces.operations.views import LedgerEvent, Memory, event_view, memory_view


@dataclass(frozen=True)
class VerifyRequest(StrictRequest):
    head: Annotated[str | None, About("a head that was kept elsewhere, NUMBER:HASH")] = None


@dataclass(frozen=True)
class LedgerDamage:
    number: Annotated[int, About("the first entry that is wrong")]
    kind: Annotated[str, About("edited, missing, cut, rewritten, version_edited or version_missing")]
    where: Annotated[str, About("ledger, or what it differs from: files or head")]


@dataclass(frozen=True)
class LedgerFiles:
    """The daily files beside the database."""

    path: Annotated[str | None, About("their folder; returned only on this machine")]
    lines: int
    missing: Annotated[int, About("entries that the files lack; a repair writes them")]
    unreadable: Annotated[int, About("lines that are torn, foreign or edited")]
    first_unreadable: str | None


@dataclass(frozen=True)
class LedgerCheck:
    ok: bool
    entries: int
    head: str | None
    fault: Annotated[str | None, About("what is wrong, in a sentence")]
    damage: LedgerDamage | None
    files: Annotated[LedgerFiles | None, About("null: there are no daily files")]


@dataclass(frozen=True)
class LedgerHead:
    head: Annotated[str | None, About("NUMBER:HASH of the newest entry; keep it elsewhere to notice a cut tail")]


@dataclass(frozen=True)
class UndoRequest(StrictRequest):
    event: Annotated[int, About("the number of an event, as the history shows it", 1)]


@dataclass(frozen=True)
class LogEventRequest(StrictRequest):
    session_id: Annotated[str, About("the conversation it happened in")]
    event_type: Annotated[str, About("user_input, persona_response, tool_call, evaluation, or a name of your own")]
    persona_id: Annotated[str | None, About("the persona it is about")] = None
    memory_id: Annotated[Id | None, About("the memory it is about")] = None
    memory_refs: Annotated[tuple[str, ...], About("ids of other memories it has to do with")] = ()
    bqi_coordinate: Annotated[dict[str, Any] | None, About("how the prompt was read")] = None
    evaluation: Annotated[dict[str, Any] | None, About("scores from 0 to 1, and what else was judged")] = None
    plan_adjustment: Annotated[dict[str, Any] | None, About("what was changed because of it")] = None


@dataclass(frozen=True)
class LedgerShowRequest(StrictRequest):
    limit: Limit = 20


@dataclass(frozen=True)
class LedgerDocuments:
    entries: Annotated[tuple[dict[str, Any], ...], About("this owner's entries as the daily files have them")]


@dataclass(frozen=True)
class LedgerRepaired:
    lines: int


@dataclass(frozen=True)
class LedgerCompressed:
    files: tuple[str, ...]


def log(caller: Caller, request: LogEventRequest) -> LedgerEvent:
    written = caller.memory.ledger.log(
        request.session_id, request.event_type, request.persona_id, request.memory_id, request.bqi_coordinate,
        request.evaluation, request.plan_adjustment, memory_refs=request.memory_refs
    )  # fmt: skip
    return event_view(written)


def repair(caller: Caller, request: EmptyRequest) -> LedgerRepaired:
    return LedgerRepaired(caller.memory.ledger.repair())


def compress(caller: Caller, request: EmptyRequest) -> LedgerCompressed:
    return LedgerCompressed(tuple(caller.memory.ledger.compress()))


def verify(caller: Caller, request: VerifyRequest) -> LedgerCheck:
    found = caller.memory.ledger.verify(request.head)
    newest = None if found.head is None else str(found.head)
    fault = found.fault
    problem = None if fault is None else f"entry {fault.number} of the {fault.where}: {fault.wrong.value}"
    damage = None if fault is None else LedgerDamage(fault.number, fault.wrong.value, fault.where)
    files = found.mirror
    checked = None if files is None else LedgerFiles(
        files.path if caller.local else None, files.lines, files.missing, files.unreadable,
        files.first_unreadable if caller.local else None,
    )  # fmt: skip
    return LedgerCheck(found.ok, found.entries, newest, problem, damage, checked)


def head(caller: Caller, request: EmptyRequest) -> LedgerHead:
    newest = caller.memory.ledger.head()
    return LedgerHead(None if newest is None else str(newest))


def show(caller: Caller, request: LedgerShowRequest) -> LedgerDocuments:
    events = caller.memory.ledger.history(None, request.limit)
    return LedgerDocuments(tuple(event.to_document() | {"seq": event.number, "hash": event.hash} for event in events))


def undo(caller: Caller, request: UndoRequest) -> Memory:
    return memory_view(caller, caller.memory.ledger.undo(request.event))


OPERATIONS = (
    Operation(
        "undo", "Take one change of a memory back: a store, update, deletion, merge, rating or pin.",
        UndoRequest, Memory, undo, Route("POST", "/events/{event}/undo"), Scope.WRITE, Effect.ADDS,
        commands=(Command("undo", ("event",)),),
    ),
    Operation(
        "event_log",
        "Write what the host program did into the ledger, where it stays for good; texts become digests.",
        LogEventRequest, LedgerEvent, log, Route("POST", "/events", status=201), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "ledger_repair", "Write what the ledger's daily files lack.",
        EmptyRequest, LedgerRepaired, repair, Route("POST", "/ledger/repair"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
        commands=(Command("ledger repair"),),
    ),
    Operation(
        "ledger_compress", "Pack the ledger's daily files of past years.",
        EmptyRequest, LedgerCompressed, compress, Route("POST", "/ledger/compress"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
        commands=(Command("ledger compress"),),
    ),
    Operation(
        "ledger_verify", "Check the chain of the ledger: nothing edited, removed, inserted or reordered.",
        VerifyRequest, LedgerCheck, verify, Route("POST", "/ledger/verify"), Scope.ADMIN, tool=False,
        commands=(Command("ledger verify"),),
    ),
    Operation(
        "ledger_head", "The newest entry of the ledger, to be kept elsewhere.",
        EmptyRequest, LedgerHead, head, Route("GET", "/ledger/head"), Scope.ADMIN, tool=False,
        commands=(Command("ledger head"),),
    ),
)  # fmt: skip

LOCAL_OPERATIONS = (
    Operation(
        "ledger_show", "The newest entries of the ledger, as the daily files have them.",
        LedgerShowRequest, LedgerDocuments, show, LOCAL, tool=False, commands=(Command("ledger show"),),
    ),
)  # fmt: skip
