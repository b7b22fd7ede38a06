"""Two hundred inputs of an adversary, kept as data: each is redacted, distrusted or survived, and look-alikes stay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celestial_engine.core.guard.guard import trust_in
from celestial_engine.core.guard.normal_form import fold
from celestial_engine.core.guard.secrets import redact_secrets
from celestial_engine.core.record.item import Trust

LINES = Path(__file__).with_name("red_team.tsv").read_text(encoding="utf-8").splitlines()
INPUTS = [tuple(line.split("\t", 1)) for line in LINES if not line.startswith("#")]
ESCAPES = {"\\n": "\n", "\\u200b": "\u200b", "\\ue000": "\ue000", "\\xad": "\xad", "\\ufeff": "\ufeff"}


def test_there_are_two_hundred():
    assert len(INPUTS) >= 200


@pytest.mark.parametrize(("expected", "written"), INPUTS, ids=lambda value: str(value)[:40])
def test_an_input_meets_its_end(expected, written):
    for escape, sign in ESCAPES.items():
        written = written.replace(escape, sign)
    if expected == "survives":
        piece, times = re.fullmatch(r"(?s)(.*)⟪(\d+)⟫", written).groups()
        text = piece * int(times)
        redact_secrets(text)
        trust_in(text[:200_000])
        return
    text = written.replace("⟦", "").replace("⟧", "")
    clean = redact_secrets(text)
    if expected == "redacted":
        for secret in re.findall("⟦(.*?)⟧", written):
            assert fold(secret) not in fold(clean.text)
        assert clean.redacted
    elif expected == "low":
        assert trust_in(text) is Trust.LOW
    else:
        assert clean.text == text
        assert trust_in(text) is Trust.NORMAL
