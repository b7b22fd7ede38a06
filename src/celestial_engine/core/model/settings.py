"""Settings of the language model: what it is used for, and daily limits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from celestial_engine.errors import ConfigError, Reason

SECONDS_A_DAY = 86_400


class ModelUse(str, Enum):
    """Tasks that a language model can do instead of rules, at a cost."""

    IMPORTANCE = "importance"  # one call per stored memory
    PERCEPTION = "perception"  # the same
    EMOTION = "emotion"  # the same
    UNDERSTANDING = "understanding"  # one call per turn that the classifiers are unsure of, and a few a night
    DISTILLATION = "distillation"  # a few calls a night
    IMAGINATION = "imagination"  # at most three calls a day, and only if imagination is enabled

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
    """`daily_calls` and `daily_tokens` count per UTC day and database; None: no limit."""

    uses: frozenset[ModelUse] = frozenset({ModelUse.DISTILLATION, ModelUse.IMAGINATION})
    daily_calls: int | None = 1_000
    daily_tokens: int | None = 1_000_000

    def __post_init__(self) -> None:
        for name in ("daily_calls", "daily_tokens"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ConfigError(name, Reason.NOT_A_COUNT, least=0, got=value)
        object.__setattr__(self, "uses", frozenset(map(ModelUse.named, self.uses)))  # names are accepted


def utc_day(now: float) -> int:
    """Returns the UTC day as the number of days since 1970."""
    return int(now // SECONDS_A_DAY)
