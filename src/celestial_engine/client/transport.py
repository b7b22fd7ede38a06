"""Operations as HTTP requests: the same declarations that the server makes its routes from."""

from __future__ import annotations

import dataclasses
import http.client
import json
import re
import ssl
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from celestial_engine.client.failures import failure_of, unreachable
from celestial_engine.client.results import read_result
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import Operation

Result = TypeVar("Result")
_BODILESS = ("GET", "DELETE")
_PREFIX = "/v1"


class Address(NamedTuple):
    """Where a server answers."""

    secure: bool
    host: str
    port: int | None
    path: str

    @classmethod
    def read(cls, url: str) -> Address:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise InvalidInputError("url", Reason.NOT_ACCEPTED, cause="it is no address") from None
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise InvalidInputError("url", Reason.NOT_ACCEPTED, cause="it must be http://HOST:PORT or https://HOST")
        return cls(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/").removesuffix(_PREFIX))


class Transport:
    """Sends requests, each on a connection of its own: safe to use from several threads.

    Redirects are not followed: a token is for the server that it was given for.
    """

    def __init__(self, url: str, token: str | None, timeout: float, language: str) -> None:
        self.url = url
        self._address = Address.read(url)
        self._timeout = timeout
        self._headers = {"Accept": "application/json", "Accept-Language": language}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def run(self, operation: Operation[Any, Result], request: Any) -> Result:
        path, headers, body = encoded(operation, request)
        status, content = self._send(operation.route.method, self._address.path + path, headers, body)
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if status != operation.route.status or not isinstance(answer, dict):
            raise failure_of(status, answer, self.url)
        result: Result = read_result(operation.result, answer)
        return result

    def _send(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> tuple[int, bytes]:
        address = self._address
        connection = (
            http.client.HTTPSConnection(
                address.host, address.port, timeout=self._timeout, context=ssl.create_default_context()
            )
            if address.secure
            else http.client.HTTPConnection(address.host, address.port, timeout=self._timeout)
        )
        try:
            connection.request(method, path, body, {**self._headers, **headers})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise unreachable(self.url, error) from error
        finally:
            connection.close()


def encoded(operation: Operation[Any, Any], request: Any) -> tuple[str, dict[str, str], bytes | None]:
    """Returns path, headers and body; what equals its default is left to the server."""
    route, fields = operation.route, _given(request)
    path = _PREFIX + route.path
    for name in re.findall(r"{(\w+)}", route.path):
        path = path.replace("{" + name + "}", quote(str(fields.pop(name)), safe=""))
    headers = {header: str(fields.pop(name)) for name, header in route.headers.items() if name in fields}
    if "If-Match" in headers:
        headers["If-Match"] = f'"{headers["If-Match"]}"'
    if route.method in _BODILESS:
        return (f"{path}?{urlencode(fields, doseq=True)}" if fields else path), headers, None
    return path, {**headers, "Content-Type": "application/json"}, json.dumps(fields).encode()


def _given(request: Any) -> dict[str, Any]:
    given = {}
    for field in dataclasses.fields(request):
        value = getattr(request, field.name)
        default = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
        if value != default:
            given[field.name] = _plain(value)
    return given


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _given(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
