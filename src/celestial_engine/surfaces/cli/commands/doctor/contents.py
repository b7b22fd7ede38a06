"""What the doctor says of the contents: records, indexes, ledger, vectors and times."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob

from celestial_engine.core.record.events import timestamp
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.cli.commands.doctor.check import Check
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_CLOCK_TOLERANCE_SECONDS = 300.0
_BEFORE_THIS_ENGINE = 1_704_067_200.0  # 2024: a clock that says earlier was never set
_BACKUP_NAME = "-????????T??????Z"


def look_at_records(memory: CelestialMemory, texts: Texts, *, repair: bool) -> Iterator[Check]:
    """The stored data and what derives from it."""
    problems = memory.maintenance.repair() if repair else memory.maintenance.check()
    for found in problems:
        yield Check("contents", "problem", texts("doctor.inconsistent", problem=texts.problem(found)))
    if not problems:
        stats = memory.stats()
        user, agent = memory.owner.user_id, memory.owner.agent_id
        message = texts("doctor.consistent", total=stats["total"], cliff=stats["cliff"], user=user, agent=agent)
        yield Check("contents", "ok", message)


def look_at_ledger(memory: CelestialMemory, texts: Texts, *, repair: bool) -> Iterator[Check]:
    """The hash chains, and the daily files beside the database, which know what a lost log held."""
    verified = memory.ledger.verify()
    if repair and verified.ok and verified.mirror is not None and verified.mirror.missing:
        written = memory.ledger.repair()
        yield Check("ledger_files", "ok", texts("doctor.ledger_mended", count=written))
        verified = memory.ledger.verify()
    fault, mirror = verified.fault, verified.mirror
    if fault is None:
        yield Check("ledger", "ok", texts("doctor.ledger", count=verified.entries))
    elif fault.where == "files" and fault.wrong.value == "cut":
        yield Check("ledger", "problem", texts("doctor.ledger_lost", number=fault.number))
    else:
        yield Check("ledger", "problem", texts("doctor.ledger_wrong", number=fault.number))
    if fault is None and mirror is not None and mirror.missing:
        yield Check("ledger_files", "warning", texts("doctor.ledger_missing", count=mirror.missing))
    if fault is None and mirror is not None and mirror.unreadable:
        where = mirror.first_unreadable
        yield Check("ledger_lines", "note", texts("doctor.ledger_unreadable", count=mirror.unreadable, where=where))


def look_at_vectors(memory: CelestialMemory, texts: Texts, *, repair: bool) -> Iterator[Check]:
    """Memories without a vector are found by their words alone."""
    embedding = memory.parts.embedding
    if embedding.name is None:
        return
    if not embedding.in_use:
        stored = memory.maintenance.status().embedder
        if not repair:
            yield Check("vectors", "warning", texts("doctor.vectors_differ", stored=stored, embedder=embedding.name))
            return
    missing = memory.maintenance.status().without_vector
    if embedding.in_use and not missing:
        return
    if not repair:
        yield Check("vectors", "warning", texts("doctor.vectors_missing", count=missing, embedder=embedding.name))
        return
    try:
        reindexed = memory.maintenance.reindex()
    except CelestialError as error:
        yield Check("vectors", "warning", texts.error(error))
        return
    status = "warning" if reindexed.failed else "ok"
    yield Check("vectors", status, texts("doctor.vectors_made", count=reindexed.embedded, failed=reindexed.failed))


def look_at_clock(memory: CelestialMemory, texts: Texts) -> Iterator[Check]:
    """Memories fade by this machine's clock: one that is wrong forgets too early or too late."""
    now = memory.parts.now()
    newest = max((event.at for event in memory.ledger.history(limit=1)), default=now)
    if now < _BEFORE_THIS_ENGINE:
        yield Check("clock", "problem", texts("doctor.clock_unset", now=timestamp(now)))
    elif newest > now + _CLOCK_TOLERANCE_SECONDS:
        yield Check("clock", "problem", texts("doctor.clock_back", now=timestamp(now), newest=timestamp(newest)))
    else:
        yield Check("clock", "ok", texts("doctor.clock", now=timestamp(now)))


def advise_backup(path: str, backup_folder: str | None, texts: Texts) -> Check:
    """The newest backup that is whole, for a database that cannot be mended."""
    from celestial_engine.backups import verify_backup

    stem, suffix = os.path.splitext(os.path.basename(path))
    folder = backup_folder or os.path.dirname(os.path.abspath(path))
    for file in sorted(glob(os.path.join(escape(folder), f"{escape(stem)}{_BACKUP_NAME}{escape(suffix)}")))[::-1]:
        try:
            memories = verify_backup(file).memories
        except CelestialError:
            continue
        return Check("advice", "note", texts("doctor.restore", path=file, count=memories))
    return Check("advice", "note", texts("doctor.no_backup", folder=folder))
