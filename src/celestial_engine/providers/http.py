"""JSON over HTTP with timeouts, retries, a deadline and a size limit; keys stay secret."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from celestial_engine.errors import ConfigError, Problem, Reason, problem

_RETRIED = (408, 409, 425, 429)  # and every 5xx
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_MOST_ERROR_BYTES = 64 << 10
_CHUNK = 64 << 10


@dataclass(frozen=True)
class RetryPolicy:
    """How long to wait for an answer, in seconds, and how large it may be."""

    timeout: float = 30.0  # per attempt
    tries: int = 3
    deadline: float = 90.0  # for all attempts and the pauses between them
    longest_pause: float = 20.0  # a server that asks for a longer pause is not retried
    most_bytes: int = 8 << 20
    sleep: Callable[[float], None] = field(default_factory=lambda: time.sleep)
    clock: Callable[[], float] = field(default_factory=lambda: time.monotonic)
    jitter: Callable[[], float] = field(default_factory=lambda: random.random)


class HttpError(Exception):
    """Why there is no answer. Never quotes the request or the response; `status` if there was one."""

    def __init__(self, problem: Problem, status: int | None = None, *, unusable: bool = False) -> None:
        self.problem = problem
        self.status = status
        self.unusable = unusable  # an answer arrived but is unusable
        super().__init__(problem)


class JsonEndpoint:
    """POSTs JSON to one address. Headers may hold a key: they are sent only there, redirects are refused."""

    def __init__(
        self, url: str, headers: Mapping[str, str] | None = None, patience: RetryPolicy | None = None
    ) -> None:
        self._url = check_address(url)
        self.host = urllib.parse.urlsplit(url).netloc
        self._headers = {"User-Agent": "celestial-engine", "Content-Type": "application/json", **(headers or {})}
        self._patience = patience or RetryPolicy()
        # Requests to this machine do not use a proxy.
        near = urllib.parse.urlsplit(url).hostname in _LOOPBACK
        self._opener = urllib.request.build_opener(_NoRedirects, *([urllib.request.ProxyHandler({})] if near else []))

    def post(self, body: Mapping[str, Any]) -> Any:
        """Returns the response's JSON; raises HttpError if there is none within the attempts and the deadline."""
        return self._attempts(body, lambda answer, until: json.loads(self._read(answer, until)))

    def post_for_events(self, body: Mapping[str, Any], on_event: Callable[[Any], None]) -> None:
        """Calls `on_event` with the JSON of each server-sent event; a plain JSON response counts as one event.

        What was received cannot be taken back: once the first event came, nothing is tried again.
        """
        begun = False

        def handle(event: Any) -> None:
            nonlocal begun
            begun = True
            on_event(event)

        def read(answer: http.client.HTTPResponse, until: float) -> None:
            try:
                if "event-stream" not in (answer.headers.get("Content-Type") or ""):
                    handle(json.loads(self._read(answer, until)))
                    return
                for event in self._events(answer, until):
                    handle(event)
            except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
                if not begun:
                    raise
                broken = problem(None, Reason.ENDPOINT_UNREACHABLE, cause=str(error))
                raise HttpError(broken, unusable=isinstance(error, (ValueError, RecursionError))) from None

        self._attempts(body, read)

    def _attempts(self, body: Mapping[str, Any], read: Callable[[http.client.HTTPResponse, float], Any]) -> Any:
        data, patience = json.dumps(body).encode(), self._patience
        until = patience.clock() + patience.deadline
        for attempt in range(1, patience.tries + 1):
            try:
                return self._try(data, until, read)
            except _AgainError as error:  # noqa: PERF203 - trying again is what the loop is for
                pause = max(0.5 * 2**attempt * (0.5 + patience.jitter() / 2), error.pause)
                hopeless = error.pause > patience.longest_pause or patience.clock() + pause >= until
                if attempt == patience.tries or hopeless:
                    raise error.failure from None
                patience.sleep(min(pause, patience.longest_pause))
        raise HttpError(problem(None, Reason.ENDPOINT_NOT_TRIED))  # tries < 1

    def _try(self, data: bytes, until: float, read: Callable[[http.client.HTTPResponse, float], Any]) -> Any:
        request = urllib.request.Request(self._url, data, self._headers)  # noqa: S310 - the address was checked
        timeout = max(0.001, min(self._patience.timeout, until - self._patience.clock()))
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                return read(answer, until)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            # No connection, too slow, interrupted, or not JSON: a retry may succeed.
            unusable = isinstance(error, (ValueError, RecursionError))
            unreachable = problem(None, Reason.ENDPOINT_UNREACHABLE, cause=str(error))
            raise _AgainError(HttpError(unreachable, unusable=unusable)) from None

    def _read(self, answer: http.client.HTTPResponse, until: float) -> bytes:
        return b"".join(self._parts(answer, until))

    def _events(self, answer: http.client.HTTPResponse, until: float) -> Iterator[Any]:
        """Yields the JSON of each `data:` line; `[DONE]` ends the stream."""
        rest = b""
        for part in self._parts(answer, until):
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                data = line.strip().removeprefix(b"data:").strip() if line.startswith(b"data:") else b""
                if data == b"[DONE]":
                    return
                if data:
                    yield json.loads(data)

    def _parts(self, answer: http.client.HTTPResponse, until: float) -> Iterator[bytes]:
        """Reads in chunks, so that endless or slow answers are cut off."""
        size = 0
        while part := answer.read1(_CHUNK):
            yield part
            size += len(part)
            if size > self._patience.most_bytes:
                too_large = problem(None, Reason.ENDPOINT_TOO_LARGE, most=self._patience.most_bytes)
                raise HttpError(too_large, unusable=True)
            if self._patience.clock() >= until:
                raise TimeoutError("timed out")

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        if 300 <= error.code < 400:
            return HttpError(problem(None, Reason.ENDPOINT_REDIRECTS, status=error.code), error.code)
        name = _error_name(error)
        status = f"{error.code}{name and f' ({name})'}"
        failure = HttpError(problem(None, Reason.ENDPOINT_STATUS, status=status), error.code)
        if error.code in _RETRIED or error.code >= 500:
            return _AgainError(failure, _retry_after_seconds(error.headers))
        return failure


