"""A run goes on with the registry that it began with, and each of its steps is answered once."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from celestial_engine import CelestialMemory, ItemFilter, PersonaRegistry
from celestial_engine.errors import PersonaRegistryError, PersonaRunError, Reason

IDS = ("thesis", "antithesis", "synthesis")


def data(**more: Any) -> dict[str, Any]:
    return {
        "backends": {"fn": {"type": "function", "function": "answer"}},
        "personas": [{"id": name, "name": f"{name} of mine", "backend": "fn"} for name in IDS],
        **more,
    }


def write(path: Path, **more: Any) -> Path:
    path.write_text(json.dumps(data(**more)), encoding="utf-8")
    return path


def answering(prompt: str) -> str:
    return "an answer"


def cut_short(memory: CelestialMemory, registry: Any, answers: int = 1) -> str:
    """Runs until the persona after so many answers fails; returns the session."""
    given = iter(["an answer"] * answers)
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run("The sea", registry=registry, functions={"answer": lambda prompt: next(given)})
    return str(caught.value.own["session_id"])


def test_a_file_is_found_again(memory: CelestialMemory, tmp_path, monkeypatch) -> None:
    deep = tmp_path / ("a folder with a long name " * 5)
    deep.mkdir()
    write(deep / "mine.json")
    monkeypatch.chdir(deep)
    session = cut_short(memory, "mine.json")
    monkeypatch.chdir(tmp_path)
    run = memory.personas.resume(session, functions={"answer": answering})
    assert [answer.persona_name for answer in run.answers] == [f"{name} of mine" for name in IDS]


def test_a_file_that_changed_is_named(memory: CelestialMemory, tmp_path) -> None:
    file = write(tmp_path / "mine.json")
    session = cut_short(memory, file)
    write(file, domain="another")
    with pytest.raises(PersonaRegistryError, match="has changed since") as caught:
        memory.personas.resume(session, functions={"answer": answering})
    assert str(file) in str(caught.value)
    assert "--registry" in caught.value.message("ko")
    assert len(memory.personas.resume(session, registry=file, functions={"answer": answering}).answers) == 3
    file.unlink()
    with pytest.raises(PersonaRegistryError, match=r"mine\.json"):
        memory.personas.resume(session, functions={"answer": answering})


def test_a_registry_of_a_program_has_to_be_passed_again(memory: CelestialMemory) -> None:
    for name in ("own", "dialectic"):  # the second has the name of a ready-made one
        registry = PersonaRegistry.read(data(), name=name)
        session = cut_short(memory, registry)
        with pytest.raises(PersonaRegistryError) as caught:
            memory.personas.resume(session, offline=True)
        assert caught.value.reason in (Reason.REGISTRY_NEEDED, Reason.REGISTRY_CHANGED)
        assert name in str(caught.value)
        again = memory.personas.resume(session, registry=registry, functions={"answer": answering})
        assert len(again.answers) == 3


def test_a_ready_made_registry_is_not_replaced_by_the_usual_one(tmp_path, clock, monkeypatch) -> None:
    monkeypatch.setenv("CELESTIAL_PERSONAS", str(write(tmp_path / "mine.json")))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        run = memory.personas.run("The sea", registry="code-review", offline=True)
        again = memory.personas.resume(run.session_id, 2, offline=True)
        assert (again.registry, len(again.answers)) == ("code-review", 6)
        session = cut_short(memory, None)
        assert memory.personas.resume(session, functions={"answer": answering}).registry == "mine"
        question = next(item for item in memory.list(100, where=ItemFilter(session_id=session)) if item.metadata)
        assert "path" not in question.metadata["registry"]  # of the server, which is not the caller's concern


def test_over_a_network_no_file_is_read(memory: CelestialMemory, tmp_path) -> None:
    session = cut_short(memory, write(tmp_path / "mine.json"))
    with pytest.raises(PersonaRegistryError) as caught:
        memory.personas.resume(session, functions={"answer": answering}, read_file=False)
    assert caught.value.reason is Reason.REGISTRY_NEEDED
    assert str(tmp_path) not in str(caught.value)


def test_two_simultaneous_resumes_answer_once(tmp_path) -> None:
    registry = PersonaRegistry.read(data(), name="own")
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        session = cut_short(memory, registry)
        together = threading.Barrier(2, timeout=10)

        def answer(prompt: str) -> str:
            together.wait()
            return "an answer"

        def resume(number: int) -> object:
            with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as own:
                try:
                    return own.personas.resume(session, registry=registry, functions={"answer": answer})
                except PersonaRunError as error:
                    together.abort()
                    return error

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(resume, range(2)))
        refused = [one for one in results if getattr(one, "reason", None) is Reason.ANSWERED_ELSEWHERE]
        assert len(refused) == 1
        memory.personas.resume(session, registry=registry, functions={"answer": answering})
        items = memory.list(100, where=ItemFilter(session_id=session))
        given = sorted(item.time.sequence for item in items if not item.document.error_occurred)
        assert given == [0, 1, 2, 3]


def test_a_run_that_goes_on_is_not_answered_twice(memory: CelestialMemory) -> None:
    """The first answer to a step counts, and the other run is told. A forgotten answer can be given again."""
    registry = PersonaRegistry.read(data(), name="own")
    session = cut_short(memory, registry)

    def slow(prompt: str) -> str:
        memory.personas.resume(session, registry=registry, functions={"answer": answering})
        return "too late"

    with pytest.raises(PersonaRunError, match="another run of this session"):
        memory.personas.resume(session, registry=registry, functions={"answer": slow})
    run = memory.personas.resume(session, registry=registry, functions={"answer": answering})
    assert [answer.text for answer in run.answers] == ["an answer"] * 3
    memory.forget(run.answers[2].memory_id)
    again = memory.personas.resume(session, registry=registry, functions={"answer": lambda prompt: "anew"})
    assert again.text == "anew"
