"""The user's approval. A model may ask for it; only the person in front of the client gives it.

A client that can ask its user is asked to (in both eras of the protocol); any other is answered that it is pending.
Nothing but an accepted form with its box ticked is consent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from celestial_engine.core.access import Scope
from celestial_engine.core.self.proposals import Channel, Part, Proposal
from celestial_engine.surfaces.mcp.texts import Say
from celestial_engine.surfaces.operations.declaration import Caller, Operation

_QUESTION, _BOX = "approval", "approve"
_MOST_QUOTED = 4_000  # the user must have seen all of it


class Word(Enum):
    """What came back."""

    GIVEN = "given"
    DECLINED = "declined"
    PENDING = "pending"  # the user could not be asked


@dataclass(frozen=True)
class Question:
    """What the user is asked, and the box to tick."""

    text: str
    label: str

    @property
    def form(self) -> dict[str, Any]:
        box = {"type": "boolean", "title": self.label}
        return {"type": "object", "properties": {_BOX: box}, "required": [_BOX]}


def needs_word(operation: Operation[Any, Any], request: Any) -> bool:
    return operation.scope is Scope.APPROVE or bool(getattr(request, "allow_large", False))


def question(caller: Caller, operation: Operation[Any, Any], request: Any, say: Say) -> Question:
    """The question, with what it is about; a caller that may not see that gets an error here."""
    known = operation.name in ("core_approve", "proposal_approve", "sleep_cycle_run")
    text = say(f"ask.{operation.name}") if known else say("ask.other", operation=operation.summary)
    about = _about(caller, operation, request)
    return Question(f"{text}\n\n“{about[:_MOST_QUOTED]}”" if about else text, say("ask.approve"))


def put_off(caller: Caller, operation: Operation[Any, Any], request: Any) -> None:
    """Leaves in the inbox what the user could not be asked about."""
    if operation.name == "core_approve":
        caller.memory.self.propose.core(request.id, by=caller.channel, channel=Channel.AGENT)


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


def _about(caller: Caller, operation: Operation[Any, Any], request: Any) -> str:
    if operation.name == "sleep_cycle_run":
        return ""
    if operation.name == "core_approve":
        return caller.memory.get(request.id).content
    if operation.name == "proposal_approve":
        return "\n".join(_lines(caller, caller.memory.self.proposal(request.proposal)))
    return json.dumps(asdict(request), ensure_ascii=False, default=str)


def _lines(caller: Caller, proposal: Proposal) -> Iterator[str]:
    """What a proposal would change, to be read by people."""
    for change in proposal.changes:
        if change.on is Part.MEMORY:
            yield caller.memory.get(change.id).content
        for sign, part in (("-", change.before), ("+", change.after)):
            yield from (f"{sign} {name}: {_plain(value)}" for name, value in (part or {}).items())


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _read(answer: object) -> Word:
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return Word.DECLINED
    return Word.GIVEN if (answer.content or {}).get(_BOX) is True else Word.DECLINED
