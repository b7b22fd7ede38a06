"""Settings of imagination: whether, how often, and quiet hours in the owner's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo

from celestial_engine.core.patterns import compiled
from celestial_engine.errors import ConfigError, Expected, Reason, problem

MOST_A_DAY = 3
_HOURS_A_DAY = 24


@dataclass(frozen=True)
class QuietHours:
    """A range of hours in the owner's time zone: 22-8 is the night."""

    start: int = 22
    end: int = 8

    def __post_init__(self) -> None:
        hours = (self.start, self.end)
        if not all(type(hour) is int and 0 <= hour <= _HOURS_A_DAY for hour in hours) or self.start == self.end:
            raise ConfigError("quiet", Reason.WRONG_VALUE, expected=Expected.QUIET_HOURS, got=str(self))

    @classmethod
    def read(cls, text: str) -> QuietHours | None:
        """Parses "22-8"; returns None for "none"."""
        if text == "none":
            return None
        match = compiled(r"(\d{1,2})-(\d{1,2})").fullmatch(text)
        if match is None:
            raise ConfigError("quiet", Reason.WRONG_VALUE, expected=Expected.QUIET_HOURS, got=text)
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    def include(self, local: datetime) -> bool:
        if self.start < self.end:
            return self.start <= local.hour < self.end
        return local.hour >= self.start or local.hour < self.end


@dataclass(frozen=True)
class ImaginationSettings:
    """Disabled by default; `time_zone` is an IANA name, None the system's."""

    enabled: bool = False
    quiet: QuietHours | None = QuietHours()
    time_zone: str | None = None
    most_a_day: int = MOST_A_DAY
    idle_minutes: float = 60.0

    def __post_init__(self) -> None:
        problems = []
        if type(self.most_a_day) is not int or not 0 <= self.most_a_day <= MOST_A_DAY:
            problems.append(
                problem("most_a_day", Reason.WHOLE_OUT_OF_RANGE, low=0, high=MOST_A_DAY, got=self.most_a_day)
            )
        if not 0 < self.idle_minutes < float("inf"):
            problems.append(problem("idle_minutes", Reason.NOT_ABOVE, low=0, got=self.idle_minutes))
        if problems:
            raise ConfigError(*problems)
        if self.time_zone is not None:
            zone_named(self.time_zone)

    def local(self, now: float) -> datetime:
        """Returns the owner's local time."""
        zone = None if self.time_zone is None else zone_named(self.time_zone)
        return datetime.fromtimestamp(now, zone)


def zone_named(name: str) -> tzinfo:
    """Parses Asia/Seoul, or +09:00 if no time zone database is installed; UTC needs none."""
    if name == "UTC":
        return timezone.utc
    fixed = compiled(r"([+-])([01]\d|2[0-3]):([0-5]\d)").fullmatch(name) if isinstance(name, str) else None
    if fixed is not None:
        offset = timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
        return timezone(offset if fixed[1] == "+" else -offset)
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # imported late: rarely needed

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError, TypeError):
        raise ConfigError("time_zone", Reason.UNKNOWN_TIME_ZONE, got=name) from None
