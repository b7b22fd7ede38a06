"""Server settings: bind address, body size and rate limits."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from celestial_engine.errors import ConfigError, Expected, Reason, problem
from celestial_engine.surfaces.rest.logs import LEVELS

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class ServerSettings:
    """`hosts` are names that requests may ask for besides the loopback's own, `origins` pages that may send them."""

    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    most_body_bytes: int = 4 * MEBIBYTE
    body_seconds: float = 60.0  # in which a whole request must arrive
    requests_per_second: float = 100.0  # of one token, on the average ...
    burst: int = 200  # ... and so many at once
    log_level: str = "warning"
    access_log: bool = False  # one line of the log per request

    def __post_init__(self) -> None:
        problems = []
        if self.most_body_bytes < 1024:
            problems.append(problem("most_body_bytes", Reason.TOO_SMALL, least=1024, got=self.most_body_bytes))
        if not self.requests_per_second > 0:
            problems.append(problem("requests_per_second", Reason.NOT_ABOVE, low=0, got=self.requests_per_second))
        if not self.body_seconds > 0:
            problems.append(problem("body_seconds", Reason.NOT_ABOVE, low=0, got=self.body_seconds))
        if self.burst < 1:
            problems.append(problem("burst", Reason.TOO_SMALL, least=1, got=self.burst))
        if self.log_level not in LEVELS:
            problems.append(problem("log_level", Reason.UNKNOWN_CHOICE, got=self.log_level, choices=LEVELS))
        wrong = [origin for origin in self.origins if not origin.startswith(("http://", "https://"))]
        if wrong:
            problems.append(problem("origins", Reason.WRONG_VALUE, expected=Expected.ORIGIN, got=wrong))
        if problems:
            raise ConfigError(*problems)

    @property
    def allowed_hosts(self) -> frozenset[str]:
        return frozenset(name.lower() for name in (*LOOPBACK, *self.hosts))


def is_loopback(host: str) -> bool:
    """Whether an address is only reached from the same machine: 127.example.org is somebody else's."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
