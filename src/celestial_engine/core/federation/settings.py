"""Settings of gossip: the exchange of learned parameters with peers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from celestial_engine.errors import ConfigError, Problem, Reason, problem


class Aggregation(str, Enum):
    """How the updates of several peers become one."""

    MULTI_KRUM = "multi_krum"  # the mean of the updates that lie closest together
    KRUM = "krum"  # the one update that lies closest to the others
    MEDIAN = "median"  # of every parameter by itself
    MEAN = "mean"  # no defence; only to measure what the others are worth


@dataclass(frozen=True)
class GossipConfig:
    """How parameters are exchanged. `gossip_interval` is in seconds.

    With `dp_enabled`, noise of `dp_noise * max_norm` is added to what is sent, and nothing new is sent once
    `dp_epsilon` (at `dp_delta`) would be exceeded.
    """

    max_norm: float = 0.5  # an update is clipped to this length, when it is sent and when it arrives
    gossip_interval: float = 60.0
    dp_enabled: bool = False
    dp_noise: float = 5.0
    dp_epsilon: float = 4.0
    dp_delta: float = 1e-5
    transport_host: str = "127.0.0.1"
    transport_port: int = 9400
    rule_hash_verify: bool = True
    tolerated_attackers: int = 1  # the f of Krum: 2f + 3 updates are needed, the own one included
    aggregation: Aggregation = Aggregation.MULTI_KRUM
    peers_a_round: int = 8
    updates_a_release: int = 20  # own lessons until parameters are sent again; in between the same ones are
    stale_half_life: float = 7 * 86_400.0  # seconds in which the weight of an update halves
    message_lifetime: float = 300.0  # seconds, and the clock difference that is tolerated
    request_timeout: float = 5.0  # seconds
    quarantine_after: int = 5  # rejected updates in a row
    quarantine_seconds: float = 86_400.0

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "aggregation", Aggregation(self.aggregation))
        except ValueError:
            choices = tuple(choice.value for choice in Aggregation)
            raise ConfigError("aggregation", Reason.UNKNOWN_CHOICE, got=self.aggregation, choices=choices) from None
        bad: list[Problem] = [
            problem(name, Reason.NOT_ABOVE, low=0, got=getattr(self, name))
            for name in ("max_norm", "gossip_interval", "dp_noise", "dp_epsilon", "stale_half_life",
                         "message_lifetime", "request_timeout", "quarantine_seconds")
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0.0)
        ]  # fmt: skip
        if not 0.0 < self.dp_delta < 1.0:
            bad.append(problem("dp_delta", Reason.OUT_OF_RANGE, low=0, high=1, got=self.dp_delta))
        bad += [
            problem(name, Reason.TOO_SMALL, least=least, got=getattr(self, name))
            for name, least in (("tolerated_attackers", 0), ("peers_a_round", 1), ("updates_a_release", 1),
                                ("quarantine_after", 1))
            if getattr(self, name) < least
        ]  # fmt: skip
        if not 0 <= self.transport_port < 1 << 16:
            bad.append(problem("transport_port", Reason.OUT_OF_RANGE, low=0, high=65_535, got=self.transport_port))
        if bad:
            raise ConfigError(*bad)
