"""Every published format of the table is found, bare and in sentences of both languages."""

from __future__ import annotations

import random
import re

import pytest
from benchmarks.guard.samples import sample

from celestial_engine.core.guard.secrets import redact_secrets
from celestial_engine.core.guard.tokens import CHECKS, exact, token_formats

FORMATS = token_formats()
FRAMES = ("{}", "use {} for the build", "export X={}", "이거 써 {} 알겠지", '"{}",', "({}).")


def test_the_table_covers_many_vendors():
    assert len({row.vendor for row in FORMATS}) >= 150
    assert len({row.vendor for row in FORMATS if not row.near}) >= 150
    assert len(FORMATS) == len(set(FORMATS))
    assert {row.check for row in FORMATS} == set(CHECKS)


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: f"{row.vendor} {row.format[:24]}")
def test_a_value_of_the_format_is_redacted(row):
    """A format that does not identify itself is found after the word that it needs."""
    rng = random.Random(row.format)
    missed = 0
    for _ in range(4):
        value = sample(row, rng)
        assert re.search(exact(row), value)
        frames = [f"{row.near} api key: {{}}"] if row.near else FRAMES
        missed += sum(value in redact_secrets(frame.format(value)).text for frame in frames)
    assert missed <= 1  # a sample may look like a word by chance


@pytest.mark.parametrize("row", [row for row in FORMATS if row.check in ("base58check", "stellar")])
def test_a_wrong_checksum_is_no_token(row):
    value = sample(row, random.Random(3))
    wrong = value[:-1] + ("2" if value[-1] != "2" else "3")
    assert CHECKS[row.check](value)
    assert not CHECKS[row.check](wrong)


@pytest.mark.parametrize(
    "text",
    [
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-learn-contrib is a package",
        "npm_config_registry_of_the_company",
        "hf_transformers_model_names_are_long",
        "https://example.com/glpat-documentation-page",
        "datadog commit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
        "key-value-store-of-the-application",
        "railway project 01234567-89ab-4cde-8f01-23456789abcd",
    ],
)
def test_what_only_begins_like_a_token_stays(text):
    assert redact_secrets(text).text == text
