"""Keeping the whole in order: backups, retention, archives, rebalancing, new vectors."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal

from celestial_engine.core.guard.stored_secret import SecretPlace, StoredSecret
from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import NotFoundError, NothingArchivedError
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
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest
from celestial_engine.surfaces.operations.views import Memory, memory_view, view_of


@dataclass(frozen=True)
class BackupResult:
    path: str
    size_bytes: int
    memories: int
    events: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class RetentionRequest(StrictRequest):
    preset: Annotated[
        Literal["coordinates-v1"] | None, About("the limits to carry out; null: those of the settings")
    ] = "coordinates-v1"
    dry_run: Annotated[bool, About("only tell what would be done")] = True


@dataclass(frozen=True)
class Remaining:
    """What is left in the database then."""

    memories: int
    sessions: int
    size_bytes: int


@dataclass(frozen=True)
class RetentionResult:
    dry_run: bool
    archived: Annotated[int, About("memories archived, or that would be")]
    forgotten: Annotated[int, About("memories let go, or that would be")]
    sessions: Annotated[int, About("sessions archived, or that would be")]
    by_limit: Annotated[dict[str, int], About("how many leave because of each limit")]
    remaining: Remaining
    still_over: Annotated[tuple[str, ...], About("limits that protected or fresh memories keep from being met")]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ArchivedSession:
    file: str
    session_id: str | None
    archived_at: str
    memories: int
    size_bytes: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ArchiveList:
    archives: tuple[ArchivedSession, ...]


@dataclass(frozen=True)
class BringBackRequest(StrictRequest):
    which: Annotated[str, About("an archived session or memory")]


@dataclass(frozen=True)
class ArchivedMemoryRequest(StrictRequest):
    id: Annotated[str, About("the id of an archived memory")]


@dataclass(frozen=True)
class BringBackResult:
    ids: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class RebalanceRequest(StrictRequest):
    allow_large: Annotated[bool, About("confirms that many memories may be removed at once")] = False


@dataclass(frozen=True)
class RebalanceCounts:
    moved: int
    evicted: int
    forgotten: int
    purged: int
    held: Annotated[int, About("memories that would leave, but are too many to leave without your word")]
    visited: int
    in_orbit: int
    milliseconds: float


@dataclass(frozen=True)
class ReindexCounts:
    embedded: int
    failed: int


@dataclass(frozen=True)
class CheckResult:
    problems: tuple[str, ...]


@dataclass(frozen=True)
class SecretScanRequest(StrictRequest):
    redact: Annotated[bool, About("redact what is found; otherwise it is only listed")] = False


@dataclass(frozen=True)
class FoundSecret:
    place: Annotated[str, About("memory, archive, version, ledger or backup")]
    where: Annotated[str, About("the id of a memory, the number of an entry, or the file of a backup")]
    kinds: Annotated[tuple[str, ...], About("password, api_key and so on; never the secret")]


@dataclass(frozen=True)
class SecretScanResult:
    dry_run: bool
    found: tuple[FoundSecret, ...]
    redacted: Annotated[dict[str, str], About("ids of memories, and of their redacted copies")]
    left: Annotated[tuple[FoundSecret, ...], About("what could not be redacted: delete such backups yourself")]


def scan_secrets(caller: Caller, request: SecretScanRequest) -> SecretScanResult:
    scan = caller.memory.maintenance.scan_secrets(redact=request.redact)
    found, left = (
        tuple(FoundSecret(one.place.value, _where(caller, one), one.kinds) for one in ones)
        for ones in (scan.found, scan.left)
    )
    return SecretScanResult(scan.dry_run, found, scan.redacted, left)


def _where(caller: Caller, secret: StoredSecret) -> str:
    """Paths are returned only on this machine."""
    is_path = secret.place is SecretPlace.BACKUP and not caller.local
    return os.path.basename(secret.where) if is_path else secret.where


def backup(caller: Caller, request: EmptyRequest) -> BackupResult:
    """Into the backup folder only: remote callers cannot name paths."""
    report = caller.memory.transfer.backup(progress=caller.progress)
    return BackupResult(
        report.path, report.size_bytes, report.memories, report.events, caller.messages(report.problems)
    )


def retain(caller: Caller, request: RetentionRequest) -> RetentionResult:
    report = caller.memory.departures.retain(request.preset, dry_run=request.dry_run)
    archived, forgotten = report.archived, report.forgotten
    if report.dry_run:
        archived, forgotten = report.plan.archived_memories, len(report.plan.leaving)
    plan = report.plan
    return RetentionResult(
        report.dry_run, archived, forgotten, len(plan.archiving),
        dict(Counter(one.limit.value for one in plan.leaving)),
        Remaining(plan.memories, plan.sessions, plan.size_bytes), tuple(limit.value for limit in plan.still_over),
        caller.messages(report.problems),
    )  # fmt: skip


def archives(caller: Caller, request: EmptyRequest) -> ArchiveList:
    return ArchiveList(tuple(
        ArchivedSession(
            view.note.file, view.note.session_id, timestamp(view.note.archived_at), view.note.memories,
            view.size_bytes, caller.messages(view.problems),
        )
        for view in caller.memory.departures.archives()
    ))  # fmt: skip


def bring_back(caller: Caller, request: BringBackRequest) -> BringBackResult:
    sessions = {view.note.session_id for view in caller.memory.departures.archives()}
    which = request.which if request.which in sessions else _archived(caller, request.which)
    back = caller.memory.departures.bring_back(which)
    return BringBackResult(tuple(item.id for item in back.items), caller.messages(back.problems))


def show(caller: Caller, request: ArchivedMemoryRequest) -> Memory:
    return memory_view(caller, caller.memory.get(_archived(caller, request.id)))


def _archived(caller: Caller, item_id: str) -> str:
    try:
        return caller.memory.browse.find_id(item_id)
    except NotFoundError as error:
        raise NothingArchivedError(item_id=item_id) from error


def rebalance(caller: Caller, request: RebalanceRequest) -> RebalanceCounts:
    result = caller.memory.rebalance(allow_large=request.allow_large)
    return view_of(RebalanceCounts, result, in_orbit=result.total_items, milliseconds=result.duration_ms)


def reindex(caller: Caller, request: EmptyRequest) -> ReindexCounts:
    result = caller.memory.maintenance.reindex(caller.progress)
    return ReindexCounts(result.embedded, result.failed)


@dataclass(frozen=True)
class ReindexWordsCounts:
    memories: int


def reindex_words(caller: Caller, request: EmptyRequest) -> ReindexWordsCounts:
    return ReindexWordsCounts(caller.memory.maintenance.reindex_words(caller.progress))


def repair(caller: Caller, request: EmptyRequest) -> CheckResult:
    return CheckResult(caller.messages(caller.memory.maintenance.repair()))


def check(caller: Caller, request: EmptyRequest) -> CheckResult:
    return CheckResult(caller.messages(caller.memory.maintenance.check()))


OPERATIONS = (
    Operation(
        "backup_create", "A checked copy of the whole database, while it is in use.",
        EmptyRequest, BackupResult, backup, Route("POST", "/backups"), Scope.ADMIN, Effect.ADDS, tool=False,
        commands=(Command("backup", by_hand=True),),
    ),
    Operation(
        "retention_run", "Archive what is idle and let go of what is too much, by a policy; a dry run unless told.",
        RetentionRequest, RetentionResult, retain, Route("POST", "/retention"), Scope.ADMIN, Effect.REMOVES,
        tool=False,
        commands=(Command("retain", values={"preset": None, "dry_run": False}),),
    ),
    Operation(
        "archive_list", "The archived sessions.",
        EmptyRequest, ArchiveList, archives, Route("GET", "/archives"), tool=False,
        commands=(Command("archive list"),),
    ),
    Operation(
        "archive_bring_back", "An archived session, or one memory of it, back into orbit.",
        BringBackRequest, BringBackResult, bring_back, Route("POST", "/archives/bring-back"), Scope.WRITE,
        Effect.ADDS,
        tool=False, commands=(Command("archive bring-back", ("which",)),),
    ),
    Operation(
        "guard_scan", "Find secrets that older versions stored, everywhere; a dry run unless told to redact.",
        SecretScanRequest, SecretScanResult, scan_secrets, Route("POST", "/guard/scan"), Scope.ADMIN, Effect.REMOVES,
        tool=False, commands=(Command("guard scan"),),
    ),
    Operation(
        "rebalance", "Put every memory where its score says.",
        RebalanceRequest, RebalanceCounts, rebalance, Route("POST", "/rebalance"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
        commands=(Command("rebalance"),),
    ),
    Operation(
        "reindex", "Give every memory without a vector one.",
        EmptyRequest, ReindexCounts, reindex, Route("POST", "/reindex"), Scope.ADMIN, Effect.ADDS, True,
        commands=(Command("reindex", by_hand=True),), long=True,
    ),
    Operation(
        "reindex_words", "Rebuild the word index.",
        EmptyRequest, ReindexWordsCounts, reindex_words, Route("POST", "/reindex/words"), Scope.ADMIN, Effect.ADDS,
        True, tool=False,
        commands=(Command("reindex --words", by_hand=True),),
    ),
    Operation(
        "repair", "Rebuild what can be derived from the memories; tells what is still wrong.",
        EmptyRequest, CheckResult, repair, Route("POST", "/repair"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        commands=(Command("doctor --repair", by_hand=True),),
    ),
    Operation(
        "check", "Look for damage in the stored data.",
        EmptyRequest, CheckResult, check, Route("GET", "/check"), Scope.ADMIN, tool=False,
        commands=(Command("doctor", by_hand=True),),
    ),
)  # fmt: skip

LOCAL_OPERATIONS = (
    Operation(
        "archive_show", "One archived memory, without bringing it back.",
        ArchivedMemoryRequest, Memory, show, LOCAL, tool=False, commands=(Command("archive show", ("id",)),),
    ),
)  # fmt: skip
