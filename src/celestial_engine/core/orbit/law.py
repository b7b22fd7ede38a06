"""The law of a database: the memory function with its zones, when idle memories are forgotten, and which days count.

It is stored in the database, so that every process that opens it uses the same settings.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Protocol

from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, Course, MemoryFunctionConfig, Scored
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.forgetting import STALE_AFTER, Protection, stale_moment
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner_time import TimeCounting


class Aging(Scored, Protocol):
    """What the course of a memory depends on: its score, and since when it is idle on the owner's clock."""

    @property
    def idle_from(self) -> float: ...


@dataclass(frozen=True)
class Law:
    function: CelestialMemoryFunction = dataclasses.field(default_factory=CelestialMemoryFunction)
    stale_after: timedelta | None = STALE_AFTER
    time: TimeCounting = TimeCounting.OWNER

    @property
    def stale_seconds(self) -> float | None:
        return None if self.stale_after is None else self.stale_after.total_seconds()

    def course(self, memory: Aging, tier: Tier, protection: Protection, now: float) -> Course:
        """Returns the memory's course; its next moment is no later than when it may become stale."""
        course = self.function.course(memory, now)
        stale = stale_moment(tier, protection, memory.idle_from, self.stale_after)
        if stale is None:
            return course
        if stale <= now:
            # Already stale: it leaves at once if it is in the outermost zone, else when its course takes it there.
            zones = self.function.zones
            if zones.zone_of(self.function.score(memory, now)) < zones.outermost:
                return course
            stale = now
        return (
            course
            if course.next_moment is not None and course.next_moment <= stale
            else _with_next_moment(course, stale)
        )

    @cached_property
    def written(self) -> str:
        """The law as JSON text, stored in the database."""
        config = dataclasses.asdict(self.function.config)
        config["context_hold"] = self.function.config.context_hold.total_seconds()
        law: dict[str, object] = {
            "function": config,
            "zones": [dataclasses.astuple(zone) for zone in self.function.zones.configs],
            "stale_after": self.stale_seconds,
        }
        if self.time is not TimeCounting.OWNER:  # left out by default, as in laws from before there was a choice
            law["time"] = self.time.value
        return json.dumps(law)

    @classmethod
    def read(cls, text: str) -> Law:
        """The inverse of `written`."""
        law = json.loads(text)
        config = dict(law["function"], context_hold=timedelta(seconds=law["function"]["context_hold"]))
        zones = [ZoneConfig(*zone) for zone in law["zones"]]
        stale_seconds = law["stale_after"]
        return cls(
            CelestialMemoryFunction(MemoryFunctionConfig(**config), zones),
            None if stale_seconds is None else timedelta(seconds=stale_seconds),
            TimeCounting(law.get("time", TimeCounting.OWNER)),
        )


def _with_next_moment(course: Course, moment: float) -> Course:
    return course._replace(next_moment=moment)
