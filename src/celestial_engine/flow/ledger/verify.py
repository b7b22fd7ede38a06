"""verify: check the hash chains, the anchors, the daily files, and heads that were saved elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile

from celestial_engine.core.ledger.anchors import Anchor, checked_anchors
from celestial_engine.core.ledger.chain import (
    START,
    Entry,
    Fault,
    Head,
    Written,
    Wrong,
    checked,
    line_of,
    witness_of,
)
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError
from celestial_engine.ports import ItemStore, Ledger, LedgerMirror, MirrorLine

_PAGE = 1_000
_CHUNK = 1_024
_FILES = "files"
_OWNER = "owner"
_ANCHOR = "anchor"
_LOWEST = -(1 << 63)


@dataclass(frozen=True)
class MirrorState:
    """How well the daily files mirror the ledger. Missing or damaged lines can be repaired from the table."""

    path: str
    lines: int
    missing: int
    unreadable: int
    first_unreadable: str | None = None  # file and line


@dataclass(frozen=True)
class Verification:
    """What was checked, and the first wrong entry, if any."""

    entries: int
    head: Head | None
    fault: Fault | None
    mirror: MirrorState | None
    anchor: Head | None = None  # the newest

    @property
    def ok(self) -> bool:
        return self.fault is None


def verify(
    store: ItemStore,
    owner: Owner,
    saved_head: Head | None = None,
    saved_anchor: Head | None = None,
    *,
    all_owners: bool = True,
) -> Verification:
    """Verify the hash chain of every owner and the anchors, or the chain of one owner. Changes nothing.

    `saved_head` is a head of this owner's chain that was saved elsewhere, `saved_anchor` a head of the anchors.
    """
    with store.read() as session:
        ledger = session.ledger
        faults, count = _chains(ledger, ledger.chains() if all_owners else [(owner, None)])
        faults += _against_head(ledger, owner, saved_head)
        faults += _against_anchors(ledger, None if all_owners else owner, saved_anchor)
        faults += ledger.damaged_versions(None if all_owners else owner)
        files = None
        if store.mirror is not None:
            files = _against_files(ledger, store.mirror, None if all_owners else owner)
            faults += files.check.faults
        head, anchor = ledger.head(owner), ledger.newest_anchor()
    if files is not None and files.check.ahead:
        with store.read() as session:
            faults += _cut(session.ledger, files.check.ahead)
    mirror = None if files is None else files.state
    return Verification(count, head, min(faults, key=lambda fault: fault.number, default=None), mirror, anchor)


def repair(store: ItemStore) -> int:
    """Append the lines that the daily files lack, and return how many. Existing lines never change."""
    mirror = store.mirror
    if mirror is None:
        return 0
    with store.read() as session:
        missing = _against_files(session.ledger, mirror).missing
        for start in range(0, len(missing), _PAGE):
            part = missing[start : start + _PAGE]
            mirror.write(list(_written_at(session.ledger, part).values()))
    return len(missing)


# -- chains -------------------------------------------------------------------------------------------


def _chains(ledger: Ledger, chains: Iterable[tuple[Owner | None, Head | None]]) -> tuple[list[Fault], int]:
    """Check the sealed chain and the chains of these owners; also return how many of their entries are right."""
    sealed, faults = ledger.sealed_head(), list[Fault]()
    sealed_counts, fault = _sealed_chain(ledger, sealed)
    faults += [] if fault is None else [fault]
    count = 0
    for owner, head in chains:
        if owner is None:
            faults.append(Fault((head or START).number, Wrong.MISSING, _OWNER))
            continue
        carried = ledger.carried(owner)
        inherited = sealed_counts.get((owner.user_id, owner.agent_id), 0) if carried is None else carried.entries
        start = sealed if carried is None else carried.head
        if (fault is None or carried is not None) and ledger.entry_count(owner, start.number) != inherited:
            # An entry with a number from before the chain that the sealed chain does not know, or one less.
            first = 1 if start.number else ledger.entries(owner, _LOWEST, 1)[0].number
            faults.append(Fault(first, Wrong.EDITED, owner=owner))
        chain_faults, length = _owner_chain(ledger, owner, start)
        faults += chain_faults
        count += inherited + length
    return faults, count


def _sealed_chain(ledger: Ledger, sealed: Head) -> tuple[Counter[tuple[str, str]], Fault | None]:
    counts, last = Counter[tuple[str, str]](), START
    for entry, fault in checked(_pages(ledger.sealed_entries, 0)):
        if fault is not None:
            return counts, fault
        counts[entry.user_id, entry.agent_id] += 1
        last = Head(entry.number, entry.hash)
    if last.number < sealed.number:
        return counts, Fault(last.number + 1, Wrong.CUT)
    return counts, None if last == sealed else Fault(last.number, Wrong.REWRITTEN, _OWNER)


def _start(ledger: Ledger, owner: Owner) -> Head:
    """Return where the owner's chain begins."""
    carried = ledger.carried(owner)
    return ledger.sealed_head() if carried is None else carried.head


