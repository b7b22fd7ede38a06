"""The ledger: is it whole, and one step back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Fault, Head


@dataclass(frozen=True)
class VerifyRequest(StrictRequest):
    head: Annotated[str | None, About("a head of this owner's chain that was kept elsewhere, NUMBER:HASH")] = None
    anchor: Annotated[str | None, About("a head of the anchors that was kept elsewhere, NUMBER:HASH")] = None
    this_owner: Annotated[bool, About("check only this owner's chain, not the chains of all owners")] = False


@dataclass(frozen=True)
class LedgerDamage:
    number: Annotated[int, About("the first entry that is wrong")]
    kind: Annotated[str, About("edited, missing, cut, rewritten, version_edited or version_missing")]
    where: Annotated[str, About("ledger, or what it differs from: files, head, owner (the owner's row) or anchor")]
    owner: Annotated[str | None, About("whose chain, USER / AGENT; another owner is named only on this machine")] = (
        None
    )


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
    head: Annotated[str | None, About("NUMBER:HASH of this owner's newest entry")]
    fault: Annotated[str | None, About("what is wrong, in a sentence")]
    damage: LedgerDamage | None
    files: Annotated[LedgerFiles | None, About("null: there are no daily files")]
    anchor: Annotated[str | None, About("NUMBER:HASH of the newest anchor over all owners' chains")] = None


@dataclass(frozen=True)
class LedgerHead:
    head: Annotated[
        str | None, About("NUMBER:HASH of this owner's newest entry; keep it elsewhere to notice a cut tail")
    ]
    anchor: Annotated[
        str | None, About("NUMBER:HASH of the newest anchor, which covers the chains of all owners")
    ] = None


@dataclass(frozen=True)
class LedgerAnchor:
    anchor: Annotated[str | None, About("NUMBER:HASH of the newest anchor; null: the ledger is empty")]
    written: Annotated[bool, About("whether it is new; no anchor is written while no chain has grown")]


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
    verification = caller.memory.ledger.verify(request.head, anchor=request.anchor, all_owners=not request.this_owner)
    fault = verification.fault
    problem = None if fault is None else f"entry {fault.number} of the {fault.where}: {fault.wrong.value}"
    damage = None if fault is None else _damage(caller, fault)
    files = verification.mirror
    checked = None if files is None else LedgerFiles(
        files.path if caller.local else None, files.lines, files.missing, files.unreadable,
        files.first_unreadable if caller.local else None,
    )  # fmt: skip
    return LedgerCheck(
        verification.ok,
        verification.entries,
        _text(verification.head),
        problem,
        damage,
        checked,
        _text(verification.anchor),
    )


def _damage(caller: Caller, fault: Fault) -> LedgerDamage:
    owner = fault.owner if caller.local or fault.owner == caller.memory.owner else None
    name = None if owner is None else f"{owner.user_id} / {owner.agent_id}"
    return LedgerDamage(fault.number, fault.wrong.value, fault.where, name)


def _text(head: Head | None) -> str | None:
    return None if head is None else str(head)


def head(caller: Caller, request: EmptyRequest) -> LedgerHead:
    return LedgerHead(_text(caller.memory.ledger.head()), _text(caller.memory.ledger.newest_anchor()))


def anchor(caller: Caller, request: EmptyRequest) -> LedgerAnchor:
    written = caller.memory.ledger.anchor()
    return LedgerAnchor(_text(written or caller.memory.ledger.newest_anchor()), written is not None)


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
        "ledger_compress", "Pack the ledger's daily files of past months.",
        EmptyRequest, LedgerCompressed, compress, Route("POST", "/ledger/compress"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
        commands=(Command("ledger compress"),),
    ),
    Operation(
        "ledger_verify", "Check the hash chains of the ledger: nothing edited, removed, inserted or reordered.",
        VerifyRequest, LedgerCheck, verify, Route("POST", "/ledger/verify"), Scope.ADMIN, tool=False,
        commands=(Command("ledger verify"),),
    ),
    Operation(
        "ledger_head", "The newest entry of this owner's chain and the newest anchor, to be kept elsewhere.",
        EmptyRequest, LedgerHead, head, Route("GET", "/ledger/head"), Scope.ADMIN, tool=False,
        commands=(Command("ledger head"),),
    ),
    Operation(
        "ledger_anchor", "Write an anchor over the chains of all owners now; sleep does it every night.",
        EmptyRequest, LedgerAnchor, anchor, Route("POST", "/ledger/anchor"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
        commands=(Command("ledger anchor"),),
    ),
)  # fmt: skip

LOCAL_OPERATIONS = (
    Operation(
        "ledger_show", "The newest entries of the ledger, as the daily files have them.",
        LedgerShowRequest, LedgerDocuments, show, LOCAL, tool=False, commands=(Command("ledger show"),),
    ),
)  # fmt: skip
