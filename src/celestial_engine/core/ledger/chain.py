"""The chain of the ledger: each entry's hash covers the entry and the hash before it.

Entries are texts, ids and numbers just as they are stored, so that a damaged one can still be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, NamedTuple

from celestial_engine.core.record.events import Event, EventType, document
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError, Expected, InvalidInputError, Reason

GENESIS = "0" * 64
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_line_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)


class Entry(NamedTuple):
    """One row of the ledger. `detail` and `host` are canonical JSON; `version` seals the memory as it was."""

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


class Head(NamedTuple):
    """The newest entry's number and hash: who keeps them elsewhere notices a cut tail and a rewritten past."""

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


class Wrong(str, Enum):
    """What can be wrong with a ledger."""

    EDITED = "edited"  # the entry does not follow from the one before it
    MISSING = "missing"  # the entry is not there, but later ones are
    CUT = "cut"  # the newest entries are not there
    REWRITTEN = "rewritten"  # the chain holds, but it is not the one that was there before
    VERSION_EDITED = "version_edited"  # the memory kept with the entry is not what it was
    VERSION_MISSING = "version_missing"  # the memory is there, what it was before this entry is not


@dataclass(frozen=True)
class Fault:
    """The first entry that is wrong, and how."""

    number: int
    wrong: Wrong
    where: str = "ledger"  # or what it differs from


def canonical(value: object) -> str:
    """JSON that is the same for equal values."""
    return _encoder.encode(value)


def digest(previous: str, entry: Entry) -> str:
    """The hash of an entry that follows one with the hash `previous`."""
    text = f"{previous}\n{canonical(entry[:-1])}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def linked(head: Head, number: int, event: Event, version: str | None) -> Entry:
    """An event as the entry that follows `head`."""
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
        float(event.at) + 0.0,  # minus nothing is nothing: stores may not tell them apart
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
    """The event that an entry tells of. ValueError for one that nobody wrote."""
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


def line_of(entry: Entry) -> str:
    """The entry as a line of the daily file: the document, and what is needed to check the chain with it."""
    try:
        told = json.loads(entry.host) if entry.host else {}
        shown = document(entry.type, entry.at, entry.session_id, entry.item_id, json.loads(entry.detail), told)
    except (ValueError, TypeError, AttributeError):  # edited: the line says what is there
        shown = {"detail": entry.detail, "host": entry.host, "memory_id": entry.item_id}
    shown |= {"seq": entry.number, "at": entry.at, "type": entry.type, "user_id": entry.user_id,
              "agent_id": entry.agent_id, "version": entry.version, "hash": entry.hash}  # fmt: skip
    return _line_encoder.encode(shown)


def sealed(salt: bytes, text: str) -> str:
    """A digest that tells nothing of the text to somebody who does not have the salt."""
    return sha256(salt + text.encode()).hexdigest()


def checked(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Fault | None]]:
    """Each entry in turn with what is wrong with it, up to the first that is."""
    last = Head(0, GENESIS)
    for entry in entries:
        fault = None
        if entry.number != last.number + 1:
            fault = Fault(last.number + 1, Wrong.MISSING)
        elif not _holds(last.hash, entry):
            fault = Fault(entry.number, Wrong.EDITED)
        yield entry, fault
        if fault is not None:
            return
        last = Head(entry.number, entry.hash)


def _holds(previous: str, entry: Entry) -> bool:
    texts = (entry.type, entry.user_id, entry.agent_id, entry.detail, entry.hash)
    perhaps = (entry.item_id, entry.session_id, entry.host, entry.version)
    if not all(isinstance(text, str) for text in texts) or not isinstance(entry.at, float):
        return False
    if not all(text is None or isinstance(text, str) for text in perhaps):
        return False
    try:
        return digest(previous, entry) == entry.hash
    except ValueError:  # a number that JSON does not have
        return False
