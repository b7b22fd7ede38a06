"""verify: check the hash chain, the daily files, and optionally a head that was saved elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from celestial_engine.core.ledger.chain import GENESIS, Entry, Fault, Head, Wrong, checked, line_of
from celestial_engine.ports import ItemStore, Ledger, LedgerMirror, MirrorLine

_PAGE = 1_000
_FILES = "files"


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

    @property
    def ok(self) -> bool:
        return self.fault is None


def verify(store: ItemStore, kept: Head | None = None) -> Verification:
    """Verify the hash chain of every owner. Changes nothing."""
    with store.read() as session:
        faults, count = _chain(session.ledger)
        faults += _against_head(session.ledger, kept)
        faults += session.ledger.damaged_versions()
        mirror = None
        if store.mirror is not None:
            mirror, file_faults, _ = _against_files(session.ledger, store.mirror)
            faults += file_faults
        head = session.ledger.head()
    return Verification(count, head, min(faults, key=lambda fault: fault.number, default=None), mirror)


def repair(store: ItemStore) -> int:
    """Append the lines that the daily files lack, and return how many. Existing lines never change."""
    mirror = store.mirror
    if mirror is None:
        return 0
    with store.read() as session:
        _, _, missing = _against_files(session.ledger, mirror)
        for start in range(0, len(missing), _PAGE):
            part = missing[start : start + _PAGE]
            mirror.write(list(_entries_of(session.ledger, part).values()))
    return len(missing)


def _chain(ledger: Ledger) -> tuple[list[Fault], int]:
    count = 0
    for entry, fault in checked(_pages(ledger)):
        if fault is not None:
            return [fault], count
        count = entry.number
    # Numbers are never reused: if a number was assigned and is missing, entries were removed.
    return ([Fault(count + 1, Wrong.CUT)] if ledger.highest_number() > count else []), count


def _pages(ledger: Ledger) -> Iterator[Entry]:
    last = 0
    while page := ledger.entries(last, _PAGE):
        yield from page
        last = page[-1].number


def _against_head(ledger: Ledger, kept: Head | None) -> list[Fault]:
    if kept is None or kept.number == 0:
        return []
    newest = (ledger.head() or Head(0, GENESIS)).number
    if kept.number > newest:
        return [Fault(newest + 1, Wrong.CUT, "head")]
    entry = _entries_of(ledger, [kept.number]).get(kept.number)
    return [] if entry is not None and entry.hash == kept.hash else [Fault(kept.number, Wrong.REWRITTEN, "head")]


def _against_files(ledger: Ledger, mirror: LedgerMirror) -> tuple[MirrorState, list[Fault], list[int]]:
    newest = (ledger.head() or Head(0, GENESIS)).number
    mirrored = bytearray(newest + 1)
    faults: list[Fault] = []
    spoiled: list[str] = []
    lines = mirror.lines()
    count = 0
    while batch := list(islice(lines, _PAGE)):
        count += len(batch)
        known = _entries_of(ledger, [line.number for line in batch if line.number is not None])
        for line in batch:
            _judge(line, known, newest, mirrored, faults, spoiled)
    missing = [entry.number for entry in _pages(ledger) if not mirrored[entry.number]]
    state = MirrorState(mirror.path, count, len(missing), len(spoiled), spoiled[0] if spoiled else None)
    return state, faults, missing


def _judge(
    line: MirrorLine,
    known: dict[int, Entry],
    newest: int,
    mirrored: bytearray,
    faults: list[Fault],
    spoiled: list[str],
) -> None:
    if line.number is None:
        if line.text.strip():
            spoiled.append(line.place)
    elif line.number > newest:
        faults.append(Fault(newest + 1, Wrong.CUT, _FILES))
    elif line.number not in known:
        faults.append(Fault(line.number, Wrong.MISSING, _FILES))
    elif known[line.number].hash != line.hash:
        faults.append(Fault(line.number, Wrong.REWRITTEN, _FILES))
    elif line_of(known[line.number]) != line.text:
        spoiled.append(line.place)
    else:
        mirrored[line.number] = 1


def _entries_of(ledger: Ledger, numbers: list[int]) -> dict[int, Entry]:
    """Return these entries. Neighbours are read together because that is how the files hold them."""
    entries: dict[int, Entry] = {}
    sorted_numbers = sorted(set(numbers))
    for number in sorted_numbers:
        if number not in entries:
            span = sum(1 for other in sorted_numbers if number <= other < number + _PAGE)
            entries.update((entry.number, entry) for entry in ledger.entries(number - 1, span))
    return {number: entries[number] for number in sorted_numbers if number in entries}
