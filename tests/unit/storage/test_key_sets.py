"""Sets of keys as bits behave like sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.storage.sqlite.key_sets import Keys

OWNER = 3 << 40
NUMBERS = st.sets(st.one_of(st.integers(0, 3_000), st.integers(100_000, 100_050)), max_size=40)
SETS = NUMBERS.map(lambda numbers: {OWNER + number for number in numbers})


@given(SETS, SETS)
def test_they_are_sets(one, other):
    mine, theirs = Keys.of(one), Keys.of(other)
    assert list(mine) == sorted(one)
    assert len(mine) == len(one)
    assert list(mine & theirs) == sorted(one & other)
    assert list(mine | theirs) == sorted(one | other)
    assert list(mine - theirs) == sorted(one - other)
    assert all((key in mine) == (key in one) for key in one | other)


@given(SETS)
def test_digits_and_ranges_tell_the_same(keys):
    """A digit a key from the first on; every key lies in one of the ranges, and none before the first digit."""
    mine = Keys.of(keys)
    first, digits = mine.as_digits()
    assert {first + place for place, digit in enumerate(digits) if digit == ord("1")} == keys
    ranges = mine.ranges()
    assert all(sum(low <= key <= high for low, high in ranges) == 1 for key in keys)
    assert all(low >= first for low, _ in ranges)
