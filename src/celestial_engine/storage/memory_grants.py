"""Tokens on dictionaries."""

from __future__ import annotations

import threading
from dataclasses import replace

from celestial_engine.core.access import Grant


class DictGrants:
    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}
        self._ids: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, grant: Grant, digest: str) -> None:
        with self._lock:
            self._grants[grant.id] = grant
            self._ids[digest] = grant.id

    def of_digest(self, digest: str) -> Grant | None:
        grant_id = self._ids.get(digest)
        return None if grant_id is None else self._grants[grant_id]

    def all(self) -> list[Grant]:
        return sorted(self._grants.values(), key=lambda grant: (grant.created_at, grant.id))

    def used(self, grant_id: str, now: float) -> None:
        with self._lock:
            self._grants[grant_id] = replace(self._grants[grant_id], last_used_at=now)

    def revoke(self, grant_id: str, now: float) -> bool:
        with self._lock:
            grant = self._grants.get(grant_id)
            if grant is None or not grant.valid:
                return False
            self._grants[grant_id] = replace(grant, revoked_at=now)
            return True
