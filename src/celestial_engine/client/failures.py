"""Problem documents of a server as the errors that the engine raises: code that catches these works with both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from celestial_engine.errors import (
    CelestialError,
    InvalidInputError,
    Problem,
    Reason,
    ServerAccessError,
    ServerFullError,
    ServerUnreachableError,
    StorageError,
)

_BY_STATUS: Mapping[int, type[CelestialError]] = {
    401: ServerAccessError,
    403: ServerAccessError,
    413: InvalidInputError,
    422: InvalidInputError,
    429: ServerFullError,
    503: ServerFullError,
}


class ServerMessage:
    """Mixed into the class of an error: the message is the server's own, in the language that was asked for."""

    told: str
    status: int | None

    def message(self, language: str = "en") -> str:
        return self.told

    def __str__(self) -> str:
        return self.told


def failure_of(status: int, answer: object, url: str) -> CelestialError:
    """Returns the error that the server had, with its code, reason and fields."""
    document = answer if isinstance(answer, Mapping) else {}
    kind = _by_code().get(str(document.get("code"))) or _BY_STATUS.get(status, StorageError)
    told = document.get("detail") or f"{url} answered with status {status}, and not as this memory's server."
    return _error(kind, str(told), status, document)


def unreachable(url: str, cause: Exception) -> CelestialError:
    return _error(ServerUnreachableError, f"{url} does not answer: {cause or type(cause).__name__}.", None, {})


def _error(kind: type[CelestialError], told: str, status: int | None, document: Mapping[str, Any]) -> CelestialError:
    spoken: Any = _spoken(cast(Any, kind))
    error = spoken.__new__(spoken)
    Exception.__init__(error, told)
    error.told, error.status = told, status
    fields = document.get("fields")
    error.own = dict(fields) if isinstance(fields, Mapping) else {}
    error.problems = tuple(_problems(document))
    return cast(CelestialError, error)


def _problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    known = {reason.value for reason in Reason}
    fields = document.get("fields")
    several = document.get("problems") or [{**document, "field": (fields or {}).get("field")}]
    for one in several:
        if one.get("reason") in known:
            yield Problem(one.get("field"), Reason(one["reason"]), dict(one.get("fields") or {}))


@cache
def _spoken(kind: type[CelestialError]) -> type[CelestialError]:
    return type(kind.__name__, (ServerMessage, kind), {"__module__": kind.__module__})


@cache
def _by_code() -> Mapping[str, type[CelestialError]]:
    return {kind.code: kind for kind in _kinds(CelestialError) if "code" in vars(kind)}


def _kinds(kind: type[CelestialError]) -> Iterator[type[CelestialError]]:
    for below in kind.__subclasses__():
        if not issubclass(below, ServerMessage):
            yield below
            yield from _kinds(below)
