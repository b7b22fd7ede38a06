"""Tokens and rate limits on dictionaries."""

from __future__ import annotations

import threading
from dataclasses import replace

from celestial_engine.core.access import Grant
from celestial_engine.core.rate_limits import Allowance, Bucket
from celestial_engine.core.record.owner import Owner


class DictGrants:
    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}
        self._ids: dict[str, str] = {}
        self._keys: dict[str, tuple[Owner, float]] = {}
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

    def drop_ended(self, before: float) -> None:
        with self._lock:
            ended = {grant.id for grant in self._grants.values() if (grant.expires_at or before + 1) <= before}
            self._grants = {name: grant for name, grant in self._grants.items() if name not in ended}
            self._ids = {digest: name for digest, name in self._ids.items() if name not in ended}

    def add_key(self, digest: str, owner: Owner, expires_at: float) -> None:
        with self._lock:
            self._keys[digest] = (owner, expires_at)

    def take_key(self, digest: str, now: float) -> Owner | None:
        with self._lock:
            self._keys = {name: entry for name, entry in self._keys.items() if now < entry[1]}
            owner, _ = self._keys.pop(digest, (None, 0.0))
            return owner


class DictRateLimits:
    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        with self._lock:
            bucket, allowance = self._buckets.get(caller, Bucket(burst, now)).taken(now, rate, burst)
            self._buckets[caller] = bucket
        return allowance
