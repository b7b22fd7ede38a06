"""The MCP server: tools, resources and prompts over one memory."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from celestial_engine import __version__
from celestial_engine.core.codec import encode
from celestial_engine.errors import CelestialError
from celestial_engine.surfaces.known_ids import with_known_ids
from celestial_engine.surfaces.mcp import inbox_app
from celestial_engine.surfaces.mcp.approval import (
    Word,
    channel_of,
    needs_word,
    put_off,
    question,
    word_of_the_user,
)
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.greeting import INSTRUCTIONS, LISTED_FOR_MS, NAME, TITLE
from celestial_engine.surfaces.mcp.hints import advice_for_models
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.prompts import prompt_of, prompts
from celestial_engine.surfaces.mcp.repeats import earlier_same
from celestial_engine.surfaces.mcp.resources import resource, resources, templates
from celestial_engine.surfaces.mcp.tasks import Running, StoppedError, Tasks
from celestial_engine.surfaces.mcp.texts import speaking
from celestial_engine.surfaces.mcp.tools import TOOLS, answered, failed, refused, tool, tools_for
from celestial_engine.surfaces.operations.declaration import Caller, Operation
from celestial_engine.surfaces.tracing import traced_run
from celestial_engine.surfaces.wire import request_of

logger = logging.getLogger(__name__)

Context = ServerRequestContext[Desk, Any]
Answer = TypeVar("Answer")
GuestOf = Callable[[Context], Guest]
_INVALID_PARAMS = -32602
# What is listed depends on the token's scopes and stays the same while the server runs.
_LISTED = CacheHint(ttl_ms=LISTED_FOR_MS, scope="private")
_CACHE_HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": _LISTED,
    "prompts/list": _LISTED,
    "resources/list": _LISTED,
    "resources/templates/list": _LISTED,
}


def build_server(
    desk: Callable[[], AbstractAsyncContextManager[Desk]],
    guest_of: GuestOf,
    channel: str = "mcp",
    language: str = "en",
    state_key: bytes | None = None,
    profile: Profile = Profile.ESSENTIAL,
) -> Server[Desk]:
    """A server over the memory on the desk; `guest_of` says whose a request is, `channel` by which way it came.

    `profile` says which tools and prompts are listed. `state_key` seals
    the state that a client sends back, where another process may receive it.
    """
    # Several processes answer the requests of one client: none knows the tasks of another.
    tasks = Tasks(guest_of) if state_key is None else None
    handlers = _Handlers(guest_of, channel, language, profile, tasks)
    server = Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=INSTRUCTIONS,
        cache_hints=_CACHE_HINTS,
        lifespan=lambda _: desk(),
        get_tool_input_schema=lambda name: tool(name).input_schema if name in TOOLS else None,
        on_list_tools=handlers.list_tools,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )
    # Not among the arguments above: those may not answer with a task.
    server.add_request_handler("tools/call", types.CallToolRequestParams, handlers.call_tool)
    server.extensions = {**server.extensions, inbox_app.EXTENSION: dict(inbox_app.SETTINGS)}
    if tasks is not None:
        tasks.offer(server)
    sealing = RequestStateSecurity.ephemeral() if state_key is None else RequestStateSecurity(keys=[state_key])
    server.middleware.append(RequestStateBoundary(sealing, default_audience=NAME))
    return server


class _Handlers:
    """What the server does with each kind of request."""

    def __init__(self, guest_of: GuestOf, channel: str, language: str, profile: Profile, tasks: Tasks | None) -> None:
        self._guest_of = guest_of
        self._channel = channel
        self._language = language
        self._profile = profile
        self._tasks = tasks
        self._say = speaking(language)

    async def list_tools(self, ctx: Context, _: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools_for(self._guest_of(ctx).scopes, self._profile))

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult | dict[str, Any]:
        operation = TOOLS.get(params.name)
        if operation is None:
            raise MCPError(_INVALID_PARAMS, f"there is no tool {params.name!r}")
        if operation.scope not in self._guest_of(ctx).scopes:
            return refused("scope", self._say("scope", scope=operation.scope.value))
        return await self._answer(params.name, partial(self._called, ctx, params, operation))

    async def _answer(self, name: str, work: Callable[[], Awaitable[Answer]]) -> Answer | types.CallToolResult:
        """The answer of this work; what goes wrong is a result as well, unless it is the protocol's own."""
        try:
            return await work()
        except CelestialError as error:
            return failed(error, self._say, self._language, self._profile)
        except (MCPError, StoppedError):
            raise
        except Exception:
            logger.exception("the tool %s failed unexpectedly", name)
            return refused("unexpected", self._say("unexpected"))

    async def _called(
        self, ctx: Context, params: types.CallToolRequestParams, operation: Operation[Any, Any]
    ) -> types.CallToolResult | types.InputRequiredResult | dict[str, Any]:
        caller = await self._caller(ctx)
        typed_request = request_of(operation, params.arguments or {})
        request = await anyio.to_thread.run_sync(partial(with_known_ids, caller.memory, typed_request))
        if needs_word(operation, request):
            asking = await anyio.to_thread.run_sync(partial(question, caller, operation, request, self._say))
            word = await word_of_the_user(ctx, params, asking)
            if isinstance(word, types.InputRequiredResult):
                return word
            if word is Word.PENDING:
                await anyio.to_thread.run_sync(partial(put_off, caller, operation, request))
            if word is not Word.GIVEN:
                return self._not_agreed(request, word)
            if asking != await anyio.to_thread.run_sync(partial(question, caller, operation, request, self._say)):
                return refused("changed", self._say("changed"))  # while the user was thinking
            caller = replace(caller, channel=channel_of(ctx, self._channel))
        if self._tasks is not None and operation.long and self._tasks.can_start(ctx):
            long = partial(self._later, caller, operation, request)
            return self._tasks.start(ctx, operation.scope, long)
        return await self._done(caller, operation, request)

    async def _later(
        self, caller: Caller, operation: Operation[Any, Any], request: Any, task: Running
    ) -> types.CallToolResult:
        reporting = replace(caller, progress=task.report)
        return await self._answer(operation.name, partial(self._done, reporting, operation, request))

    async def _done(self, caller: Caller, operation: Operation[Any, Any], request: Any) -> types.CallToolResult:
        result = await anyio.to_thread.run_sync(partial(traced_run, operation, caller, request))
        notice = None
        if operation.name == "memory_save":
            same = await anyio.to_thread.run_sync(partial(earlier_same, caller.memory, result.id))
            notice = None if same is None else self._say("repeated", id=same.id)
        return answered(operation, encode(result), notice)

    def _not_agreed(self, request: Any, word: Word) -> types.CallToolResult:
        if word is Word.DECLINED:
            return refused("declined", self._say("declined"))
        then = "pending.large" if getattr(request, "allow_large", False) else "pending.inbox"
        return refused("pending_approval", f"{self._say('pending')} {self._say(then)}")

    async def list_resources(self, _: Context, __: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=resources(self._say))

    async def list_templates(self, _: Context, __: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=templates(self._say))

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == inbox_app.URI:
            return types.ReadResourceResult(contents=[inbox_app.page(self._say, self._language)])
        try:
            contents = await anyio.to_thread.run_sync(partial(resource, await self._caller(ctx), uri))
        except CelestialError as error:
            message = advice_for_models(error.message(self._language), self._profile)
            raise MCPError(_INVALID_PARAMS, message, {"uri": uri}) from None
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: Context, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts(self._say, self._profile))

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = prompt_of(params.name, params.arguments or {}, self._say)
        if text is None:
            raise MCPError(_INVALID_PARAMS, f"there is no prompt {params.name!r} with these arguments")
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])

    async def _caller(self, ctx: Context) -> Caller:
        report = ctx.session.report_progress

        def progress(done: int, of: int) -> None:
            with contextlib.suppress(Exception):  # work goes on if the client is gone
                anyio.from_thread.run(report, float(done), float(of))

        memory, owner = await ctx.lifespan_context.memory(), self._guest_of(ctx).owner
        return Caller(memory.of(owner.user_id, owner.agent_id), owner, self._channel, progress)
