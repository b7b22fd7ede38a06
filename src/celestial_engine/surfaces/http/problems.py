"""Errors as problem documents (RFC 9457): what is wrong, what to do, and a status that fits."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from celestial_engine.errors import (
    ApprovalError,
    ApprovalTokenError,
    BackupExistsError,
    BusyError,
    CelestialError,
    ClosedError,
    ContentTooLargeError,
    DiskFullError,
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    NotTheUserError,
    OwnerMovingError,
    Problem,
    ProtectedError,
    ProviderError,
    Reason,
    ServerFullError,
    ServerUnreachableError,
    SlowStatementError,
    SoulError,
    StorageError,
    SyncError,
    UndoError,
    VersionError,
    WrongStateError,
)
from celestial_engine.errors import problem as error_problem
from celestial_engine.surfaces.wire import json_fields, validation_problem

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# The first that fits decides.
_STATUS: tuple[tuple[type[CelestialError], int], ...] = (
    (NotFoundError, 404),
    (ContentTooLargeError, 413),
    (KeyReusedError, 409),
    (VersionError, 412),
    (InvalidInputError, 422),
    (ProtectedError, 403),
    (NotTheUserError, 403),
    (ApprovalTokenError, 403),
    (ApprovalError, 409),
    (WrongStateError, 409),
    (SoulError, 409),
    (SyncError, 409),
    (UndoError, 409),
    (BackupExistsError, 409),
    (BusyError, 503),
    (OwnerMovingError, 503),
    (ServerUnreachableError, 503),
    (ServerFullError, 503),
    (SlowStatementError, 503),
    (ClosedError, 503),
    (DiskFullError, 507),
    (ProviderError, 502),
    (StorageError, 500),
)
PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "reason": {"type": "string"},
        "fields": {"type": "object"},
        "problems": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["type", "title", "status", "detail", "code"],
}


class RefusedError(Exception):
    """A request that is turned away before it reaches the engine."""

    def __init__(self, status: int, code: str, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.headers = status, code, detail, headers or {}


def status_of(error: CelestialError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def language_of(request: Request) -> str:
    """Korean for who prefers it, else English."""
    return "ko" if request.headers.get("accept-language", "").strip().lower().startswith("ko") else "en"


def problem_of(error: CelestialError, language: str = "en", status: int | None = None) -> JSONResponse:
    """An error of the engine. Paths of files are not revealed."""
    if isinstance(error, StorageError):
        logger.error("%s", error)
        return problem(status_of(error), error.code, "The database cannot do this now; the server's log says why.")
    found: dict[str, Any] = {"fields": json_fields(error.own)}
    if len(error.problems) == 1:
        found = {"reason": error.problems[0].reason.value, "fields": json_fields(error.details)}
    elif error.problems:
        found["problems"] = [
            {"field": one.field, "reason": one.reason.value, "fields": json_fields(one.fields)}
            for one in error.problems
        ]
    return problem(status or status_of(error), error.code, error.message(language), found=found)


def problem(
    status: int,
    code: str,
    detail: str,
    headers: dict[str, str] | None = None,
    found: Mapping[str, Any] | None = None,
) -> JSONResponse:
    body = {
        "type": f"urn:celestial:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
        **(found or {}),
    }
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def add_problem_handlers(app: FastAPI) -> None:
    """Every error leaves this app as a problem document; unexpected errors are logged, not shown."""

    async def engine_error(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, CelestialError)  # noqa: S101 - registered for this class
        return problem_of(error, language_of(request))

    async def refused(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RefusedError)  # noqa: S101
        return problem(error.status, error.code, error.detail, error.headers)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return problem_of(InvalidInputError(_first_of(error.errors())), language_of(request))

    async def plain(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        if error.status_code == 400:  # the one that reads bodies gave up: no text, or nested without end
            return problem_of(InvalidInputError("body", Reason.BODY_UNREADABLE), language_of(request), 400)
        code = {404: "no_such_route", 405: "method_not_allowed"}.get(error.status_code, "http")
        return problem(error.status_code, code, str(error.detail), dict(error.headers or {}))

    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        logger.error("an operation failed unexpectedly", exc_info=error)
        return problem(500, "unexpected", "Something went wrong here; the server's log says what.")

    app.add_exception_handler(CelestialError, engine_error)
    app.add_exception_handler(RefusedError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, unexpected)


def _first_of(errors: Sequence[Any]) -> Problem:
    """The field that is wrong, and why."""
    first = errors[0]
    where = first["loc"]
    if first["type"] == "json_invalid":
        return error_problem("body", Reason.NOT_JSON, cause=f"{first['ctx']['error']}, {where[-1]}")
    if where == ("body",):
        return error_problem("body", Reason.BODY_NOT_OBJECT)
    field = ".".join(str(part) for part in where if part not in ("body", "query", "path")) or "body"
    return validation_problem(field, first)
