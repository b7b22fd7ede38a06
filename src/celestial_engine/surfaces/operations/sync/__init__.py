"""Several devices of one owner: how they stand, and the exchange that another device asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.config import Environment
from celestial_engine.engine.sync import SyncReport, SyncStatus
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest
from celestial_engine.surfaces.operations.views import moment_view


@dataclass(frozen=True)
class SyncDevice:
    id: str
    name: str
    heard_at: Annotated[str | None, About("when something of it was last merged here")]
    clock_ahead: Annotated[float | None, About("seconds; only if its clock is ahead by more than a day")]


@dataclass(frozen=True)
class OtherText:
    device: str
    content: str


@dataclass(frozen=True)
class SyncConflict:
    id: Annotated[str, About("the memory that was edited on two devices")]
    in_force: Annotated[str, About("the newer text")]
    others: Annotated[tuple[OtherText, ...], About("the other texts; editing the memory again settles it")]


@dataclass(frozen=True)
class SyncState:
    device: Annotated[str, About("the id of this device")]
    name: str
    devices: tuple[SyncDevice, ...]
    unsent: Annotated[dict[str, int], About("memories that wait to be sent, by folder or device")]
    conflicts: tuple[SyncConflict, ...]


@dataclass(frozen=True)
class SyncExchangeRequest(StrictRequest):
    device: Annotated[str, About("the id of the calling device")]
    bundle: Annotated[str | None, About("a bundle in base64; null: the caller has nothing new")] = None
    previous: Annotated[str, About("the token of the last exchange; empty at the first")] = ""
    token: Annotated[str, About("the token of this exchange")] = ""
    received: Annotated[str, About("the hash of the bundle that the caller got last")] = ""


@dataclass(frozen=True)
class SyncExchange:
    device: str
    bundle: Annotated[str | None, About("the next bundle for the caller, in base64; null: there is nothing new")]
    hash: Annotated[str | None, About("its hash, to be sent as received")]


@dataclass(frozen=True)
class SyncResult:
    sent: Annotated[int, About("bundles")]
    sent_memories: int
    read: Annotated[int, About("bundles")]
    changed: Annotated[dict[str, int], About("memories by what became of them: stored, updated, forgotten, ...")]
    conflicts: Annotated[tuple[str, ...], About("memories that were edited on two devices")]
    waiting: Annotated[tuple[str, ...], About("bundles that have not arrived yet")]
    problems: tuple[str, ...]
    dry_run: bool


def status(caller: Caller, request: EmptyRequest) -> SyncState:
    return status_view(caller.memory.sync.status())


def exchange(caller: Caller, request: SyncExchangeRequest) -> SyncExchange:
    answer = caller.memory.sync.answer(
        request.device, request.bundle, previous=request.previous, token=request.token, received=request.received,
        passphrase=Environment.read().sync_passphrase,
    )  # fmt: skip
    return SyncExchange(*answer)


def status_view(status: SyncStatus) -> SyncState:
    devices = tuple(
        SyncDevice(one.id, one.name, moment_view(one.heard_at), one.clock_ahead) for one in status.devices
    )
    conflicts = tuple(
        SyncConflict(one.item_id, one.in_force, tuple(OtherText(*other) for other in one.others))
        for one in status.conflicts
    )
    return SyncState(status.device, status.name, devices, dict(status.unsent), conflicts)


def report_view(caller: Caller, report: SyncReport) -> SyncResult:
    return SyncResult(
        report.sent, report.sent_memories, report.read, dict(report.changed), report.conflicts, report.waiting,
        caller.messages(report.problems), report.dry_run,
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "sync_status", "This device, the owner's other devices, what waits to be sent, and edits that contradict.",
        EmptyRequest, SyncState, status, Route("GET", "/sync"), tool=False,
        commands=(Command("sync", by_hand=True),),
    ),
    Operation(
        "sync_exchange", "Merge what another device of the owner sends, and return what is new here.",
        SyncExchangeRequest, SyncExchange, exchange, Route("POST", "/sync"), Scope.APPROVE, Effect.REMOVES, True,
        tool=False, commands=(Command("sync", by_hand=True),),
    ),
)  # fmt: skip
