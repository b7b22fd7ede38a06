"""A registry says who answers; everything that is wrong with one is said at once."""

from __future__ import annotations

from typing import Any

import pytest

from celestial_engine.core.personas.persona import BackendType, Stance
from celestial_engine.core.personas.registry import PersonaRegistry
from celestial_engine.errors import PersonaRegistryError, Reason


def data(**changes: Any) -> dict[str, Any]:
    return {
        "cycle": ["thesis", "antithesis"],
        "backends": {"main": {"type": "echo"}},
        "personas": [
            {"id": "thesis", "name": "Proposer", "role": "Thesis", "backend": "main", "system_prompt": "Propose."},
            {"id": "antithesis", "backend": "main", "max_tokens": 99},
        ],
        **changes,
    }


def problems(**changes: Any) -> list[tuple[str | None, Reason]]:
    with pytest.raises(PersonaRegistryError) as caught:
        PersonaRegistry.read(data(**changes))
    assert caught.value.message("ko") != caught.value.message("en")
    return [(one.field, one.reason) for one in caught.value.problems]


def test_a_registry_is_read() -> None:
    registry = PersonaRegistry.read(data(), name="mine")
    first, second = registry.personas_in_cycle()
    assert (first.name, first.stance, first.system_prompt) == ("Proposer", Stance.THESIS, "Propose.")
    assert (second.name, second.role, second.max_tokens) == ("antithesis", "antithesis", 99)
    assert registry.backend_of(first).type is BackendType.ECHO
    assert (registry.name, registry.project) == ("mine", "persona_orchestration")


def test_personas_may_be_given_by_id_and_the_cycle_left_out() -> None:
    personas = {"critic": {"backend": "main"}, "poet": {"backend": "main", "stance": "synthesis"}}
    registry = PersonaRegistry.read({"backends": {"main": {"type": "echo"}}, "personas": personas})
    assert registry.cycle == ("critic", "poet")
    assert registry.persona("poet").stance is Stance.SYNTHESIS


def test_a_cycle_names_personas_that_there_are() -> None:
    assert problems(cycle=["thesis", "nobody"]) == [("cycle", Reason.UNKNOWN_CHOICE)]
    assert problems(cycle=["thesis", "thesis"]) == [("cycle", Reason.REPEATED)]
    assert problems(cycle=[]) == [("cycle", Reason.EMPTY)]


def test_an_unknown_backend_is_named() -> None:
    personas = [{"id": "thesis", "backend": "other"}]
    assert problems(cycle=["thesis"], personas=personas) == [("personas[0].backend", Reason.UNKNOWN_CHOICE)]
    assert problems(backends={"main": {"type": "telepathy"}})[0] == ("backends.main.type", Reason.UNKNOWN_CHOICE)


@pytest.mark.parametrize(
    "backend",
    [{"type": "subprocess", "command": "llm"}, {"type": "function", "function": "os:getcwd"}],
)
def test_commands_and_code_need_trust(backend: dict[str, Any]) -> None:
    assert problems(backends={"main": backend}) == [("backends.main", Reason.COMMAND_NOT_TRUSTED)]
    assert PersonaRegistry.read(data(backends={"main": backend}), trusted=True).backends["main"].runs_code


def test_a_command_is_a_word_and_its_arguments_a_list() -> None:
    found = problems(backends={"main": {"type": "subprocess", "command": ["llm"], "args": "-m x; rm -rf /"}})
    assert ("backends.main.command", Reason.WRONG_TYPE) in found
    assert ("backends.main.args", Reason.WRONG_TYPE) in found


def test_what_a_backend_needs_is_asked_for() -> None:
    assert problems(backends={"main": {"type": "http"}}) == [("backends.main", Reason.MISSING)]


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://host/v1", "localhost:80", "http://", "http://a:b@c/", "http://[", "http://a b/"],
)
def test_only_web_addresses_are_taken(url: str) -> None:
    backend = {"type": "http", "url": url, "model": "m"}
    assert problems(backends={"main": backend}) == [("backends.main.url", Reason.BAD_ADDRESS)]


def test_a_command_has_no_zero_bytes() -> None:
    with pytest.raises(PersonaRegistryError) as caught:
        backend = {"type": "subprocess", "command": "a\0b", "args": ["c\0"]}
        PersonaRegistry.read(data(backends={"main": backend}), trusted=True)
    assert [(one.field, one.reason) for one in caught.value.problems] == [
        ("backends.main.command", Reason.ZERO_BYTES),
        ("backends.main.args", Reason.ZERO_BYTES),
    ]


def test_a_validator_can_be_passed() -> None:
    length = {"type": "length", "min": 20, "max": 10}
    assert problems(validators=[length]) == [("validators[0].min", Reason.WHOLE_OUT_OF_RANGE)]
    words = {"type": "forbidden", "words": ["fine", " "]}
    assert problems(validators=[words]) == [("validators[0].words", Reason.EMPTY)]


def test_nothing_to_choose_from_is_the_mistake() -> None:
    assert problems(personas=[], cycle=["a"]) == [("personas", Reason.EMPTY)]
    assert problems(backends={}) == [("backends", Reason.EMPTY)]


def test_all_mistakes_are_told_at_once() -> None:
    found = problems(
        backends={"main": {"type": "echo", "timeout": -1}},
        personas=[{"id": "thesis", "backend": "main", "max_tokens": 0, "colour": "red"}, 7],
        validators=[{"type": "language", "language": "fr"}, {"type": "forbidden"}, {"type": "smell"}],
        cycle=["thesis"],
    )
    assert found == [
        ("backends.main.timeout", Reason.NOT_ABOVE_UP_TO),
        ("personas[0]", Reason.UNKNOWN_FIELDS),
        ("personas[0].max_tokens", Reason.WHOLE_OUT_OF_RANGE),
        ("personas[1]", Reason.WRONG_TYPE),
        ("validators[0].language", Reason.UNKNOWN_CHOICE),
        ("validators[1]", Reason.MISSING),
        ("validators[2].type", Reason.UNKNOWN_CHOICE),
    ]


@pytest.mark.parametrize("junk", [None, [], "x", {"cycle": 1, "backends": 2, "personas": 3, "validators": 4}, {}])
def test_junk_is_refused(junk: object) -> None:
    with pytest.raises(PersonaRegistryError):
        PersonaRegistry.read(junk)
