"""What Prometheus may know: how many requests, how long they took, how many memories there are."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.rest.logs import log_request

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_OTHER = "other"  # no route: names that anybody may make up are no labels
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Speed(NamedTuple):
    """How often an operation ran, how often it failed on our side, and within how many milliseconds it answered."""

    operation: str
    answers: int
    failed: int
    median_ms: float
    slow_ms: float  # nineteen of twenty are faster


class Metrics:
    """Counted by operation and status; memories are counted on scrape."""

    def __init__(self, memory: CelestialMemory, shared_folder: str | None = None) -> None:
        """With a folder, the counts of all processes that count in it are added up."""
        own = CollectorRegistry()
        labels = ("operation", "status")
        self._requests = Counter("celestial_requests", "Requests answered.", labels, registry=own)
        self._seconds = Histogram(
            "celestial_request_seconds", "How long answers took.", ("operation",), buckets=_BUCKETS,
            registry=own,
        )  # fmt: skip
        self._registry = own
        if shared_folder is not None:
            self._registry = CollectorRegistry()
            MultiProcessCollector(self._registry, shared_folder)  # type: ignore[no-untyped-call]
        self._registry.register(_Population(memory))

    def note(self, operation: str, status: int, seconds: float) -> None:
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def speeds(self) -> list[Speed]:
        """How fast each operation answered since the server started, the most frequent first."""
        buckets: dict[str, list[tuple[float, float]]] = {}
        failed: dict[str, float] = {}
        seconds: dict[str, float] = {}
        for family in self._registry.collect():
            for sample in family.samples:
                operation = sample.labels.get("operation", "")
                if sample.name == "celestial_request_seconds_bucket":
                    buckets.setdefault(operation, []).append((float(sample.labels["le"]), sample.value))
                elif sample.name == "celestial_request_seconds_sum":
                    seconds[operation] = sample.value
                elif sample.name == "celestial_requests_total" and sample.labels["status"] >= "500":
                    failed[operation] = failed.get(operation, 0.0) + sample.value
        speeds = [
            _speed(operation, sorted(counted), failed.get(operation, 0.0), seconds.get(operation, 0.0))
            for operation, counted in buckets.items()
        ]
        return sorted(speeds, key=lambda speed: (-speed.answers, speed.operation))

    def text(self) -> bytes:
        return generate_latest(self._registry)


def _speed(operation: str, buckets: list[tuple[float, float]], failed: float, seconds: float) -> Speed:
    count = buckets[-1][1] if buckets else 0.0
    if count == 1:  # known exactly
        return Speed(operation, 1, int(failed), round(1000 * seconds, 1), round(1000 * seconds, 1))
    return Speed(operation, int(count), int(failed), _quantile(buckets, 0.5), _quantile(buckets, 0.95))


def _quantile(buckets: list[tuple[float, float]], share: float) -> float:
    """Milliseconds within which this share was answered: a straight line within the bucket, as in Prometheus."""
    wanted, low, below = share * buckets[-1][1], 0.0, 0.0
    for limit, count in buckets:
        if count >= wanted and count > below:
            high = limit if limit != float("inf") else low
            return round(1000 * (low + (high - low) * (wanted - below) / (count - below)), 1)
        low, below = limit, count
    return 0.0


class Watch:
    """Counts every request when it is answered, and logs it if asked to."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, access_log: bool = False) -> None:
        self._app, self._metrics, self._access_log = app, metrics, access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, started = 500, time.perf_counter()  # an exception without a response counts as a failure
        streamed_at: float | None = None

        async def noted(message: Message) -> None:
            nonlocal status, streamed_at
            if message["type"] == "http.response.start":
                status = message["status"]
                if _is_stream(message):
                    streamed_at = time.perf_counter()
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            operation = getattr(scope.get("route"), "operation_id", None) or _OTHER
            # A stream stays open on purpose: its answer is there when it begins.
            seconds = (streamed_at or time.perf_counter()) - started
            self._metrics.note(operation, status, seconds)
            if self._access_log:
                log_request(_request_facts(scope, operation, status, seconds))


def _is_stream(start: Message) -> bool:
    headers = start.get("headers", ())
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)


def _request_facts(scope: Scope, operation: str, status: int, seconds: float) -> dict[str, Any]:
    """The route rather than the path, and no query: those may hold ids, words and the key of a login link."""
    client = scope.get("client")
    return {
        "method": scope["method"],
        "route": getattr(scope.get("route"), "path", None),
        "operation": operation,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
        "client": client[0] if client else None,
    }


class _Population(Collector):
    def __init__(self, memory: CelestialMemory) -> None:
        self._memory = memory

    def collect(self) -> Iterable[GaugeMetricFamily]:
        gauge = GaugeMetricFamily("celestial_memories", "Memories in orbit, of all owners.", labels=["zone"])
        for zone, count in self._memory.orbits.population().items():
            gauge.add_metric([zone], count)
        yield gauge
