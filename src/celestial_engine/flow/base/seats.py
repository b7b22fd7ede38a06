"""The seats of the bounded zones while several memories of one owner arrive in turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.zones import Body, Move, ZoneView
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Reader


@dataclass
class Seats:
    """How many memories each bounded zone has, and those of them that may be displaced."""

    law: Law
    now: float
    counts: dict[int, int]
    lowest: Mapping[int, dict[int, Body]]  # by zone and key

    @classmethod
    def read(cls, session: Reader, law: Law, owner: Owner, now: float, arriving: int) -> Seats:
        """Read what is needed to seat so many memories, one after the other."""
        zones = [zone.zone_id for zone in law.function.zones.bounded]
        # Of each piece, every arrival may displace one memory and be another one itself.
        lowest = {zone: session.orbits.lowest(owner, zone, 2 * arriving + 1) for zone in zones}
        counts = dict(session.orbits.zone_counts(owner, zones))
        return cls(law, now, counts, {zone: {body.key: body for body in lowest[zone]} for zone in zones})

    def views(self) -> dict[int, ZoneView]:
        return {zone: ZoneView(count, self._lowest_in(zone)) for zone, count in self.counts.items()}

    def move(self, moves: Iterable[Move]) -> None:
        """Let memories that were displaced take their new zones."""
        for move in moves:
            body = self.lowest[move.from_zone][move.key]
            self.put(body._replace(zone=move.to_zone), move.from_zone)

    def put(self, body: Body, from_zone: int) -> None:
        """Note where a memory is now, and where it came from; zones without limit are not counted."""
        if from_zone in self.counts:
            self.lowest[from_zone].pop(body.key, None)
            self.counts[from_zone] -= 1
        if body.zone in self.counts:
            self.lowest[body.zone][body.key] = body
            self.counts[body.zone] += 1

    def _lowest_in(self, zone: int) -> tuple[Body, float] | None:
        scored = [
            (self.law.function.score_at(body.piece, body.level, self.now), body.key, body)
            for body in self.lowest[zone].values()
        ]
        if not scored:
            return None
        score, _, body = min(scored)
        return body, score
