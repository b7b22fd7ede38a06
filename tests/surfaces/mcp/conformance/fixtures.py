"""The tools, prompts and resources that the protocol's conformance suite calls by name.

They are added to the server that people get, so that everything else it does is under test: transports, tokens, scopes,
sealed states, cache hints. What the suite expects of each is told by `conformance list` and its scenarios.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged

from celestial_engine.core.access import Scope
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp.tasks import EXTENSION, Running, Tasks

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
).decode()
SILENCE = base64.b64encode(
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00"
).decode()
NOTHING = {"type": "object", "properties": {}}
Tool = Callable[[Any, types.CallToolRequestParams], Awaitable[Any]]


def text(value: str) -> types.TextContent:
    return types.TextContent(text=value)


def image() -> types.ImageContent:
    return types.ImageContent(data=PIXEL, mime_type="image/png")


def embedded(uri: str, kind: str, value: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=kind, text=value))


def done(*content: Any, **more: Any) -> types.CallToolResult:
    return types.CallToolResult(content=list(content), **more)


def plain(*content: Any) -> Tool:
    async def run(_: Any, __: types.CallToolRequestParams) -> types.CallToolResult:
        return done(*content)

    return run


async def failing(_: Any, __: types.CallToolRequestParams) -> types.CallToolResult:
    return done(text("This tool intentionally returns an error for testing"), is_error=True)


async def logging(ctx: Any, _: types.CallToolRequestParams) -> types.CallToolResult:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", line, related_request_id=ctx.request_id)
    return done(text("Three lines were logged."))


async def progressing(ctx: Any, _: types.CallToolRequestParams) -> types.CallToolResult:
    for step in (0, 50, 100):
        await ctx.session.report_progress(float(step), 100.0)
    return done(text("Progress was reported."))


async def sampling(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    message = types.SamplingMessage(role="user", content=text((params.arguments or {})["prompt"]))
    answer = await ctx.session.create_message([message], max_tokens=100, related_request_id=ctx.request_id)
    return done(text(f"LLM response: {answer.content.text}"))


async def reconnecting(ctx: Any, _: types.CallToolRequestParams) -> types.CallToolResult:
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await anyio.sleep(0.1)
    return done(text("Reconnected."))


def eliciting(prefix: str, form: dict[str, Any], message: str | None = None) -> Tool:
    async def run(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        question = message or (params.arguments or {})["message"]
        answer = await ctx.session.elicit_form(question, form, ctx.request_id)
        return done(text(f"{prefix}: action={answer.action}, content={json.dumps(answer.content)}"))

    return run


def form(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def string(**more: Any) -> dict[str, Any]:
    return {"type": "string", **more}


def _titled(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in pairs]


OPTIONS = ["option1", "option2", "option3"]
DEFAULTS = form(
    name=string(default="John Doe"),
    age={"type": "integer", "default": 30},
    score={"type": "number", "default": 95.5},
    status=string(enum=["active", "inactive", "pending"], default="active"),
    verified={"type": "boolean", "default": True},
)
CHOICES = _titled(("value1", "First"), ("value2", "Second"), ("value3", "Third"))
ENUMS = form(
    untitledSingle=string(enum=OPTIONS),
    titledSingle=string(oneOf=CHOICES),
    legacyEnum=string(enum=["opt1", "opt2", "opt3"], enumNames=["Option One", "Option Two", "Option Three"]),
    untitledMulti={"type": "array", "items": string(enum=OPTIONS)},
    titledMulti={"type": "array", "items": {"anyOf": CHOICES}},
)
SCHEMA_2020 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {"$anchor": "addressDef", "type": "object", "properties": {"street": string(), "city": string()}}
    },
    "properties": {
        "name": string(),
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": string(enum=["phone", "email"]),
        "phone": string(),
        "email": string(),
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

# What a client has to ask its user, its model or itself about, before it calls again (2026-07-28).
ASK_NAME = types.ElicitRequest(
    params=types.ElicitRequestFormParams(message="What is your name?", requested_schema=form("name", name=string()))
)
ASK_CONFIRMATION = types.ElicitRequest(
    params=types.ElicitRequestFormParams(
        message="Please confirm", requested_schema=form("ok", ok={"type": "boolean"})
    )
)
ASK_ROOTS = types.ListRootsRequest()


def ask_model(question: str, most: int = 100) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(question))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=most))


def ask_step(message: str, field: str) -> types.ElicitRequest:
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=form(field, **{field: string()}))
    )


def needing(requests: dict[str, Any], answer: Callable[[dict[str, Any]], str], state: str | None = None) -> Tool:
    """A tool that needs valid answers to all of these, and the state that it gave out if it gave one out."""

    async def run(_: Any, params: types.CallToolRequestParams) -> Any:
        given = params.input_responses or {}
        if all(_is_answer(given.get(name)) for name in requests) and (state is None or params.request_state == state):
            return done(text(answer(given)))
        return types.InputRequiredResult(input_requests=requests, request_state=state)

    return run


def _is_answer(value: Any) -> bool:
    if isinstance(value, types.ElicitResult):
        return value.action == "accept" and bool(value.content)
    return isinstance(value, (types.CreateMessageResult, types.ListRootsResult))


async def in_rounds(_: Any, params: types.CallToolRequestParams) -> Any:
    given = params.input_responses or {}
    if params.request_state == "second" and _is_answer(given.get("step2")):
        return done(text("Both steps were answered."))
    if params.request_state == "first" and _is_answer(given.get("step1")):
        step = ask_step("Step 2: What is your favorite color?", "color")
        return types.InputRequiredResult(input_requests={"step2": step}, request_state="second")
    step = ask_step("Step 1: What is your name?", "name")
    return types.InputRequiredResult(input_requests={"step1": step}, request_state="first")


async def by_capability(ctx: Any, _: types.CallToolRequestParams) -> Any:
    """Asks only what this client can answer."""
    able = ctx.session.client_capabilities
    requests: dict[str, Any] = {}
    if able.elicitation is not None:
        requests["user_name"] = ASK_NAME
    if able.sampling is not None:
        requests["greeting"] = ask_model("Generate a greeting", 50)
    return types.InputRequiredResult(input_requests=requests) if requests else done(text("Nothing to ask."))


async def needs_sampling(ctx: Any, _: types.CallToolRequestParams) -> types.CallToolResult:
    if ctx.session.client_capabilities is None or ctx.session.client_capabilities.sampling is None:
        needed = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", needed)
    return done(text("The client can sample."))


def named(given: dict[str, Any]) -> str:
    return f"Hello, {given['user_name'].content['name']}!"


ANNOUNCED = InMemorySubscriptionBus()


def announcing(event: Any) -> Tool:
    async def run(_: Any, __: types.CallToolRequestParams) -> types.CallToolResult:
        await ANNOUNCED.publish(event)
        return done(text("Announced."))

    return run


TOOLS: dict[str, tuple[dict[str, Any], Tool]] = {
    "test_simple_text": (NOTHING, plain(text("This is a simple text response for testing."))),
    "test_image_content": (NOTHING, plain(image())),
    "test_audio_content": (NOTHING, plain(types.AudioContent(data=SILENCE, mime_type="audio/wav"))),
    "test_embedded_resource": (
        NOTHING,
        plain(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
    ),
    "test_multiple_content_types": (
        NOTHING,
        plain(
            text("Multiple content types test:"),
            image(),
            embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ),
    ),
    "test_tool_with_logging": (NOTHING, logging),
    "test_logging_tool": (NOTHING, logging),
    "test_tool_with_progress": (NOTHING, progressing),
    "test_error_handling": (NOTHING, failing),
    "test_sampling": (form("prompt", prompt=string()), sampling),
    "test_elicitation": (
        form("message", message=string()),
        eliciting("User response", form("username", "email", username=string(), email=string())),
    ),
    "test_elicitation_sep1034_defaults": (NOTHING, eliciting("Elicitation completed", DEFAULTS, "Please fill in")),
    "test_elicitation_sep1330_enums": (NOTHING, eliciting("Elicitation completed", ENUMS, "Please choose")),
    "test_reconnection": (NOTHING, reconnecting),
    "json_schema_2020_12_tool": (SCHEMA_2020, plain(text("ok"))),
    "test_header_param": (
        form(region=string(**{"x-mcp-header": "Region"})),
        plain(text("The header and the argument agree.")),
    ),
    "test_streaming_elicitation": (NOTHING, needing({"user_name": ASK_NAME}, named)),
    "test_missing_capability": (NOTHING, needs_sampling),
    "test_trigger_tool_change": (NOTHING, announcing(ToolsListChanged())),
    "test_trigger_prompt_change": (NOTHING, announcing(PromptsListChanged())),
    "test_input_required_result_elicitation": (NOTHING, needing({"user_name": ASK_NAME}, named)),
    "test_input_required_result_sampling": (
        NOTHING,
        needing(
            {"capital_question": ask_model("What is the capital of France?")},
            lambda given: given["capital_question"].content.text,
        ),
    ),
    "test_input_required_result_list_roots": (
        NOTHING,
        needing(
            {"client_roots": ASK_ROOTS}, lambda given: ", ".join(str(r.uri) for r in given["client_roots"].roots)
        ),
    ),
    "test_input_required_result_request_state": (
        NOTHING,
        needing({"confirm": ASK_CONFIRMATION}, lambda _: "state-ok", "confirmed"),
    ),
    "test_input_required_result_tampered_state": (
        NOTHING,
        needing({"confirm": ASK_CONFIRMATION}, lambda _: "state-ok", "untouched"),
    ),
    "test_input_required_result_multiple_inputs": (
        NOTHING,
        needing(
            {"user_name": ASK_NAME, "greeting": ask_model("Generate a greeting", 50), "client_roots": ASK_ROOTS},
            named,
            "all of them",
        ),
    ),
    "test_input_required_result_multi_round": (NOTHING, in_rounds),
    "test_input_required_result_capabilities": (NOTHING, by_capability),
}


# -- long work: the suite's names, on the tasks of the server -------------------------------------


async def computing(task: Running, arguments: dict[str, Any]) -> types.CallToolResult:
    end = anyio.current_time() + float(arguments.get("seconds", 0))
    while anyio.current_time() < end:
        task.report(0, 1)  # raises when the client has asked to stop
        await anyio.sleep(0.05)
    return done(text("computed"))


async def breaking(_: Running, __: dict[str, Any]) -> types.CallToolResult:
    return done(text("the job failed"), is_error=True)


async def crashing(_: Running, __: dict[str, Any]) -> types.CallToolResult:
    raise MCPError(types.INTERNAL_ERROR, "the server gave up")


LONG: dict[str, Callable[[Running, dict[str, Any]], Awaitable[types.CallToolResult]]] = {
    "slow_compute": computing,
    "failing_job": breaking,
    "protocol_error_job": crashing,
}
ONLY_AS_TASK = ("failing_job", "test_tool_with_task")


def working(server: Server[Any], name: str) -> Tool:
    entry = server.get_request_handler("tasks/get")
    assert entry is not None
    tasks: Tasks = entry.handler.__self__  # type: ignore[attr-defined]

    async def run(ctx: Any, params: types.CallToolRequestParams) -> Any:
        arguments = dict(params.arguments or {})
        if not tasks.can_start(ctx):
            if name in ONLY_AS_TASK:
                needed = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
                raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "only as a task", needed)
            moment = datetime.now(timezone.utc)
            return await LONG[name](Running("", LOCAL_OWNER, Scope.READ, moment, moment), arguments)
        if name != "test_tool_with_task":
            return tasks.start(ctx, Scope.READ, lambda task: LONG[name](task, arguments))
        given = (params.input_responses or {}).get("user_name")
        if not _is_answer(given):
            return types.InputRequiredResult(input_requests={"user_name": ASK_NAME})

        async def greeting(_: Running) -> types.CallToolResult:
            return done(text(f"Hello, {given.content['name']}!"))

        return tasks.start(ctx, Scope.READ, greeting)

    return run


async def greet(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    return done(text(f"Hello, {(params.arguments or {})['name']}!"))


TOOLS["greet"] = (form("name", name=string()), greet)


def _message(content: Any) -> types.PromptMessage:
    return types.PromptMessage(role="user", content=content)


def _arguments(*names: str) -> list[types.PromptArgument]:
    return [types.PromptArgument(name=name, required=True) for name in names]


PROMPTS: dict[str, tuple[list[types.PromptArgument], Callable[[dict[str, str]], list[types.PromptMessage]]]] = {
    "test_simple_prompt": ([], lambda _: [_message(text("This is a simple prompt for testing."))]),
    "test_prompt_with_arguments": (
        _arguments("arg1", "arg2"),
        lambda a: [_message(text(f"Prompt with arguments: arg1='{a['arg1']}', arg2='{a['arg2']}'"))],
    ),
    "test_prompt_with_embedded_resource": (
        _arguments("resourceUri"),
        lambda a: [
            _message(embedded(a["resourceUri"], "text/plain", "Embedded resource content for testing.")),
            _message(text("Please process the embedded resource above.")),
        ],
    ),
    "test_prompt_with_image": ([], lambda _: [_message(image()), _message(text("Please analyze the image above."))]),
    "test_input_required_result_prompt": ([], lambda _: []),
}
RESOURCES = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PIXEL),
    "test://watched-resource": types.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="Watched."
    ),
}


def add_fixtures(server: Server[Any]) -> None:
    """Answers for the names above, and the server's own answers for everything else."""

    schema = form(seconds={"type": "number"}, label=string())
    fixtures = {**TOOLS, **{name: (schema, working(server, name)) for name in (*LONG, "test_tool_with_task")}}

    def around(method: str, wrap: Callable[[Any], Any]) -> None:
        entry = server.get_request_handler(method)
        assert entry is not None, method
        server.add_request_handler(method, entry.params_type, wrap(entry.handler))

    def listing(field: str, extra: list[Any]) -> Callable[[Any], Any]:
        def wrap(own: Any) -> Any:
            async def run(ctx: Any, params: Any) -> Any:
                answer = await own(ctx, params)
                return answer.model_copy(update={field: [*getattr(answer, field), *extra]})

            return run

        return wrap

    def calling(own: Any) -> Any:
        async def run(ctx: Any, params: types.CallToolRequestParams) -> Any:
            fixture = fixtures.get(params.name)
            return await own(ctx, params) if fixture is None else await fixture[1](ctx, params)

        return run

    def prompting(own: Any) -> Any:
        async def run(ctx: Any, params: types.GetPromptRequestParams) -> Any:
            if params.name not in PROMPTS:
                return await own(ctx, params)
            if params.name == "test_input_required_result_prompt":
                given = (params.input_responses or {}).get("user_context")
                if not _is_answer(given):
                    asking = ask_step("What context should the prompt use?", "context")
                    return types.InputRequiredResult(input_requests={"user_context": asking})
                return types.GetPromptResult(messages=[_message(text(given.content["context"]))])
            return types.GetPromptResult(messages=PROMPTS[params.name][1](params.arguments or {}))

        return run

    def reading(own: Any) -> Any:
        async def run(ctx: Any, params: types.ReadResourceRequestParams) -> Any:
            uri = str(params.uri)
            if uri.startswith("test://template/") and uri.endswith("/data"):
                found = uri.removeprefix("test://template/").removesuffix("/data")
                value = json.dumps({"id": found, "templateTest": True, "data": f"Data for ID: {found}"})
                contents: Any = types.TextResourceContents(uri=uri, mime_type="application/json", text=value)
            elif uri in RESOURCES:
                contents = RESOURCES[uri]
            else:
                return await own(ctx, params)
            return types.ReadResourceResult(contents=[contents])

        return run

    async def nothing(_: Any, __: Any) -> types.EmptyResult:
        return types.EmptyResult()

    async def completing(_: Any, __: types.CompleteRequestParams) -> types.CompleteResult:
        return types.CompleteResult(completion=types.Completion(values=["paris", "park", "party"], total=3))

    tools = [types.Tool(name=name, description=name, input_schema=schema) for name, (schema, _) in fixtures.items()]
    prompts = [types.Prompt(name=name, description=name, arguments=given) for name, (given, _) in PROMPTS.items()]
    resources = [types.Resource(uri=uri, name=uri, mime_type=one.mime_type) for uri, one in RESOURCES.items()]
    template = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
    around("tools/list", listing("tools", tools))
    around("tools/call", calling)
    around("prompts/list", listing("prompts", prompts))
    around("prompts/get", prompting)
    around("resources/list", listing("resources", resources))
    around("resources/templates/list", listing("resource_templates", [template]))
    around("resources/read", reading)
    server.add_request_handler("completion/complete", types.CompleteRequestParams, completing)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, nothing)
    server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, nothing)
    server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, nothing)
    server.add_request_handler(
        "subscriptions/listen", types.SubscriptionsListenRequestParams, ListenHandler(ANNOUNCED)
    )
    own_schema = server.get_tool_input_schema
    assert own_schema is not None
    server.get_tool_input_schema = lambda name: fixtures[name][0] if name in fixtures else own_schema(name)
