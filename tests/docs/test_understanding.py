"""docs/understanding.md: its figures are of the weights in the package."""

from __future__ import annotations

import re
from pathlib import Path

from training.corpus import LABELS, LANGUAGES

from celestial_engine.understanding import default_reader

TEXT = (Path(__file__).parents[2] / "docs" / "understanding.md").read_text(encoding="utf-8")
FIGURES = re.search(r"^```text generated:figures\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL).group(1)


def test_the_figures_are_those_of_the_weights():
    """After `make train`: `make decide ARGS=--page`."""
    assert f"weights {default_reader().model().checksum[:12]}" in FIGURES
    for name in LABELS:
        for language in LANGUAGES:
            assert f"| {name} | {language} |" in FIGURES
    assert "rules before" in FIGURES


def test_every_label_of_a_reading_is_told():
    for name, labels in LABELS.items():
        if name != "attribute" and "y" not in labels:
            assert all(label in TEXT for label in labels), name
    assert f"which of {len(LABELS['attribute'])} attributes" in TEXT
