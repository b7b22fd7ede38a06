"""The user's own word. A model may ask for it; only somebody in front of the client gives it.

A client that can ask its user is asked to (in both eras of the protocol); any other gets told that it is pending.
Nothing but an accepted form with its box ticked is consent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from celestial_engine.core.access import Scope
from celestial_engine.surfaces.mcp.texts import Say
from celestial_engine.surfaces.operations.declaration import Caller, Operation

_QUESTION, _BOX = "approval", "approve"
_MOST_QUOTED = 500


class Word(Enum):
    """What came back."""

    GIVEN = "given"
    DECLINED = "declined"
    PENDING = "pending"  # nobody could be asked


@dataclass(frozen=True)
class Question:
    """What the user is asked, and the box to tick."""

    text: str
    label: str

    @property
    def form(self) -> dict[str, Any]:
        box = {"type": "boolean", "title": self.label}
        return {"type": "object", "properties": {_BOX: box}, "required": [_BOX]}


def needs_word(operation: Operation[Any, Any], asked: Any) -> bool:
    return operation.scope is Scope.APPROVE or bool(getattr(asked, "allow_large", False))


def question(caller: Caller, operation: Operation[Any, Any], asked: Any, say: Say) -> Question:
    """The question, with the memory it is about; whoever may not see that memory gets an error here."""
    known = operation.name in ("core_approve", "sleep_cycle_run")
    text = say(f"ask.{operation.name}") if known else say("ask.other", operation=operation.summary)
    item_id = getattr(asked, "id", None)
    if item_id is not None:
        content = caller.memory.get(item_id, **caller.who).content
        text = f"{text}\n\n“{content[:_MOST_QUOTED]}”"
    return Question(text, say("ask.approve"))


async def word_of_the_user(
    ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, asking: Question
) -> Word | types.InputRequiredResult:
    """The user's word; or, in the newer era, what the client has to ask before it calls again."""
    if not _can_ask(ctx):
        return Word.PENDING
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        if not ctx.session.can_send_request:
            return Word.PENDING
        return _read(await ctx.session.elicit_form(asking.text, asking.form, ctx.request_id))
    # The state is sealed with the tool and its arguments: an answer counts for the question that was asked.
    answer = (params.input_responses or {}).get(_QUESTION)
    if answer is not None and params.request_state == asking.text:
        return _read(answer)
    request = types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=asking.text, requested_schema=asking.form)
    )
    return types.InputRequiredResult(input_requests={_QUESTION: request}, request_state=asking.text)


def channel_of(ctx: ServerRequestContext[Any, Any], channel: str) -> str:
    """By which way consent came, for the ledger: the client could have answered in the user's place."""
    client = ctx.session.client_params
    name = "unknown" if client is None else client.client_info.name
    return f"{channel}, asked by {name[:40]}"


def _can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _read(answer: object) -> Word:
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return Word.DECLINED
    return Word.GIVEN if (answer.content or {}).get(_BOX) is True else Word.DECLINED
