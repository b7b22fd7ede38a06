"""The self: versions of its islands and beliefs, and limits on how much may change per session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Change, Channel, Part, ProposalKind
from celestial_engine.errors import Problem, Reason, problem

A_SESSION = timedelta(hours=24)  # opening new sessions does not reset the limit
MOST_CHANGED = 0.30
MAY_FORM = 5  # new parts per session, however small the self is
MAY_ALTER = 1


@dataclass(frozen=True)
class Self:
    """The islands and beliefs of an agent, as the user approved them."""

    islands: tuple[Island, ...] = ()
    beliefs: tuple[Belief, ...] = ()

    @property
    def size(self) -> int:
        return len(self.islands) + len(self.beliefs)

    @property
    def memories(self) -> frozenset[str]:
        """The ids of all founders and supports."""
        founding = {item_id for island in self.islands for item_id in island.founders}
        return frozenset(founding.union(*(belief.supports for belief in self.beliefs)))

    def parts(self) -> dict[tuple[Part, str], dict[str, Any]]:
        islands = {(Part.ISLAND, island.id): island.part for island in self.islands}
        return {**islands, **{(Part.BELIEF, belief.id): belief.part for belief in self.beliefs}}

    def island(self, island_id: str) -> Island | None:
        return next((island for island in self.islands if island.id == island_id), None)

    def belief(self, belief_id: str) -> Belief | None:
        return next((belief for belief in self.beliefs if belief.id == belief_id), None)


@dataclass(frozen=True)
class SelfVersion:
    """The self after an approval, with approver and channel; `formed` and `altered` count its changes."""

    version: int
    at: float
    proposal: str
    kind: ProposalKind
    by: str
    channel: Channel
    formed: int
    altered: int
    islands: tuple[Island, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    session_id: str | None = None

    @property
    def self(self) -> Self:
        return Self(self.islands, self.beliefs)


@dataclass(frozen=True)
class ChangeLimit:
    """How much more of the self may change in this session."""

    formed: int
    altered: int
    most: int
    most_altered: int

    def allows(self, formed: int, altered: int) -> bool:
        total = self.formed + self.altered + formed + altered
        return total <= self.most and self.altered + altered <= self.most_altered

    def problem_with(self, altered: int) -> Problem:
        """Returns the limit that forbids this many alterations."""
        if self.altered + altered > self.most_altered:
            return problem(None, Reason.ALTERED_MUCH, count=self.altered, most=self.most_altered)
        return problem(None, Reason.CHANGED_MUCH, count=self.formed + self.altered, most=self.most)


def change_limit(versions: Sequence[SelfVersion], session_id: str | None, now: float) -> ChangeLimit:
    """Returns the limits, relative to the self before this session; `versions` is newest first."""
    session_start = now - A_SESSION.total_seconds()
    recent = [
        version
        for version in versions
        if version.at > session_start or (session_id is not None and version.session_id == session_id)
    ]
    before = next((version for version in versions if version not in recent), None)
    share = int(MOST_CHANGED * (0 if before is None else before.self.size) + 1e-9)
    # A rollback to an approved version does not count as a change.
    counted = [version for version in recent if version.kind is not ProposalKind.SELF_ROLLBACK]
    return ChangeLimit(
        sum(version.formed for version in counted),
        sum(version.altered for version in counted),
        max(MAY_FORM, share),
        max(MAY_ALTER, share),
    )


def weight(changes: Iterable[Change], of_the_self: frozenset[str]) -> tuple[int, int]:
    """Returns how many parts these changes form, and how many they alter."""
    formed = altered = 0
    for change in changes:
        if change.on is Part.MEMORY:
            becomes_core = change.after is not None and "tier" in change.after
            altered += not becomes_core and change.id in of_the_self
        elif change.before is None:
            formed += 1
        else:
            altered += 1
    return formed, altered


def differences(now: Self, then: Self) -> tuple[Change, ...]:
    """Returns the changes that turn `now` into `then`."""
    current, target = now.parts(), then.parts()
    changed = [key for key in (*target, *current) if current.get(key) != target.get(key)]
    return tuple(Change(on, part_id, current.get((on, part_id)), target.get((on, part_id)))
                 for on, part_id in dict.fromkeys(changed))  # fmt: skip


def changed_part(present: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Returns the part with these fields replaced; None keeps a field."""
    return {**present, **{name: value for name, value in changes.items() if value is not None}}
