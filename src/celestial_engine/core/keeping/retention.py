"""How much is kept, and for how long: a policy, and the plan that carries it out. Off unless somebody sets one."""

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
    """Which part of a policy asks a memory to leave."""

    AGE = "delete_after_days"
    SESSIONS = "max_sessions"
    PER_SESSION = "max_memories_per_session"
    SIZE = "max_total_size_mb"

    @property
    def reason(self) -> DepartureReason:
        return DepartureReason.EXPIRED if self is Limit.AGE else DepartureReason.DISPLACED


@dataclass(frozen=True)
class RetentionPolicy:
    """The limits of one owner's memory; None is no limit. Days count from when a memory was last touched."""

    max_sessions: int | None = None
    max_memories_per_session: int | None = None
    max_total_size_mb: float | None = None
    archive_after_days: float | None = None
    delete_after_days: float | None = None
    protected_days: float = 7.0  # whatever was touched in these last days stays

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
        found = [one for one in problems if one]
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
    """A memory as retention sees it: what it weighs, and no text."""

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
    """What would leave, lowest importance first, what would be archived, and what is left then."""

    leaving: tuple[Leaving, ...] = ()
    archiving: tuple[Archiving, ...] = ()
    sessions: int = 0
    memories: int = 0
    size_bytes: int = 0
    still_over: tuple[Limit, ...] = field(default=())  # limits that protected memories keep from being met

    @property
    def archived_memories(self) -> int:
        return sum(len(one.holdings) for one in self.archiving)


def plan_retention(holdings: Iterable[RetentionRow], policy: RetentionPolicy, now: float) -> RetentionPlan:
    """Too old goes, idle sessions are archived, and only what is then still too much is displaced.

    What is protected, or was touched in the last days, is never asked to leave.
    """
    plan = _Planning(holdings, policy, now)
    plan.expire()
    plan.archive()
    plan.displace_sessions()
    plan.displace_within_sessions()
    plan.displace_by_size()
    return plan.done()


class _Planning:
    """One run of the rules; each looks only at what the earlier ones left."""

    def __init__(self, holdings: Iterable[RetentionRow], policy: RetentionPolicy, now: float) -> None:
        self._policy = policy
        self._now = now
        self._protected_since = now - policy.protected_days * _DAY
        everything = list(holdings)
        self._shelved = [one for one in everything if one.archived]
        self._kept = {one.item_id: one for one in everything if not one.archived}
        self._leaving: list[Leaving] = []
        self._archiving: list[Archiving] = []
        self._over: list[Limit] = []

    def expire(self) -> None:
        days = self._policy.delete_after_days
        if days is not None:
            before = self._now - days * _DAY
            old = [one for one in (*self._shelved, *self._kept.values()) if one.touched_at <= before]
            self._displace(old, Limit.AGE)

    def archive(self) -> None:
        days = self._policy.archive_after_days
        if days is None:
            return
        before = self._now - days * _DAY
        for session_id, members in self._by_session():
            idle = _touched(members) <= min(before, self._protected_since)
            chosen = tuple(one for one in members if not one.protected)
            if idle and chosen:
                self._archiving.append(Archiving(session_id, chosen))
                for one in chosen:
                    del self._kept[one.item_id]

    def displace_sessions(self) -> None:
        """The sessions that were touched last stay whole; of the older ones only what is protected does."""
        most = self._policy.max_sessions
        if most is not None:
            beyond = self._by_session()[most:]
            self._displace([one for _, members in beyond for one in members], Limit.SESSIONS)
            if any(one.item_id in self._kept and not one.protected for _, members in beyond for one in members):
                self._over.append(Limit.SESSIONS)

    def displace_within_sessions(self) -> None:
        most = self._policy.max_memories_per_session
        if most is None:
            return
        for _, members in self._by_session():
            excess = len(members) - most
            if excess > 0:
                gone = self._displace(self._least([one for one in members if self._may_go(one)])[:excess],
                                      Limit.PER_SESSION)  # fmt: skip
                if gone < excess and Limit.PER_SESSION not in self._over:
                    self._over.append(Limit.PER_SESSION)

    def displace_by_size(self) -> None:
        most = self._policy.max_total_size_mb
        if most is None:
            return
        excess = sum(one.size_bytes for one in self._kept.values()) - most * BYTES_IN_A_MB
        for one in self._least([one for one in self._kept.values() if self._may_go(one)]):
            if excess <= 0:
                break
            self._displace([one], Limit.SIZE)
            excess -= one.size_bytes
        if excess > 0:
            self._over.append(Limit.SIZE)

    def done(self) -> RetentionPlan:
        kept = self._kept.values()
        return RetentionPlan(
            leaving=tuple(sorted(self._leaving, key=lambda one: _rank(one.holding))),
            archiving=tuple(self._archiving),
            sessions=len({one.session_id for one in kept} - {None}),
            memories=len(kept),
            size_bytes=sum(one.size_bytes for one in kept),
            still_over=tuple(self._over),
        )

    def _displace(self, chosen: Sequence[RetentionRow], limit: Limit) -> int:
        going = [one for one in chosen if self._may_go(one)]
        self._leaving += [Leaving(one, limit) for one in going]
        for one in going:
            self._kept.pop(one.item_id, None)
        return len(going)

    def _may_go(self, one: RetentionRow) -> bool:
        return not one.protected and one.touched_at <= self._protected_since

    def _by_session(self) -> list[tuple[str, list[RetentionRow]]]:
        """What is kept, by session, last touched first. Memories of no session are in none of them."""
        sessions: dict[str, list[RetentionRow]] = {}
        for one in self._kept.values():
            if one.session_id is not None:
                sessions.setdefault(one.session_id, []).append(one)
        return sorted(sessions.items(), key=lambda pair: _touched(pair[1]), reverse=True)

    @staticmethod
    def _least(holdings: Sequence[RetentionRow]) -> list[RetentionRow]:
        return sorted(holdings, key=_rank)


def _rank(one: RetentionRow) -> tuple[float, float]:
    """Lowest importance first, then the longest untouched."""
    return (one.importance, one.touched_at)


def _touched(members: Iterable[RetentionRow]) -> float:
    return max(one.touched_at for one in members)


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
