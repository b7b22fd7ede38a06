"""Spans for OpenTelemetry, where it is installed; nothing where it is not."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any


def span(operation: str) -> AbstractContextManager[Any]:
    """Around one operation; it tells which and how long, never what was asked."""
    try:
        from opentelemetry import trace
    except ImportError:
        return nullcontext()
    tracer = trace.get_tracer("celestial_engine")
    return tracer.start_as_current_span(f"celestial {operation}", attributes={"celestial.operation": operation})
