"""The hash chains of the ledger, one per owner: each entry's hash covers the entry and the hash before it.

Entries hold texts, ids and numbers exactly as stored, so that a damaged one can still be inspected.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, NamedTuple

from celestial_engine.core.record.events import Event, EventType, audit_document
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError, Expected, InvalidInputError, Reason

GENESIS = "0" * 64
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_line_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)


class Entry(NamedTuple):
    """One row of the ledger. `detail` and `host` are canonical JSON; `version` is a digest of the memory then.

    `number` counts the entries of its owner, without gaps.
    """

    number: int
    at: float
    type: str
    user_id: str
    agent_id: str
    item_id: str | None
    session_id: str | None
    detail: str
    host: str | None
    version: str | None
    hash: str = ""


class Written(NamedTuple):
    """An entry, and its position in the order in which the store wrote the entries of all owners."""

    position: int
    entry: Entry


class Head(NamedTuple):
    """Number and hash of a chain's newest entry; a copy kept elsewhere detects truncation and rewriting."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"

    @classmethod
    def read(cls, text: object) -> Head:
        """The inverse of `str`."""
        number, _, digest = str(text).strip().partition(":")
        digest = digest.lower()
        if not (number.isascii() and number.isdigit()) or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise InvalidInputError("head", Reason.WRONG_VALUE, expected=Expected.LEDGER_HEAD, got=str(text))
        return cls(int(number), digest)


START = Head(0, GENESIS)  # before the first entry


class CarriedSeal(NamedTuple):
    """Where the chain of an owner begins who was moved here: at the head of a sealed chain of another store.

    That chain held other owners too, so it cannot be verified here. It was, before the move; `witness` is a digest of
    the owner's `entries` in it, and an anchor covers it.
    """

    head: Head
    entries: int
    witness: str

    def __str__(self) -> str:
        return f"{self.head} {self.entries} {self.witness}"

    @classmethod
    def read(cls, text: str) -> CarriedSeal:
        """The inverse of `str`."""
        head, entries, witness = text.split(" ")
        return cls(Head.read(head), int(entries), witness)


class Wrong(str, Enum):
    """What can be wrong with a ledger."""

    EDITED = "edited"  # the hash does not match the entry and the one before it
    MISSING = "missing"  # the entry is missing, but later ones exist
    CUT = "cut"  # the newest entries are missing
    REWRITTEN = "rewritten"  # the chain is valid, but it is not the original one
    VERSION_EDITED = "version_edited"  # the memory version stored with the entry was changed
    VERSION_MISSING = "version_missing"  # the memory exists, but its version for this entry is missing


@dataclass(frozen=True)
class Fault:
    """The first entry that is wrong, and how."""

    number: int
    wrong: Wrong
    where: str = "ledger"  # or what it differs from: files, head, owner or anchor
    owner: Owner | None = None  # None: the entries from before each owner had a chain, or the anchors


def canonical(value: object) -> str:
    """JSON that is the same for equal values."""
    return _encoder.encode(value)


def digest(previous: str, entry: Entry) -> str:
    """Returns the hash of an entry that follows an entry with the hash `previous`."""
    text = f"{previous}\n{canonical(entry[:-1])}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def witness_of(entries: Iterable[Entry]) -> str:
    """Returns a digest of these entries, contents and hashes, in order."""
    digest_of_all = sha256()
    for entry in entries:
        digest_of_all.update(canonical(list(entry)).encode("utf-8", "surrogatepass") + b"\n")
    return digest_of_all.hexdigest()


def linked(head: Head, number: int, event: Event, version: str | None) -> Entry:
    """Returns the event as the entry that follows `head`."""
    host = {
        name: value
        for name, value in (
            ("persona_id", event.persona_id),
            ("memory_refs", list(event.memory_refs)),
            ("bqi_coordinate", event.bqi_coordinate),
            ("evaluation", event.evaluation),
            ("plan_adjustment", event.plan_adjustment),
        )
        if value
    }
    entry = Entry(
        number,
        float(event.at) + 0.0,  # -0.0 becomes 0.0: stores may not distinguish them
        event.type.value,
        event.owner.user_id,
        event.owner.agent_id,
        event.item_id,
        event.session_id,
        canonical(event.detail),
        canonical(host) if host else None,
        version,
    )
    return entry._replace(hash=digest(head.hash, entry))


def event_of(entry: Entry) -> Event:
    """Parses the event of an entry; raises ValueError if it is invalid."""
    try:
        host: dict[str, Any] = json.loads(entry.host) if entry.host else {}
        return Event(
            EventType(entry.type),
            Owner(entry.user_id, entry.agent_id),
            entry.at,
            entry.item_id,
            json.loads(entry.detail),
            entry.session_id,
            host.get("persona_id"),
            tuple(host.get("memory_refs", ())),
            host.get("bqi_coordinate"),
            host.get("evaluation"),
            host.get("plan_adjustment"),
            entry.number,
            entry.hash,
        )
    except (ValueError, TypeError, AttributeError, CelestialError) as error:
        raise ValueError(f"entry {entry.number} cannot be read ({error})") from error


def line_of(entry: Entry, position: int | None = None) -> str:
    """Returns the entry as a line of the daily file: the document, and the fields that verify the chain.

    The position is written only where it differs from the number, as it does with several owners.
    """
    try:
        host = json.loads(entry.host) if entry.host else {}
        line = audit_document(entry.type, entry.at, entry.session_id, entry.item_id, json.loads(entry.detail), host)
    except (ValueError, TypeError, AttributeError):  # the entry was edited: write it as it is
        line = {"detail": entry.detail, "host": entry.host, "memory_id": entry.item_id}
    line |= {"seq": entry.number, "at": entry.at, "type": entry.type, "user_id": entry.user_id,
              "agent_id": entry.agent_id, "version": entry.version, "hash": entry.hash}  # fmt: skip
    if position not in (None, entry.number):
        line["position"] = position
    return _line_encoder.encode(line)


def sealed(salt: bytes, text: str) -> str:
    """Returns a salted digest that reveals nothing about the text without the salt."""
    return sha256(salt + text.encode()).hexdigest()


def checked(entries: Iterable[Entry], start: Head = START) -> Iterator[tuple[Entry, Fault | None]]:
    """Yields each entry of a chain that begins after `start` with its fault (or None), up to the first faulty one."""
    last = start
    for entry in entries:
        fault = None
        if entry.number != last.number + 1:
            fault = Fault(last.number + 1, Wrong.MISSING)
        elif not _hash_matches(last.hash, entry):
            fault = Fault(entry.number, Wrong.EDITED)
        yield entry, fault
        if fault is not None:
            return
        last = Head(entry.number, entry.hash)


def _hash_matches(previous: str, entry: Entry) -> bool:
    texts = (entry.type, entry.user_id, entry.agent_id, entry.detail, entry.hash)
    optional_texts = (entry.item_id, entry.session_id, entry.host, entry.version)
    if not all(isinstance(text, str) for text in texts) or not isinstance(entry.at, float):
        return False
    if not all(text is None or isinstance(text, str) for text in optional_texts):
        return False
    try:
        return digest(previous, entry) == entry.hash
    except ValueError:  # a number that JSON cannot encode
        return False
