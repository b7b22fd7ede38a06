"""The tables of docs/cli.md are what the commands declare."""

from __future__ import annotations

from pathlib import Path

from celestial_engine.surfaces.cli.reference import with_tables

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_tables_are_in_step():
    """`make docs` writes them again."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_tables(text) == text
