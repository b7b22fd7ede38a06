"""The dashboard's routes: its files, the way in, and the way out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from mimetypes import guess_type
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

import anyio.to_thread
from fastapi import Body, FastAPI, Query, Request
from fastapi.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.background import BackgroundTask
from starlette.datastructures import Headers
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from celestial_engine import __version__
from celestial_engine.core.access import Grant, csrf_of
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError, NotFoundError
from celestial_engine.surfaces.dashboard.sessions import cookie_of, drop_session, keep_session, session_of
from celestial_engine.surfaces.dashboard.signs import STYLE, STYLE_PATH, Sign, sign
from celestial_engine.surfaces.http.problems import language_of, problem, problem_of

BUILT = Path(__file__).parent / "static"
LOGIN_PATH = "/login"
SERVER_PATH = "/dashboard/server"
_ALWAYS_ASK = {"Cache-Control": "no-cache"}
_NEVER_KEEP = {"Cache-Control": "no-store"}


def add_dashboard(app: FastAPI, memory: CelestialMemory, built: Path = BUILT) -> None:
    """Adds the page, and what it needs besides /v1."""
    _add_files(app, built)
    _add_sessions(app, memory)
    _add_owners(app, memory)


def _add_files(app: FastAPI, built: Path) -> None:
    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        index = built / "index.html"
        return FileResponse(index, headers=_ALWAYS_ASK) if index.is_file() else sign(Sign.NOT_BUILT, request, 503)

    @app.api_route(STYLE_PATH, methods=["GET", "HEAD"], include_in_schema=False)
    async def plain_style() -> Response:
        return Response(STYLE, media_type="text/css", headers=_ALWAYS_ASK)

    # Beside the page lie an icon and the like, each under a name of its own: whatever else is asked for is no route.
    for file in sorted(built.glob("*")):
        if file.is_file() and file.name != "index.html":
            app.add_api_route(f"/{file.name}", _sender(file), methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/assets", _Assets(built / "assets"), name="assets")


def _sender(file: Path) -> Callable[[], Awaitable[Response]]:
    async def send() -> Response:
        return FileResponse(file, headers=_ALWAYS_ASK)

    return send


def _add_sessions(app: FastAPI, memory: CelestialMemory) -> None:
    @app.get(LOGIN_PATH, include_in_schema=False)
    async def log_in(request: Request, key: str = "") -> Response:
        """A key is good once: the session that it opens goes into a cookie, and the key out of the address."""
        try:
            opened = await anyio.to_thread.run_sync(memory.access.log_in, key)
        except CelestialError as error:
            return problem_of(error, language_of(request))
        if opened is None:
            known = await session_of(request, memory) if cookie_of(request) else None
            # Who has come in already, and goes back to the link, is where they wanted to be.
            return _inside() if isinstance(known, Grant) else sign(Sign.BAD_KEY, request, 403)
        answer = _inside()
        keep_session(answer, request, opened[0])
        return answer

    @app.get("/dashboard/session", include_in_schema=False)
    async def session(request: Request) -> Response:
        grant = await session_of(request, memory)
        if not isinstance(grant, Grant):
            return grant
        # The page asks for the table and the people next: read them meanwhile.
        prepare = BackgroundTask(_prepare, memory, grant.owner)
        view = _session_view(grant, cookie_of(request) or "")
        return JSONResponse(view, headers=_NEVER_KEEP, background=prepare)

    @app.get(SERVER_PATH, include_in_schema=False)
    async def server(question: Annotated[str, Query(max_length=100)]) -> Response:
        """For `celestial dashboard`: shows that this is the server that it found noted in the memory."""
        return JSONResponse({"answer": memory.access.server_answer(question)}, headers=_NEVER_KEEP)

    @app.post("/dashboard/logout", include_in_schema=False)
    async def log_out(request: Request) -> Response:
        grant = await session_of(request, memory)
        if not isinstance(grant, Grant):
            return grant
        try:
            await anyio.to_thread.run_sync(memory.access.revoke, grant.id)
        except NotFoundError:
            pass  # another window was quicker
        except CelestialError as error:
            return problem_of(error, language_of(request))
        answer = Response(status_code=204)
        drop_session(answer, request)
        return answer


def _add_owners(app: FastAPI, memory: CelestialMemory) -> None:
    """For sessions that were opened for all owners; others learn of no other owner."""

    async def switching_session(request: Request) -> Grant | JSONResponse:
        grant = await session_of(request, memory)
        if isinstance(grant, Grant) and not grant.switches_owner:
            return problem(
                403, "one_owner", "This session is of one owner; `celestial dashboard --all-owners` is not."
            )
        return grant

    @app.get("/dashboard/owners", include_in_schema=False)
    async def owners(request: Request) -> Response:
        grant = await switching_session(request)
        if not isinstance(grant, Grant):
            return grant
        try:
            found = await anyio.to_thread.run_sync(memory.access.owners)
        except CelestialError as error:
            return problem_of(error, language_of(request))
        listed = [
            {"user_id": owner.user_id, "agent_id": owner.agent_id, "memories": count}
            for owner, count in found.items()
        ]
        return JSONResponse({"owners": listed}, headers=_NEVER_KEEP)

    @app.post("/dashboard/owner", include_in_schema=False)
    async def switch(request: Request, user_id: Annotated[str, Body()], agent_id: Annotated[str, Body()]) -> Response:
        grant = await switching_session(request)
        if not isinstance(grant, Grant):
            return grant
        try:
            owner = Owner(user_id, agent_id)
            session, opened = await anyio.to_thread.run_sync(memory.access.switch_owner, grant, owner)
        except CelestialError as error:
            return problem_of(error, language_of(request))
        answer = JSONResponse(_session_view(opened, session), headers=_NEVER_KEEP)
        keep_session(answer, request, session)
        return answer


def _prepare(memory: CelestialMemory, owner: Owner) -> None:
    with suppress(CelestialError):  # whoever asks for it is told
        memory.of(owner.user_id, owner.agent_id).browse.prepare()


def _inside() -> Response:
    return RedirectResponse("/", 303, _NEVER_KEEP)


def _session_view(grant: Grant, session: str) -> dict[str, Any]:
    return {
        "owner": {"user_id": grant.owner.user_id, "agent_id": grant.owner.agent_id},
        "csrf": csrf_of(session),
        "version": __version__,
        "scopes": sorted(scope.value for scope in grant.scopes),
        "switches_owner": grant.switches_owner,
        "expires_at": None if grant.expires_at is None else timestamp(grant.expires_at),
    }


class _Assets(StaticFiles):
    """Their names change with what is in them, so that a browser may keep them for good."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)
        self.config_checked = True  # a folder that is not there has no files: no reason to fail

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file as the build compressed it, for browsers that take it; else the plain one."""
        accepted = Headers(scope=scope).get("accept-encoding", "")
        kind = guess_type(path)[0]
        if kind is None or not _takes_gzip(accepted) or not self.lookup_path(f"{path}.gz")[1]:
            return _varied(await super().get_response(path, scope))
        answer = _varied(await super().get_response(f"{path}.gz", scope))
        if answer.status_code != 304:
            answer.headers["Content-Encoding"] = "gzip"
            answer.headers["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        return answer

    def file_response(self, full_path: str | PathLike[str], *args: Any, **kwargs: Any) -> Response:
        answer = super().file_response(full_path, *args, **kwargs)
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return answer


def _takes_gzip(accepted: str) -> bool:
    codings = (part.partition(";") for part in accepted.lower().split(","))
    return any(
        name.strip() == "gzip" and weight.replace(" ", "") not in ("q=0", "q=0.0") for name, _, weight in codings
    )


def _varied(answer: Response) -> Response:
    answer.headers["Vary"] = "Accept-Encoding"
    return answer
