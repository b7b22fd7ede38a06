"""Secrets as people tell them: nearly all are redacted, also of the list that the rules were not tuned on."""

from __future__ import annotations

import pytest
from benchmarks.guard.everyday import LISTS, forms, is_redacted, missed

from celestial_engine.core.guard.secrets import redact_secrets


@pytest.mark.parametrize("form", forms("development"), ids=lambda form: form.text[:40])
def test_a_known_form_is_redacted(form):
    assert is_redacted(form)


@pytest.mark.parametrize("name", ["held_out", "second_held_out"])
def test_most_held_out_forms_are_redacted(name):
    """The limit is what was asked of the rules; errors of these lists are not shown, so that nobody tunes on them."""
    assert len(forms(name)) >= 100
    assert len(missed(name)) <= len(forms(name)) // 10


def test_most_secrets_told_by_what_they_open_are_redacted():
    """Of the second list, held out: .82, where rules 4 had .73. The aim of .90 is not met."""
    known, held_out = forms("situations"), forms("situations_held_out")
    assert len(known) >= 180
    assert len(missed("situations")) <= len(known) // 10
    assert len(held_out) >= 60
    assert len(missed("situations_held_out")) <= len(held_out) * 2 // 10


def test_most_secrets_told_in_passing_are_redacted():
    """Of the second list, held out: .67, where rules 4 had .55. The aim of .90 is not met.

    Rules that found three more in a hundred redacted prices, levels and what people put on forms, and are gone.
    """
    known, held_out = forms("in_passing"), forms("in_passing_held_out")
    assert len(known) >= 200
    assert len(missed("in_passing")) <= len(known) * 6 // 100
    assert len(held_out) >= 40
    assert len(missed("in_passing_held_out")) <= len(held_out) * 33 // 100


def test_most_of_a_wider_list_is_redacted():
    """Shells, files, numbers and talk. Of the half held out .85 were found before anybody looked at its misses."""
    for name in ("wider", "wider_held_out"):
        assert len(missed(name)) <= len(forms(name)) // 10


def test_sentences_that_only_look_like_them_stay():
    """Two titles with signs in them are taken for passwords."""
    lines = [line for line in (LISTS / "look_alikes.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert len(lines) >= 120
    assert sum(bool(redact_secrets(line).redacted) for line in lines) <= 2


def test_there_are_enough_forms():
    assert sum(len(forms(name)) for name in ("development", "held_out", "second_held_out")) >= 300
