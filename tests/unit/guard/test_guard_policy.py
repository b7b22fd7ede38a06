"""The guard does with each kind of secret what its policy says, in texts, metadata and questions."""

from __future__ import annotations

import pytest

from celestial_engine.core.guard.guard import Guard, redact_question
from celestial_engine.core.guard.secrets import GuardAction, GuardPolicy, redact_secrets
from celestial_engine.errors import InvalidInputError

# Made up here; they open nothing. In pieces, so that no scanner takes them for real ones.
STRIPE = "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc"


def test_a_kind_can_be_allowed_and_another_redacted():
    policy = GuardPolicy(card="allow", phone=GuardAction.REDACT, email="redact")
    said = redact_secrets("4111 1111 1111 1111, 010-1234-5678, mina@example.com", policy).text
    assert said == "4111 1111 1111 1111, [redacted: phone number], [redacted: e-mail address]"


def test_a_policy_checks_itself():
    with pytest.raises(InvalidInputError, match="card"):
        GuardPolicy(card="hide")


def test_metadata_is_read_with_its_names():
    """A value is a secret by what it is, or by the name it is kept under; the rest stays as it was."""
    guard = Guard(GuardPolicy())
    clean = guard.metadata(
        {"password": "my dog", "pin": 1234, "n": 5, "ok": True, "none": None, "deep": [{"note": f"use {STRIPE}"}],
         "api_key": "9f8e7d6c5b4a39281706f5e4d3c2b1a0", "card": 4111111111111111, STRIPE: "x", "id": "abc-1"}
    )  # fmt: skip
    assert clean == {
        "password": "[redacted: password]", "pin": "[redacted: password]", "n": 5, "ok": True, "none": None,
        "deep": [{"note": "use [redacted: API key]"}], "api_key": "[redacted: API key]", "card": "[redacted: card number]",
        "[redacted: API key]": "x", "id": "abc-1",
    }  # fmt: skip
    assert all(note[3] == "metadata" for note in guard.notes)
    assert Guard(GuardPolicy()).metadata(clean) == clean


def test_asking_is_never_blocked():
    assert (
        redact_question("is 4111 1111 1111 1111 my card?", GuardPolicy(card="block"))
        == "is [redacted: card number] my card?"
    )
    assert redact_question("is 4111 1111 1111 1111 my card?", GuardPolicy(card="allow")).count("4111") == 1
