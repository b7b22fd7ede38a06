"""retain: apply a retention policy: archive idle memories, send what is too old or too much over the cliff.

An archive is written in an order that loses nothing: announce the file, write it to disk, then remove the memories
from the database. After a crash, `tidy` finishes the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TypeVar
from uuid import uuid4

from celestial_engine.core.keeping.archive import ArchiveContents, ArchiveNote, Packed, PackedVersion, pack, stub_of
from celestial_engine.core.keeping.retention import (
    Leaving,
    RetentionPlan,
    RetentionPolicy,
    RetentionRow,
    plan_retention,
)
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import RESTING
from celestial_engine.core.record.coordinate import Links
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import NothingArchivedError, Problem, Reason, problem
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import move_to_cliff, rewrite, unseated
from celestial_engine.ports import ItemStore, Writer

MOST_A_FILE = 1_000
_BATCH = 500  # memories per transaction, so that the write lock is never held long
T = TypeVar("T")


@dataclass(frozen=True)
class RetentionResult:
    """What was planned and how much of it was done; `problems` lists archives that cannot be read."""

    plan: RetentionPlan
    forgotten: int = 0
    archived: int = 0
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True)
class UnarchiveResult:
    """What came back from archives, and what could not; the latter stays archived, its file unchanged."""

    items: tuple[CelestialItem, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ArchiveView:
    """An archive as it is on disk now."""

    note: ArchiveNote
    size_bytes: int
    problems: tuple[Problem, ...]


def plan(store: ItemStore, law: Law, owner: Owner, policy: RetentionPolicy, now: float) -> RetentionPlan:
    """Return what `retain` would do. Its days are days with the owner."""
    with store.read() as session:
        at = owner_time(session, law, owner, now)
        return plan_retention(session.archives.retention_rows(owner), policy, at)


def retain(store: ItemStore, law: Law, owner: Owner, policy: RetentionPolicy, now: float) -> RetentionResult:
    """Apply one owner's policy. Memories that were used since planning stay."""
    tidy(store, now)
    planned = plan(store, law, owner, policy, now)
    archived = sum(
        _archive(store, owner, entry.session_id, part, now)
        for entry in planned.archiving
        for part in _parts(entry.holdings, MOST_A_FILE)
    )
    in_database = [entry for entry in planned.leaving if not entry.holding.archived]
    forgotten = sum(_displace(store, law, owner, part, now) for part in _parts(in_database, _BATCH))
    archived_reasons = {
        entry.holding.item_id: entry.limit.reason for entry in planned.leaving if entry.holding.archived
    }
    taken = _forget_archived(store, law, owner, archived_reasons, now)
    return RetentionResult(planned, forgotten + len(taken.items), archived, taken.problems)


def bring_back(store: ItemStore, law: Law, owner: Owner, which: str, now: float) -> UnarchiveResult:
    """Bring an archived session, or one memory of it, back into orbit. This counts as a recall."""
    with store.read() as session:
        files = [note.file for note in session.archives.notes(owner) if note.session_id == which and note.memories]
        ids = [item_id for file in files for item_id in session.archives.members(owner, file)]
        if not ids and session.archives.file_of(owner, which) is not None:
            ids = [which]
    if not ids:
        raise NothingArchivedError(item_id=which)

    def thought_of(item: CelestialItem) -> CelestialItem:
        return replace(
            item, last_recalled_at=now, idle_since=None, context_score=0.0, expires_at=expiry(item.tier, now)
        )

    taken = _take_out(store, law, owner, ids, now, thought_of)
    tidy(store, now)
    return taken


