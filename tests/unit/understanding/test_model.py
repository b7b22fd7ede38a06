"""The weights: sums of whole rows are the sums of their columns."""

from __future__ import annotations

import random

import pytest

from celestial_engine.understanding.model import Table


@pytest.mark.parametrize("columns", [1, 2, 25, 47])
@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 700])
def test_rows_are_summed_column_by_column(columns, count):
    """Also where every weight is the greatest or the least: no column spills into the next."""
    dice = random.Random(columns * 1_000 + count)
    for weights in (dice.randbytes(64 * columns), b"\xff" * 64 * columns, b"\x00" * 64 * columns):
        table = Table(64, columns, weights)
        buckets = [dice.randrange(1 << 16) for _ in range(count)]
        expected = [sum(table.weight(bucket, column) for bucket in buckets) for column in range(columns)]
        assert table.sums(buckets) == expected
