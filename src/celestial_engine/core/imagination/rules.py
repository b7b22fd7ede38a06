"""Rules of imagination: when ideas are allowed, which memories they may use, and feedback per pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from typing import Any

from celestial_engine.core.guard.secrets import GuardAction, GuardPolicy, redact_secrets
from celestial_engine.core.imagination.settings import ImaginationSettings
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.errors import Problem, SecretError

TAG = "imagination"
BY_TEMPLATES, BY_MODEL = "templates", "model"
FREE = "free"  # the pattern of ideas that a language model made without a template

STARTING, FAINTEST = 0.5, 0.15  # below FAINTEST a pattern is not used until it is liked again
_GAIN, _LOSS, _IGNORED = 0.3, 0.6, 0.9
_DAY = timedelta(days=1).total_seconds()
_EVERYTHING = GuardPolicy.everything(GuardAction.REDACT)
_REDACTED = re.compile(r"\[(?:redacted|가림): ")


class Trigger(str, Enum):
    """What triggered an idea."""

    CONTEXT = "context"
    IDLE = "idle"
    TIME_OF_DAY = "time_of_day"


class WhyNot(str, Enum):
    """Why nothing was imagined."""

    OFF = "off"
    QUIET_HOURS = "quiet_hours"
    ENOUGH_TODAY = "enough_today"
    NO_TRIGGER = "no_trigger"
    NO_IDEA = "no_idea"


class DayPart(str, Enum):
    NIGHT = "night"
    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"

    @classmethod
    def of(cls, hour: int) -> DayPart:
        return next(part for until, part in _UNTIL if hour < until)


_UNTIL = (
    (5, DayPart.NIGHT), (11, DayPart.MORNING), (14, DayPart.NOON), (18, DayPart.AFTERNOON), (22, DayPart.EVENING),
    (24, DayPart.NIGHT),
)  # fmt: skip
_TRIGGERING_PARTS = (DayPart.MORNING, DayPart.EVENING)  # times of day that are a trigger themselves


@dataclass(frozen=True)
class Imagination:
    """An idea: the memories it combines, a suggested action, and the emotion to show."""

    id: str
    at: float
    trigger: Trigger
    pattern: str
    memories_used: tuple[str, ...]
    scenario: str
    action: str | None
    emotion: str
    by: str = BY_TEMPLATES
    liked: bool | None = None

    def details(self) -> dict[str, Any]:
        """Returns the metadata to store with its memory."""
        return {
            TAG: {
                "trigger": self.trigger.value, "pattern": self.pattern, "memories_used": list(self.memories_used),
                "action": self.action, "emotion": self.emotion, "by": self.by, "liked": self.liked,
            }
        }  # fmt: skip


@dataclass(frozen=True)
class Imagined:
    """An imagination, or why there is none; `refused` says why a language model's text was rejected."""

    imagination: Imagination | None = None
    why_not: WhyNot | None = None
    refused: Problem | None = None


def imagination_in(item: CelestialItem) -> Imagination | None:
    """Restores the imagination from a memory's metadata; None if there is none or it is invalid."""
    stored = item.metadata.get(TAG)
    if item.source is not Source.IMAGINATION or not isinstance(stored, Mapping):
        return None
    try:
        action, liked = stored.get("action"), stored.get("liked")
        return Imagination(
            item.id, item.created_at, Trigger(stored["trigger"]), str(stored["pattern"]),
            tuple(map(str, stored["memories_used"])), item.content, None if action is None else str(action),
            str(stored["emotion"]), str(stored["by"]), liked if isinstance(liked, bool) else None,
        )  # fmt: skip
    except (KeyError, ValueError, TypeError):
        return None


# -- when ---------------------------------------------------------------------------------------------


def of_today(moments: Iterable[float], now: float, settings: ImaginationSettings) -> list[float]:
    """Returns the moments on the owner's current calendar day.

    Moments less than a day ahead count too, so that setting the clock back does not reset the daily limit.
    """
    today = settings.local(now).date()
    return [at for at in moments if settings.local(at).date() == today or now < at < now + _DAY]


def why_not(moments: Sequence[float], now: float, settings: ImaginationSettings) -> WhyNot | None:
    """Returns why no idea is allowed now, or None; `moments` are the times of the last imaginations."""
    if not settings.enabled:
        return WhyNot.OFF
    if settings.quiet is not None and settings.quiet.include(settings.local(now)):
        return WhyNot.QUIET_HOURS
    if len(of_today(moments, now, settings)) >= settings.most_a_day:
        return WhyNot.ENOUGH_TODAY
    return None


def trigger_of(
    moments: Sequence[float], now: float, settings: ImaginationSettings, idle_seconds: float, *, telling: bool
) -> Trigger | None:
    """Returns the trigger: a telling context, a pause, or morning and evening, once each."""
    if telling:
        return Trigger.CONTEXT
    if idle_seconds >= 60.0 * settings.idle_minutes:
        return Trigger.IDLE
    part = DayPart.of(settings.local(now).hour)
    used_parts = {DayPart.of(settings.local(at).hour) for at in of_today(moments, now, settings)}
    return Trigger.TIME_OF_DAY if part in _TRIGGERING_PARTS and part not in used_parts else None


# -- which memories ------------------------------------------------------------------------------------------


def usable(item: CelestialItem, now: float) -> bool:
    """Whether ideas may use a memory: active, still valid, trusted, without secrets, not imagined."""
    return (
        item.state is State.ACTIVE
        and item.trust is not Trust.LOW
        and item.source is not Source.IMAGINATION
        and TAG not in item.tags
        and item.validity.holds_at(now)
        and (item.expires_at is None or item.expires_at > now)
        and not has_secret(item.content)
    )


def has_secret(text: str) -> bool:
    """Whether a text has a redacted secret, or one that the strictest policy would redact."""
    try:
        return _REDACTED.search(text) is not None or bool(redact_secrets(text, _EVERYTHING).findings)
    except SecretError:
        return True


# -- feedback -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PatternStrength:
    """The strength of a pattern by feedback, 0..1. `waiting` is the imagination without feedback so far."""

    pattern: str
    strength: float = STARTING
    liked: int = 0
    rejected: int = 0
    ignored: int = 0
    last_at: float | None = None
    waiting: str | None = None

    @property
    def silent(self) -> bool:
        return self.strength < FAINTEST

    def used(self, imagination_id: str, now: float) -> PatternStrength:
        """Records a use; if the last one got no feedback, the strength falls a little."""
        before = self
        if self.waiting is not None:
            before = replace(self, strength=_IGNORED * self.strength, ignored=self.ignored + 1)
        return replace(before, last_at=now, waiting=imagination_id)

    def answered(self, imagination_id: str, *, liked: bool) -> PatternStrength:
        waiting = None if self.waiting == imagination_id else self.waiting
        if liked:
            stronger = self.strength + _GAIN * (1.0 - self.strength)
            return replace(self, strength=stronger, liked=self.liked + 1, waiting=waiting)
        return replace(self, strength=_LOSS * self.strength, rejected=self.rejected + 1, waiting=waiting)
