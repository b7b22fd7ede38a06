"""Move owners to another store: copy while they write, then refuse their writes while the last rows are copied.

Rows are compared in the order of their keys and written where they differ. So a move that was interrupted goes on
where it was, and one that is run again writes only what changed.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from celestial_engine.core.keeping.move import MoveReport, OwnerMove
from celestial_engine.core.ledger.chain import START, CarriedSeal, Entry, Fault, Head, witness_of
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import MoveError, Reason
from celestial_engine.ports import Clock, Ledger, Progress
from celestial_engine.ports.moving import MemoryRow, MovableStore, OwnerRowWriter, VersionRow

if TYPE_CHECKING:
    pass

_PAGE = 500
_SAMPLE = 200
_TOGETHER = (("turns", "turn_hits"), ("archives", "archived"))

K = TypeVar("K", MemoryRow, VersionRow)
OwnerProgress = Callable[[Owner, int, int], None]  # the owner, and the done and total counts of their memories
FaultFinder = Callable[[MovableStore, Owner], Fault | None]


def plan(source: MovableStore, target: str, owners: Iterable[Owner]) -> MoveReport:
    """Counts what a move would copy."""
    with source.read() as session:
        rows, moves = source.rows(session), []
        for owner in owners:
            counts = rows.counts(owner)
            moves.append(OwnerMove(owner, counts["memories"], counts["entries"]))
    return MoveReport(source.path, target, tuple(moves), dry_run=True)


def move(
    source: MovableStore,
    target: MovableStore,
    owners: Sequence[Owner],
    clock: Clock,
    fault_of: FaultFinder,
    progress: OwnerProgress | None = None,
) -> MoveReport:
    """Moves the owners one after the other; the source keeps everything. `fault_of` verifies an owner's ledger."""
    _check_settings(source, target)
    moved = []
    for owner in owners:
        step = (lambda now, total: None) if progress is None else partial(progress, owner)
        moved.append(_Move(source, target, owner, clock, fault_of, step).run())
    archives = _copy_last_runs(source, target, owners)
    with target.write_whole_store() as session:
        session.ledger.anchor(clock())
    return MoveReport(source.path, target.path, tuple(moved), archives)


