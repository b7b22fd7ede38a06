"""The order of a cycle, the RUNE report on it, and the validators of its answers."""

from __future__ import annotations

import pytest

from celestial_engine.core.personas.order import ordered_cycle
from celestial_engine.core.personas.persona import Persona, ValidatorSpec, ValidatorType
from celestial_engine.core.personas.rune import RuneReport, adjustment_for, report_on
from celestial_engine.core.personas.validation import retry_prompt, validated
from celestial_engine.core.record.bqi import read_bqi
from celestial_engine.errors import Reason

T, A, S = (Persona(name, name.title(), name, "main") for name in ("thesis", "antithesis", "synthesis"))


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Tell me about the sea", "tas"),
        ("Combine the two drafts", "sta"),
        ("두 안을 종합해 줘", "sta"),
        ("Why did the deployment fail?", "ast"),
        ("왜 실패했을까", "ast"),
        ("Plan the next steps", "tas"),
        ("Please verify: is there any trouble ahead?", "ast"),  # high risk
        ("Combine the drafts immediately", "tas"),  # urgent: the synthesis right after the antithesis
        ("Tell me about the sea immediately", "tas"),
    ],
)
def test_the_question_decides_who_begins(question: str, order: str) -> None:
    cycle = ordered_cycle([T, A, S], read_bqi(question, 0.0).to_dict())
    assert "".join(persona.identifier[0] for persona in cycle) == order


def test_urgent_puts_synthesis_right_after_antithesis_in_a_longer_cycle() -> None:
    extra = Persona("editor", "Editor", "Editor", "main")
    cycle = ordered_cycle([T, A, extra, S], {"rhythm_phase": "exploration", "priority": 4})
    assert [persona.identifier for persona in cycle] == ["thesis", "antithesis", "synthesis", "editor"]


def test_a_cycle_without_stances_stays_as_it_is() -> None:
    personas = [Persona(name, name, name, "main") for name in ("reader", "writer")]
    assert ordered_cycle(personas, {"rhythm_phase": "integration", "priority": 4}) == personas
    assert ordered_cycle(personas, None) == personas


def test_the_report_follows_the_formulas() -> None:
    assert report_on(400, 2, reproducible=True, verified=3, checked=4) == RuneReport(0.5, 0.7, 0.85, 0.75)
    assert report_on(5_000, 9, reproducible=False, verified=0, checked=0) == RuneReport(1.0, 1.0, 0.5, 0.7)


def test_doubt_asks_for_facts_and_slightness_for_examples() -> None:
    doubtful = adjustment_for(RuneReport(0.1, 0.5, 0.85, 0.5), [A, S, T])
    slight = adjustment_for(RuneReport(0.4, 0.5, 0.85, 0.7), [A, S, T])
    assert doubtful is not None
    assert slight is not None
    assert doubtful.to_dict() == {
        "trigger": "rune_feedback", "action": "strengthen_fact_check", "details": {"persona_id": "synthesis"},
    }  # fmt: skip
    assert slight.to_dict()["action"] == "add_examples"
    assert "example" in slight.applied_to(T).system_prompt
    assert slight.applied_to(S) == S
    assert adjustment_for(RuneReport(0.5, 0.5, 0.85, 0.6), [T, A, S]) is None


def test_validators_say_what_is_wrong() -> None:
    def raises(_: str) -> object:
        raise RuntimeError("no")

    specs = [
        ValidatorSpec(ValidatorType.LENGTH, least=50),
        ValidatorSpec(ValidatorType.LANGUAGE, language="ko"),
        ValidatorSpec(ValidatorType.FORBIDDEN, words=("As an AI", "nothing")),
        ValidatorSpec(ValidatorType.FUNCTION, function="polite"),
        ValidatorSpec(ValidatorType.FUNCTION, function="raises"),
        ValidatorSpec(ValidatorType.LENGTH),
    ]
    found = validated("as an ai I agree", specs, {"polite": lambda text: "say please", "raises": raises})
    assert (found.checked, found.verified) == (6, 1)
    assert [one.reason for one in found.problems] == [
        Reason.WRONG_LENGTH, Reason.WRONG_LANGUAGE, Reason.FORBIDDEN_WORDS, Reason.NOT_ACCEPTED, Reason.NOT_ACCEPTED,
    ]  # fmt: skip
    assert "say please" in retry_prompt("Q", found.problems)
