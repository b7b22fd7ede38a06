"""The memory in Hermes Agent: its own discovery, manager, command and agent, with a scripted model server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from agent.memory_manager import MemoryManager

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialMemoryProvider
from celestial_engine.errors import InvalidInputError, InvalidOwnerError

SESSION = {"hermes_home": "unused", "platform": "cli", "agent_context": "primary"}


def managed(provider, session="s-1", **more):
    """Hermes' own manager with this provider, as its agent starts it."""
    manager = MemoryManager()
    manager.add_provider(provider)
    manager.initialize_all(session, **{**SESSION, **more})
    return manager


def talk(manager, said, answer="I see.", session="s-1"):
    """One turn as the agent runs it: memories first, then the model, then the finished turn."""
    context = manager.prefetch_all(said, session_id=session)
    manager.sync_all(said, answer, session_id=session)
    assert manager.flush_pending(60)
    return context


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("My name is Mina and I'm allergic to peanuts.", "What am I allergic to?"),
        ("내 이름은 민아이고 땅콩 알레르기가 있어.", "내가 무슨 알레르기가 있더라?"),
    ],
)
def test_what_was_said_in_one_session_is_known_in_the_next(memory, said, asked):
    manager = managed(CelestialMemoryProvider(memory))
    assert talk(manager, said) == ""
    assert [item.content for item in memory.list()] == [said]
    manager.shutdown_all()
    later = managed(CelestialMemoryProvider(memory), "s-2")
    assert said in later.prefetch_all(asked, session_id="s-2")
    assert memory.list()[0].time.session_id == "s-1"


def test_the_models_words_are_never_kept(memory):
    talk(managed(CelestialMemoryProvider(memory)), "Hello!", "My name is Hal and I live in Jeju.")
    assert memory.list() == []


@pytest.mark.parametrize("context", ["cron", "subagent", "flush"])
def test_only_the_user_is_listened_to(memory, context):
    memory.store("The user's dog is called Choco")
    manager = managed(CelestialMemoryProvider(memory), agent_context=context)
    assert "Choco" in talk(manager, "My name is Mina. What is my dog called?")
    assert len(memory.list()) == 1


def test_people_on_a_gateway_never_see_each_other(memory):
    memory.store("secret of the owner of the machine: tea")
    for person in ("7", "8"):
        provider = CelestialMemoryProvider(memory)
        talk(managed(provider, platform="telegram", user_id=person), f"My name is Person {person}.")
    provider = CelestialMemoryProvider(memory)
    manager = managed(provider, platform="telegram", user_id="7")
    context = manager.prefetch_all("What is my name?")
    assert "Person 7" in context
    assert "Person 8" not in context
    assert "secret" not in context + manager.prefetch_all("Is there any secret tea?")
    assert [item.content for item in memory.of("telegram:8").list()] == ["My name is Person 8."]
    assert len(memory.list()) == 1


def test_a_session_that_is_switched_goes_on_and_one_that_is_reset_starts_anew(memory):
    manager = managed(CelestialMemoryProvider(memory))
    talk(manager, "My name is Mina.")
    manager.on_session_switch("s-2", parent_session_id="s-1")
    talk(manager, "I live in Busan.", session="s-2")
    manager.on_session_switch("s-3", reset=True)
    talk(manager, "I like green tea.", session="s-3")
    sessions = {item.content: item.time.session_id for item in memory.list()}
    assert sessions == {"My name is Mina.": "s-1", "I live in Busan.": "s-2", "I like green tea.": "s-3"}


def test_the_tools_answer_in_json_and_say_what_is_wrong(memory):
    manager = managed(CelestialMemoryProvider(memory))
    assert {schema["name"] for schema in manager.get_all_tool_schemas()} == {"celestial_recall", "celestial_store"}
    json.loads(manager.handle_tool_call("celestial_store", {"content": "Mina drinks green tea"}))
    (hit,) = json.loads(manager.handle_tool_call("celestial_recall", {"query": "tea"}))["memories"]
    assert hit["id"] == memory.list()[0].id
    assert "query is missing" in json.loads(manager.handle_tool_call("celestial_recall", {}))["error"]
    assert CelestialMemoryProvider(memory, tools=False).get_tool_schemas() == []


def test_a_memory_that_cannot_be_read_stops_nobody(memory):
    manager = managed(CelestialMemoryProvider(memory))
    memory.close()
    assert talk(manager, "What is my favourite tea?") == ""


