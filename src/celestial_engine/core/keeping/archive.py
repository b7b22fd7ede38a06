"""The archive file format: archived sessions, one memory per line, after a header with digests.

    {"format": "celestial-archive", "owner": ..., "session": ..., "count": 2, "digest": ..., "lines": [...], ...}
    {"id": ..., "content": ..., "vector": "f4:..."}
    {"id": ..., "content": ...}

`digest` covers all lines, `lines` has a short digest of each: in a damaged file every intact memory can still be
verified.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from typing import Any, NamedTuple

from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, InvalidItemError, Problem, Reason, problem

FORMAT = "celestial-archive"
VERSION = 1
_CODES = {"f4": "f", "f8": "d"}


class ArchiveNote(NamedTuple):
    """The database's record of an archive file."""

    file: str
    owner: Owner
    session_id: str | None
    archived_at: float
    memories: int  # stored only in this file
    changed: bool  # the file is incomplete, or contains memories that were removed since


class PackedVersion(NamedTuple):
    """A past version of a memory from the ledger, with its entry number and salt."""

    number: int
    salt: str
    memory: str


class Packed(NamedTuple):
    """A memory and its past versions, as stored in an archive."""

    item: CelestialItem
    versions: tuple[PackedVersion, ...] = ()


@dataclass(frozen=True)
class ArchiveHeader:
    owner: Owner
    session_id: str | None
    archived_at: float
    count: int
    digest: str
    lines: tuple[str, ...]
    embedder: str | None


@dataclass(frozen=True)
class ArchiveContents:
    """The memories that could be read intact, and the problems of those that could not."""

    header: ArchiveHeader | None = None
    memories: tuple[Packed, ...] = ()
    problems: tuple[Problem, ...] = ()


def stub_of(item: CelestialItem) -> CelestialItem:
    """Returns the stub of an archived memory that stays in the database: its id, numbers and session."""
    return CelestialItem(
        id=item.id,
        content="",
        created_at=item.created_at,
        last_recalled_at=item.last_recalled_at,
        recall_count=item.recall_count,
        arbitrary_importance=item.arbitrary_importance,
        zone=item.zone,
        importance_source=item.importance_source,
        tier=item.tier,
        expires_at=item.expires_at,
        idle_since=item.idle_since,
        state=State.ARCHIVED,
        protection=item.protection,
        mention_count=item.mention_count,
        time=TimeCoordinate(session_id=item.time.session_id),
        source=item.source,
        trust=item.trust,
        owner=item.owner,
    )


def pack(memories: Sequence[Packed], owner: Owner, session_id: str | None, embedder: str | None, now: float) -> bytes:
    """Returns the archive file of these memories."""
    lines = [_line(memory) for memory in memories]
    header = {
        "format": FORMAT,
        "version": VERSION,
        "owner": {"user_id": owner.user_id, "agent_id": owner.agent_id},
        "session": session_id,
        "archived_at": now,
        "embedder": embedder,
        "count": len(lines),
        "digest": sha256(b"".join(lines)).hexdigest(),
        "lines": [_short(line) for line in lines],
    }
    return _json(header) + b"".join(lines)


def unpack(raw: bytes) -> ArchiveContents:
    """The inverse of `pack`; of a damaged file it returns every memory whose digest matches."""
    first, _, rest = raw.partition(b"\n")
    try:
        header = _header(json.loads(first))
    except (ValueError, KeyError, TypeError, RecursionError):
        return ArchiveContents(problems=(Problem(None, Reason.ARCHIVE_HEADER, {}),))
    if header is None:
        return ArchiveContents(problems=(Problem(None, Reason.NEWER_VERSION, {}),))
    expected = set(header.lines)
    intact = [line for line in rest.splitlines(keepends=True) if _short(line) in expected]
    memories = [memory for memory in (_packed(line, header.owner) for line in intact) if memory is not None]
    missing = header.count - len(memories)
    problems = (problem(None, Reason.ARCHIVE_LOST, count=missing, total=header.count),) if missing else ()
    return ArchiveContents(header, tuple(memories), problems)


def _line(memory: Packed) -> bytes:
    record = replace(memory.item, embedding=None, total_score=0.0).to_dict(sparse=True)
    record.pop("owner", None)  # the owner is in the header
    if memory.item.embedding is not None:
        record["vector"] = _vector_text(memory.item.embedding)
    if memory.versions:
        record["versions"] = [list(version) for version in memory.versions]
    return _json(record)


def _packed(line: bytes, owner: Owner) -> Packed | None:
    """Parses a line; returns None for a record that this version cannot read."""
    try:
        record = json.loads(line)
        vector, versions = record.pop("vector", None), record.pop("versions", ())
        item = CelestialItem.from_dict(record)
    except (InvalidItemError, RecursionError):
        return None
    item = replace(item, owner=owner, embedding=None if vector is None else _vector(vector))
    return Packed(item, tuple(PackedVersion(*version) for version in versions))


def _header(data: Any) -> ArchiveHeader | None:
    """Parses the header; returns None if a newer version wrote it."""
    if data["format"] != FORMAT:
        raise ValueError("not an archive")
    if data["version"] > VERSION:
        return None
    try:
        owner = Owner(data["owner"]["user_id"], data["owner"]["agent_id"])
    except InvalidInputError as error:
        raise ValueError("nobody's archive") from error
    return ArchiveHeader(
        owner=owner,
        session_id=data["session"],
        archived_at=data["archived_at"],
        count=data["count"],
        digest=data["digest"],
        lines=tuple(data["lines"]),
        embedder=data["embedder"],
    )


def _vector_text(vector: Sequence[float]) -> str:
    """Encodes as float32 like the store, or as float64 if that would lose precision."""
    four = struct.pack(f"<{len(vector)}f", *vector)
    exact = struct.unpack(f"<{len(vector)}f", four) == tuple(vector)
    code, packed = ("f4", four) if exact else ("f8", struct.pack(f"<{len(vector)}d", *vector))
    return f"{code}:{base64.b64encode(packed).decode('ascii')}"


def _vector(text: str) -> list[float]:
    code, _, encoded = text.partition(":")
    packed = binascii.a2b_base64(encoded)
    return list(struct.unpack(f"<{len(packed) // int(code[1])}{_CODES[code]}", packed))


def _short(line: bytes) -> str:
    return blake2b(line, digest_size=8).hexdigest()


def _json(value: object) -> bytes:
    # Escaped to ASCII: no character in a text can be taken for the end of a line.
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
