"""A prompt read as a coordinate: phase, emotions and priority, in Korean and English."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.bqi import RhythmPhase, emotions_in, phase_in, read_bqi

NOON = 1_760_265_000.0


@pytest.mark.parametrize(
    ("prompt", "phase"),
    [
        ("Combine both drafts into one summary", RhythmPhase.INTEGRATION),
        ("두 의견을 종합해 줘", RhythmPhase.INTEGRATION),
        ("Why did the release fail?", RhythmPhase.REFLECTION),
        ("왜 자꾸 느려질까", RhythmPhase.REFLECTION),
        ("요즘 마음이 불안해", RhythmPhase.REFLECTION),
        ("Plan the next milestone", RhythmPhase.PLANNING),
        ("다음 주 일정을 짜 줘", RhythmPhase.PLANNING),
        ("What kinds of tea are there?", RhythmPhase.EXPLORATION),
        ("오늘 날씨 어때", RhythmPhase.EXPLORATION),
        ("Why not merge the plans?", RhythmPhase.INTEGRATION),  # the first that fits
    ],
)
def test_phases(prompt, phase):
    assert read_bqi(prompt, NOON).rhythm_phase is phase


@pytest.mark.parametrize(
    ("prompt", "priority"),
    [
        ("URGENT: the server is down", 4),
        ("지금 바로 확인해 줘", 4),
        ("Please verify these numbers", 3),
        ("이 계산이 맞는지 봐 줘", 3),
        ("Should we consider another way?", 2),
        ("이사를 고민하고 있어", 2),
        ("Tell me a story", 1),
        ("안녕", 1),
    ],
)
def test_priorities(prompt, priority):
    assert read_bqi(prompt, NOON).priority == priority


@pytest.mark.parametrize(
    ("prompt", "emotions"),
    [
        ("I hope this works, thank you", ("hope", "gratitude")),
        ("위험이 걱정돼", ("concern",)),
        ("정말 궁금하다", ("curiosity",)),
        ("목표에 집중하자", ("focus",)),
        ("고마워", ("gratitude",)),
        ("A table has four legs", ("neutral",)),
    ],
)
def test_emotions(prompt, emotions):
    assert read_bqi(prompt, NOON).emotions == emotions


def test_the_document():
    """The reading as JSON, in the form that memories and ledger keep."""
    assert read_bqi("Plan  it\nwith hope", NOON).to_dict() == {
        "timestamp": "2025-10-12T10:30:00.000000Z",
        "rhythm_phase": "planning",
        "emotion": {"keywords": ["hope"]},
        "priority": 1,
        "raw_prompt": "Plan it with hope",
    }


def test_long_prompts_are_kept_short():
    assert len(read_bqi("plan " * 10_000, NOON).raw_prompt) <= 500


def test_readings_of_others():
    """A reading that another program made is understood as far as it can be."""
    assert emotions_in({"emotion": {"affect": 0.68, "keywords": ["clarity", "risk"]}}) == ("clarity", "risk")
    assert emotions_in({"emotion": "clarity"}) == ("clarity",)
    assert emotions_in({"emotion": 7}) == emotions_in(None) == emotions_in({}) == ()
    assert phase_in({"rhythm_phase": "of another kind"}) == "of another kind"
    assert phase_in({"rhythm_phase": 3}) is None
