"""Backups made, looked at and put back; limits carried out; archived sessions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import asdict

from celestial_engine.core.keeping.backup import BackupReport
from celestial_engine.core.keeping.retention import RetentionPlan
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError, NothingArchivedError, Problem, Reason, problem
from celestial_engine.surfaces.cli import answers
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE, UsageError
from celestial_engine.surfaces.cli.terminal import padded
from celestial_engine.surfaces.cli.views import render

_BAR_COLUMNS = 20


# -- backups ------------------------------------------------------------------------------------------


def backup(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.file is not None or args.dry_run:
        raise UsageError(f"unrecognized arguments: {args.file or '--dry-run'}")
    try:
        report = memory.transfer.backup(args.path, force=args.force, progress=_shown(console, "say.backing_up"))
    finally:
        console.progress("")
    return _tell(console, report, "say.backed_up", OK)


def closed_backup(args: Namespace, console: Console) -> int:
    """`backup verify FILE` and `backup restore FILE`."""
    from celestial_engine.backups import restore_backup, verify_backup

    if args.file is None:
        raise UsageError("the following arguments are required: FILE")
    if args.path == "verify":
        return _tell(console, verify_backup(args.file), "say.verified", STORAGE)
    try:
        report = restore_backup(
            args.file, args.db, dry_run=args.dry_run, progress=_shown(console, "say.restoring_backup")
        )
    finally:
        console.progress("")
    if console.as_json:
        backup = {**asdict(report.backup), "problems": list(map(str, report.backup.problems))}
        console.data({**asdict(report), "backup": backup})
        return OK
    texts = console.texts
    done = "say.would_restore_backup" if report.dry_run else "say.restored_backup"
    console.say(texts(done, path=report.path, backup=report.backup.path, count=report.backup.memories))
    if report.kept_as is not None:
        console.say(texts("say.kept_as", path=report.kept_as))
    if report.purged is None:
        console.say(texts("say.purged_unknown"))
    elif report.purged:
        console.say(texts("say.purged_again", count=report.purged))
    _say_problems(console, report.backup.problems)
    return OK


def _tell(console: Console, report: BackupReport, sentence: str, with_problems: int) -> int:
    if console.as_json:
        console.data({**asdict(report), "problems": list(map(str, report.problems))})
    else:
        size = render.file_size(report.size_bytes)
        console.say(console.texts(sentence, path=report.path, size=size, count=report.memories,
                                  archives=report.archives))  # fmt: skip
        _say_problems(console, report.problems)
    return with_problems if report.problems else OK


def _say_problems(console: Console, problems: Iterable[Problem]) -> None:
    for found in problems:
        console.remark(console.texts("say.archive_problem", problem=console.texts.problem(found)))


def _shown(console: Console, sentence: str) -> Callable[[int, int], None]:
    def show(done: int, total: int) -> None:
        bar = padded(render.bar(done / (total or 1), _BAR_COLUMNS), _BAR_COLUMNS)
        console.progress(console.texts(sentence, bar=bar, percent=100 * done // (total or 1)))

    return show


# -- limits -------------------------------------------------------------------------------------------


def retain(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    result = memory.departures.retain(args.preset, dry_run=args.dry_run)
    if console.as_json:
        console.data({
            "dry_run": result.dry_run, "forgotten": result.forgotten, "archived": result.archived,
            "problems": list(map(str, result.problems)), "plan": _plan(result.plan),
        })  # fmt: skip
        return OK
    texts, plan = console.texts, result.plan
    if result.dry_run:
        console.say(texts("say.would_retain", leaving=len(plan.leaving), archiving=plan.archived_memories,
                          sessions=len(plan.archiving)))  # fmt: skip
        for limit, count in _by_limit(plan).items():
            console.say(texts("say.limit_line", limit=texts(f"limit.{limit}"), count=count))
    else:
        console.say(texts("say.retained", forgotten=result.forgotten, archived=result.archived))
    console.say(texts("say.remaining", memories=plan.memories, sessions=plan.sessions,
                      size=render.file_size(plan.size_bytes)))  # fmt: skip
    for limit in plan.still_over:
        console.remark(texts("say.still_over", limit=texts(f"limit.{limit.value}")))
    _say_problems(console, result.problems)
    return OK


def _by_limit(plan: RetentionPlan) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in plan.leaving:
        counts[one.limit.value] = counts.get(one.limit.value, 0) + 1
    return counts


def _plan(plan: RetentionPlan) -> dict[str, object]:
    return {
        "leaving": [{"id": one.holding.item_id, "session": one.holding.session_id, "limit": one.limit.value}
                    for one in plan.leaving],
        "archiving": [{"session": one.session_id, "ids": [held.item_id for held in one.holdings]}
                      for one in plan.archiving],
        "remaining": {"memories": plan.memories, "sessions": plan.sessions, "size_bytes": plan.size_bytes},
        "still_over": [limit.value for limit in plan.still_over],
    }  # fmt: skip


# -- archives -----------------------------------------------------------------------------------------


def archive(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.action == "list":
        if args.which is not None:
            raise UsageError(f"unrecognized arguments: {args.which}")
        return _list(memory, console)
    if args.which is None:
        raise UsageError("the following arguments are required: ID")
    return _show(memory, args.which, console) if args.action == "show" else _bring_back(memory, args.which, console)


def _list(memory: CelestialMemory, console: Console) -> int:
    views = memory.departures.archives()
    if console.as_json:
        console.data([
            {"session": view.note.session_id, "memories": view.note.memories, "archived_at": view.note.archived_at,
             "file": view.note.file, "size_bytes": view.size_bytes, "problems": list(map(str, view.problems))}
            for view in views
        ])  # fmt: skip
        return OK
    texts = console.texts
    if not views:
        console.say(texts("say.no_archives"))
        return OK
    columns = [texts(f"col.{name}") for name in ("archived", "memories", "size", "session")]
    rows = [
        [render.clock_time(view.note.archived_at), str(view.note.memories), render.file_size(view.size_bytes),
         view.note.session_id or ""]
        for view in views
    ]  # fmt: skip
    console.say(*render.table(columns, rows))
    for view in views:
        _say_problems(
            console, [problem(None, Reason.IN_ARCHIVE, archive=view.note.file, cause=one) for one in view.problems]
        )
    return OK


def _show(memory: CelestialMemory, which: str, console: Console) -> int:
    item = memory.get(_archived(memory, which))
    if console.as_json:
        console.data(answers.record(item))
    else:
        console.say(*render.memory_view(console.texts, item, item.last_recalled_at))
    return OK


def _archived(memory: CelestialMemory, which: str) -> str:
    try:
        return memory.browse.find_id(which)
    except NotFoundError as error:
        raise NothingArchivedError(item_id=which) from error


def _bring_back(memory: CelestialMemory, which: str, console: Console) -> int:
    sessions = {view.note.session_id for view in memory.departures.archives()}
    back = memory.departures.bring_back(which if which in sessions else _archived(memory, which))
    if console.as_json:
        console.data({"brought_back": [item.id for item in back.items], "problems": list(map(str, back.problems))})
    else:
        console.say(console.texts("say.brought_back", count=len(back.items)))
        _say_problems(console, back.problems)
    return STORAGE if back.problems else OK
