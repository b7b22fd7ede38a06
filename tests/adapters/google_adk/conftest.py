"""Fixtures: real ADK runners with a scripted model."""

from __future__ import annotations

import pytest
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.genai import types
from pydantic import PrivateAttr

from celestial_engine import ItemFilter, State

EVERY_STATE = tuple(state for state in State if state is not State.PURGED)


class Script(BaseLlm):
    """A model that returns its answers in order, then "done", and records its requests."""

    model: str = "script"
    _answers: list = PrivateAttr(default_factory=list)
    _requests: list = PrivateAttr(default_factory=list)

    def playing(self, *answers):
        self._answers = list(answers)
        return self

    async def generate_content_async(self, llm_request, stream=False):
        self._requests.append(llm_request)
        part = self._answers.pop(0) if self._answers else types.Part.from_text(text="done")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))

    def prompt(self, at=-1):
        """Every text of a request."""
        return "\n".join(part.text or "" for content in self._requests[at].contents for part in content.parts)


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def talk():
    """Run one turn with a real runner, then add the session to the memory."""

    async def talk(service, script, said, *, user_id="mina", tools=(), session_id=None, sessions=None):
        sessions = sessions or InMemorySessionService()
        agent = LlmAgent(name="assistant", model=script, instruction="Help.", tools=list(tools))
        runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=service)
        opened = await sessions.create_session(app_name="app", user_id=user_id, session_id=session_id)
        message = types.Content(role="user", parts=[types.Part.from_text(text=said)])
        events = [
            event async for event in runner.run_async(user_id=user_id, session_id=opened.id, new_message=message)
        ]
        ended = await sessions.get_session(app_name="app", user_id=user_id, session_id=opened.id)
        await service.add_session_to_memory(ended)
        await runner.close()
        return events

    return talk


@pytest.fixture
def event():
    """An event with a text."""

    def event(text, author="user", **more):
        role = "user" if author == "user" else "model"
        content = types.Content(role=role, parts=[types.Part.from_text(text=text)])
        return Event(author=author, content=content, invocation_id="i", **{"timestamp": 1_700_000_000.0, **more})

    return event


@pytest.fixture
def session():
    """A session of these events."""

    def session(*events, user_id="mina", app_name="app"):
        return Session(id="s-1", app_name=app_name, user_id=user_id, events=list(events))

    return session


@pytest.fixture
def found():
    """Search with the service and return the memories."""

    async def found(service, query, *, user_id="mina", app_name="app"):
        response = await service.search_memory(app_name=app_name, user_id=user_id, query=query)
        return response.memories

    return found


@pytest.fixture
def texts():
    """The texts of search results."""

    def texts(memories):
        return [entry.content.parts[0].text for entry in memories]

    return texts


@pytest.fixture
def kept():
    """The texts of all memories of an owner, oldest first."""

    def kept(memory, *, user_id="mina", app_name="app", states=EVERY_STATE):
        where = ItemFilter(states=states)
        return [item.content for item in memory.of(user_id, app_name).list(100, where=where)][::-1]

    return kept
