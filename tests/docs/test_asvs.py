"""The checklist of docs/asvs.md: every point of levels 1 and 2 once, and every test that it names exists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
# Points of levels 1 and 2 of version 5.0.0, by section; those of level 3 are left out.
POINTS = """
1.1.1-1.1.2 1.2.1-1.2.9 1.3.1-1.3.11 1.4.1-1.4.3 1.5.1-1.5.2 2.1.1-2.1.3 2.2.1-2.2.3 2.3.1-2.3.4 2.4.1-2.4.1
3.2.1-3.2.2 3.3.1-3.3.4 3.4.1-3.4.6 3.5.1-3.5.5 3.7.1-3.7.2 4.1.1-4.1.3 4.2.1-4.2.1 4.3.1-4.3.2 4.4.1-4.4.4
5.1.1-5.1.1 5.2.1-5.2.3 5.3.1-5.3.2 5.4.1-5.4.3 6.1.1-6.1.3 6.2.1-6.2.12 6.3.1-6.3.4 6.4.1-6.4.4 6.5.1-6.5.5
6.6.1-6.6.3 6.8.1-6.8.4 7.1.1-7.1.3 7.2.1-7.2.4 7.3.1-7.3.2 7.4.1-7.4.5 7.5.1-7.5.2 7.6.1-7.6.2 8.1.1-8.1.2
8.2.1-8.2.3 8.3.1-8.3.1 8.4.1-8.4.1 9.1.1-9.1.3 9.2.1-9.2.4 10.1.1-10.1.2 10.2.1-10.2.2 10.3.1-10.3.4 10.4.1-10.4.11
10.5.1-10.5.5 10.6.1-10.6.2 10.7.1-10.7.3 11.1.1-11.1.2 11.2.1-11.2.3 11.3.1-11.3.3 11.4.1-11.4.4 11.5.1-11.5.1
11.6.1-11.6.1 12.1.1-12.1.3 12.2.1-12.2.2 12.3.1-12.3.4 13.1.1-13.1.1 13.2.1-13.2.5 13.3.1-13.3.2 13.4.1-13.4.5
14.1.1-14.1.2 14.2.1-14.2.4 14.3.1-14.3.3 15.1.1-15.1.3 15.2.1-15.2.3 15.3.1-15.3.7 16.1.1-16.1.1 16.2.1-16.2.5
16.3.1-16.3.4 16.4.1-16.4.3 16.5.1-16.5.3 17.1.1-17.1.1 17.2.1-17.2.4 17.3.1-17.3.2
"""
STATES = {"met", "by design", "operator", "not met"}


def expanded(text: str) -> list[str]:
    """`1.2.3` and `1.2.3-1.2.5`, one by one."""
    found = []
    for first, last in re.findall(r"(\d+\.\d+\.\d+)(?:-(\d+\.\d+\.\d+))?", text):
        section, _, number = first.rpartition(".")
        end = int((last or first).rpartition(".")[2])
        found += [f"{section}.{each}" for each in range(int(number), end + 1)]
    return found


def rows() -> list[tuple[str, str, str]]:
    cells = [line.strip("|").split("|") for line in PAGE.splitlines() if re.match(r"\| \d", line)]
    return [(points, state.strip(), reason.strip()) for points, state, reason in cells]


def test_every_point_is_answered_once():
    wanted = expanded(POINTS)
    assert len(wanted) == len(set(wanted)) == 253
    answered = Counter(point for points, _, _ in rows() for point in expanded(points))
    assert set(wanted) - set(answered) == set()
    assert set(answered) - set(wanted) == set()
    assert {point for point, count in answered.items() if count > 1} == set()


def test_every_answer_has_a_state_and_a_reason():
    for points, state, reason in rows():
        assert state in STATES, points
        assert len(reason) > 10, points
        if state == "met":
            assert re.search(r"tests/|docs/|make |below|user opens", reason), points


def test_every_file_and_test_that_is_named_exists():
    named = re.findall(r"(?:tests|docs|\.github)/[\w./-]+\w(?:::\w+)?", PAGE)
    assert len(named) > 60
    for name in named:
        path, _, function = name.partition("::")
        assert (ROOT / path).exists(), name
        if function:
            assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), name
