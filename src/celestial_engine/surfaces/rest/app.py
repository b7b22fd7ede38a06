"""The application: every operation under /v1, behind tokens; health checks and metrics."""

from __future__ import annotations

from typing import Any

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

from celestial_engine import __version__
from celestial_engine.core.access import Grant, Scope
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.dashboard.headers import SafetyHeaders
from celestial_engine.surfaces.dashboard.pages import add_dashboard
from celestial_engine.surfaces.dashboard.sessions import session_of
from celestial_engine.surfaces.dashboard.stream import add_stream
from celestial_engine.surfaces.gossip.app import PATH, GossipApp
from celestial_engine.surfaces.http.problems import add_problem_handlers, problem
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.rest.drain import Drain, Draining
from celestial_engine.surfaces.rest.endpoints import add_route
from celestial_engine.surfaces.rest.gate import Gate
from celestial_engine.surfaces.rest.metrics import CONTENT_TYPE, Metrics, Watch
from celestial_engine.surfaces.rest.settings import ServerSettings
from celestial_engine.surfaces.rest.visitors import Doorkeeper, found_grant, is_local

_ABOUT = (
    "Long-term memory for AI agents. Every request needs a token, `Authorization: Bearer cel_...`, which says whose "
    "memories it is about and what it may do (`x-scope`). Errors are problem documents (RFC 9457)."
)


def build_app(
    memory: CelestialMemory, settings: ServerSettings | None = None, metrics_folder: str | None = None
) -> FastAPI:
    """The engine over HTTP. The caller opens and closes the engine.

    `metrics_folder` is where several processes of one server count their requests.
    """
    settings = settings or ServerSettings()
    app = FastAPI(
        title="Celestial Memory", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None,
        openapi_url="/openapi.json", redirect_slashes=False,
    )  # fmt: skip
    add_problem_handlers(app)
    router = APIRouter(prefix="/v1")
    for operation in OPERATIONS:
        add_route(router, operation)
    app.include_router(router)
    metrics = Metrics(memory, metrics_folder)
    app.state.drain = drain = Drain()
    _add_watching(app, memory, metrics, drain)
    add_dashboard(app, memory)
    _add_speeds(app, memory, metrics)
    app.router.routes.append(Route(PATH, endpoint=GossipApp(memory)))
    app.state.streams = add_stream(app, memory)
    _describe_tokens(app)
    # The last one added is the first one passed.
    app.add_middleware(Doorkeeper, memory=memory, settings=settings)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.origins, allow_methods=["*"], allow_headers=["*"],
            expose_headers=["ETag", "Retry-After"],
        )  # fmt: skip
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(Draining, drain=drain)
    app.add_middleware(SafetyHeaders)
    app.add_middleware(Watch, metrics=metrics, access_log=settings.access_log)
    return app


def _add_watching(app: FastAPI, memory: CelestialMemory, metrics: Metrics, drain: Drain) -> None:
    @app.get("/health", include_in_schema=False)
    async def health() -> JSONResponse:
        """Alive: the process answers."""
        return JSONResponse({"status": "ok"})

    @app.get("/ready", include_in_schema=False)
    async def ready() -> JSONResponse:
        """Ready: the store can be read, its schema is this version's, and the server is not stopping."""
        if drain.begun:
            return JSONResponse({"status": "draining"}, 503)
        try:
            await anyio.to_thread.run_sync(memory.maintenance.check_ready)
        except CelestialError as error:
            return JSONResponse({"status": "not ready", "code": error.code}, 503)
        return JSONResponse({"status": "ok"})

    @app.get("/metrics", include_in_schema=False)
    async def tell_metrics(request: Request) -> Response:
        if not is_local(request):
            grant = await found_grant(request, memory)
            if not isinstance(grant, Grant):
                return grant
            if not grant.allows(Scope.ADMIN):
                return problem(403, "scope", "This token does not allow 'admin'.")
        return Response(await anyio.to_thread.run_sync(metrics.text), media_type=CONTENT_TYPE)


def _add_speeds(app: FastAPI, memory: CelestialMemory, metrics: Metrics) -> None:
    @app.get("/dashboard/speed", include_in_schema=False)
    async def speed(request: Request) -> Response:
        """How fast this server answers, of all owners: numbers of operations, and nothing that was asked."""
        grant = await session_of(request, memory)
        if not isinstance(grant, Grant):
            return grant
        speeds = await anyio.to_thread.run_sync(metrics.speeds)
        return JSONResponse(
            {"operations": [each._asdict() for each in speeds]}, headers={"Cache-Control": "no-store"}
        )


def _describe_tokens(app: FastAPI) -> None:
    """Into the OpenAPI document: how to come in."""
    described = app.openapi

    def openapi() -> dict[str, Any]:
        document = described()
        schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
        schemes["token"] = {"type": "http", "scheme": "bearer"}
        document["security"] = [{"token": []}]
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents
