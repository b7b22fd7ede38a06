"""The self: its islands and beliefs, version by version, and how much of it may change at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Change, Channel, Part, ProposalKind
from celestial_engine.errors import Problem, Reason, problem

A_SESSION = timedelta(hours=24)  # whoever opens a new session every minute is still in the same one
MOST_CHANGED = 0.30
MAY_FORM = 5  # a young self may form so many parts in a session
MAY_ALTER = 1


@dataclass(frozen=True)
class Self:
    """Who this memory's agent is, as the user has approved it."""

    islands: tuple[Island, ...] = ()
    beliefs: tuple[Belief, ...] = ()

    @property
    def size(self) -> int:
        return len(self.islands) + len(self.beliefs)

    @property
    def memories(self) -> frozenset[str]:
        """Founders and supports."""
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
    """The self after an approval, by whom and by which way; `formed` and `altered` count its changes."""

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
class Room:
    """How much more of the self may change in this session."""

    formed: int
    altered: int
    most: int
    most_altered: int

    def allows(self, formed: int, altered: int) -> bool:
        every = self.formed + self.altered + formed + altered
        return every <= self.most and self.altered + altered <= self.most_altered

    def problem_with(self, altered: int) -> Problem:
        """The limit that is in the way of so many alterations."""
        if self.altered + altered > self.most_altered:
            return problem(None, Reason.ALTERED_MUCH, count=self.altered, most=self.most_altered)
        return problem(None, Reason.CHANGED_MUCH, count=self.formed + self.altered, most=self.most)


def room_left(versions: Sequence[SelfVersion], session_id: str | None, now: float) -> Room:
    """Of the self as it was before this session; `versions` newest first."""
    begun = now - A_SESSION.total_seconds()
    here = [one for one in versions if one.at > begun or (session_id is not None and one.session_id == session_id)]
    before = next((one for one in versions if one not in here), None)
    share = int(MOST_CHANGED * (0 if before is None else before.self.size) + 1e-9)
    # Coming back to what was approved before is no new change.
    counted = [one for one in here if one.kind is not ProposalKind.SELF_ROLLBACK]
    return Room(
        sum(one.formed for one in counted),
        sum(one.altered for one in counted),
        max(MAY_FORM, share),
        max(MAY_ALTER, share),
    )


def weight(changes: Iterable[Change], of_the_self: frozenset[str]) -> tuple[int, int]:
    """How many parts these changes form, and how many they alter."""
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
    """What would have to change for the self to be as it was then."""
    have, want = now.parts(), then.parts()
    changed = [key for key in (*want, *have) if have.get(key) != want.get(key)]
    return tuple(Change(on, part_id, have.get((on, part_id)), want.get((on, part_id)))
                 for on, part_id in dict.fromkeys(changed))  # fmt: skip


def changed_part(present: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    """A part with what is given; None leaves a field as it is."""
    return {**present, **{name: value for name, value in given.items() if value is not None}}
