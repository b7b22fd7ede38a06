"""Every measured figure of the README is in benchmarks/claims.json, with the command that measures it again."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIMS = json.loads((ROOT / "benchmarks" / "claims.json").read_text(encoding="utf-8"))["claims"]
READMES = {"README.md": "Measured", "README.ko.md": "측정"}
PAIR = re.compile(r"(?<![\d.,])([\d.,]*\d) / ([\d.,]*\d)(?![\d.])")
WITH_UNIT = re.compile(r"(?<![\w.])([\d.,]*\d)\s?(?:ms|MB|GB|%|seconds|times|초|배)(?!\w)")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """The page without its fenced blocks and inline code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL))


def section(page: str) -> str:
    return prose(page).partition(f"\n## {READMES[page]}\n")[2].partition("\n## ")[0]


def figures(claim: dict) -> list[str]:
    return claim["value"].split(" / ")


@pytest.mark.parametrize("page", READMES)
def test_every_pair_of_figures_is_a_claim(page):
    claimed = {tuple(figures(claim)) for claim in CLAIMS if page in claim["where"]}
    shown = PAIR.findall(prose(page))
    assert len(shown) == len([claim for claim in CLAIMS if page in claim["where"]])
    assert set(shown) == claimed


@pytest.mark.parametrize("page", READMES)
def test_every_figure_with_a_unit_is_a_claim(page):
    claimed = {figure for claim in CLAIMS if page in claim["where"] for figure in figures(claim)}
    shown = set(WITH_UNIT.findall(prose(page)))
    assert shown
    assert shown <= claimed


@pytest.mark.parametrize("page", READMES)
def test_every_other_number_of_the_section_is_a_condition(page):
    """How many memories, at which rank, at which percentile: numbers that say what was measured."""
    rest = PAIR.sub("", section(page))
    numbers = set(re.findall(r"\d[\d.,]*\d|\d", re.sub(r"recall@5|p95|FTS5", "", rest)))
    assert numbers <= {"10,000"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_a_claim_is_complete_and_its_command_exists(claim):
    assert {"id", "value", "measured", "unit", "command", "date", "where"} == set(claim)
    target = re.fullmatch(r"make ([a-z-]+)", claim["command"]).group(1)
    assert re.search(rf"^{target}:", read("Makefile"), re.MULTILINE)
    assert date.fromisoformat(claim["date"])
    for page in claim["where"]:
        assert (claim["measured"] if page.startswith("docs/") else claim["value"]) in read(page)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_what_is_shown_is_what_was_measured_rounded(claim):
    measured = re.split(r" [/|] ", claim["measured"])
    for shown, exact in zip(figures(claim), measured, strict=True):
        assert Decimal(exact).quantize(Decimal(shown), ROUND_HALF_UP) == Decimal(shown)


def test_ids_are_unique():
    assert len({claim["id"] for claim in CLAIMS}) == len(CLAIMS)
