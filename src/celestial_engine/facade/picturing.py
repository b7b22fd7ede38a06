"""Picturing: a memory as a whole, for whoever looks at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from celestial_engine.core.checks import LAST_SECOND
from celestial_engine.core.record.events import EventType
from celestial_engine.errors import InvalidInputError
from celestial_engine.facade.looking import Looking

if TYPE_CHECKING:
    from celestial_engine.core.guard.secrets import GuardPolicy
    from celestial_engine.core.orbit.picture import Insight, Outlook, Picture, Replay
    from celestial_engine.core.status import Status

MOST_PICTURED = 20_000
MOST_REPLAYED = 3_000
MOST_FRAMES = 200
MOST_DAYS = 400
_MOST_DEEDS = 200_000
_MOST_MOODS = 50_000
_MOST_MOVES = 20_000
_DAY = 86_400.0


class Picturing(Looking):
    """Everything at once, in a few columns; nothing here changes anything."""

    def orbits(
        self, limit: int = MOST_PICTURED, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Picture:
        """Every memory in orbit, with its score now, the most central first."""
        from celestial_engine.core.orbit.picture import pictured

        owner = self._owner.but(user_id, agent_id)
        _check_count("limit", limit, MOST_PICTURED)
        with self._store.read() as session:
            spots, total = session.pictures.orbit_points(owner, limit), session.orbits.count(owner)
        return pictured(self._zones.law.function, spots, total, self._now())

    def orbits_past(
        self,
        start: float | None = None,
        end: float | None = None,
        frames: int = 48,
        limit: int = MOST_REPLAYED,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Replay:
        """Where memories were at moments from `start` to `end` (the last thirty days), as the ledger tells it.

        Zones are those of the scores then, importances those of now. What was purged since cannot be shown.
        """
        from celestial_engine.core.orbit.picture import replayed

        now = self._now()
        end = now if end is None else min(now, _moment("end", end))
        start = end - 30 * _DAY if start is None else _moment("start", start)
        if start >= end:
            raise InvalidInputError(field="start", reason="it must be before the end, and in the past")
        _check_count("frames", frames, MOST_FRAMES, least=2)
        _check_count("limit", limit, MOST_REPLAYED)
        owner = self._owner.but(user_id, agent_id)
        with self._store.read() as session:
            spots = session.pictures.orbit_points(owner, limit, everywhere=True)
            deeds = session.pictures.past_events(owner, end, _MOST_DEEDS)
        moments = [start + (end - start) * frame / (frames - 1) for frame in range(frames)]
        return replayed(self._zones.law.function, spots, deeds, moments)

    def outlook(
        self, item_id: str, days: float = 30.0, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Outlook:
        """How a memory's score will fall, and through which zones it will drift, if nobody recalls it."""
        from celestial_engine.core.orbit.picture import Outlook, way_ahead

        if not 0 < days <= MOST_DAYS:
            raise InvalidInputError(field="days", reason=f"it must be more than 0 and at most {MOST_DAYS}")
        item, now = self.get(item_id, user_id=user_id, agent_id=agent_id), self._now()
        function = self._zones.law.function
        points, crossings = way_ahead(function, item, now, now + days * _DAY)
        return Outlook(points, crossings, function.calculate(item, now), item.expires_at)

    @property
    def guard(self) -> GuardPolicy:
        """What is done about each kind of secret."""
        return self._guard_policy

    def status(self, *, user_id: str | None = None, agent_id: str | None = None) -> Status:
        """What this memory works with, where it lies, and how much there is of it."""
        from celestial_engine.core.status import Status

        owner, mirror = self._owner.but(user_id, agent_id), self._store.mirror
        with self._store.read() as session:
            head, states = session.ledger.head(), session.items.state_counts(owner)
            return Status(
                at=self._now(),
                embedder=session.vectors.embedder_name(),
                dimensions=session.vectors.dimension(),
                without_vector=session.vectors.count_missing(None),
                words=session.search.word_analyser(),
                model=None if self._model is None else self._model.name,
                model_uses=tuple(sorted(use.value for use in self._model_uses)) if self._model else (),
                path=self.path,
                ledger_path=None if mirror is None else mirror.path,
                archive_path=self._store.archive_files.path,
                states={state.value: count for state, count in states.items()},
                entries=0 if head is None else head.number,
            )

    def insight(
        self,
        days: int = 90,
        utc_offset: int = 0,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Insight:
        """What happened day by day, what there is now, and how it felt; days begin `utc_offset` minutes early."""
        from celestial_engine.core.orbit.picture import Insight, days_of, moods_of

        _check_count("days", days, MOST_DAYS)
        shift, now = 60.0 * utc_offset, self._now()
        first = (now + shift) // _DAY * _DAY - shift - (days - 1) * _DAY
        owner = self._owner.but(user_id, agent_id)
        with self._store.read() as session:
            happened, census = (
                session.pictures.daily_event_counts(owner, first, first + days * _DAY),
                session.night.census(owner),
            )
            moods = session.pictures.moods(owner, first, _MOST_MOODS)
            told = session.ledger.latest(owner, (EventType.PROMOTED, EventType.FORGOTTEN), _MOST_MOVES)
            recent = [event for event in told if event.at >= first]
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
    """A source went into another of a longer lifetime; who was approved has that lifetime itself by now."""
    to = str(detail.get("tier", ""))
    return ("M365" if "approved_by" in detail else tier), to


def _moment(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < LAST_SECOND:
        raise InvalidInputError(field=name, reason=f"it is {value!r}, not seconds since 1970")
    return float(value)


def _check_count(name: str, value: int, most: int, least: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInputError(field=name, reason=f"it must be a whole number from {least} to {most}")
