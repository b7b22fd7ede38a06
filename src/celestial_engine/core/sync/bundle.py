"""Bundles: what one device tells the others, as bytes. The format is described in docs/sync.md.

A line of JSON, the header, can be read by everybody; behind it is the payload, compressed and usually encrypted. Each
bundle names the hash of the one before it, so the bundles of a device form a chain.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from celestial_engine.core.checks import check_id, check_time
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.item_state import ItemState, Value
from celestial_engine.core.sync.state_checks import check_state
from celestial_engine.errors import InvalidInputError, Reason, SyncError

FORMAT = "celestial-sync"
VERSION = 1
FIRST = "0" * 64  # the hash before the first bundle
PLAIN = "none"
MOST_HEADER = 4_096
MOST_UNPACKED = 1 << 30  # bytes


class Cipher(Protocol):
    """Encrypts payloads and proves that they were not changed. `about` is covered by the proof, not encrypted."""

    @property
    def name(self) -> str: ...
    @property
    def overhead(self) -> int:
        """How many bytes a sealed payload is longer."""
        ...

    def seal(self, payload: bytes, salt: bytes, nonce: bytes, about: bytes) -> bytes: ...
    def open(self, sealed: bytes, salt: bytes, nonce: bytes, about: bytes) -> bytes:
        """Raises ValueError if the key is another, or the bytes were changed."""
        ...


@dataclass(frozen=True)
class Header:
    """What everybody can read: which device, which number in its chain, and how the payload is encrypted."""

    device: str
    number: int = 0
    previous: str = FIRST
    snapshot: bool = False  # holds everything, so that nobody needs the bundles before it
    cipher: str = PLAIN
    salt: bytes = b""
    nonce: bytes = b""
    size: int = 0  # of the payload


@dataclass(frozen=True)
class Contents:
    """What the owner of the key can read. `at` is the device's clock when it wrote this."""

    owner: Owner
    device: str
    name: str
    at: float
    last_active: float | None
    states: tuple[tuple[str, ItemState], ...]  # by the id of the memory; the self has an empty id


def pack(header: Header, contents: Contents, cipher: Cipher | None) -> bytes:
    """`header` gives device, number, previous, snapshot, salt and nonce."""
    payload = zlib.compress(b"".join(_lines(contents)), 6)
    cipher_name = PLAIN if cipher is None else cipher.name
    size = len(payload) + (0 if cipher is None else cipher.overhead)
    line = _header_line(header, cipher_name, size)
    if cipher is not None:
        payload = cipher.seal(payload, header.salt, header.nonce, line)
    return line + payload


def bundle_hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def read_header(data: bytes, path: str) -> Header:
    """Returns the header; `data` may be only the beginning of the bundle."""
    line, newline, _ = data[:MOST_HEADER].partition(b"\n")
    try:
        found = json.loads(line) if newline else None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise SyncError(path, Reason.SYNC_FOREIGN)
        if int(found["version"]) > VERSION:
            raise SyncError(path, Reason.SYNC_NEWER, got=int(found["version"]), known=VERSION)
        return Header(
            device=str(found["device"]),
            number=int(found["number"]),
            previous=str(found["previous"]),
            snapshot=bool(found["snapshot"]),
            cipher=str(found["cipher"]),
            salt=base64.b64decode(found["salt"], validate=True),
            nonce=base64.b64decode(found["nonce"], validate=True),
            size=int(found["size"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError, binascii.Error, RecursionError) as error:
        raise SyncError(path, Reason.SYNC_FOREIGN) from error


def is_complete(header: Header, data: bytes) -> bool:
    """Whether all of the payload is here; a folder may be copied half."""
    return len(data) - data.find(b"\n") - 1 >= header.size


def unpack(data: bytes, cipher: Cipher | None, path: str, *, allow_plain: bool) -> Contents:
    """Returns what the bundle says; raises SyncError if it cannot be trusted or read."""
    header, payload = read_header(data, path), unsealed(data, cipher, path, allow_plain=allow_plain)
    try:
        contents = _contents(_unpacked(payload))
    except (
        AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError, zlib.error, InvalidInputError
    ) as error:  # fmt: skip
        raise SyncError(path, Reason.SYNC_DAMAGED) from error
    if contents.device != header.device:
        raise SyncError(path, Reason.SYNC_DAMAGED)
    return contents


def unsealed(data: bytes, cipher: Cipher | None, path: str, *, allow_plain: bool) -> bytes:
    """Returns the payload as it was before it was encrypted; raises SyncError if this key does not open it."""
    header = read_header(data, path)
    line, _, payload = data.partition(b"\n")
    if len(payload) != header.size:
        raise SyncError(path, Reason.SYNC_INCOMPLETE)
    if header.cipher == PLAIN:
        if not allow_plain:
            raise SyncError(path, Reason.SYNC_PLAIN)
    elif cipher is None:
        raise SyncError(path, Reason.SYNC_SEALED)
    elif cipher.name != header.cipher:
        raise SyncError(path, Reason.SYNC_NEWER, got=header.cipher, known=cipher.name)
    else:
        try:
            payload = cipher.open(payload, header.salt, header.nonce, line + b"\n")
        except ValueError as error:
            raise SyncError(path, Reason.SYNC_WRONG_KEY) from error
    return payload


def _header_line(header: Header, cipher: str, size: int) -> bytes:
    return _json(
        {
            "format": FORMAT,
            "version": VERSION,
            "device": header.device,
            "number": header.number,
            "previous": header.previous,
            "snapshot": header.snapshot,
            "cipher": cipher,
            "salt": base64.b64encode(header.salt).decode(),
            "nonce": base64.b64encode(header.nonce).decode(),
            "size": size,
        }
    )


def _lines(contents: Contents) -> Iterator[bytes]:
    owner = {"user_id": contents.owner.user_id, "agent_id": contents.owner.agent_id}
    yield _json(
        {
            "owner": owner,
            "device": contents.device,
            "name": contents.name,
            "at": contents.at,
            "last_active": contents.last_active,
            "count": len(contents.states),
        }
    )
    for item_id, state in contents.states:
        yield _json({"id": item_id, "marks": state.marks_json(), "texts": state.texts_json()})


def _contents(payload: bytes) -> Contents:
    first, *lines = payload.splitlines()
    head = json.loads(first)
    states = tuple(_states(lines))
    if len(states) != head["count"]:
        raise ValueError("lines are missing")
    check_time(head["at"])
    last_active = None if head["last_active"] is None else check_time(head["last_active"])
    return Contents(
        Owner(head["owner"]["user_id"], head["owner"]["agent_id"]),
        str(head["device"]),
        check_id(str(head["name"])),
        float(head["at"]),
        last_active,
        states,
    )


def _states(lines: Iterable[bytes]) -> Iterator[tuple[str, ItemState]]:
    for line in lines:
        record: Any = json.loads(line)
        item_id, state = str(record["id"]), ItemState.from_json(record["marks"], record["texts"])
        check_state(item_id, state)
        yield item_id, state


def _unpacked(payload: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(payload, MOST_UNPACKED)
    if unpacking.unconsumed_tail or not unpacking.eof:
        raise ValueError("more than fits, or cut off")
    return data


def _json(value: Value) -> bytes:
    # Escaped to ASCII: no character in a text can be taken for the end of a line.
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"
