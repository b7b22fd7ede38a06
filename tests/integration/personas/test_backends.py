"""Backends: language models over HTTP, commands and functions; what they get wrong is told clearly."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import pytest

from celestial_engine import BackendFactory, CelestialMemory, ModelSettings, PersonaRegistry, Settings
from celestial_engine.core.personas.persona import BackendSpec, BackendType
from celestial_engine.errors import (
    ModelAnswerError,
    ModelUnavailableError,
    PersonaRegistryError,
    PersonaRunError,
    Reason,
)
from celestial_engine.personas.backends import MOST_ANSWER_BYTES, EchoBackend, SubprocessBackend, as_backend
from celestial_engine.personas.files import load_registry, ready_names, ready_registry


def failure(memory: CelestialMemory, registry: PersonaRegistry) -> PersonaRunError:
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run("The sea", registry=registry)
    return caught.value


# -- a server with OpenAI's protocol ----------------------------------------------------------------


def test_a_server_answers(memory: CelestialMemory, server: Any) -> None:
    server.plan = ["First.", "<think>let me see</think>Second."]
    run = memory.personas.run("The sea", registry=server.registry())
    assert [answer.text for answer in run.answers] == ["First.", "Second."]
    assert server.seen[0]["max_tokens"] == 77
    assert "stream" not in server.seen[0]
    assert "Seed focus: The sea" in server.seen[0]["messages"][-1]["content"]
    assert memory.maintenance.model_spent().calls == 2


def test_an_answer_streams(memory: CelestialMemory, server: Any) -> None:
    server.plan = [["Fir", "st", "."], ["Second."]]
    events = list(memory.personas.stream("The sea", registry=server.registry()))
    pieces = [event.text for event in events if event.kind == "text"]
    assert pieces == ["Fir", "st", ".", "Second."]
    assert [event.answer.text for event in events if event.kind == "answered"] == ["First.", "Second."]
    assert server.seen[0]["stream"] is True
    spent = memory.maintenance.model_spent()
    assert (spent.calls, spent.tokens > 0) == (2, True)


def test_a_server_that_does_not_stream_is_understood(memory: CelestialMemory, server: Any) -> None:
    server.plan = ["whole", "whole"]
    events = list(memory.personas.stream("The sea", registry=server.registry()))
    assert [event.text for event in events if event.kind == "text"] == ["whole", "whole"]


def test_a_busy_server_is_asked_again(memory: CelestialMemory, server: Any) -> None:
    server.plan = [503, "First.", 429, ["Second."]]
    run = memory.personas.run("The sea", registry=server.registry())
    assert [answer.text for answer in run.answers] == ["First.", "Second."]
    server.plan = [500, ["Th", "ird"], "Fourth"]
    events = list(memory.personas.stream("The hills", registry=server.registry()))
    assert [event.answer.text for event in events if event.kind == "answered"] == ["Third", "Fourth"]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (401, Reason.ENDPOINT_STATUS),
        (b"<html>not json</html>", Reason.ENDPOINT_UNREACHABLE),
        (b"[]", Reason.ENDPOINT_ANSWER),
        (b'{"choices": []}', Reason.ENDPOINT_ANSWER),
        (b'{"choices": [{"message": {"content": 7}}]}', Reason.ENDPOINT_ANSWER),
        ("", Reason.EMPTY),
        ("   ", Reason.EMPTY),
        ("<think>only thoughts</think>", Reason.EMPTY),
        ("x" * 300_000, Reason.TOO_LARGE),
    ],
)
def test_a_bad_answer_is_told(memory: CelestialMemory, server: Any, step: Any, reason: Reason) -> None:
    server.plan = ["First.", *[step] * 3]
    error = failure(memory, server.registry())
    assert (error.reason, error.own["persona"]) == (reason, "antithesis")
    kept = memory.list()
    assert [item.document.error_occurred for item in kept] == [True, False, False]


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        (["Fir", b"not json"], Reason.ENDPOINT_UNREACHABLE),
        ([b'{"error": {"message": "overloaded"}}'], Reason.ENDPOINT_STATUS),
        ([b"7"], Reason.ENDPOINT_ANSWER),
        ([b'{"choices": [{"delta": {"content": 7}}]}'], Reason.ENDPOINT_ANSWER),
        (["Fir", "<hang>"], Reason.ENDPOINT_UNREACHABLE),
        (["<cut>"], Reason.ENDPOINT_ANSWER),
    ],
)
def test_a_broken_stream_is_told(memory: CelestialMemory, server: Any, pieces: Any, reason: Reason) -> None:
    server.plan = [pieces] * 3
    began = time.monotonic()
    with pytest.raises(PersonaRunError) as caught:
        list(memory.personas.stream("The sea", registry=server.registry(timeout=0.6)))
    assert caught.value.reason is reason
    assert time.monotonic() - began < 5


def test_a_stream_that_is_cut_off_is_what_was_said(memory: CelestialMemory, server: Any) -> None:
    server.plan = [["Fir", "st", "<cut>"], "Second."]
    events = list(memory.personas.stream("The sea", registry=server.registry()))
    assert [event.answer.text for event in events if event.kind == "answered"] == ["First", "Second."]


def test_a_silent_server_is_not_waited_for(memory: CelestialMemory, server: Any) -> None:
    server.plan = ["First.", "silence", "silence", "silence"]
    began = time.monotonic()
    error = failure(memory, server.registry(timeout=0.4))
    assert error.reason is Reason.ENDPOINT_UNREACHABLE
    assert time.monotonic() - began < 5
    server.plan = ["Second."]
    run = memory.personas.resume(error.own["session_id"], registry=server.registry())
    assert [answer.text for answer in run.answers] == ["First.", "Second."]


def test_nobody_listens(memory: CelestialMemory) -> None:
    backend = {"type": "http", "url": "http://127.0.0.1:9/v1", "model": "x", "timeout": 0.5}
    registry = PersonaRegistry.read({"backends": {"b": backend}, "personas": [{"id": "a", "backend": "b"}]})
    assert failure(memory, registry).reason is Reason.ENDPOINT_UNREACHABLE


def test_the_budget_holds(clock, server: Any) -> None:
    settings = Settings(models=ModelSettings(daily_calls=1))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        error = failure(memory, server.registry())
        assert (error.reason, error.own["persona"]) == (Reason.BUDGET_SPENT, "antithesis")
        assert len(server.seen) == 1


def test_the_engines_key_goes_to_no_other_address(memory: CelestialMemory, server: Any, monkeypatch) -> None:
    monkeypatch.setenv("CELESTIAL_MODEL_KEY", "sk-of-the-engine")
    monkeypatch.setenv("MY_KEY", "mine")
    memory.personas.run("The sea", registry=server.registry())
    memory.personas.run("The sea again", registry=server.registry(key_variable="MY_KEY"))
    assert server.keys == [None, None, "Bearer mine", "Bearer mine"]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_missing_key_is_told_before_anything_is_asked(memory: CelestialMemory, kind: str) -> None:
    registry = PersonaRegistry.read(
        {"backends": {"b": {"type": kind, "model": "m"}}, "personas": [{"id": "a", "backend": "b"}]}
    )
    with pytest.raises(PersonaRegistryError, match="CELESTIAL_MODEL_KEY"):
        memory.personas.run("The sea", registry=registry)
    assert memory.list() == []


# -- commands ---------------------------------------------------------------------------------------

SHOUT = "import sys; sys.stdout.write(sys.stdin.read().splitlines()[-2].upper() + ' ' + sys.argv[1])"


def write_registry(path: Any, command: str = sys.executable, *args: str, timeout: float = 20.0) -> Any:
    backend = {"type": "subprocess", "command": command, "args": list(args), "timeout": timeout}
    path.write_text(
        json.dumps({"backends": {"b": backend}, "personas": [{"id": "a", "backend": "b"}]}), encoding="utf-8"
    )
    path.chmod(0o600)
    return path


def test_a_command_answers_and_no_shell_reads_it(memory: CelestialMemory, tmp_path) -> None:
    file = write_registry(tmp_path / "own.json", sys.executable, "-c", SHOUT, "$HOME; touch /tmp/x && `id` 한글")
    run = memory.personas.run("바다 sea $(id)", registry=file)
    assert run.text == "SEED FOCUS: 바다 SEA $(ID) $HOME; touch /tmp/x && `id` 한글"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("-c", "import sys; sys.exit(3)"), Reason.BACKEND_EXITED),
        (("-c", "import time; time.sleep(30)"), Reason.BACKEND_TIMED_OUT),
        (("-c", "pass"), Reason.EMPTY),
        (("-c", "import sys; sys.stdout.buffer.write(bytes(1_000_000))"), Reason.TOO_LARGE),
    ],
)
def test_a_command_that_fails_is_told(memory: CelestialMemory, tmp_path, args: Any, reason: Reason) -> None:
    file = write_registry(tmp_path / "own.json", sys.executable, *args, timeout=1.0)
    assert failure(memory, load_registry(file)).reason is reason


def test_a_command_that_is_not_there_is_told(memory: CelestialMemory, tmp_path) -> None:
    file = write_registry(tmp_path / "own.json", "no-such-command-anywhere")
    assert failure(memory, load_registry(file)).reason is Reason.NO_SUCH_FILE


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
def test_others_must_not_be_able_to_write_the_file(tmp_path, mode: int) -> None:
    file = write_registry(tmp_path / "open.json")
    file.chmod(mode)
    with pytest.raises(PersonaRegistryError) as caught:
        load_registry(file)
    assert caught.value.reason is Reason.FILE_OF_OTHERS


def test_a_command_that_never_stops_writing_is_killed() -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    began = time.monotonic()
    with pytest.raises(ModelAnswerError) as caught:
        SubprocessBackend(sys.executable, ("-c", code), timeout=30).generate("hi", 9)
    assert caught.value.reason is Reason.TOO_LARGE
    assert caught.value.problems[0].fields["got"] < 2 * MOST_ANSWER_BYTES
    assert time.monotonic() - began < 10


def test_a_command_that_closes_its_output_is_not_waited_for() -> None:
    code = "import os, time; os.close(1); time.sleep(30)"
    with pytest.raises(ModelUnavailableError) as caught:
        SubprocessBackend(sys.executable, ("-c", code), timeout=0.5).generate("hi", 9)
    assert caught.value.reason is Reason.BACKEND_TIMED_OUT


def test_a_command_may_read_nothing() -> None:
    assert SubprocessBackend(sys.executable, ("-c", "print('hi')")).generate("x" * 1_000_000, 9) == "hi"


# -- functions and factories ------------------------------------------------------------------------


def test_a_function_is_imported_by_its_name(memory: CelestialMemory, tmp_path) -> None:
    file = tmp_path / "own.json"
    backend = {"type": "function", "function": "textwrap:dedent"}
    file.write_text(json.dumps({"backends": {"b": backend}, "personas": [{"id": "a", "backend": "b"}]}))
    assert "Seed focus: The sea" in memory.personas.run("The sea", registry=str(file)).text
    with pytest.raises(PersonaRegistryError, match="no function"):
        BackendFactory().function("no.such.module:thing")


@pytest.mark.parametrize("name", ["textwrap:nothing", ":", "a:b:c", "plain"])
def test_a_function_that_is_not_there_is_told(name: str) -> None:
    with pytest.raises(PersonaRegistryError):
        BackendFactory().function(name)


@pytest.mark.parametrize(
    "code", ["1 / 0", "raise SystemExit(3)", "raise ValueError", "import no_such_thing", "def ("]
)
def test_a_module_that_fails_is_told(tmp_path, monkeypatch, code: str) -> None:
    (tmp_path / "broken_answers.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PersonaRegistryError, match="broken_answers:answer") as caught:
        BackendFactory().function("broken_answers:answer")
    assert caught.value.reason is Reason.MODULE_FAILED


def test_a_factory_may_return_a_function_or_an_object() -> None:
    class Generates:
        def generate(self, prompt: str, max_tokens: int) -> str:
            return "made"

    assert as_backend(Generates()).generate("", 1) == "made"
    assert as_backend(lambda prompt: "called").generate("", 1) == "called"
    with pytest.raises(PersonaRegistryError):
        as_backend(7)


def test_a_failing_function_keeps_its_own_error() -> None:
    def refuse(prompt: str) -> str:
        raise ModelUnavailableError(Reason.MODEL_RESTING)

    with pytest.raises(ModelUnavailableError):
        as_backend(refuse).generate("", 1)
    with pytest.raises(ModelAnswerError):
        as_backend(lambda prompt: None).generate("", 1)


def test_an_echo_is_the_same_each_time() -> None:
    prompt = "x\nSeed focus: The sea\nRespond as persona 'A' (b). This is cycle step 1."
    assert EchoBackend().generate(prompt, 50) == "'A' (b). This is cycle step 1. Seed focus: The sea"
    assert EchoBackend().generate(prompt, 2) == "'A' (b)."
    assert EchoBackend().generate("", 9) == ""


def test_offline_replaces_models_alone() -> None:
    factory = BackendFactory({"f": lambda prompt: "called"}, offline=True)
    assert isinstance(factory(BackendSpec("a", BackendType.OPENAI, model="x")), EchoBackend)
    assert factory(BackendSpec("a", BackendType.FUNCTION, function="f")).generate("", 1) == "called"


# -- files ------------------------------------------------------------------------------------------


def test_ready_made_registries() -> None:
    assert list(ready_names()) == ["dialectic", "code-review", "planning-ko"]
    for name in ready_names():
        registry = ready_registry(name)
        assert registry.name == name
        assert len(registry.cycle) == 3
        assert {persona.stance.value for persona in registry.personas} == {"thesis", "antithesis", "synthesis"}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")
def test_a_registry_in_toml(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'cycle = ["a"]\n[backends.b]\ntype = "echo"\n[[personas]]\nid = "a"\nbackend = "b"\n', encoding="utf-8"
    )
    assert load_registry(file).name == "mine"
    file.write_text("cycle = [", encoding="utf-8")
    with pytest.raises(PersonaRegistryError) as caught:
        load_registry(file)
    assert caught.value.reason is Reason.NOT_TOML


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"{", Reason.NOT_JSON_AT), (b"\xff\xfe", Reason.NOT_UTF8), (b"x" * 1_100_000, Reason.TOO_LARGE),
     (b"[" * 100_000, Reason.WRONG_TYPE), (b"7", Reason.WRONG_TYPE)],
)  # fmt: skip
def test_an_unreadable_file_is_told(tmp_path, content: bytes, reason: Reason) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(content)
    with pytest.raises(PersonaRegistryError) as caught:
        load_registry(file)
    assert caught.value.reason in (reason, Reason.NOT_JSON_AT)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_told(memory: CelestialMemory, tmp_path) -> None:
    with pytest.raises(PersonaRegistryError, match="No such file"):
        memory.personas.run("The sea", registry=tmp_path / "none.json")


def test_the_settings_name_the_usual_registry(tmp_path, clock, monkeypatch) -> None:
    file = write_registry(tmp_path / "own.json", sys.executable, "-c", "print('mine')")
    monkeypatch.setenv("CELESTIAL_PERSONAS", str(file))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        assert memory.personas.run("The sea").text == "mine"
    other = Settings(personas=str(tmp_path / "none.json"))
    with (
        CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=other) as memory,
        pytest.raises(PersonaRegistryError),
    ):
        memory.personas.run("The sea")


def test_the_settings_may_name_a_ready_made_registry(clock, monkeypatch) -> None:
    monkeypatch.setenv("CELESTIAL_PERSONAS", "code-review")
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        assert memory.personas.run("The sea", offline=True).registry == "code-review"
