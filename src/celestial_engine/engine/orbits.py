"""`memory.orbits`: where all memories are and were, and daily statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.checks import LAST_SECOND, check_id
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine.parts import Area
from celestial_engine.errors import Expected, InvalidInputError, Reason
from celestial_engine.flow.base.placement import get_item

if TYPE_CHECKING:
    from celestial_engine.core.orbit.picture import Insight, OrbitSnapshot, Outlook, Replay

MOST_PICTURED = 20_000
MOST_REPLAYED = 3_000
MOST_FRAMES = 200
MOST_DAYS = 400
_MOST_DEEDS = 200_000
_MOST_SAMPLED = 200_000
_MOST_MOODS = 50_000
_MOST_MOVES = 20_000
_DAY = 86_400.0


class OrbitsArea(Area):
    """The zones and everything in them. Read-only."""

    def zones(self) -> Sequence[ZoneConfig]:
        """Returns the zones of this database, from the sun outward."""
        return self._parts.law().function.zones.configs

    def population(self) -> dict[str, int]:
        """Counts the memories in orbit, of all owners, by zone name."""
        with self._parts.store.read() as session:
            counts = session.night.population()
        return {zone.name: counts.get(zone.zone_id, 0) for zone in self.zones()}

    def zone_counts(self) -> dict[int, int]:
        """Counts this owner's memories in orbit by zone."""
        with self._parts.store.read() as session:
            return dict(session.night.census(self._parts.owner).zones)

    def picture(self, limit: int = MOST_PICTURED) -> OrbitSnapshot:
        """Returns every memory in orbit with its current score, the most central first."""
        from celestial_engine.core.orbit.picture import orbit_snapshot

        owner = self._parts.owner
        _check_count("limit", limit, MOST_PICTURED)
        with self._parts.store.read() as session:
            spots, total = session.pictures.orbit_points(owner, limit), session.orbits.count(owner)
        return orbit_snapshot(self._parts.law().function, spots, total, self._parts.now())

    def replay(
        self,
        start: float | None = None,
        end: float | None = None,
        frames: int = 48,
        limit: int = MOST_REPLAYED,
    ) -> Replay:
        """Replays where memories were, from `start` to `end` (default: the last thirty days), from the ledger.

        Zones are those of the scores then, importances those of now. Purged memories cannot be shown. Of more than
        `limit` memories an even sample is replayed.
        """
        from celestial_engine.core.orbit.picture import replay_orbits

        now = self._parts.now()
        end = now if end is None else min(now, _moment("end", end))
        start = end - 30 * _DAY if start is None else _moment("start", start)
        if start >= end:
            raise InvalidInputError("start", Reason.NOT_IN_THE_PAST)
        _check_count("frames", frames, MOST_FRAMES, least=2)
        _check_count("limit", limit, MOST_REPLAYED)
        owner = self._parts.owner
        with self._parts.store.read() as session:
            everybody = session.pictures.orbit_points(owner, _MOST_SAMPLED, everywhere=True)
            # Every so many of all, in the order of zones: the newest alone would have had no past.
            spots = everybody[:: -(-len(everybody) // limit) or 1]
            deeds = session.pictures.past_events(owner, end, _MOST_DEEDS)
        moments = [start + (end - start) * frame / (frames - 1) for frame in range(frames)]
        return replay_orbits(self._parts.law().function, spots, deeds, moments, len(everybody))

    def outlook(self, item_id: str, days: float = 30.0) -> Outlook:
        """Predicts how a memory's score will fall, and through which zones, if it is not recalled."""
        from celestial_engine.core.orbit.picture import Outlook, future_scores

        if not 0 < days <= MOST_DAYS:
            raise InvalidInputError("days", Reason.NOT_ABOVE_UP_TO, low=0, high=MOST_DAYS, got=days)
        item, now = self._item(item_id), self._parts.now()
        function = self._parts.law().function
        points, crossings = future_scores(function, item, now, now + days * _DAY)
        # What is protected or a lasting fact has an end on paper only.
        ends = None if item.is_lasting or item.protection is not Protection.NONE else item.expires_at
        return Outlook(points, crossings, function.calculate(item, now), ends)

    def _item(self, item_id: str) -> CelestialItem:
        with self._parts.store.read() as session:
            return get_item(session, self._parts.owner, check_id(item_id))

    def insight(
        self,
        days: int = 90,
        utc_offset: int = 0,
    ) -> Insight:
        """Returns daily events, current counts and emotions; days begin `utc_offset` minutes early."""
        from celestial_engine.core.orbit.picture import Insight, days_of, moods_of

        _check_count("days", days, MOST_DAYS)
        shift, now = 60.0 * utc_offset, self._parts.now()
        first = (now + shift) // _DAY * _DAY - shift - (days - 1) * _DAY
        owner = self._parts.owner
        with self._parts.store.read() as session:
            happened, census = (
                session.pictures.daily_event_counts(owner, first, first + days * _DAY),
                session.night.census(owner),
            )
            moods = session.pictures.moods(owner, first, _MOST_MOODS)
            events = session.ledger.latest(owner, (EventType.PROMOTED, EventType.FORGOTTEN), _MOST_MOVES)
            recent = [event for event in events if event.at >= first]
            tiers = session.pictures.tiers(owner, [event.item_id or "" for event in recent])
        promotions: Counter[tuple[str, str]] = Counter()
        departures: Counter[tuple[str, str]] = Counter()
        for event in recent:
            tier = tiers.get(event.item_id or "", "")
            if event.type is EventType.FORGOTTEN:
                departures[(tier, str(event.detail.get("reason", "")))] += 1
            elif "into" in event.detail or "approved_by" in event.detail:
                promotions[_step(tier, event.detail)] += 1
        return Insight(
            days_of([first + number * _DAY for number in range(days)], happened, census.in_orbit),
            census.zones,
            {tier.value: count for tier, count in census.tiers.items()},
            promotions,
            departures,
            moods_of(moods, first),
        )


def _step(tier: str, detail: Mapping[str, object]) -> tuple[str, str]:
    """Returns the tiers before and after a promotion.

    A distilled source still has its own tier; an approved memory already has the new one, so it was M365.
    """
    to = str(detail.get("tier", ""))
    return ("M365" if "approved_by" in detail else tier), to


def _moment(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < LAST_SECOND:
        raise InvalidInputError(name, Reason.WRONG_VALUE, expected=Expected.EPOCH_SECONDS, got=value)
    return float(value)


def _check_count(name: str, value: int, most: int, least: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInputError(name, Reason.WHOLE_OUT_OF_RANGE, low=least, high=most, got=value)
