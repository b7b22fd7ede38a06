"""What a device notes for itself: who it is, what it has published where, and what it has read from whom."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from celestial_engine.core.sync.bundle import FIRST

DEVICE = "device"
_TARGET, _SEEN, _PEER, _PENDING = "target/", "seen/", "peer/", "pending/"


@dataclass(frozen=True)
class Device:
    """This device. `writes` numbers what it writes, `changes` the changes of its records, whoever made them.

    `scanned` is the number of the ledger entry up to which changes of this device are in its records.
    """

    id: str
    name: str
    created_at: float
    salt: str = ""
    writes: int = 0
    changes: int = 0
    scanned: int = -1  # nothing yet
    purges: int = 0  # how many memories are known to be purged


@dataclass(frozen=True)
class Target:
    """A folder or another device: up to which change it has everything, and the chain of bundles written there.

    Of a device `token` is what both agreed on in the last exchange, and `next_token` what was offered since.
    """

    published: int = 0
    number: int = 0
    hash: str = FIRST
    purges: int = 0
    at: float = 0.0
    token: str = ""
    next_token: str = ""


@dataclass(frozen=True)
class Seen:
    """The newest bundle of a device that was read from a folder."""

    number: int = 0
    hash: str = FIRST


@dataclass(frozen=True)
class Peer:
    """Another device of the owner: its name, when it was last heard of, and how far its clock is ahead of ours."""

    name: str
    at: float
    ahead: float = 0.0


Note = TypeVar("Note", Device, Target, Seen, Peer)


def to_bytes(note: Device | Target | Seen | Peer) -> bytes:
    return json.dumps(asdict(note), sort_keys=True).encode()


def from_bytes(kind: type[Note], packed: bytes) -> Note:
    fields: Any = json.loads(packed)
    return kind(**fields)


def target_note(target: str) -> str:
    return _TARGET + target


def pending_note(target: str) -> str:
    return _PENDING + target


def seen_note(target: str, device: str) -> str:
    return f"{_SEEN}{target}/{device}"


def peer_note(device: str) -> str:
    return _PEER + device


PEERS, TARGETS = _PEER, _TARGET
