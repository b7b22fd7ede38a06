"""What a language model may be asked for, and how much of it a day."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from celestial_engine.errors import ConfigError, Reason

SECONDS_A_DAY = 86_400


class ModelUse(str, Enum):
    """What a language model can do better than rules, for money."""

    IMPORTANCE = "importance"  # a call for every memory that is stored
    PERCEPTION = "perception"  # the same
    EMOTION = "emotion"  # the same
    DISTILLATION = "distillation"  # a few calls a night
    IMAGINATION = "imagination"  # at most three calls a day, and only where imagining is on

    @classmethod
    def named(cls, name: str) -> ModelUse:
        try:
            return cls(name)
        except ValueError:
            raise ConfigError(
                "model.use", Reason.UNKNOWN_CHOICE, got=name, choices=tuple(use.value for use in cls)
            ) from None


@dataclass(frozen=True)
class ModelSettings:
    """`daily_calls` and `daily_tokens` count by UTC day, for all who use one database; None: no limit."""

    uses: frozenset[ModelUse] = frozenset({ModelUse.DISTILLATION, ModelUse.IMAGINATION})
    daily_calls: int | None = 1_000
    daily_tokens: int | None = 1_000_000

    def __post_init__(self) -> None:
        for name in ("daily_calls", "daily_tokens"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ConfigError(name, Reason.NOT_A_COUNT, least=0, got=value)
        object.__setattr__(self, "uses", frozenset(map(ModelUse.named, self.uses)))  # their names will do


def utc_day(now: float) -> int:
    """The number of the day, counted from 1970, in which that moment lies."""
    return int(now // SECONDS_A_DAY)