class _AgainError(Exception):
    """Worth a retry after at least so many seconds."""

    def __init__(self, failure: HttpError, pause: float = 0.0) -> None:
        self.failure = failure
        self.pause = pause


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: a redirected POST would send the texts and the key elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def check_address(url: str) -> str:
    """Checks for an http(s) address without user or password, which would end up in error messages."""
    try:
        parts = urllib.parse.urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        fine = False
    if not fine or re.search(r"[\s\x00-\x1f\x7f]", url):
        raise ConfigError("address", Reason.BAD_ADDRESS)
    return url


def check_key(key: str | None) -> str | None:
    """Checks that a header can carry the key. It is not quoted: even a malformed key may be real."""
    key = None if key is None else key.strip()
    if key and not re.fullmatch(r"[!-~]+", key):
        raise ConfigError("key", Reason.BAD_KEY)
    return key or None


def _error_name(error: urllib.error.HTTPError) -> str:
    """Returns the server's error code, such as model_not_found; its sentences may quote the request."""
    try:
        error_object = json.loads(error.read(_MOST_ERROR_BYTES))["error"]
        names = [error_object.get("code"), error_object.get("type")]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
    return next((name for name in names if isinstance(name, str) and re.fullmatch("[a-z_]{3,40}", name)), "")


def _retry_after_seconds(headers: Message) -> float:
    """Returns Retry-After in seconds; a date is compared with the server's own clock."""
    retry_after = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d*)?", retry_after):
        return float(retry_after)
    try:
        pause = parsedate_to_datetime(retry_after) - parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, TypeError):
        return 0.0
    return max(0.0, pause.total_seconds())
