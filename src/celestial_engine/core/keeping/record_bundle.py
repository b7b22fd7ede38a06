"""Our own bundle of memories: a header, then a line of canonical JSON a memory; the header has the hash of the lines.

Equal memories give equal bytes: nothing in it depends on when or where it was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import ImportSourceError, Reason

FORMAT = "celestial-bundle"
VERSION = 1
_WORKED_OUT = ("zone", "total_score", "context_score", "embedding", "owner")


def pack_records(items: Iterable[CelestialItem], owner: Owner) -> str:
    """The bundle as text, oldest memory first."""
    ordered = sorted(items, key=lambda item: (item.created_at, item.id))
    lines = [_line(_record(item)) for item in ordered]
    header = {
        "format": FORMAT,
        "version": VERSION,
        "user_id": owner.user_id,
        "agent_id": owner.agent_id,
        "count": len(lines),
        "sha256": sha256("".join(lines).encode()).hexdigest(),
    }
    return _line(header) + "".join(lines)


def is_header(value: object) -> bool:
    return isinstance(value, dict) and value.get("format") == FORMAT


def check_bundle(lines: Iterable[bytes], path: str) -> None:
    """Raises ImportSourceError if a newer version wrote it, or if its lines are not what its header says."""
    remaining = iter(lines)
    try:
        header = json.loads(next(remaining, b""))
        version, digest, count = int(header["version"]), str(header["sha256"]), int(header["count"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ImportSourceError(path, Reason.BUNDLE_DAMAGED) from error
    if version > VERSION:
        raise ImportSourceError(path, Reason.BUNDLE_NEWER, got=version, known=VERSION)
    found, ends = sha256(), 0
    for line in remaining:
        found.update(line)
        ends += line.endswith(b"\n")
    if found.hexdigest() != digest or ends != count:
        raise ImportSourceError(path, Reason.BUNDLE_DAMAGED)


def _record(item: CelestialItem) -> dict[str, Any]:
    if item.state is State.ARCHIVED:  # only the place of its text is special, and that is here
        item = replace(item, state=State.ACTIVE)
    return {name: value for name, value in item.to_dict(sparse=True).items() if name not in _WORKED_OUT}


def _line(value: dict[str, Any]) -> str:
    # Escaped to ASCII: no character in a text can be taken for the end of a line.
    return json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"
