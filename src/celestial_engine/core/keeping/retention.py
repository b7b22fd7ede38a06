"""Retention: a policy with limits, and the plan that applies it. Off unless a policy is set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.errors import ConfigError, Problem, Reason, problem

BYTES_IN_A_MB = 1_000_000
_DAY = 86_400.0
_MOST_DAYS = 3_650_000


class Limit(str, Enum):
    """The limit of a policy that removes a memory."""

    AGE = "delete_after_days"
    SESSIONS = "max_sessions"
    PER_SESSION = "max_memories_per_session"
    SIZE = "max_total_size_mb"

    @property
    def reason(self) -> DepartureReason:
        return DepartureReason.EXPIRED if self is Limit.AGE else DepartureReason.DISPLACED


@dataclass(frozen=True)
class RetentionPolicy:
    """The limits for one owner; None is no limit. Days count from when a memory was stored or last recalled."""

    max_sessions: int | None = None
    max_memories_per_session: int | None = None
    max_total_size_mb: float | None = None
    archive_after_days: float | None = None
    delete_after_days: float | None = None
    protected_days: float = 7.0  # the size limit removes no memory touched within these days

    def __post_init__(self) -> None:
        problems = [
            *(_count_problem(name, getattr(self, name)) for name in ("max_sessions", "max_memories_per_session")),
            *(
                _amount_problem(name, getattr(self, name))
                for name in ("max_total_size_mb", "archive_after_days", "delete_after_days")
            ),
        ]
        if not _is_number(self.protected_days) or not 0 <= self.protected_days <= _MOST_DAYS:
            problems.append(
                problem("protected_days", Reason.OUT_OF_RANGE, low=0, high=_MOST_DAYS, got=self.protected_days)
            )
        found = [issue for issue in problems if issue]
        archive, delete = self.archive_after_days, self.delete_after_days
        if not found and archive is not None and delete is not None and delete <= archive:
            found.append(problem("delete_after_days", Reason.DELETED_BEFORE_ARCHIVED))
        if found:
            raise ConfigError(*found)

    def __bool__(self) -> bool:
        """Whether it limits anything."""
        return any(
            limit is not None
            for limit in (
                self.max_sessions,
                self.max_memories_per_session,
                self.max_total_size_mb,
                self.archive_after_days,
                self.delete_after_days,
            )
        )


class RetentionRow(NamedTuple):
    """The row of a memory that retention reads: its size and numbers, without text."""

    item_id: str
    session_id: str | None
    touched_at: float  # stored or last recalled
    importance: float
    size_bytes: int
    protected: bool  # pinned, immutable or core
    archived: bool


class Leaving(NamedTuple):
    holding: RetentionRow
    limit: Limit


class Archiving(NamedTuple):
    session_id: str
    holdings: tuple[RetentionRow, ...]


@dataclass(frozen=True)
class RetentionPlan:
    """What would leave, lowest importance first, what would be archived, and what remains."""

    leaving: tuple[Leaving, ...] = ()
    archiving: tuple[Archiving, ...] = ()
    sessions: int = 0
    memories: int = 0
    size_bytes: int = 0
    still_over: tuple[Limit, ...] = field(default=())  # limits that cannot be met because of protected memories

    @property
    def archived_memories(self) -> int:
        return sum(len(session.holdings) for session in self.archiving)


def plan_retention(holdings: Iterable[RetentionRow], policy: RetentionPolicy, now: float) -> RetentionPlan:
    """Plans: old memories expire, idle sessions are archived, then memories over the limits are displaced.

    Protected memories never leave; those touched in the last `protected_days` do not leave for the size limit.
    """
    plan = _Planning(holdings, policy, now)
    plan.expire()
    plan.archive()
    plan.displace_sessions()
    plan.displace_within_sessions()
    plan.displace_by_size()
    return plan.done()


class _Planning:
    """Applies the rules in order; each sees only what the earlier ones left."""

    def __init__(self, holdings: Iterable[RetentionRow], policy: RetentionPolicy, now: float) -> None:
        self._policy = policy
        self._now = now
        self._protected_since = now - policy.protected_days * _DAY
        everything = list(holdings)
        self._archived = [row for row in everything if row.archived]
        self._kept = {row.item_id: row for row in everything if not row.archived}
        self._leaving: list[Leaving] = []
        self._archiving: list[Archiving] = []
        self._over: list[Limit] = []

    def expire(self) -> None:
        days = self._policy.delete_after_days
        if days is not None:
            before = self._now - days * _DAY
            old = [row for row in (*self._archived, *self._kept.values()) if row.touched_at <= before]
            self._displace(old, Limit.AGE)

    def archive(self) -> None:
        days = self._policy.archive_after_days
        if days is None:
            return
        before = self._now - days * _DAY
        for session_id, members in self._by_session():
            idle = max(row.touched_at for row in members) <= before
            chosen = tuple(row for row in members if not row.protected)
            if idle and chosen:
                self._archiving.append(Archiving(session_id, chosen))
                for row in chosen:
                    del self._kept[row.item_id]

    def displace_sessions(self) -> None:
        """Keeps the most recently touched sessions; of older ones only protected memories stay."""
        most = self._policy.max_sessions
        if most is not None:
            beyond = self._by_session()[most:]
            self._displace([row for _, members in beyond for row in members], Limit.SESSIONS)

    def displace_within_sessions(self) -> None:
        most = self._policy.max_memories_per_session
        if most is None:
            return
        for _, members in self._by_session():
            excess = len(members) - most
            if excess > 0:
                unprotected = [row for row in members if not row.protected]
                displaced = self._displace(sorted(unprotected, key=_rank)[:excess], Limit.PER_SESSION)
                if displaced < excess and Limit.PER_SESSION not in self._over:
                    self._over.append(Limit.PER_SESSION)

    def displace_by_size(self) -> None:
        most = self._policy.max_total_size_mb
        if most is None:
            return
        excess = sum(row.size_bytes for row in self._kept.values()) - most * BYTES_IN_A_MB
        old = [row for row in self._kept.values() if not row.protected and row.touched_at <= self._protected_since]
        for row in sorted(old, key=_rank):
            if excess <= 0:
                break
            self._displace([row], Limit.SIZE)
            excess -= row.size_bytes
        if excess > 0:
            self._over.append(Limit.SIZE)

    def done(self) -> RetentionPlan:
        kept = self._kept.values()
        return RetentionPlan(
            leaving=tuple(sorted(self._leaving, key=lambda row: _rank(row.holding))),
            archiving=tuple(self._archiving),
            sessions=len({row.session_id for row in kept} - {None}),
            memories=len(kept),
            size_bytes=sum(row.size_bytes for row in kept),
            still_over=tuple(self._over),
        )

    def _displace(self, chosen: Sequence[RetentionRow], limit: Limit) -> int:
        going = [row for row in chosen if not row.protected]
        self._leaving += [Leaving(row, limit) for row in going]
        for row in going:
            self._kept.pop(row.item_id, None)
        return len(going)

    def _by_session(self) -> list[tuple[str, list[RetentionRow]]]:
        """Groups kept memories by session, last touched first. Memories without a session are left out."""
        sessions: dict[str, list[RetentionRow]] = {}
        last: dict[str, tuple[float, int]] = {}
        for place, row in enumerate(self._kept.values()):
            if row.session_id is not None:
                sessions.setdefault(row.session_id, []).append(row)
                # Rows come in the order of storing: at the same moment the session stored later is the newer one.
                last[row.session_id] = max(last.get(row.session_id, (row.touched_at, place)), (row.touched_at, place))
        return sorted(sessions.items(), key=lambda pair: last[pair[0]], reverse=True)


def _rank(row: RetentionRow) -> tuple[float, float]:
    """Sort key: lowest importance first, then longest untouched."""
    return (row.importance, row.touched_at)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _count_problem(name: str, value: object) -> Problem | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return None
    return problem(name, Reason.NOT_A_COUNT, least=1, got=value)


def _amount_problem(name: str, value: object) -> Problem | None:
    if value is None or (_is_number(value) and 0 < value <= _MOST_DAYS):  # type: ignore[operator]
        return None
    return problem(name, Reason.NOT_A_LIMIT, low=0, high=_MOST_DAYS, got=value)


COORDINATES_V1 = RetentionPolicy(
    max_sessions=10,
    max_memories_per_session=500,
    max_total_size_mb=100,
    archive_after_days=30,
    delete_after_days=180,
)
PRESETS = {"coordinates-v1": COORDINATES_V1}
