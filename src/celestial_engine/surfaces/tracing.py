"""OpenTelemetry spans around operations, by the conventions for generative AI (`gen_ai.memory.*`).

A span has the name of the operation, ids and counts; never what was asked, stored or answered. Nothing is loaded
unless somebody traces: the process has set up OpenTelemetry, or `OTEL_EXPORTER_OTLP_ENDPOINT` says where spans go.
"""

from __future__ import annotations

import sys
from collections.abc import Sized
from typing import TYPE_CHECKING, Any, TypeVar

from celestial_engine.config.sources import process_environment
from celestial_engine.errors import CelestialError

if TYPE_CHECKING:
    from celestial_engine.surfaces.operations.declaration import Caller, Operation

Request = TypeVar("Request")
Result = TypeVar("Result")

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

# The conventions know these kinds of operations; the others have a span with a name of our own.
_KINDS = {
    "search_memory": "auto_search memory_search memory_get_related memory_get memory_list",
    "create_memory": "memory_save memory_save_many memory_import distill_commit",
    "update_memory": "memory_update memory_pin memory_unpin memory_rate memory_remind memory_restore",
    "upsert_memory": "turn_observe",  # stores, repeats or forgets: the engine decides
    "delete_memory": "memory_delete memory_forget_where",
}
_KIND_OF = {operation: kind for kind, operations in _KINDS.items() for operation in operations.split()}
_RECORDS = ("hits", "memories", "related", "used")  # fields of results that hold memories


def traced_run(operation: Operation[Request, Result], caller: Caller, request: Request) -> Result:
    """Run an operation, within a span if somebody traces."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:  # nobody has set it up, so spans would go nowhere
        return operation.run(caller, request)
    kind = _KIND_OF.get(operation.name)
    attributes = {"celestial.operation": operation.name, "celestial.channel": caller.channel.partition(",")[0]}
    if kind is not None:
        attributes["gen_ai.operation.name"] = kind
    span_name = kind or f"celestial {operation.name}"
    tracer = trace.get_tracer("celestial_engine")
    # Messages of exceptions may quote what was asked: the error's code is told instead.
    around = tracer.start_as_current_span(
        span_name, attributes=attributes, record_exception=False, set_status_on_exception=False
    )
    with around as span:
        try:
            result = operation.run(caller, request)
        except Exception as error:
            span.set_attribute(
                "error.type", error.code if isinstance(error, CelestialError) else type(error).__name__
            )
            span.set_status(trace.Status(trace.StatusCode.ERROR))
            raise
        if kind is not None:
            span.set_attributes(_record_attributes(request, result))
        return result


def _record_attributes(request: object, result: object) -> dict[str, Any]:
    """The id of the one memory that it was about, or how many memories there were."""
    record = getattr(result, "id", None) or getattr(request, "id", None)
    if isinstance(record, str):
        return {"gen_ai.memory.record.id": record, "gen_ai.memory.record.count": 1}
    for field in _RECORDS:
        records = getattr(result, field, None)
        if isinstance(records, Sized):
            return {"gen_ai.memory.record.count": len(records)}
    return {}


def send_spans() -> None:
    """Send spans to where `OTEL_EXPORTER_OTLP_ENDPOINT` says, unless the process has set up OpenTelemetry already."""
    environment = process_environment()
    if not any(environment.get(name) for name in _ENDPOINTS):
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        import logging

        logging.getLogger(__name__).warning("spans are not sent: install the extra `otel`")
        return
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        return
    named = "OTEL_SERVICE_NAME" in environment
    provider = TracerProvider(resource=Resource.create({} if named else {SERVICE_NAME: "celestial"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)  # sends what is left when the process ends
