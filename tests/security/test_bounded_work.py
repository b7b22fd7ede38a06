"""Work grows with the length of a text, not with its square: every pattern, and the engine as a whole."""

from __future__ import annotations

import re
import time

import pytest
from tests.security.bounded import grows_too_fast, package_patterns, pieces_for

from celestial_engine import CelestialMemory
from celestial_engine.errors import InvalidInputError
from celestial_engine.lang.ko import sameness as ko_sameness

# What reads no more than so many characters: where it is not linear, it is bounded.
BOUNDED = {
    "celestial_engine.core.turn.forget_request": 400,
    "celestial_engine.lang.en.forgetting": 400,
    "celestial_engine.lang.ko.forgetting": 400,
    "celestial_engine.lang.en.turns.STATEMENTS": 400,
    "celestial_engine.lang.ko.turns.STATEMENTS": 400,
    "celestial_engine.lang.en.questions.SURELY_ASKS": 60,
    "celestial_engine.lang.ko.questions.SURELY_ASKS": 60,
}


@pytest.mark.slow
def test_every_pattern_is_linear():
    """Long runs of each literal and class of each pattern, at n, 2n and 4n characters."""
    uses = package_patterns()
    assert len(uses) >= 1100
    slow = [
        (use.where, piece, use.pattern[:80])
        for use in uses
        if not use.where.startswith(tuple(BOUNDED))
        for piece in pieces_for(use.pattern)
        if grows_too_fast(re.compile(use.pattern), piece, anchored=use.anchored)
    ]
    assert slow == []


@pytest.mark.parametrize(
    "piece", ["싹 다 ", "그만 다 ", "이제는그만그냥제발좀다", " ", "\t ", "\n", "지워 줘 ", "forget all about "]
)
@pytest.mark.parametrize("end", ["", "잊어", " please", "!!x"])
def test_a_long_request_to_forget_is_read_at_all(piece, end):
    """Adverbs that could be parted in two ways took twice as long with each further one, a run of spaces seconds."""
    text = "잊어 " + piece * (390 // len(piece)) + end
    assert len(text) <= 400
    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        assert memory.decide(text).turn_id


def test_a_quadratic_pattern_would_be_found():
    quadratic = re.compile(r"\d+원")
    assert any(grows_too_fast(quadratic, "7") for _ in range(5))  # a busy machine may hide it now and then
    assert not grows_too_fast(re.compile(r"(?<!\d)\d+원"), "7")


@pytest.mark.parametrize(
    ("piece", "length"), [("7", 10_000), ("a", 100_000), ("민아는 서울에 산다. ", 100_000), ("x = f(1); ", 50_000)]
)
def test_storing_a_long_text_is_linear(piece, length):
    """Compares the CPU time of n and 2n; the least of several runs, since others only make a run slower."""

    def seconds(memory: CelestialMemory, size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        least = float("inf")
        for number in range(3):
            began = time.process_time()
            memory.store(f"{number} {text}")
            least = min(least, time.process_time() - began)
        return least

    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        memory.store("warm up 1")
        first, second = seconds(memory, length // 2), seconds(memory, length)
    assert second < 0.25 or second < 3.2 * first


def test_digits_beside_a_relative_time_are_linear():
    """Digits without the 전, 뒤 or 후 that the pattern looks for: 40,000 of them took half a minute."""
    pattern = re.compile(ko_sameness.RELATIVE, re.IGNORECASE)
    assert not grows_too_fast(pattern, "7", length=10_000)


def test_a_tag_has_a_length():
    with CelestialMemory(":memory:", rebalance_interval=None) as memory, pytest.raises(InvalidInputError):
        memory.store("short", tags=["t" * 100_000])