def forget_archived(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> UnarchiveResult:
    """Send an archived memory over the cliff at the user's request.

    Its text is in the database again for those seven days.
    """
    return _forget_archived(store, law, owner, {item_id: DepartureReason.MANUAL}, now)


def views(store: ItemStore, owner: Owner) -> list[ArchiveView]:
    """Return an owner's archives, each read completely."""
    with store.read() as session:
        notes = [note for note in session.archives.notes(owner) if note.memories]
    return [ArchiveView(note, store.archive_files.size(note.file), store.archive_files.read(note.file).problems)
            for note in notes]  # fmt: skip


def contents_of(store: ItemStore, owner: Owner, item_id: str) -> ArchiveContents | None:
    """Return the archive that holds a memory, or None."""
    with store.read() as session:
        file = session.archives.file_of(owner, item_id)
    return None if file is None else store.archive_files.read(file)


def tidy(store: ItemStore, now: float) -> None:
    """Remove archive files that hold no memory, and rewrite those that hold more than they should.

    A damaged file is not touched: its content exists nowhere else.
    """
    with store.read() as session:
        unfinished = [note for note in session.archives.notes() if note.changed]
    for note in unfinished:
        if note.memories and not _rewrite_file(store, note, now):
            continue
        with store.write(note.owner) as session:
            if not session.archives.members(note.owner, note.file):
                store.archive_files.remove(note.file)
                session.archives.remove(note.owner, note.file)


def _rewrite_file(store: ItemStore, note: ArchiveNote, now: float) -> bool:
    contents = store.archive_files.read(note.file)
    if contents.header is None or contents.problems:
        return False
    name, embedder = _new_name(now), contents.header.embedder
    with store.write(note.owner) as session:
        session.archives.begin(note.owner, name, note.session_id, note.archived_at)
    with store.write(note.owner) as session:
        inside = set(session.archives.members(note.owner, note.file))
        staying = [memory for memory in contents.memories if memory.item.id in inside]
        if staying and _is_announced(session, note.owner, name):
            store.archive_files.write(name, pack(staying, note.owner, note.session_id, embedder, note.archived_at))
            session.archives.add_members(note.owner, name, [memory.item.id for memory in staying])
    return True


def _archive(store: ItemStore, owner: Owner, session_id: str, chosen: Sequence[RetentionRow], now: float) -> int:
    name = _new_name(now)
    with store.write(owner) as session:
        session.archives.begin(owner, name, session_id, now)
    with store.write(owner) as session:
        items = _as_planned(session, owner, chosen)
        if not items or not _is_announced(session, owner, name):
            return 0
        packed = [Packed(item, tuple(session.archives.take_versions(owner, item.id))) for item in items]
        # The file must be on disk before anything leaves the database.
        store.archive_files.write(name, pack(packed, owner, session_id, session.vectors.embedder_name(), now))
        for item in items:
            # Write the event first: an event after the rewrite would store the previous version with its text.
            session.ledger.record(Event(EventType.ARCHIVED, owner, now, item.id, {"archive": name}))
            session.items.rewrite(stub_of(item), RESTING)
        session.archives.add_members(owner, name, [item.id for item in items])
        session.orbits.settle_again(owner, now)  # seats may have become free
    return len(items)


def _is_announced(session: Writer, owner: Owner, name: str) -> bool:
    """Return whether the archive is still announced.

    Another process may have tidied up just before the file was written; then the next run writes it.
    """
    return any(note.file == name for note in session.archives.notes(owner))


def _displace(store: ItemStore, law: Law, owner: Owner, leaving: Sequence[Leaving], now: float) -> int:
    reasons = {departure.holding.item_id: departure.limit.reason for departure in leaving}
    with store.write(owner) as session:
        items = _as_planned(session, owner, [departure.holding for departure in leaving])
        for item in items:
            move_to_cliff(session, law, item, reasons[item.id], now)
    return len(items)


def _as_planned(session: Writer, owner: Owner, chosen: Sequence[RetentionRow]) -> list[CelestialItem]:
    """Return those of the chosen memories that nobody used, protected or forgot meanwhile."""
    touched = {row.item_id: row.touched_at for row in chosen}
    return [
        item
        for item in session.items.get_many(owner, list(touched))
        if item.state in (State.ACTIVE, State.FADED, State.INACTIVE)
        and item.protection is Protection.NONE
        and max(item.created_at, item.idle_from) <= touched[item.id]
    ]


def _forget_archived(
    store: ItemStore, law: Law, owner: Owner, reasons: dict[str, DepartureReason], now: float
) -> UnarchiveResult:
    """Bring archived memories back, then send them over the cliff like any other.

    So they can be restored, and are purged in time.
    """
    taken = _take_out(store, law, owner, list(reasons), now, lambda item: item)
    for part in _parts(taken.items, _BATCH):
        with store.write(owner) as session:
            for item in session.items.get_many(owner, [item.id for item in part]):
                move_to_cliff(session, law, item, reasons[item.id], now)
    tidy(store, now)
    return taken


def _take_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    item_ids: Sequence[str],
    now: float,
    changed: Callable[[CelestialItem], CelestialItem],
) -> UnarchiveResult:
    """Move archived memories back into the database, file by file."""
    with store.read() as session:
        files = {item_id: session.archives.file_of(owner, item_id) for item_id in item_ids}
    back: list[CelestialItem] = []
    problems: list[Problem] = []
    for file in dict.fromkeys(file for file in files.values() if file is not None):
        chosen = {item_id for item_id, where in files.items() if where == file}
        contents = store.archive_files.read(file)
        with store.write(owner) as session:
            chosen &= set(session.archives.members(owner, file))
            same_model = contents.header is not None and contents.header.embedder == session.vectors.embedder_name()
            readable = [entry for entry in contents.memories if entry.item.id in chosen and entry.item.owner == owner]
            for item, versions in readable:
                # Vectors of two models are never mixed; `reindex` embeds this memory again.
                item = changed(item if same_model else replace(item, embedding=None))
                back.append(_write_back(session, law, item, versions, now))
        if len(readable) < len(chosen):
            problems += [problem(None, Reason.IN_ARCHIVE, archive=file, cause=entry) for entry in contents.problems]
    return UnarchiveResult(tuple(back), tuple(problems))


def _write_back(
    session: Writer, law: Law, item: CelestialItem, versions: Sequence[PackedVersion], now: float
) -> CelestialItem:
    item = unseated(law, replace(item, state=State.ACTIVE, links=_existing_links(session, item)), now)
    # Write the event first, as above: the version without its text must never be restored.
    session.ledger.record(Event(EventType.UNARCHIVED, item.owner, now, item.id))
    rewrite(session, law, item, now)
    session.archives.put_versions(item.owner, item.id, versions)
    session.orbits.settle_again(item.owner, now)
    return item


def _existing_links(session: Writer, item: CelestialItem) -> Links:
    """Return its links without memories that were purged while it was archived; its file was not updated."""
    links = item.links
    existing = {other.id for other in session.items.get_many(item.owner, links.tied)}
    for other_id in links.tied:
        if other_id not in existing:
            events = session.ledger.events(item.owner, other_id, 1)
            if events and events[0].type is EventType.PURGED:
                links = links.without(other_id)
    return links


def _new_name(now: float) -> str:
    return f"{datetime.fromtimestamp(now, timezone.utc):%Y%m%dT%H%M%SZ}-{uuid4().hex[:12]}.jsonl.gz"


def _parts(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (values[start : start + size] for start in range(0, len(values), size))