class _Move:
    """Moves one owner."""

    def __init__(
        self,
        source: MovableStore,
        target: MovableStore,
        owner: Owner,
        clock: Clock,
        fault_of: FaultFinder,
        step: Progress,
    ) -> None:
        self._source, self._target, self._owner = source, target, owner
        self._clock, self._fault_of, self._step = clock, fault_of, step
        self._written = 0
        self._memories: dict[int, int] = {}  # hashes of the rows that are in the target
        self._versions: dict[int, int] = {}
        self._stay: Callable[[], None] = lambda: None

    def run(self) -> OwnerMove:
        if (fault := self._fault_of(self._source, self._owner)) is not None:
            raise self._refused(Reason.MOVE_LEDGER_WRONG, source=self._source.path, number=fault.number)
        self._check_beginning()
        self._carry_seal()
        self._copy_entries()
        self._copy_all()
        started = time.monotonic()
        with self._source.refuse_writes(self._owner) as self._stay:
            self._copy_entries()
            self._copy_changed()
            self._copy_lists()
            self._check_equal()
        refused = time.monotonic() - started
        if (fault := self._fault_of(self._target, self._owner)) is not None:
            raise self._refused(Reason.MOVE_DIFFERS, what=f"entry {fault.number} ({fault.wrong.value})")
        with self._target.read() as session:
            counts = self._target.rows(session).counts(self._owner)
        return OwnerMove(self._owner, counts["memories"], counts["entries"], self._written, refused)

    def _refused(self, reason: Reason, **fields: object) -> MoveError:
        name = f"{self._owner.user_id}/{self._owner.agent_id}"
        return MoveError(self._target.path, name, reason, **fields)

    # -- the ledger ---------------------------------------------------------------------------------

    def _check_beginning(self) -> None:
        """What is there already must be the beginning of the owner's chain, as an earlier run leaves it."""
        with self._target.read() as there, self._source.read() as here:
            last = self._target.rows(there).last_entry(self._owner)
            if last is None:
                if self._target.rows(there).last_memory(self._owner) and here.ledger.head(self._owner) is not None:
                    raise self._refused(Reason.MOVED_APART, source=self._source.path)
                return
            page = here.ledger.entries(self._owner, last.number - 1, 1)
            if not page or Head(page[0].number, page[0].hash) != last:
                raise self._refused(Reason.MOVED_APART, source=self._source.path)

    def _carry_seal(self) -> None:
        """Notes where the chain begins, if that is not where chains begin in the target."""
        with self._source.read() as session:
            start = _start(session.ledger, self._owner)
            inherited = list(_entries_until(session.ledger, self._owner, start.number))
        with self._target.read() as session:
            if _start(session.ledger, self._owner) == start:
                return
        seal = CarriedSeal(start, len(inherited), witness_of(inherited))
        with self._target.write_whole_store() as session:
            self._target.row_writer(session).carry_seal(self._owner, seal, self._clock())

    def _copy_entries(self) -> None:
        with self._target.read() as session:
            last = self._target.rows(session).last_entry(self._owner) or START
        after = last.number
        with self._source.read() as session:
            while page := session.ledger.entries(self._owner, after, _PAGE):
                with self._writing() as writer:
                    writer.append_entries(self._owner, page)
                after = page[-1].number

    # -- memories and their versions ----------------------------------------------------------------

    def _copy_all(self) -> None:
        """Makes the target equal, and remembers a hash of every row, by which later changes are found."""
        with self._source.read() as session:
            rows, after, copied = self._source.rows(session), 0, 0
            total = rows.counts(self._owner)["memories"]
            for page, last in _pages(lambda key: rows.memories(self._owner, key, _PAGE)):
                with self._writing() as writer:
                    existing = {row.key: row for row in _until(writer.memories, self._owner, after, last)}
                    changed = [row for row in page if existing.get(row.key) != row]
                    writer.remove_memories(self._owner, existing.keys() - {row.key for row in page})
                    writer.put_memories(self._owner, changed)
                self._memories.update((row.key, hash(row)) for row in page)
                self._written += len(changed)
                copied, after = copied + len(page), last or after
                self._step(min(copied, total), total)
            after = 0
            for versions, last in _pages(lambda number: rows.versions(self._owner, number, _PAGE)):
                with self._writing() as writer:
                    there = {row.number: row for row in _until(writer.versions, self._owner, after, last)}
                    writer.remove_versions(self._owner, there.keys() - {row.number for row in versions})
                    writer.put_versions(self._owner, [row for row in versions if there.get(row.number) != row])
                self._versions.update((row.number, hash(row)) for row in versions)
                after = last or after

    def _copy_changed(self) -> None:
        """Writes what changed in the source since `_copy_all`; nobody but this move writes the target."""
        with self._source.read() as session:
            rows = self._source.rows(session)
            for page, _ in _pages(lambda key: rows.memories(self._owner, key, _PAGE)):
                self._stay()
                changed = [row for row in page if self._memories.pop(row.key, None) != hash(row)]
                if changed:
                    self._written += len(changed)
                    with self._writing() as writer:
                        writer.put_memories(self._owner, changed)
            # After the memories: removing one removes its versions.
            with self._writing() as writer:
                writer.remove_memories(self._owner, self._memories)
            for versions, _ in _pages(lambda number: rows.versions(self._owner, number, _PAGE)):
                self._stay()
                fresh = [row for row in versions if self._versions.pop(row.number, None) != hash(row)]
                if fresh:
                    with self._writing() as writer:
                        writer.put_versions(self._owner, fresh)
            with self._writing() as writer:
                writer.remove_versions(self._owner, self._versions)

    def _copy_lists(self) -> None:
        with self._source.read() as session:
            lists = self._source.rows(session).lists(self._owner)
        for file, *_ in lists["archives"]:
            packed = self._source.archive_files.raw(file)
            if packed is not None and self._target.archive_files.raw(file) != packed:
                self._target.archive_files.put(file, packed)
        with self._writing(durable=True) as writer:
            there = writer.lists(self._owner)
            # Always one write, so that all rows before it are durable too.
            differing = {"settle_at"} | {name for name, rows in lists.items() if there[name] != rows}
            for group in _TOGETHER:
                if differing & set(group):
                    differing |= set(group)
            writer.replace_lists(self._owner, {name: rows for name, rows in lists.items() if name in differing})

    def _writing(self, *, durable: bool = False) -> AbstractContextManager[OwnerRowWriter]:
        """Opens a transaction at the target. What a crash of the machine loses is copied again by the next run."""
        self._stay()
        return _row_writing(self._target, self._owner, durable=durable)

    # -- verification -------------------------------------------------------------------------------

    def _check_equal(self) -> None:
        """Compares counts, the head of the ledger, all small tables, and memories with vectors spread over all."""
        self._stay()
        with self._source.read() as session, self._target.read() as other:
            here, there = self._source.rows(session), self._target.rows(other)
            for what, count in here.counts(self._owner).items():
                if there.counts(self._owner)[what] != count:
                    raise self._refused(Reason.MOVE_DIFFERS, what=what)
            if session.ledger.head(self._owner) != other.ledger.head(self._owner):
                raise self._refused(Reason.MOVE_DIFFERS, what="head")
            other_lists = there.lists(self._owner)
            for what, rows in here.lists(self._owner).items():
                if other_lists[what] != rows:
                    raise self._refused(Reason.MOVE_DIFFERS, what=what)
            last = here.last_memory(self._owner)
            for after in range(0, last, max(1, last // _SAMPLE)):
                if here.memories(self._owner, after, 1) != there.memories(self._owner, after, 1):
                    raise self._refused(Reason.MOVE_DIFFERS, what="memory")


@contextlib.contextmanager
def _row_writing(store: MovableStore, owner: Owner, *, durable: bool) -> Iterator[OwnerRowWriter]:
    with store.write(owner, durable=durable) as session:
        yield store.row_writer(session)


def _check_settings(source: MovableStore, target: MovableStore) -> None:
    """The law of zones and the embedder are the whole store's: an empty target takes them, another must have them."""
    with source.read() as session:
        here = {"law": session.orbits.law(), "embedder": session.vectors.embedder_name()}
    empty = not target.owners()
    with target.write_whole_store() as session:
        there = {"law": session.orbits.law(), "embedder": session.vectors.embedder_name()}
        for what, value in here.items():
            if value is None or there[what] == value:
                continue
            if not empty:
                raise MoveError(
                    target.path, "*", Reason.MOVE_SETTING_DIFFERS,
                    what=what, there=there[what], here=value, source=source.path,
                )  # fmt: skip
            if what == "law":
                session.orbits.adopt_law(value)
            else:
                session.vectors.adopt_embedder(value)


def _copy_last_runs(source: MovableStore, target: MovableStore, owners: Iterable[Owner]) -> int:
    """Copies when each owner's jobs were last done, so that no night is repeated; returns the number of archives."""
    keys = {json.dumps([owner.user_id, owner.agent_id], ensure_ascii=False) for owner in owners}
    last_runs = {
        name: state.last_run
        for name, state in source.jobs.states("").items()
        if state.last_run is not None and name[name.find("[") : name.rfind("]") + 1] in keys
    }
    if last_runs:
        target.jobs.note(last_runs)
    return len(target.archive_files.names())


def _start(ledger: Ledger, owner: Owner) -> Head:
    carried = ledger.carried(owner)
    return ledger.sealed_head() if carried is None else carried.head


def _entries_until(ledger: Ledger, owner: Owner, number: int) -> Iterator[Entry]:
    after = 0
    while page := ledger.entries(owner, after, _PAGE):
        for entry in page:
            if entry.number > number:
                return
            yield entry
        after = page[-1].number


def _pages(read: Callable[[int], list[K]]) -> Iterator[tuple[list[K], int | None]]:
    """Yields pages with their last key; None with the last page, which covers all that comes after."""
    page = read(0)
    while following := read(page[-1][0]) if page else []:
        yield page, page[-1][0]
        page = following
    yield page, None


def _until(read: Callable[[Owner, int, int], list[K]], owner: Owner, after: int, last: int | None) -> Iterator[K]:
    """Yields the rows with a key above `after`, up to `last`."""
    while page := read(owner, after, _PAGE):
        for row in page:
            if last is not None and row[0] > last:
                return
            yield row
        after = page[-1][0]
