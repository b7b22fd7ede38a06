"""Operations as routes: the declaration gives path, parameters, body and answer."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from celestial_engine.core.codec import encode
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.http.problems import MEDIA_TYPE, PROBLEM_SCHEMA, language_of
from celestial_engine.surfaces.operations.declaration import Operation
from celestial_engine.surfaces.operations.views import Memory
from celestial_engine.surfaces.rest.events import OnEvent, events_of, wants_events
from celestial_engine.surfaces.rest.visitors import Visitor
from celestial_engine.surfaces.tracing import traced_run
from celestial_engine.surfaces.wire import request_of

_BODILESS = ("GET", "DELETE")


def add_route(router: APIRouter, operation: Operation[Any, Any]) -> None:
    """The route of one operation, under its own name."""
    tag = {"description": "the version of the memory, for If-Match", "schema": {"type": "string"}}
    tagged: dict[int | str, dict[str, Any]] = (
        {operation.route.status: {"headers": {"ETag": tag}}} if operation.result is Memory else {}
    )
    problems = {"description": "Problem", "content": {MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}}}
    router.add_api_route(
        operation.route.path.replace("{name}", "{name:path}"),  # what people tell of may have a slash: AC/DC
        _endpoint(operation),
        methods=[operation.route.method],
        operation_id=operation.name,
        summary=operation.summary,
        status_code=operation.route.status,
        response_model=operation.result,
        responses={**tagged, "4XX": problems, "5XX": problems},
        openapi_extra={"x-scope": operation.scope.value},
    )


def _endpoint(operation: Operation[Any, Any]) -> Callable[..., Awaitable[Response]]:
    known = {field.name for field in dataclasses.fields(operation.request)}

    async def admitted(request: Request) -> Visitor:
        visitor: Visitor = request.state.visitor
        visitor.needs(operation.scope)
        unknown = sorted(set(request.query_params) - known)
        if unknown:
            raise InvalidInputError(unknown[0], Reason.NO_SUCH_PARAMETER, got=unknown[0])
        if operation.streams and wants_events(request):
            visitor = dataclasses.replace(visitor, language=language_of(request), wants_events=True)
        return visitor

    def work(visitor: Visitor, arguments: dict[str, Any], on_event: OnEvent | None = None) -> dict[str, Any]:
        caller = visitor.caller if on_event is None else dataclasses.replace(visitor.caller, on_event=on_event)
        answer: dict[str, Any] = encode(traced_run(operation, caller, request_of(operation, arguments)))
        return answer

    async def endpoint(visitor: Visitor, **parameters: Any) -> Response:
        body = parameters.pop("body", None)
        fields = {} if body is None else {field.name: getattr(body, field.name) for field in dataclasses.fields(body)}
        if "if_version" in parameters:
            parameters["if_version"] = _tag_in(parameters["if_version"])
        if visitor.wants_events:
            return await events_of(
                lambda on_event: work(visitor, {**fields, **parameters}, on_event), visitor.language
            )
        answer = await anyio.to_thread.run_sync(work, visitor, {**fields, **parameters})
        headers = {"ETag": f'"{answer["version"]}"'} if operation.result is Memory else None
        return JSONResponse(answer, operation.route.status, headers)

    endpoint.__signature__ = _signature(operation, admitted)  # type: ignore[attr-defined]  # FastAPI reads it
    return endpoint


def _tag_in(header: str | None) -> str | None:
    """The version in an If-Match; `*` takes any, and a weak tag is none that we gave."""
    tag = "*" if header is None else header.strip()
    return None if tag == "*" else tag[1:-1] if tag[:1] == tag[-1:] == '"' else tag


def _signature(
    operation: Operation[Any, Any], admitted: Callable[[Request], Awaitable[Visitor]]
) -> inspect.Signature:
    """What FastAPI reads: path, query and header parameters one by one, everything else as the body."""
    route, hints = operation.route, typing.get_type_hints(operation.request, include_extras=True)
    in_path = set(re.findall(r"{(\w+)}", route.path))
    parameters = [_parameter("visitor", Annotated[Visitor, Depends(admitted)])]
    rest: list[tuple[str, Any, dataclasses.Field[Any]]] = []
    for field in dataclasses.fields(operation.request):
        hint = hints[field.name]
        if field.name in in_path:
            parameters.append(_parameter(field.name, Annotated[hint, Path()]))
        elif field.name in route.headers:
            header = Header(alias=route.headers[field.name])
            parameters.append(_parameter(field.name, Annotated[hint, header], field.default))
        elif route.method in _BODILESS:
            parameters.append(_parameter(field.name, Annotated[hint, Query()], field.default))
        else:
            rest.append((field.name, hint, field))
    if rest:
        body = dataclasses.make_dataclass(
            f"{operation.name}_body", rest, bases=operation.request.__bases__, frozen=True
        )
        needed = any(_is_needed(field) for _, _, field in rest)
        default = inspect.Parameter.empty if needed else body()
        parameters.append(_parameter("body", Annotated[body, Body()], default))
    return inspect.Signature(parameters)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    default = inspect.Parameter.empty if default is dataclasses.MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
