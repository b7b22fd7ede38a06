"""The quick way to the key of an English name gives what the thorough way gives."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from celestial_engine.core.text import entities

NAMES = st.text(alphabet="abcIMsyT 'tho.,!-0\t\"", max_size=24)


@given(NAMES)
@example("the Eiffel Tower's")
@example("my 's")
@example(" I ")
@example("'")
@example("")
def test_ascii_names_have_the_same_key_either_way(name: str) -> None:
    assert entities._stripped(name) == entities._stripped_any(name)