def _owner_chain(ledger: Ledger, owner: Owner, start: Head) -> tuple[list[Fault], int]:
    last = start
    for entry, fault in checked(_pages(partial(ledger.entries, owner), start.number), start):
        if fault is not None:
            return [replace(fault, owner=owner)], last.number - start.number
        last = Head(entry.number, entry.hash)
    noted = ledger.head(owner) or START
    length = last.number - start.number
    if last == noted:
        return [], length
    if noted.number > last.number:  # the head in the owner's row knows of entries that were removed
        return [Fault(last.number + 1, Wrong.CUT, owner=owner)], length
    number = last.number if noted.number == last.number else noted.number + 1
    return [Fault(number, Wrong.REWRITTEN, _OWNER, owner)], length


def _pages(read: Callable[[int, int], list[Entry]], after: int) -> Iterator[Entry]:
    while page := read(after, _PAGE):
        yield from page
        after = page[-1].number


def _against_head(ledger: Ledger, owner: Owner, saved: Head | None) -> list[Fault]:
    if saved is None or saved.number == 0:
        return []
    start, carried = _start(ledger, owner), ledger.carried(owner) is not None
    if saved.number <= start.number and not carried:  # saved before each owner had a chain
        page = ledger.sealed_entries(saved.number - 1, 1)
        owner_of_fault = None
    else:
        page = ledger.entries(owner, saved.number - 1, 1)
        owner_of_fault = owner
    if not page:
        newest = max((entry.number for entry in _tail(ledger, owner)), default=start.number)
        return [Fault(newest + 1, Wrong.CUT, "head", owner_of_fault)]
    holds = (page[0].number, page[0].hash) == saved
    return [] if holds else [Fault(saved.number, Wrong.REWRITTEN, "head", owner_of_fault)]


def _tail(ledger: Ledger, owner: Owner) -> Iterator[Entry]:
    return _pages(partial(ledger.entries, owner), _start(ledger, owner).number)


# -- anchors ------------------------------------------------------------------------------------------


def _against_anchors(ledger: Ledger, owner: Owner | None, saved: Head | None) -> list[Fault]:
    """Check the anchors, and that the chains still have the entries that the anchors cover, of one owner or all."""
    faults, last, matched = list[Fault](), START, saved is None or saved.number == 0
    witnessed = set[Owner]()
    for anchor, follows in checked_anchors(_anchor_pages(ledger)):
        if not follows:
            return [*faults, Fault(anchor.number, Wrong.EDITED, _ANCHOR)]
        for head in anchor.heads:
            whose = Owner(head.user_id, head.agent_id)
            if owner not in (None, whose):
                continue
            if head.number <= _start(ledger, whose).number:
                witnessed.add(whose)
                faults += _against_witness(ledger, whose, Head(head.number, head.hash))
            else:
                faults += _against_anchored(ledger, whose, Head(head.number, head.hash))
        last = Head(anchor.number, anchor.hash)
        matched = matched or last == saved
    if saved is not None and not matched:
        wrong = Wrong.CUT if saved.number > last.number else Wrong.REWRITTEN
        faults.append(Fault(min(saved.number, last.number + 1), wrong, _ANCHOR))
    return faults + _without_witness(
        ledger, [one for one, _ in ledger.chains()] if owner is None else [owner], witnessed
    )


def _without_witness(ledger: Ledger, owners: Iterable[Owner | None], witnessed: set[Owner]) -> list[Fault]:
    """Owners whose chain begins in a sealed chain of another store, though no anchor covers their part of it."""
    faults = []
    for owner in owners:
        carried = None if owner is None or owner in witnessed else ledger.carried(owner)
        if carried is not None and carried.head.number:
            faults.append(Fault(carried.head.number, Wrong.MISSING, _ANCHOR, owner))
    return faults


def _against_witness(ledger: Ledger, owner: Owner, anchored: Head) -> list[Fault]:
    """Check the owner's entries from a sealed chain that is in another store."""
    inherited = takewhile(
        lambda entry: entry.number <= anchored.number, _pages(partial(ledger.entries, owner), _LOWEST)
    )
    holds = anchored.number == _start(ledger, owner).number and witness_of(inherited) == anchored.hash
    return [] if holds else [Fault(anchored.number, Wrong.REWRITTEN, _ANCHOR, owner)]


def _against_anchored(ledger: Ledger, owner: Owner, head: Head) -> list[Fault]:
    page = ledger.entries(owner, head.number - 1, 1)
    if not page:
        newest = max((entry.number for entry in _tail(ledger, owner)), default=_start(ledger, owner).number)
        return [Fault(newest + 1, Wrong.CUT, _ANCHOR, owner)]
    holds = (page[0].number, page[0].hash) == head
    return [] if holds else [Fault(head.number, Wrong.REWRITTEN, _ANCHOR, owner)]


