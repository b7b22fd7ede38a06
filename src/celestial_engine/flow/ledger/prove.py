"""prove: write a document that proves to others that memories were purged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.ledger.anchors import Anchor, AnchoredHead
from celestial_engine.core.ledger.chain import START, Entry, Head
from celestial_engine.core.ledger.proof import check_proof, proof_document
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, NotFoundError, Reason
from celestial_engine.ports import ItemStore, Ledger, Writer

_PAGE = 1_000


def prove_purged(store: ItemStore, owner: Owner, item_ids: Sequence[str], now: float) -> dict[str, Any]:
    """Return the document; write an anchor over this owner's chain if none covers the purges without other owners."""
    with store.write_whole_store() as session:
        ledger = session.ledger
        numbers = [_purge(ledger, owner, item_id) for item_id in dict.fromkeys(item_ids)]
        start = _beginning(ledger, owner)
        if min(numbers) <= start.number:  # in the chain from before each owner had one
            raise InvalidInputError("id", Reason.PURGED_LONG_AGO)
        previous, anchor = _anchor(session, owner, max(numbers), now)
        entries = list(_entries(ledger, owner, min(numbers), anchor.heads[0].number))
        before = _entry_before(ledger, owner, min(numbers), start)
    purges = [entry for entry in entries if entry.number in numbers]
    document = proof_document(owner, before, entries, purges, previous, anchor)
    if not check_proof(document).ok:  # stored again under the same id, or the ledger was tampered with
        raise InvalidInputError("id", Reason.NOT_PURGED)
    return document


def _purge(ledger: Ledger, owner: Owner, item_id: str) -> int:
    """Return the number of the entry of its last purge."""
    events = ledger.events(owner, item_id, MOST_RESULTS)
    if not events:
        raise NotFoundError(item_id=item_id)
    purge = next((event.number for event in events if event.type is EventType.PURGED), None)
    if purge is None:
        raise InvalidInputError("id", Reason.NOT_PURGED)
    return purge


def _beginning(ledger: Ledger, owner: Owner) -> Head:
    carried = ledger.carried(owner)
    return ledger.sealed_head() if carried is None else carried.head


def _anchor(session: Writer, owner: Owner, number: int, now: float) -> tuple[Head, Anchor]:
    """Return the first anchor over this owner alone that covers the entry, with the head before it; or a new one."""
    last = START
    for anchor in _anchors(session.ledger):
        if len(anchor.heads) == 1 and _is_of(anchor.heads[0], owner) and anchor.heads[0].number >= number:
            return last, anchor
        last = Head(anchor.number, anchor.hash)
    written = session.ledger.anchor(now, owner)
    if written is None:  # the owner's row does not know the chain
        raise InvalidInputError("id", Reason.NOT_PURGED)
    return last, written


def _is_of(head: AnchoredHead, owner: Owner) -> bool:
    return (head.user_id, head.agent_id) == (owner.user_id, owner.agent_id)


def _anchors(ledger: Ledger) -> Iterator[Anchor]:
    after = 0
    while page := ledger.anchors(after, 1):
        yield page[0]
        after = page[0].number


def _entries(ledger: Ledger, owner: Owner, first: int, last: int) -> Iterator[Entry]:
    after = first - 1
    while page := ledger.entries(owner, after, _PAGE):
        yield from (entry for entry in page if entry.number <= last)
        after = page[-1].number
        if after >= last:
            return


def _entry_before(ledger: Ledger, owner: Owner, number: int, start: Head) -> Head:
    if number == start.number + 1:
        return start
    (entry,) = ledger.entries(owner, number - 2, 1)
    return Head(entry.number, entry.hash)
