"""Secrets as people tell them: nearly all are redacted, also of the list that the rules were not tuned on."""

from __future__ import annotations

import pytest
from benchmarks.guard.everyday import forms, is_redacted, missed


@pytest.mark.parametrize("form", forms("development"), ids=lambda form: form.text[:40])
def test_a_known_form_is_redacted(form):
    assert is_redacted(form)


def test_most_held_out_forms_are_redacted():
    """The limit is what was asked of the rules; errors of this list are not shown, so that nobody tunes on them."""
    held_out = forms("held_out")
    assert len(held_out) + len(forms("development")) >= 300
    assert len(missed("held_out")) <= len(held_out) // 10
