"""JSON over HTTP, patiently: timeouts, retries, a deadline, a bound on what is read, and keys that stay secret."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
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
class Patience:
    """How long an answer is waited for, in seconds, and how large it may be."""

    timeout: float = 30.0  # for one try
    tries: int = 3
    deadline: float = 90.0  # for all tries and the pauses between them
    longest_pause: float = 20.0  # who asks for a longer one is not waited for
    most_bytes: int = 8 << 20
    sleep: Callable[[float], None] = field(default_factory=lambda: time.sleep)
    clock: Callable[[], float] = field(default_factory=lambda: time.monotonic)
    jitter: Callable[[], float] = field(default_factory=lambda: random.random)


class HttpError(Exception):
    """Why there is no answer. Never quotes what was sent, nor what came back; `status` where there was one."""

    def __init__(self, problem: Problem, status: int | None = None, *, unusable: bool = False) -> None:
        self.problem = problem
        self.status = status
        self.unusable = unusable  # an answer came, and nothing can be done with it
        super().__init__(problem)


class JsonEndpoint:
    """POSTs JSON to one address. Headers may hold a key: they go there and nowhere else, redirects are refused."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None, patience: Patience | None = None) -> None:
        self._url = check_address(url)
        self.host = urllib.parse.urlsplit(url).netloc
        self._headers = {"User-Agent": "celestial-engine", "Content-Type": "application/json", **(headers or {})}
        self._patience = patience or Patience()
        # What is meant for this machine does not go through a proxy on another.
        near = urllib.parse.urlsplit(url).hostname in _LOOPBACK
        self._opener = urllib.request.build_opener(_NoRedirects, *([urllib.request.ProxyHandler({})] if near else []))

    def post(self, body: Mapping[str, Any]) -> Any:
        """The answer's JSON; HttpError when there is none within tries and deadline."""
        data, patience = json.dumps(body).encode(), self._patience
        until = patience.clock() + patience.deadline
        for attempt in range(1, patience.tries + 1):
            try:
                return self._try(data, until)
            except _AgainError as error:  # noqa: PERF203 - trying again is what the loop is for
                pause = max(0.5 * 2**attempt * (0.5 + patience.jitter() / 2), error.pause)
                hopeless = error.pause > patience.longest_pause or patience.clock() + pause >= until
                if attempt == patience.tries or hopeless:
                    raise error.failure from None
                patience.sleep(min(pause, patience.longest_pause))
        raise HttpError(problem(None, Reason.ENDPOINT_NOT_TRIED))  # tries < 1

    def _try(self, data: bytes, until: float) -> Any:
        request = urllib.request.Request(self._url, data, self._headers)  # noqa: S310 - the address was checked
        timeout = max(0.001, min(self._patience.timeout, until - self._patience.clock()))
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                return json.loads(self._read(answer, until))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            # No connection, too slow, broken off, or not JSON: the next try may do better.
            unusable = isinstance(error, (ValueError, RecursionError))
            found = problem(None, Reason.ENDPOINT_UNREACHABLE, cause=str(error))
            raise _AgainError(HttpError(found, unusable=unusable)) from None

    def _read(self, answer: http.client.HTTPResponse, until: float) -> bytes:
        """In pieces: neither endless nor trickling answers hold us."""
        parts, size = [], 0
        while part := answer.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > self._patience.most_bytes:
                found = problem(None, Reason.ENDPOINT_TOO_LARGE, most=self._patience.most_bytes)
                raise HttpError(found, unusable=True)
            if self._patience.clock() >= until:
                raise TimeoutError("timed out")
        return b"".join(parts)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        if 300 <= error.code < 400:
            return HttpError(problem(None, Reason.ENDPOINT_REDIRECTS, status=error.code), error.code)
        name = _error_name(error)
        status = f"{error.code}{name and f' ({name})'}"
        failure = HttpError(problem(None, Reason.ENDPOINT_STATUS, status=status), error.code)
        if error.code in _RETRIED or error.code >= 500:
            return _AgainError(failure, _asked_pause(error.headers))
        return failure


class _AgainError(Exception):
    """Worth another try, after so many seconds at least."""

    def __init__(self, failure: HttpError, pause: float = 0.0) -> None:
        self.failure = failure
        self.pause = pause


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A POST that is sent elsewhere would take the texts along, and the key."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def check_address(url: str) -> str:
    """An http(s) address without a name or password in it, as those end up in error messages."""
    try:
        parts = urllib.parse.urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        fine = False
    if not fine or re.search(r"[\s\x00-\x1f\x7f]", url):
        raise ConfigError("address", Reason.BAD_ADDRESS)
    return url


def check_key(key: str | None) -> str | None:
    """A key that a header can carry. It is not quoted: what is not a good key may still be one."""
    key = None if key is None else key.strip()
    if key and not re.fullmatch(r"[!-~]+", key):
        raise ConfigError("key", Reason.BAD_KEY)
    return key or None


def _error_name(error: urllib.error.HTTPError) -> str:
    """The server's short name for the trouble, such as model_not_found; its sentences may quote what we sent."""
    try:
        said = json.loads(error.read(_MOST_ERROR_BYTES))["error"]
        names = [said.get("code"), said.get("type")]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
    return next((name for name in names if isinstance(name, str) and re.fullmatch("[a-z_]{3,40}", name)), "")


def _asked_pause(headers: Message) -> float:
    """Retry-After, in seconds or as a date measured by the server's own clock."""
    said = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d*)?", said):
        return float(said)
    try:
        pause = parsedate_to_datetime(said) - parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, TypeError):
        return 0.0
    return max(0.0, pause.total_seconds())
