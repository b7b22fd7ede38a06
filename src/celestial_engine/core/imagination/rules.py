"""Imagination: when something may be imagined, of what, and how welcome each kind of idea has been."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from typing import Any

from celestial_engine.core.guard.secrets import GuardAction, GuardPolicy, guarded
from celestial_engine.core.imagination.settings import ImaginationSettings
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.errors import Problem, SecretError

TAG = "imagination"
BY_TEMPLATES, BY_MODEL = "templates", "model"
FREE = "free"  # the pattern of what a language model imagined without a template

STARTING, FAINTEST = 0.5, 0.15  # below the faintest a pattern stays silent until somebody likes it again
_GAIN, _LOSS, _IGNORED = 0.3, 0.6, 0.9
_DAY = timedelta(days=1).total_seconds()
_EVERYTHING = GuardPolicy.everything(GuardAction.REDACT)
_REDACTED = re.compile(r"\[(?:redacted|가림): ")


class Trigger(str, Enum):
    """What set it off."""

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
_OF_THEMSELVES = (DayPart.MORNING, DayPart.EVENING)  # begin with a word even if nothing else happens


@dataclass(frozen=True)
class Imagination:
    """What came to mind: which memories it joins, what could be done, and which feeling to show with it."""

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
        """What the memory of it keeps beside its text."""
        return {
            TAG: {
                "trigger": self.trigger.value, "pattern": self.pattern, "memories_used": list(self.memories_used),
                "action": self.action, "emotion": self.emotion, "by": self.by, "liked": self.liked,
            }
        }  # fmt: skip


@dataclass(frozen=True)
class Imagined:
    """An imagination, or why there is none; `refused` says why what a language model wrote was not taken."""

    imagination: Imagination | None = None
    why_not: WhyNot | None = None
    refused: Problem | None = None


def imagination_in(item: CelestialItem) -> Imagination | None:
    """The imagination that a memory keeps; None if it keeps none, or somebody else wrote what it keeps."""
    kept = item.metadata.get(TAG)
    if item.source is not Source.IMAGINATION or not isinstance(kept, Mapping):
        return None
    try:
        action, liked = kept.get("action"), kept.get("liked")
        return Imagination(
            item.id, item.created_at, Trigger(kept["trigger"]), str(kept["pattern"]),
            tuple(map(str, kept["memories_used"])), item.content, None if action is None else str(action),
            str(kept["emotion"]), str(kept["by"]), liked if isinstance(liked, bool) else None,
        )  # fmt: skip
    except (KeyError, ValueError, TypeError):
        return None


# -- when ---------------------------------------------------------------------------------------------


def of_today(moments: Iterable[float], now: float, settings: ImaginationSettings) -> list[float]:
    """Those on the owner's calendar day of now.

    What lies ahead by less than a day counts too: a clock that was set back does not begin the day anew.
    """
    today = settings.local(now).date()
    return [at for at in moments if settings.local(at).date() == today or now < at < now + _DAY]


def why_not(moments: Sequence[float], now: float, settings: ImaginationSettings) -> WhyNot | None:
    """What forbids it whatever the memories say; `moments` are those of the last imaginations."""
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
    """What sets it off: a context that is telling, a pause, or the morning and the evening, once each."""
    if telling:
        return Trigger.CONTEXT
    if idle_seconds >= 60.0 * settings.idle_minutes:
        return Trigger.IDLE
    part = DayPart.of(settings.local(now).hour)
    had = {DayPart.of(settings.local(at).hour) for at in of_today(moments, now, settings)}
    return Trigger.TIME_OF_DAY if part in _OF_THEMSELVES and part not in had else None


# -- of what ------------------------------------------------------------------------------------------


def usable(item: CelestialItem, now: float) -> bool:
    """Whether a memory may be imagined with: whole, still true, trusted, without a secret, not imagined."""
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
    """Whether something was redacted in a text, or would be by the strictest guard."""
    try:
        return _REDACTED.search(text) is not None or bool(guarded(text, _EVERYTHING).findings)
    except SecretError:
        return True


# -- how well it was liked ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PatternStrength:
    """How welcome a kind of idea has been: 0..1. `waiting` is the imagination that nobody has answered yet."""

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
        """Imagined once more; if nobody answered the last one, that counts for a little."""
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
