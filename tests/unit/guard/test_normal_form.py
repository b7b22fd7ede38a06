"""Rules see through look-alike and invisible characters, and redact in the text as it was given."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.core.guard import normal_form as module
from celestial_engine.core.guard.normal_form import fold, normal_form
from celestial_engine.core.guard.secrets import redact_secrets

FULL_WIDTH = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(33, 127)})


@pytest.mark.parametrize(
    "text", ["password is hunter22", "비밀번호는 abc1234야", "카드 4111-1111-1111-1111", "ㅋㅋㅋ 좋아 😀"]
)
def test_plain_texts_are_their_own_copy(text):
    assert normal_form(text) is None
    assert fold(text) == text


@pytest.mark.parametrize(
    ("written", "copy"),
    [
        ("ｐａｓｓｗｏｒｄ", "password"),
        ("pass\u200bword", "password"),
        ("pa\xadss\u2060wo\ufeffrd", "password"),
        ("раѕѕwоrd", "password"),  # Cyrillic
        ("ρassword", "password"),  # Greek
        (unicodedata.normalize("NFD", "비밀번호"), "비밀번호"),
        ("𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝", "password"),
        ("１２３４", "1234"),
        ("pass\ue000word", "password"),
    ],
)
def test_look_alikes_are_alike(written, copy):
    assert fold(written) == copy


@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: text.translate(FULL_WIDTH),
        lambda text: "\u200b".join(text),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("a", "а").replace("o", "о"),
        lambda text: text[:3] + "\ue000" + text[3:],
    ],
    ids=["full width", "zero width", "decomposed", "homoglyphs", "private use"],
)
@pytest.mark.parametrize("text", ["The password is plum9921, ok", "와이파이 비밀번호는 plum9921 이야"])
def test_a_disguised_secret_is_redacted(text, disguise):
    given_text = disguise(text)
    clean = redact_secrets(given_text).text
    assert "[" in clean
    assert "plum9921" not in fold(clean)
    assert fold(clean).startswith(fold(given_text)[:8])


@given(st.text(max_size=120))
def test_positions_lead_back_to_the_original(text):
    form = normal_form(text)
    if form is not None:
        assert len(form.text) == len(form.starts) == len(form.ends)
        assert all(0 <= start < end <= len(text) for start, end in zip(form.starts, form.ends, strict=True))
        assert list(form.starts) == sorted(form.starts)


LETTERS = st.sampled_from(
    [*"ab 1\n가한ㄱㅣ一", "é", "½", "ﬁ", "ａ", "а", "\u0301", "\u1161", "\u11a8", "\u200b", "\ufe0f", "😀"]
)


@given(st.text(LETTERS, max_size=30))
def test_runs_of_plain_letters_are_copied_as_each_letter_would_be(text):
    """Character by character, every cluster would be composed on its own."""
    form = normal_form(text)
    clusters = [] if form is None else list(re.finditer(module._CLUSTER.partition("|")[2], text))
    expected = [(module._plain(each[0]), each.start(), each.end()) for each in clusters]
    assert fold(text) == ("".join(letters for letters, _, _ in expected) if clusters else text)
    if form is not None:
        spans = [(start, end) for letters, start, end in expected for _ in letters]
        assert list(zip(form.starts, form.ends, strict=True)) == spans


def test_a_long_text_is_copied_in_few_steps():
    """One invisible letter does not make every other one a step of its own."""
    text = "a long text of plain words, 그리고 한글. " * 4_000
    form = normal_form(text + "\u200b" + text)
    assert form is not None
    assert form.text == text + text
    assert len(list(re.finditer(module._CLUSTER, text + "\u200b" + text))) == 3
