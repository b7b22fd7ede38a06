"""retain: a policy carried out. What is idle is archived, what is too much or too old goes over the cliff.

An archive is written in an order that loses nothing: the file is announced, then it is on the disk, then the
memories leave the database for it. What a crash leaves half done, `tidy` ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TypeVar
from uuid import uuid4

from celestial_engine.core.keeping.archive import ArchiveContents, ArchiveNote, Packed, PackedVersion, bare, pack
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
from celestial_engine.flow.base.placement import course_of, over_the_cliff
from celestial_engine.ports import ItemStore, Writer

MOST_A_FILE = 1_000
_BATCH = 500  # memories a transaction: nobody waits long for the write lock
T = TypeVar("T")


@dataclass(frozen=True)
class RetentionResult:
    """What was planned, and how much of it was done; `problems` are archives that cannot be read."""

    plan: RetentionPlan
    forgotten: int = 0
    archived: int = 0
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True)
class BroughtBack:
    """What came back from archives, and what could not; that stays archived, and its file as it is."""

    items: tuple[CelestialItem, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ArchiveView:
    """An archive as it is found now."""

    note: ArchiveNote
    size_bytes: int
    problems: tuple[Problem, ...]


def plan(store: ItemStore, owner: Owner, policy: RetentionPolicy, now: float) -> RetentionPlan:
    """What `retain` would do."""
    with store.read() as session:
        return plan_retention(session.archives.retention_rows(owner), policy, now)


def retain(store: ItemStore, law: Law, owner: Owner, policy: RetentionPolicy, now: float) -> RetentionResult:
    """Carries out the policy of one owner. Who was touched since it was planned stays."""
    tidy(store, now)
    planned = plan(store, owner, policy, now)
    archived = sum(
        _archive(store, owner, one.session_id, part, now)
        for one in planned.archiving
        for part in _parts(one.holdings, MOST_A_FILE)
    )
    held = [one for one in planned.leaving if not one.holding.archived]
    forgotten = sum(_displace(store, law, owner, part, now) for part in _parts(held, _BATCH))
    shelved = {one.holding.item_id: one.limit.reason for one in planned.leaving if one.holding.archived}
    taken = _forget_archived(store, law, owner, shelved, now)
    return RetentionResult(planned, forgotten + len(taken.items), archived, taken.problems)


def bring_back(store: ItemStore, law: Law, owner: Owner, which: str, now: float) -> BroughtBack:
    """An archived session, or one memory of it, back into orbit. Coming back counts as being thought of."""
    with store.read() as session:
        files = [note.file for note in session.archives.notes(owner) if note.session_id == which and note.memories]
        ids = [item_id for file in files for item_id in session.archives.members(owner, file)]
        if not ids and session.archives.file_of(owner, which) is not None:
            ids = [which]
    if not ids:
        raise NothingArchivedError(item_id=which)

    def thought_of(item: CelestialItem) -> CelestialItem:
        return replace(item, last_recalled_at=now, context_score=0.0, expires_at=expiry(item.tier, now))

    taken = _take_out(store, law, owner, ids, now, thought_of)
    tidy(store, now)
    return taken


def forget_archived(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> BroughtBack:
    """An archived memory over the cliff, on the user's word: its text is there again for those seven days."""
    return _forget_archived(store, law, owner, {item_id: DepartureReason.MANUAL}, now)


def views(store: ItemStore, owner: Owner) -> list[ArchiveView]:
    """The archives of an owner, each looked at from end to end."""
    with store.read() as session:
        notes = [note for note in session.archives.notes(owner) if note.memories]
    return [ArchiveView(note, store.archive_files.size(note.file), store.archive_files.read(note.file).problems)
            for note in notes]  # fmt: skip


def contents_of(store: ItemStore, owner: Owner, item_id: str) -> ArchiveContents | None:
    """The archive in which a memory lies; None if it lies in none."""
    with store.read() as session:
        file = session.archives.file_of(owner, item_id)
    return None if file is None else store.archive_files.read(file)


def tidy(store: ItemStore, now: float) -> None:
    """Removes archive files that nobody lies in, and writes those anew that hold what they should not.

    A damaged file is not touched: what is in it, is nowhere else.
    """
    with store.read() as session:
        unfinished = [note for note in session.archives.notes() if note.changed]
    for note in unfinished:
        if note.memories and not _write_anew(store, note, now):
            continue
        with store.write(note.owner) as session:
            if not session.archives.members(note.owner, note.file):
                store.archive_files.remove(note.file)
                session.archives.remove(note.owner, note.file)


def _write_anew(store: ItemStore, note: ArchiveNote, now: float) -> bool:
    found = store.archive_files.read(note.file)
    if found.header is None or found.problems:
        return False
    name, embedder = _new_name(now), found.header.embedder
    with store.write(note.owner) as session:
        session.archives.begin(note.owner, name, note.session_id, note.archived_at)
    with store.write(note.owner) as session:
        inside = set(session.archives.members(note.owner, note.file))
        staying = [memory for memory in found.memories if memory.item.id in inside]
        if staying and _begun(session, note.owner, name):
            store.archive_files.write(name, pack(staying, note.owner, note.session_id, embedder, note.archived_at))
            session.archives.add_members(note.owner, name, [memory.item.id for memory in staying])
    return True


