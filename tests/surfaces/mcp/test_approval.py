"""The user's own word: asked for, and never taken for given."""

from __future__ import annotations

import json

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import ElicitResult, ErrorData

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.server import build_server

ERAS = ["auto", "legacy"]
YES = ElicitResult(action="accept", content={"approve": True})
NOT_CONSENT = [
    ElicitResult(action="decline"),
    ElicitResult(action="cancel"),
    ElicitResult(action="accept", content={"approve": False}),
    ElicitResult(action="accept", content={"approve": "true"}),
    ElicitResult(action="accept", content={}),
    ElicitResult(action="accept"),
]


@pytest.fixture
def nominee(memory: CelestialMemory) -> str:
    return memory.store("The user gave their cat its name", tier=Tier.M365).id


def asked(memory, mode, arguments, answer=None, tool="core_approve", language="en", **more):
    """The result of a call, and what the user was asked meanwhile."""
    questions = []

    async def reply(context, params):
        questions.append(params)
        return answer(len(questions)) if callable(answer) else answer

    async def run():
        server = build_server(lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), "mcp, test", language)
        callback = None if answer is None else reply
        async with Client(server, mode=mode, elicitation_callback=callback) as client:
            try:
                return await client.call_tool(tool, arguments, **more)
            except MCPError as error:
                return error

    return anyio.run(run), questions


def error_of(result):
    assert result.is_error
    return json.loads(result.content[0].text)["error"]


@pytest.mark.parametrize("mode", ERAS)
def test_a_ticked_box_is_consent(mode, memory, nominee):
    """The question quotes the memory; the ledger keeps by which way the word came."""
    result, questions = asked(memory, mode, {"id": nominee}, YES)
    assert result.structured_content["tier"] == "M0"
    assert len(questions) == 1
    assert "The user gave their cat its name" in questions[0].message
    assert questions[0].requested_schema["required"] == ["approve"]
    by = memory.ledger.history(nominee)[0].detail["approved_by"]
    assert by.startswith("local (mcp, test, asked by ")


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("answer", NOT_CONSENT, ids=lambda answer: f"{answer.action}-{answer.content}")
def test_anything_else_is_not(mode, answer, memory, nominee):
    result, _ = asked(memory, mode, {"id": nominee}, answer)
    assert error_of(result) == "declined"
    assert memory.get(nominee).tier is Tier.M365


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(("language", "word"), [("en", "(inbox_list)"), ("ko", "승인함(inbox_list)")])
def test_a_client_that_cannot_ask_leaves_it_pending(mode, language, word, memory, nominee):
    result, _ = asked(memory, mode, {"id": nominee}, language=language)
    assert error_of(result) == "pending_approval"
    assert word in result.content[0].text
    assert memory.get(nominee).tier is Tier.M365
    (waiting,) = memory.self.inbox()
    assert (waiting.about, waiting.channel.value) == (f"core:{nominee}", "agent")
    asked(memory, mode, {"id": nominee})
    assert len(memory.self.inbox()) == 1


def test_an_answer_to_no_question_counts_for_nothing(memory, nominee):
    """A client that sends the answer along with the first call is asked all the same."""
    decline = ElicitResult(action="decline")
    result, questions = asked(memory, "auto", {"id": nominee}, decline, input_responses={"approval": YES})
    assert error_of(result) == "declined"
    assert len(questions) == 1


def test_a_made_up_state_is_refused(memory, nominee):
    result, _ = asked(
        memory, "auto", {"id": nominee}, YES, input_responses={"approval": YES}, request_state="made up"
    )
    assert isinstance(result, MCPError)
    assert memory.get(nominee).tier is Tier.M365


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_that_fails_to_ask_changes_nothing(mode, memory, nominee):
    result, _ = asked(memory, mode, {"id": nominee}, ErrorData(code=-1, message="the window was closed"))
    assert isinstance(result, MCPError)
    assert memory.get(nominee).tier is Tier.M365


@pytest.mark.parametrize("mode", ERAS)
def test_nobody_is_asked_about_what_cannot_be(mode, memory):
    result, questions = asked(memory, mode, {"id": "nobody"}, YES)
    assert error_of(result) == "not_found"
    assert questions == []


@pytest.mark.parametrize("mode", ERAS)
def test_a_night_that_takes_many_asks_too(mode, memory):
    """A model cannot say in the user's name that many may leave."""
    result, questions = asked(
        memory, mode, {"allow_large": True}, ElicitResult(action="decline"), tool="sleep_cycle_run", language="ko"
    )
    assert error_of(result) == "declined"
    assert "한꺼번에" in questions[0].message
    result, questions = asked(memory, mode, {}, YES, tool="sleep_cycle_run")
    assert not result.is_error
    assert questions == []


@pytest.mark.parametrize("mode", ERAS)
def test_a_proposal_is_shown_before_it_is_approved(mode, memory, nominee):
    """The whole diff of it; then it is carried out by the user's own way."""
    proposal = memory.self.propose.core(nominee, by="agent", channel="agent")
    result, questions = asked(memory, mode, {"proposal": proposal.id}, YES, "proposal_approve")
    assert result.structured_content["status"] == "approved"
    assert "The user gave their cat its name" in questions[0].message
    assert memory.get(nominee).tier is Tier.M0
    assert memory.self.proposal(proposal.id).decided_through.value == "mcp"


@pytest.mark.parametrize("mode", ERAS)
def test_what_changes_while_the_user_thinks_is_not_agreed_to(mode, memory, nominee):
    """In the older era the call ends; in the newer one the client is given the new question."""

    def slow(number):
        if number > 1:
            return ElicitResult(action="decline")
        memory.update(nominee, "Something else entirely")
        return YES

    result, questions = asked(memory, mode, {"id": nominee}, slow)
    assert error_of(result) == ("changed" if mode == "legacy" else "declined")
    assert len(questions) == (1 if mode == "legacy" else 2)
    assert memory.get(nominee).tier is Tier.M365
