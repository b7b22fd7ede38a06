"""Long calls as tasks: answered at once, and asked about until they are done (2026-07-28, extension `tasks`).

Only clients that declare the extension get them, and only from a server that is one process. What needs the user's
word asks for it before the task begins.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from celestial_engine.core.access import Scope
from celestial_engine.core.record.owner import Owner
from celestial_engine.surfaces.mcp.desk import Desk, Guest

logger = logging.getLogger(__name__)

EXTENSION = "io.modelcontextprotocol/tasks"
RETENTION = timedelta(hours=1)  # how long a task can be asked about
_POLL_MS = 1_000
_MOST = 32  # tasks of one owner; a call beyond them is answered when it is done
_INVALID_PARAMS, _INTERNAL_ERROR = -32602, -32603

Context = ServerRequestContext[Desk, Any]
Work = Callable[["Running"], Awaitable[types.CallToolResult]]


class StoppedError(Exception):
    """The client asked to end the work."""


class TaskParams(types.RequestParams):
    """What every request about a task names."""

    task_id: str


class UpdateParams(TaskParams):
    """Answers to what a task asked: ours ask before they begin, so that there is nothing to answer."""

    input_responses: dict[str, Any] | None = None


@dataclass
class Running:
    """One task, as its work sees it."""

    id: str
    owner: Owner
    scope: Scope
    created: datetime
    updated: datetime
    status: str = "working"
    message: str | None = None
    outcome: dict[str, Any] = field(default_factory=dict)
    stopping: bool = False

    @property
    def is_over(self) -> bool:
        return self.status != "working"

    def report(self, done: int, of: int) -> None:
        """How far the work is; raises StoppedError where the work may end without harm."""
        self.message = f"{done} / {of}"
        self.updated = _now()
        if self.stopping:
            raise StoppedError

    def settle(self, status: str, **outcome: Any) -> None:
        self.status, self.outcome, self.updated = status, outcome, _now()

    def to_json(self) -> dict[str, Any]:
        return {
            "taskId": self.id,
            "status": self.status,
            **({} if self.message is None else {"statusMessage": self.message}),
            "createdAt": self.created.isoformat(),
            "lastUpdatedAt": self.updated.isoformat(),
            "ttlMs": int(RETENTION.total_seconds() * 1000),
            "pollIntervalMs": _POLL_MS,
        }


class Tasks:
    """The tasks of this process, by their ids."""

    def __init__(self, guest_of: Callable[[Context], Guest]) -> None:
        self._guest_of = guest_of
        self._tasks: dict[str, Running] = {}

    def offer(self, server: Server[Desk]) -> None:
        server.extensions = {**server.extensions, EXTENSION: {}}
        server.add_request_handler("tasks/get", TaskParams, self.get)
        server.add_request_handler("tasks/update", UpdateParams, self.update)
        server.add_request_handler("tasks/cancel", TaskParams, self.cancel)

    def can_start(self, ctx: Context) -> bool:
        """Whether this client knows tasks, and its owner has not too many of them."""
        self._drop_old()
        owner = self._guest_of(ctx).owner
        return _declared(ctx) and sum(task.owner == owner for task in self._tasks.values()) < _MOST

    def start(self, ctx: Context, scope: Scope, work: Work) -> dict[str, Any]:
        """Begins the work, and returns the answer that names the task."""
        moment = _now()
        task = Running(secrets.token_urlsafe(18), self._guest_of(ctx).owner, scope, moment, moment)
        self._tasks[task.id] = task
        ctx.lifespan_context.start_soon(self._run, task, work)
        return {"resultType": "task", **task.to_json()}

    async def get(self, ctx: Context, params: TaskParams) -> dict[str, Any]:
        task = self._known(ctx, params)
        return {"resultType": "complete", **task.to_json(), **task.outcome}

    async def update(self, ctx: Context, params: UpdateParams) -> dict[str, Any]:
        self._known(ctx, params)
        return {"resultType": "complete"}

    async def cancel(self, ctx: Context, params: TaskParams) -> dict[str, Any]:
        """The work ends where it can: a night between two batches. What is done by then stays done."""
        task = self._known(ctx, params)
        task.stopping = task.stopping or not task.is_over
        return {"resultType": "complete"}

    async def _run(self, task: Running, work: Work) -> None:
        try:
            result = await work(task)
        except StoppedError:
            task.settle("cancelled")
        except MCPError as error:
            task.settle("failed", error={"code": error.error.code, "message": error.error.message})
        except Exception:
            logger.exception("a task failed unexpectedly")
            task.settle("failed", error={"code": _INTERNAL_ERROR, "message": "the work failed unexpectedly"})
        else:
            task.settle("completed", result=result.model_dump(by_alias=True, mode="json", exclude_none=True))

    def _known(self, ctx: Context, params: TaskParams) -> Running:
        """The task, for its owner and who may do what it does; anybody else learns nothing of it."""
        if not _declared(ctx):
            needed: dict[str, Any] = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "the extension for tasks is needed", needed)
        named = _headers(ctx).get("mcp-name")
        if _headers(ctx) and named != params.task_id:
            raise MCPError(types.HEADER_MISMATCH, "the header Mcp-Name must name the task")
        self._drop_old()
        task, guest = self._tasks.get(params.task_id), self._guest_of(ctx)
        if task is None or task.owner != guest.owner or task.scope not in guest.scopes:
            raise MCPError(_INVALID_PARAMS, f"there is no task {params.task_id!r}")
        return task

    def _drop_old(self) -> None:
        oldest = _now() - RETENTION
        self._tasks = {id_: task for id_, task in self._tasks.items() if not task.is_over or task.created > oldest}


def _declared(ctx: Context) -> bool:
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return False
    capabilities = ctx.session.client_capabilities
    return capabilities is not None and EXTENSION in (capabilities.extensions or {})


def _headers(ctx: Context) -> Mapping[str, str]:
    """The headers of a request over HTTP; none over stdio."""
    headers: Mapping[str, str] = getattr(ctx.request, "headers", {})
    return headers


def _now() -> datetime:
    return datetime.now(timezone.utc)
