"""A proof that memories were purged: a small document that anybody can check without the database.

It holds the ledger's entries from the first purge to a head of the owner's chain, and an anchor over that head alone.
Entries have ids, types and times, never the text of a memory; other owners are not named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from celestial_engine.core.ledger.anchors import Anchor, AnchoredHead, follows
from celestial_engine.core.ledger.chain import Entry, Head, checked, event_of
from celestial_engine.core.record.events import EventType, timestamp
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import parts_of
from celestial_engine.errors import CelestialError

FORMAT = "celestial-purge-proof"
VERSION = 1
# A memory that one of these names is there again, or still.
_ALIVE = frozenset(
    {
        EventType.STORED,
        EventType.UPDATED,
        EventType.RECALLED,
        EventType.RESTORED,
        EventType.UNARCHIVED,
        EventType.MOVED,
        EventType.MENTIONED,
        EventType.UNDONE,
    }
)


class ProofFault(str, Enum):
    """Why a document proves nothing."""

    UNREADABLE = "unreadable"  # not such a document, or of a newer version
    EDITED = "edited"  # an entry, or the path between entries, was changed
    NOT_PURGED = "not_purged"  # it does not tell of the purge of a memory that it names
    BACK = "back"  # a later entry tells of the memory again
    ANCHOR_EDITED = "anchor_edited"  # the anchor does not cover the last entry, or was changed
    OTHER_ANCHOR = "other_anchor"  # the anchor is not the one that was given to whoever checks


@dataclass(frozen=True)
class PurgedMemory:
    """A memory that was purged: its id, and the entry that says so."""

    id: str
    event: int
    at: str
    hash: str


@dataclass(frozen=True)
class ProofCheck:
    """What a document proves, or why it proves nothing."""

    fault: ProofFault | None
    memories: tuple[PurgedMemory, ...] = ()
    owner: Owner | None = None
    anchor: Head | None = None
    number: int | None = None  # the entry that is wrong

    @property
    def ok(self) -> bool:
        return self.fault is None


def proof_document(
    owner: Owner, before: Head, entries: Sequence[Entry], purges: Sequence[Entry], previous: Head, anchor: Anchor
) -> dict[str, Any]:
    """Return the document. `before` is the head before the first entry, `previous` that before the anchor."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "owner": {"user_id": owner.user_id, "agent_id": owner.agent_id},
        "memories": [
            {"id": purge.item_id, "event": purge.number, "at": timestamp(purge.at), "hash": purge.hash}
            for purge in purges
        ],
        "before": str(before),
        "entries": [[value for name, value in entry._asdict().items() if name not in _OF_OWNER] for entry in entries],
        "anchor": {"previous": str(previous), "at": anchor.at, "head": str(Head(anchor.number, anchor.hash))},
    }


_OF_OWNER = ("user_id", "agent_id")


def check_proof(document: object, anchor: Head | None = None) -> ProofCheck:
    """Check a document by itself; `anchor` is the head of the anchors that the reader was given another way."""
    try:
        owner, before, entries, named, found = _read(document)
    except (ValueError, TypeError, KeyError, AttributeError, CelestialError, RecursionError):
        return ProofCheck(ProofFault.UNREADABLE)
    last = before
    for entry, fault in checked(entries, before):
        if fault is not None:
            return ProofCheck(ProofFault.EDITED, owner=owner, number=fault.number)
        last = Head(entry.number, entry.hash)
    purges = {(entry.item_id, entry.number): entry for entry in entries if entry.type == EventType.PURGED.value}
    memories = []
    for item_id, number in named:
        purge = purges.get((item_id, number))
        if purge is None:
            return ProofCheck(ProofFault.NOT_PURGED, owner=owner, number=number)
        memories.append(PurgedMemory(item_id, number, timestamp(purge.at), purge.hash))
    again = _back_again(entries, dict(named))
    if again is not None:
        return ProofCheck(ProofFault.BACK, tuple(memories), owner, number=again)
    previous, proved_anchor = found
    head = AnchoredHead(owner.user_id, owner.agent_id, *last)
    if not entries or not follows(previous, proved_anchor._replace(heads=(head,))):
        return ProofCheck(ProofFault.ANCHOR_EDITED, tuple(memories), owner)
    anchored = Head(proved_anchor.number, proved_anchor.hash)
    if anchor is not None and anchor != anchored:
        return ProofCheck(ProofFault.OTHER_ANCHOR, tuple(memories), owner, anchored)
    return ProofCheck(None, tuple(memories), owner, anchored)


def _back_again(entries: Sequence[Entry], purged_at: Mapping[str, int]) -> int | None:
    """Return the first entry that tells of a memory again after its purge."""
    for entry in entries:
        try:
            parts = parts_of(event_of(entry))
        except ValueError:  # an event of a newer release
            continue
        for part in parts:
            purge = purged_at.get(part.item_id or "")
            if part.type in _ALIVE and purge is not None and entry.number > purge:
                return entry.number
    return None


def _read(
    document: object,
) -> tuple[Owner, Head, list[Entry], list[tuple[str, int]], tuple[Head, Anchor]]:
    if isinstance(document, (str, bytes)):
        document = json.loads(document)
    if not isinstance(document, Mapping) or (document["format"], document["version"]) != (FORMAT, VERSION):
        raise ValueError("another document")
    owner = Owner(document["owner"]["user_id"], document["owner"]["agent_id"])
    entries = []
    for number, at, kind, *rest in document["entries"]:
        if type(number) is not int or not isinstance(at, (int, float)) or isinstance(at, bool):
            raise TypeError("not an entry")
        entries.append(Entry(number, float(at), kind, owner.user_id, owner.agent_id, *rest))
    named = [(one["id"], one["event"]) for one in document["memories"]]
    if not named or not all(isinstance(item_id, str) and type(number) is int for item_id, number in named):
        raise ValueError("no memory is named")
    anchor = document["anchor"]
    head = Head.read(anchor["head"])
    proved_anchor = Anchor(head.number, float(anchor["at"]), (), head.hash)
    return owner, Head.read(document["before"]), entries, named, (Head.read(anchor["previous"]), proved_anchor)
