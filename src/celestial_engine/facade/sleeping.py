"""Sleeping: the night's work, by hand or when it is due, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_limit
from celestial_engine.core.record.events import EventType
from celestial_engine.errors import InvalidInputError
from celestial_engine.facade.ground import Ground

if TYPE_CHECKING:
    from celestial_engine.core.night.sleep import Duty, SleepReport, SleepSettings, SleepStatus
    from celestial_engine.facade.night import Progress, Sleeper, Work


class Sleeping(Ground):
    """What a memory does while nobody asks it anything."""

    def _sleep_by(
        self, works: Callable[[], Mapping[Duty, Work]], settings: SleepSettings | None, woken: Callable[[], bool]
    ) -> None:
        """How it sleeps, and what ends a night early. What a night needs is loaded for the first one."""
        self._how_it_sleeps = (works, settings, woken)

    @cached_property
    def _sleeper(self) -> Sleeper:
        from celestial_engine.core.night.sleep import SleepSettings
        from celestial_engine.facade.night import Sleeper

        works, settings, woken = self._how_it_sleeps
        return Sleeper(self._zones, works(), settings or SleepSettings(), self._now, woken)

    def sleep(
        self,
        *,
        duties: Iterable[Duty | str] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
        progress: Progress | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> SleepReport:
        """The duties of one owner's night that are due by the calendar, or those that are named.

        `force` does all of them now, whoever else may be at it; `dry_run` only plans; `allow_large` is the user's
        word that many memories may leave at once. `progress` is told the duty, how far it is, and of how much.
        """
        from celestial_engine.facade.night import Wish

        wish = Wish(_checked(duties), dry_run, force, allow_large, progress)
        return self._sleeper.sleep(self._owner.but(user_id, agent_id), wish)

    def sleep_everybody(
        self,
        *,
        duties: Iterable[Duty | str] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
        progress: Progress | None = None,
    ) -> Sequence[SleepReport]:
        """The same for every owner in the store, one after the other."""
        from celestial_engine.facade.night import Wish

        return self._sleeper.sleep_everybody(Wish(_checked(duties), dry_run, force, allow_large, progress))

    def sleep_if_due(self) -> Sequence[SleepReport]:
        """Everybody's night, if nobody has done it today (in UTC); gives what was done."""
        return self._sleeper.sleep_if_due()

    def sleep_status(self, *, user_id: str | None = None, agent_id: str | None = None) -> SleepStatus:
        """Each duty's last and next run, and who is asleep just now."""
        return self._sleeper.status(self._owner.but(user_id, agent_id))

    def sleep_reports(
        self, limit: int = 10, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[SleepReport]:
        """The last nights, newest first, as the ledger tells of them: in numbers."""
        from celestial_engine.core.night.sleep import SleepReport

        with self._store.read() as session:
            nights = session.ledger.latest(self._owner.but(user_id, agent_id), (EventType.SLEPT,), check_limit(limit))
        return [SleepReport.from_event(night) for night in nights]


def _checked(duties: Iterable[Duty | str] | None) -> tuple[Duty, ...] | None:
    from celestial_engine.core.night.sleep import Duty, in_order

    try:
        return None if duties is None else in_order(duties)
    except ValueError as error:
        names = ", ".join(duty.value for duty in Duty)
        raise InvalidInputError(field="duties", reason=f"{error}; there are {names}") from None