def test_what_the_provider_opened_it_closes(tmp_path):
    provider = CelestialMemoryProvider(db=tmp_path / "m.db")
    assert provider.is_available()
    manager = managed(provider)
    talk(manager, "My name is Mina.")
    manager.shutdown_all()
    assert provider.backup_paths() == [str(tmp_path / "m.db")]
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["My name is Mina."]


def test_wrong_settings_are_refused_at_once(memory):
    with pytest.raises(InvalidOwnerError):
        CelestialMemoryProvider(memory, agent_id="")
    with pytest.raises(InvalidInputError, match="budget"):
        CelestialMemoryProvider(memory, budget=-1)


# -- the program itself ----------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path):
    """A home with the plugin in it, as `celestial plugin install hermes` writes it."""
    folder = tmp_path / "home"
    (folder / ".hermes").mkdir(parents=True)
    (folder / ".hermes" / "config.yaml").write_text("memory:\n  memory_enabled: true\n  provider: ''  # none\n")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("CELESTIAL_", "HERMES_"))},
        "HOME": str(folder), "HERMES_HOME": str(folder / ".hermes"), "CELESTIAL_CONFIG": "none",
        "CELESTIAL_EMBEDDER": "none", "CELESTIAL_SLEEP": "off",
    }  # fmt: skip
    install = [sys.executable, "-m", "celestial_engine", "plugin", "install", "hermes"]
    subprocess.run([*install, "--db", str(tmp_path / "m.db")], env=environment, check=True, capture_output=True)
    return environment


def test_hermes_finds_the_provider_that_the_plugin_installs(home):
    hermes = Path(sys.executable).parent / "hermes"
    shown = subprocess.run([hermes, "memory", "status"], env=home, capture_output=True, text=True, check=True).stdout
    assert "Provider:  celestial" in shown
    assert "available ✓" in shown
    servers = subprocess.run([hermes, "mcp", "list"], env=home, capture_output=True, text=True, check=True).stdout
    assert "celestial" in servers


AGENT = """
import sys
from run_agent import AIAgent
agent = AIAgent(base_url=sys.argv[1], api_key="none", model="scripted", quiet_mode=True, enabled_toolsets=[],
                session_id=sys.argv[2], skip_context_files=True)
print("answer:", agent.chat(sys.argv[3]))
agent.shutdown_memory_provider()
"""


def test_the_agent_remembers_across_processes(home, tmp_path):
    with Model() as model:
        for session, said in (("one", "My sister Mina lives in Busan."), ("two", "Where does my sister Mina live?")):
            done = subprocess.run(
                [sys.executable, "-c", AGENT, model.url, session, said],
                env=home, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
            )  # fmt: skip
            assert "answer: I see." in done.stdout, done.stdout + done.stderr
        asked = json.dumps(model.requests[-1]["messages"], ensure_ascii=False)
    assert "Long-term memory (Celestial) is active" in asked
    assert "My sister Mina lives in Busan." in asked
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["My sister Mina lives in Busan."]


class Model:
    """A chat model on loopback that always says the same, whole or streamed."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                script.requests.append(request)
                part = "delta" if request.get("stream") else "message"
                choice = {"index": 0, part: {"role": "assistant", "content": "I see."}, "finish_reason": "stop"}
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                kind = "chat.completion.chunk" if request.get("stream") else "chat.completion"
                answer = {
                    "id": "c",
                    "object": kind,
                    "created": 0,
                    "model": "scripted",
                    "choices": [choice],
                    "usage": usage,
                }
                body = json.dumps(answer)
                self.send_response(200)
                if request.get("stream"):
                    body = f"data: {body}\n\ndata: [DONE]\n\n"
                self.send_header("Content-Type", "text/event-stream" if request.get("stream") else "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, *_) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_the_documented_snippet_runs(memory, snippets):
    (code,) = snippets("Hermes Agent")
    told = {"memory": memory}
    exec(code, told)
    assert told["provider"].name == "celestial"


def test_people_on_a_gateway_share_a_memory_only_if_it_was_named(memory):
    provider = CelestialMemoryProvider(memory, user_id="me")
    talk(managed(provider, platform="telegram", user_id="7"), "My name is Mina.")
    assert [item.content for item in memory.of("me").list()] == ["My name is Mina."]
