"""Errors as problem documents (RFC 9457): what is wrong, what to do, and a status that fits."""

from __future__ import annotations

import logging
from collections.abc import Sequence
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
    ProtectedError,
    ProviderError,
    SoulError,
    StorageError,
    UndoError,
    VersionError,
    WrongStateError,
)

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
    (UndoError, 409),
    (BackupExistsError, 409),
    (BusyError, 503),
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


def problem_of(error: CelestialError) -> JSONResponse:
    """An error of the engine. Where its files lie is nobody's business outside."""
    if isinstance(error, StorageError):
        logger.error("%s", error)
        return problem(status_of(error), error.code, "The database cannot do this now; the server's log says why.")
    return problem(status_of(error), error.code, str(error))


def problem(status: int, code: str, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {
        "type": f"urn:celestial:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
    }
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def tell_problems(app: FastAPI) -> None:
    """Every error leaves this app as a problem document; what is unexpected is logged, not told."""

    async def told(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, CelestialError)  # noqa: S101 - registered for this class
        return problem_of(error)

    async def refused(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RefusedError)  # noqa: S101
        return problem(error.status, error.code, error.detail, error.headers)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        field, reason = _first_of(error.errors())
        return problem(422, InvalidInputError.code, str(InvalidInputError(field=field, reason=reason)))

    async def plain(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        if error.status_code == 400:  # the one that reads bodies gave up: no text, or nested without end
            reason = "it cannot be read; send a JSON object in UTF-8"
            return problem(400, InvalidInputError.code, str(InvalidInputError(field="body", reason=reason)))
        code = {404: "no_such_route", 405: "method_not_allowed"}.get(error.status_code, "http")
        return problem(error.status_code, code, str(error.detail), dict(error.headers or {}))

    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        logger.error("an operation failed unexpectedly", exc_info=error)
        return problem(500, "unexpected", "Something went wrong here; the server's log says what.")

    app.add_exception_handler(CelestialError, told)
    app.add_exception_handler(RefusedError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(Exception, unexpected)


def _first_of(errors: Sequence[Any]) -> tuple[str, str]:
    """The field that is wrong, and why."""
    where, reason = errors[0]["loc"], str(errors[0]["msg"])
    if errors[0]["type"] == "json_invalid":
        return "body", f"it is no JSON from character {where[-1]} on ({errors[0]['ctx']['error']})"
    if where == ("body",):
        return "body", "it is no JSON object; send one, with the header Content-Type: application/json"
    field = ".".join(str(part) for part in where if part not in ("body", "query", "path")) or "body"
    return field, reason[:1].lower() + reason[1:]