def _archive(store: ItemStore, owner: Owner, session_id: str, chosen: Sequence[RetentionRow], now: float) -> int:
    name = _new_name(now)
    with store.write(owner) as session:
        session.archives.begin(owner, name, session_id, now)
    with store.write(owner) as session:
        items = _as_planned(session, owner, chosen)
        if not items or not _begun(session, owner, name):
            return 0
        packed = [Packed(item, tuple(session.archives.take_versions(owner, item.id))) for item in items]
        # The file is on the disk before anything has left the database.
        store.archive_files.write(name, pack(packed, owner, session_id, session.vectors.embedder_name(), now))
        for item in items:
            # Told first: what is told after a change keeps the text as it was before it.
            session.ledger.record(Event(EventType.ARCHIVED, owner, now, item.id, {"archive": name}))
            session.items.rewrite(bare(item), RESTING)
        session.archives.add_members(owner, name, [item.id for item in items])
        session.orbits.settle_again(owner, now)  # seats may have become free
    return len(items)


def _begun(session: Writer, owner: Owner, name: str) -> bool:
    """Another process may have tidied up right before the file was written; then the next run writes it."""
    return any(note.file == name for note in session.archives.notes(owner))


def _displace(store: ItemStore, law: Law, owner: Owner, leaving: Sequence[Leaving], now: float) -> int:
    reasons = {one.holding.item_id: one.limit.reason for one in leaving}
    with store.write(owner) as session:
        items = _as_planned(session, owner, [one.holding for one in leaving])
        for item in items:
            over_the_cliff(session, law, item, reasons[item.id], now)
    return len(items)


def _as_planned(session: Writer, owner: Owner, chosen: Sequence[RetentionRow]) -> list[CelestialItem]:
    """Those of the chosen that nobody has touched, protected or forgotten meanwhile."""
    touched = {one.item_id: one.touched_at for one in chosen}
    return [
        item
        for item in session.items.get_many(owner, list(touched))
        if item.state in (State.ACTIVE, State.FADED, State.INACTIVE)
        and item.protection is Protection.NONE
        and max(item.created_at, item.last_recalled_at) <= touched[item.id]
    ]


def _forget_archived(
    store: ItemStore, law: Law, owner: Owner, reasons: dict[str, DepartureReason], now: float
) -> BroughtBack:
    """First back, then over the cliff as everybody: so they can be restored, and are purged in their time."""
    taken = _take_out(store, law, owner, list(reasons), now, lambda item: item)
    for part in _parts(taken.items, _BATCH):
        with store.write(owner) as session:
            for item in session.items.get_many(owner, [item.id for item in part]):
                over_the_cliff(session, law, item, reasons[item.id], now)
    tidy(store, now)
    return taken


def _take_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    wanted: Sequence[str],
    now: float,
    changed: Callable[[CelestialItem], CelestialItem],
) -> BroughtBack:
    """Archived memories back into the database, file by file."""
    with store.read() as session:
        files = {item_id: session.archives.file_of(owner, item_id) for item_id in wanted}
    back: list[CelestialItem] = []
    problems: list[Problem] = []
    for file in dict.fromkeys(file for file in files.values() if file is not None):
        chosen = {item_id for item_id, where in files.items() if where == file}
        found = store.archive_files.read(file)
        with store.write(owner) as session:
            chosen &= set(session.archives.members(owner, file))
            same_model = found.header is not None and found.header.embedder == session.vectors.embedder_name()
            readable = [one for one in found.memories if one.item.id in chosen and one.item.owner == owner]
            for item, versions in readable:
                # Vectors of two models are never mixed; `reindex` makes this one anew.
                item = changed(item if same_model else replace(item, embedding=None))
                back.append(_put_back(session, law, item, versions, now))
        if len(readable) < len(chosen):
            problems += [problem(None, Reason.IN_ARCHIVE, archive=file, cause=one) for one in found.problems]
    return BroughtBack(tuple(back), tuple(problems))


def _put_back(
    session: Writer, law: Law, item: CelestialItem, versions: Sequence[PackedVersion], now: float
) -> CelestialItem:
    item = replace(item, state=State.ACTIVE, links=_living(session, item))
    item.total_score = law.function.score(item, now)
    # They line up in the open zones; the next rebalance gives them seats.
    zones = law.function.zones
    item.zone = max(zones.zone_of(item.total_score), zones.overflow_zone)
    # Told first, as above: without its text it must never come back.
    session.ledger.record(Event(EventType.UNARCHIVED, item.owner, now, item.id))
    session.items.rewrite(item, course_of(law, item, now))
    session.archives.put_versions(item.owner, item.id, versions)
    session.orbits.settle_again(item.owner, now)
    return item


def _living(session: Writer, item: CelestialItem) -> Links:
    """Its links without those who were purged while it was away: nobody could tell its file."""
    links = item.links
    here = {other.id for other in session.items.get_many(item.owner, links.tied)}
    for other_id in links.tied:
        if other_id not in here:
            told = session.ledger.events(item.owner, other_id, 1)
            if told and told[0].type is EventType.PURGED:
                links = links.without(other_id)
    return links


def _new_name(now: float) -> str:
    return f"{datetime.fromtimestamp(now, timezone.utc):%Y%m%dT%H%M%SZ}-{uuid4().hex[:12]}.jsonl.gz"


def _parts(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (values[start : start + size] for start in range(0, len(values), size))
