"""The brake on automatic removals: how many memories may leave at once without the user's word."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import ConfigError, Reason, problem


@dataclass(frozen=True)
class SleepSettings:
    """How many of the memories in orbit one run, a night or a rebalance, may remove without asking."""

    max_leaving_share: float = 0.20
    always_allowed: int = 5  # this many may leave however few memories there are

    def __post_init__(self) -> None:
        problems = []
        if not 0.0 <= self.max_leaving_share <= 1.0:
            problems.append(
                problem("max_leaving_share", Reason.OUT_OF_RANGE, low=0, high=1, got=self.max_leaving_share)
            )
        if self.always_allowed < 0:
            problems.append(problem("always_allowed", Reason.TOO_SMALL, least=0, got=self.always_allowed))
        if problems:
            raise ConfigError(*problems)

    def allows(self, leaving: int, in_orbit: int) -> bool:
        return leaving <= max(self.always_allowed, self.max_leaving_share * in_orbit)
