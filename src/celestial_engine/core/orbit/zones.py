"""The five zones, their bounds and slots, and which memories get a slot when a zone is full."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from celestial_engine.errors import ConfigError, Problem, Reason, problem

# A score computed in two ways (as a sum, or along its line) may differ in the last digits.
# Within this tolerance a score counts as on the bound.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ZoneConfig:
    """One zone: memories that score at least `score_min` belong here, if one of `max_slots` is free."""

    zone_id: int
    name: str
    max_slots: int | None  # None: no limit
    score_min: float
    score_max: float = math.inf


DEFAULT_ZONES: tuple[ZoneConfig, ...] = (
    ZoneConfig(0, "core", 20, 0.50),
    ZoneConfig(1, "inner", 100, 0.30, 0.50),
    ZoneConfig(2, "outer", 1000, 0.10, 0.30),
    ZoneConfig(3, "belt", None, -0.10, 0.10),
    ZoneConfig(4, "cloud", None, -math.inf, -0.10),
)


class Body(NamedTuple):
    """The numbers of a memory that its rank depends on."""

    key: int  # the store's row key, ascending with time; newer wins a tie
    zone: int
    piece: int
    level: float


@dataclass(frozen=True)
class Move:
    """A move between zones; `displaced` if its score allows a better zone, but others score higher."""

    key: int
    from_zone: int
    to_zone: int
    displaced: bool = False


@dataclass(frozen=True)
class ZoneView:
    """How full a bounded zone is, and the memory in it that scores lowest now."""

    count: int
    lowest: tuple[Body, float] | None  # the body and its score


class Zones:
    """The zone table: bounds from score to zone, and the capacity plan."""

    def __init__(self, configs: Iterable[ZoneConfig] | None = None) -> None:
        self.configs = tuple(sorted(configs or DEFAULT_ZONES, key=lambda zone: zone.zone_id))
        problems = _problems(self.configs)
        if problems:
            raise ConfigError(*problems)
        self.bounded = tuple(zone for zone in self.configs if zone.max_slots is not None)
        # Memories without a slot go to the first zone without a limit.
        self.overflow_zone = len(self.bounded)
        self.slots = sum(zone.max_slots or 0 for zone in self.bounded)
        self.outermost = len(self.configs) - 1
        self._floors = tuple(zone.score_min - _TOLERANCE for zone in self.configs)

    def zone_of(self, score: float) -> int:
        """Returns the zone for a score, regardless of free slots."""
        for zone, floor in enumerate(self._floors):
            if score >= floor:
                return zone
        return self.outermost

    def floor_of(self, zone: int) -> float:
        return self._floors[zone]

    def capacity_floor(self) -> float:
        """The lowest score that competes for a slot."""
        return self._floors[self.overflow_zone - 1] if self.bounded else math.inf

    def plan_arrival(self, key: int, score: float, from_zone: int, views: Mapping[int, ZoneView]) -> list[Move]:
        """Returns the moves when one memory arrives: its own, and those of memories it displaces.

        Memories that score higher are never displaced. In `views` the arriving memory is still in `from_zone`.
        """
        moves: list[Move] = []
        mover, origin = key, from_zone
        zone = self.zone_of(score)
        while zone < self.overflow_zone and zone != origin:
            view = views[zone]
            taken = view.count - (zone == from_zone)  # its old slot is free
            if taken < (self.configs[zone].max_slots or 0):
                break
            if view.lowest is not None and view.lowest[0].key != key and view.lowest[1] < score:
                body, score = view.lowest
                moves.append(Move(mover, origin, zone))
                mover, origin = body.key, zone
            zone += 1
        if zone != origin:
            moves.append(Move(mover, origin, zone))
        return moves

    def plan_capacity(self, ranked: Sequence[tuple[Body, float]]) -> list[Move]:
        """Assigns slots to all competing memories; `ranked` is best first, each with its current score."""
        free = [zone.max_slots or 0 for zone in self.bounded]
        moves = []
        for body, score in ranked:
            zone = wanted = self.zone_of(score)
            while zone < self.overflow_zone and free[zone] == 0:
                zone += 1
            if zone < self.overflow_zone:
                free[zone] -= 1
            if zone != body.zone:
                moves.append(Move(body.key, body.zone, zone, displaced=zone > wanted))
        return moves

    def next_overtaking(
        self, ranked: Sequence[tuple[Body, float]], slopes: Sequence[float], now: float
    ) -> float | None:
        """Returns the first moment at which a memory outside a full zone may outscore one inside.

        Scores fall along straight lines, `level + slope * t`, and all lines of a piece are parallel.
        So across each border only the lowest line inside and the highest outside of each piece matter.
        """
        borders = self._full_borders([score for _, score in ranked])
        moments = [
            (low.level - high.level) / (slopes[high.piece] - slopes[low.piece])
            for end in borders
            if end < len(ranked)
            for low in _extremes(ranked[:end], highest=False)
            for high in _extremes(ranked[end:], highest=True)
            if slopes[low.piece] < slopes[high.piece]
        ]
        # Rounding may put the moment into the past; then it is the next representable moment.
        return max(math.nextafter(now, math.inf), min(moments)) if moments else None

    def _full_borders(self, scores: Sequence[float]) -> list[int]:
        """Returns, for each full zone, how many memories are inside its outer border."""
        borders = []
        seated = 0
        for zone in self.bounded:
            slots = zone.max_slots or 0
            inside = sum(score >= self._floors[zone.zone_id] for score in scores[seated : seated + slots])
            seated += inside
            if inside == slots:
                borders.append(seated)
        return borders


def rank(scored: Iterable[tuple[Body, float]]) -> list[tuple[Body, float]]:
    """Sorts best first; ties go to the newer."""
    return sorted(scored, key=lambda pair: (-pair[1], -pair[0].key))


def _extremes(ranked: Sequence[tuple[Body, float]], *, highest: bool) -> list[Body]:
    """Returns the body with the highest or lowest line for each piece."""
    extremes: dict[int, Body] = {}
    for body, _ in ranked:
        extreme = extremes.get(body.piece)
        if extreme is None or (body.level > extreme.level) == highest:
            extremes[body.piece] = body
    return list(extremes.values())


def _problems(zones: Sequence[ZoneConfig]) -> list[Problem]:
    if not zones:
        return [problem("zones", Reason.ZONES_EMPTY)]
    problems = []
    if [zone.zone_id for zone in zones] != list(range(len(zones))):
        problems.append(problem("zones", Reason.ZONE_IDS))
    floors = [zone.score_min for zone in zones]
    if any(math.isnan(floor) for floor in floors) or sorted(set(floors), reverse=True) != floors:
        problems.append(problem("zones", Reason.ZONE_FLOORS))
    if floors[-1] != -math.inf:
        problems.append(problem("zones", Reason.ZONE_OUTERMOST_SCORE))
    if zones[-1].max_slots is not None:
        problems.append(problem("zones", Reason.ZONE_OUTERMOST_LIMIT))
    limits = [zone.max_slots for zone in zones]
    if any(limit is not None and (not isinstance(limit, int) or limit < 1) for limit in limits):
        problems.append(problem("max_slots", Reason.NOT_A_COUNT, least=1, got=limits))
    elif sorted(limits, key=lambda limit: limit is None) != limits:
        problems.append(problem("zones", Reason.ZONE_LIMITS))
    return problems
