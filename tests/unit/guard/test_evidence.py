"""What looks made up is a secret only where the words around it tell what it opens."""

from __future__ import annotations

import pytest

from celestial_engine.core.guard.evidence import secret_codes, secret_words, strength_of


@pytest.mark.parametrize(
    ("value", "strength"),
    [
        ("Peanut!Butter9", 3),
        ("Passw0rd2019", 3),
        ("BlueHeron_77", 2),
        ("sunflower88!", 1),  # or "iOS18!" at the end of a sentence
        ("ThinkPad-X1", 0),
        ("web-server-01", 0),
        ("RT-AX86U", 0),
        ("0x221a", 0),
        ("20250716T150640Z-7616f4e3349c.jsonl.gz", 0),
        ("7616f4e3-349cab", 0),
        ("sunflower", 0),
    ],
)
def test_a_value_is_as_likely_a_password_as_it_looks(value, strength):
    assert strength_of(value) == strength


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("the wifi is now sunflower88!", ["sunflower88!"]),
        ("so excited for sunflower88!", []),
        ("공유기는 admin에 Gr4ntham!! 치고 들어가면 돼", ["Gr4ntham!!"]),
        ("log in as user BlueHeron_77", []),  # a name
        ("return login(user, BlueHeron_77);", []),  # a program
    ],
)
def test_a_made_up_word_needs_something_that_it_opens(text, secrets):
    assert [text[start:end] for start, end in secret_words(text)] == secrets


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("my phone unlocks with 830216", ["830216"]),
        ("the park opens at 0900", []),
        ("the shop opened with 1200 visitors", []),
        ("내 폰 잠금은 830216으로 풀려", ["830216"]),
        ("버스 4471 타고 들어가면 돼", []),
    ],
)
def test_digits_need_a_lock_and_the_place_of_a_code(text, codes):
    assert [text[start:end] for start, end in secret_codes(text)] == codes