def _anchor_pages(ledger: Ledger) -> Iterator[Anchor]:
    after = 0
    while page := ledger.anchors(after, 1):  # one may hold every owner
        yield page[0]
        after = page[0].number


# -- files --------------------------------------------------------------------------------------------


def _against_files(ledger: Ledger, mirror: LedgerMirror, owner: Owner | None = None) -> _Compared:
    """Compare the files with the table, for one owner or all."""
    newest = (ledger.last_written() or START).number
    judged = _FileCheck(newest)
    lines = (line for line in mirror.lines() if owner is None or _is_of(line, owner))
    count = 0
    while batch := list(islice(lines, _PAGE)):
        count += len(batch)
        written = _written_at(ledger, [line.position for line in batch if line.position is not None])
        for line in batch:
            _judge(line, written, judged)
    missing = [one.position for one in _all_written(ledger, owner) if one.position not in judged.mirrored]
    unreadable = judged.unreadable
    state = MirrorState(mirror.path, count, len(missing), len(unreadable), unreadable[0] if unreadable else None)
    return _Compared(state, judged, missing)


def _cut(ledger: Ledger, ahead: list[MirrorLine]) -> list[Fault]:
    """Return the lines whose entries are missing from a table that was opened after the files were read.

    A line is written after its entry: one that the first reading of the table did not know may be new, and only what
    a later reading does not know either was cut off.
    """
    faults = list[Fault]()
    for start in range(0, len(ahead), _PAGE):
        part = ahead[start : start + _PAGE]
        written = _written_at(ledger, [line.position for line in part if line.position is not None])
        for line in part:
            entry = written[line.position].entry if line.position in written else None
            if entry is None:
                faults.append(Fault(line.number, Wrong.CUT, _FILES, _owner_of(line)))
            elif (entry.number, entry.hash) != (line.number, line.hash):
                faults.append(Fault(line.number, Wrong.REWRITTEN, _FILES, _owner_of(line)))
    return faults


class _Positions:
    """A set of positions, as bits: a ledger may have millions, close together or far apart."""

    def __init__(self) -> None:
        self._bits: dict[int, int] = {}

    def add(self, position: int) -> None:
        chunk, place = divmod(position, _CHUNK)
        self._bits[chunk] = self._bits.get(chunk, 0) | 1 << place

    def __contains__(self, position: int) -> bool:
        chunk, place = divmod(position, _CHUNK)
        return bool(self._bits.get(chunk, 0) >> place & 1)


@dataclass
class _FileCheck:
    """What was found while the lines were read."""

    newest: int
    mirrored: _Positions = field(default_factory=_Positions)
    faults: list[Fault] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    ahead: list[MirrorLine] = field(default_factory=list)  # beyond the newest entry of the table


@dataclass(frozen=True)
class _Compared:
    """The files beside the table, and the positions that the files lack."""

    state: MirrorState
    check: _FileCheck
    missing: list[int]


def _is_of(line: MirrorLine, owner: Owner) -> bool:
    return (line.user_id, line.agent_id) == (owner.user_id, owner.agent_id)


def _all_written(ledger: Ledger, owner: Owner | None) -> Iterator[Written]:
    after = 0
    while page := ledger.written(after, _PAGE):
        for one in page:
            if owner is None or (one.entry.user_id, one.entry.agent_id) == (owner.user_id, owner.agent_id):
                yield one
        after = page[-1].position


def _judge(line: MirrorLine, written: dict[int, Written], check: _FileCheck) -> None:
    if line.position is None:
        if line.text.strip():
            check.unreadable.append(line.place)
        return
    wrong = None
    if line.position > check.newest:
        check.ahead.append(line)
    elif line.position not in written:
        wrong = Wrong.MISSING
    elif (written[line.position].entry.number, written[line.position].entry.hash) != (line.number, line.hash):
        wrong = Wrong.REWRITTEN
    elif line_of(written[line.position].entry, line.position) != line.text:
        check.unreadable.append(line.place)
    else:
        check.mirrored.add(line.position)
    if wrong is not None:
        check.faults.append(Fault(line.number, wrong, _FILES, _owner_of(line)))


def _owner_of(line: MirrorLine) -> Owner | None:
    if line.user_id is None or line.agent_id is None:
        return None
    try:
        return Owner(line.user_id, line.agent_id)
    except CelestialError:
        return None


def _written_at(ledger: Ledger, positions: list[int]) -> dict[int, Written]:
    """Return these entries. Neighbours are read together because that is how the files hold them."""
    written: dict[int, Written] = {}
    ordered = sorted(set(positions))
    for position in ordered:
        if position not in written:
            span = sum(1 for other in ordered if position <= other < position + _PAGE)
            written.update((one.position, one) for one in ledger.written(position - 1, span))
    return {position: written[position] for position in ordered if position in written}
