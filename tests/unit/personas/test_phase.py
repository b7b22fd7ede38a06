"""Affect comes back into its window, from any start and with any texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.personas.phase import BOUNDARY_WINDOW, STEPS_TO_RETURN, PhaseController
from celestial_engine.errors import InvalidInputError

LOW, HIGH = BOUNDARY_WINDOW
LOUD = "I am thrilled, overjoyed, ecstatic!!! I love it!!! Wonderful!!!"
TEXTS = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [LOUD, "정말 너무너무 행복해요!!! 최고야!!!", "I hate this, I am furious!!!", "The list has 3 rows."]
    ),
)


@given(st.floats(0, 1), st.lists(TEXTS, min_size=STEPS_TO_RETURN, max_size=3 * STEPS_TO_RETURN))
def test_it_returns_within_six_steps_and_stays(start: float, texts: list[str]) -> None:
    phase = PhaseController(affect_amplitude=start)
    path = [phase.integrate_response("thesis", text)["affect_after"] for text in texts]
    assert all(LOW <= affect <= HIGH for affect in path[STEPS_TO_RETURN - 1 :])
    inside = [LOW <= affect <= HIGH for affect in path]
    assert inside == sorted(inside)  # once inside, always inside


def test_loud_texts_do_not_drive_it_to_the_top() -> None:
    """In the wild the affect drifted to 1.0, and no injection ever came."""
    phase = PhaseController()
    steps = [phase.integrate_response("thesis", LOUD, now=float(n)) for n in range(100)]
    assert max(step["affect_after"] for step in steps) <= HIGH
    assert any(step["injection_applied"] for step in steps)
    assert phase.state.last_injection_time is not None


def test_neutral_texts_need_no_injection() -> None:
    phase = PhaseController()
    steps = [phase.integrate_response("thesis", "The list has three rows.") for _ in range(20)]
    assert not any(step["injection_applied"] for step in steps)


def test_levels_symbols_and_loops_are_kept() -> None:
    phase = PhaseController(affect_amplitude=1.0)
    assert (phase.state.freedom_level, phase.state.stability_level, phase.state.loop_count) == (0.6, 0.7, 0)
    phase.integrate_response("thesis", LOUD)
    assert phase.state.freedom_level < 0.6 < 0.7 < phase.state.stability_level
    assert phase.state.loop_count == 1
    assert phase.state.symbol_memory
    for _ in range(40):
        phase.integrate_response("thesis", "The list has three rows.")
    assert (phase.state.freedom_level, phase.state.stability_level) == (0.6, 0.7)
    assert all(0 <= level <= 1 for level in (phase.state.freedom_level, phase.state.stability_level))


@pytest.mark.parametrize("start", [-0.1, 1.1, float("nan"), "high", True])
def test_a_start_outside_the_scale_is_refused(start: object) -> None:
    with pytest.raises(InvalidInputError):
        PhaseController(affect_amplitude=start)  # type: ignore[arg-type]
