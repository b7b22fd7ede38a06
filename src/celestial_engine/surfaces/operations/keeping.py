"""Keeping the whole in order: backups, retention, archives, rebalancing, new vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from celestial_engine.errors import Problem
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Nothing, Strict


@dataclass(frozen=True)
class Backup:
    path: str
    size_bytes: int
    memories: int
    events: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Retain(Strict):
    preset: Annotated[str, About("the name of a retention policy")] = "coordinates-v1"
    dry_run: Annotated[bool, About("only tell what would be done")] = True


@dataclass(frozen=True)
class Retained:
    dry_run: bool
    archived: Annotated[int, About("memories archived, or that would be")]
    forgotten: Annotated[int, About("memories let go, or that would be")]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Archive:
    file: str
    session_id: str | None
    memories: int
    size_bytes: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ArchiveList:
    archives: tuple[Archive, ...]


@dataclass(frozen=True)
class BringBack(Strict):
    which: Annotated[str, About("an archived session or memory")]


@dataclass(frozen=True)
class BroughtBack:
    ids: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Rebalanced:
    moved: int
    evicted: int
    forgotten: int
    purged: int
    visited: int


@dataclass(frozen=True)
class Reindexed:
    embedded: int
    failed: int


@dataclass(frozen=True)
class Checked:
    problems: tuple[str, ...]


def _told(problems: Iterable[Problem]) -> tuple[str, ...]:
    return tuple(map(str, problems))


def backup(caller: Caller, asked: Nothing) -> Backup:
    """Into the backup folder only: whoever calls from outside names no paths."""
    made = caller.memory.transfer.backup(progress=caller.progress)
    return Backup(made.path, made.size_bytes, made.memories, made.events, _told(made.problems))


def retain(caller: Caller, asked: Retain) -> Retained:
    done = caller.memory.departures.retain(asked.preset, dry_run=asked.dry_run)
    archived, forgotten = done.archived, done.forgotten
    if done.dry_run:
        archived, forgotten = done.plan.archived_memories, len(done.plan.leaving)
    return Retained(done.dry_run, archived, forgotten, _told(done.problems))


def archives(caller: Caller, asked: Nothing) -> ArchiveList:
    return ArchiveList(tuple(
        Archive(view.note.file, view.note.session_id, view.note.memories, view.size_bytes, _told(view.problems))
        for view in caller.memory.departures.archives()
    ))  # fmt: skip


def bring_back(caller: Caller, asked: BringBack) -> BroughtBack:
    back = caller.memory.departures.bring_back(asked.which)
    return BroughtBack(tuple(item.id for item in back.items), _told(back.problems))


def rebalance(caller: Caller, asked: Nothing) -> Rebalanced:
    done = caller.memory.rebalance()
    return Rebalanced(done.moved, done.evicted, done.forgotten, done.purged, done.visited)


def reindex(caller: Caller, asked: Nothing) -> Reindexed:
    done = caller.memory.maintenance.reindex(caller.progress)
    return Reindexed(done.embedded, done.failed)


@dataclass(frozen=True)
class Reworded:
    memories: int


def reindex_words(caller: Caller, asked: Nothing) -> Reworded:
    return Reworded(caller.memory.maintenance.reindex_words(caller.progress))


def repair(caller: Caller, asked: Nothing) -> Checked:
    return Checked(_told(caller.memory.maintenance.repair()))


def check(caller: Caller, asked: Nothing) -> Checked:
    return Checked(_told(caller.memory.maintenance.check()))


OPERATIONS = (
    Operation(
        "backup_create", "A checked copy of the whole database, while it is in use.",
        Nothing, Backup, backup, Route("POST", "/backups"), Scope.ADMIN, Effect.ADDS, tool=False, command="backup",
    ),
    Operation(
        "retention_run", "Archive what is idle and let go of what is too much, by a policy; a dry run unless told.",
        Retain, Retained, retain, Route("POST", "/retention"), Scope.ADMIN, Effect.REMOVES, tool=False,
        command="retain",
    ),
    Operation(
        "archive_list", "The archived sessions.",
        Nothing, ArchiveList, archives, Route("GET", "/archives"), tool=False, command="archive list",
    ),
    Operation(
        "archive_bring_back", "An archived session, or one memory of it, back into orbit.",
        BringBack, BroughtBack, bring_back, Route("POST", "/archives/bring-back"), Scope.WRITE, Effect.ADDS,
        tool=False, command="archive bring-back",
    ),
    Operation(
        "rebalance", "Put every memory where its score says.",
        Nothing, Rebalanced, rebalance, Route("POST", "/rebalance"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="rebalance",
    ),
    Operation(
        "reindex", "Give every memory without a vector one.",
        Nothing, Reindexed, reindex, Route("POST", "/reindex"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="reindex",
    ),
    Operation(
        "reindex_words", "Make the word index anew.",
        Nothing, Reworded, reindex_words, Route("POST", "/reindex/words"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="reindex --words",
    ),
    Operation(
        "repair", "Make anew what can be derived from the memories; tells what is still wrong.",
        Nothing, Checked, repair, Route("POST", "/repair"), Scope.ADMIN, Effect.ADDS, True, tool=False,
        command="doctor --repair",
    ),
    Operation(
        "check", "Look for damage in the stored data.",
        Nothing, Checked, check, Route("GET", "/check"), Scope.ADMIN, tool=False, command="doctor",
    ),
)  # fmt: skip
