"""Sessions of a browser: a cookie that no script can read, and for every change a word that only our page knows."""

from __future__ import annotations

import hmac

import anyio.to_thread
from fastapi import Request
from fastapi.responses import JSONResponse, Response

from celestial_engine.core.access import SESSION_LASTS, Grant, csrf_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.http.problems import language_of, problem, problem_of

CSRF_HEADER = "X-CSRF-Token"
_CHANGES_NOTHING = ("GET", "HEAD", "OPTIONS")
_OUR_OWN_PAGE = ("same-origin", "none")  # none: typed, or from a bookmark


def cookie_of(request: Request) -> str | None:
    """The session that a browser sent, whatever it is worth."""
    return request.cookies.get(_cookie_name(request))


async def session_of(request: Request, memory: CelestialMemory) -> Grant | JSONResponse:
    """What the session in the cookie allows, or why it does not."""
    session = cookie_of(request) or ""
    try:
        grant = await anyio.to_thread.run_sync(memory.access.check, session)
    except CelestialError as error:
        return problem_of(error, language_of(request))
    if grant is None or not grant.is_session:
        return problem(401, "no_session", "There is no session, or it has ended; `celestial dashboard` opens one.")
    return _forged(request, session) or grant


def _forged(request: Request, session: str) -> JSONResponse | None:
    """A browser sends cookies for other pages too: the ones next door, on another port, count as the same site."""
    if request.headers.get("sec-fetch-site", "same-origin") not in _OUR_OWN_PAGE:
        return problem(403, "foreign_origin", "That page may not use this session.")
    token = request.headers.get(CSRF_HEADER, "")
    if request.method in _CHANGES_NOTHING or hmac.compare_digest(token.encode(), csrf_of(session).encode()):
        return None
    return problem(403, "csrf", f"Send the session's csrf in {CSRF_HEADER}; GET /dashboard/session tells it.")


def keep_session(answer: Response, request: Request, session: str) -> None:
    answer.set_cookie(
        _cookie_name(request), session, max_age=int(SESSION_LASTS.total_seconds()), path="/", httponly=True,
        samesite="strict", secure=_is_encrypted(request),
    )  # fmt: skip


def drop_session(answer: Response, request: Request) -> None:
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'  # such as the draft of a memory
    answer.delete_cookie(
        _cookie_name(request), path="/", httponly=True, samesite="strict", secure=_is_encrypted(request)
    )


def _cookie_name(request: Request) -> str:
    """With the port: browsers share cookies between all servers of a name, and two memories are two sessions."""
    port = request.url.port
    # Browsers take a name with this prefix only over encryption, and from no other host.
    prefix = "__Host-" if _is_encrypted(request) else ""
    return f"{prefix}celestial_session" if port is None else f"{prefix}celestial_session_{port}"


def _is_encrypted(request: Request) -> bool:
    """Whether the connection is encrypted, as a proxy may say; a false claim only loses the cookie."""
    return request.url.scheme == "https" or request.headers.get("x-forwarded-proto", "").lower() == "https"
