"""The weights: sums of whole rows are the sums of their columns, and rows with an owner are for it alone."""

from __future__ import annotations

import random

import pytest

from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.model import MARKS, Table, packed, unpacked


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


def test_a_row_with_an_owner_is_for_it_alone():
    text = hashed("my cat is called Tom")
    owner, rows = text.checksums[0], 64
    marks = bytearray((owner // rows % MARKS + 1) % MARKS for _ in range(rows))  # of features that the text has not
    for checksum in text.checksums:
        if marks[checksum % rows] == checksum // rows % MARKS:
            marks[checksum % rows] = (checksum // rows + 1) % MARKS
    marks[owner % rows] = owner // rows % MARKS
    table = Table(rows, 1, bytes(rows), bytes(marks))
    assert owner % rows in table.rows_of(text)
    assert table.row_of(owner) == owner % rows
    assert table.row_of(owner + rows) is None
    assert set(table.rows_of(text)) == {row for each in text.checksums if (row := table.row_of(each)) is not None}


@pytest.mark.parametrize("order", ["by row", "by column"])
def test_a_file_keeps_marks_and_heads_of_one_column(order):
    """Which order is written depends on what is shorter."""
    rows, weights = 64, bytes(range(64)) * 3 if order == "by row" else bytes(each % 3 for each in range(192))
    marks = bytes(range(63, -1, -1))
    head = {"name": "keep", "labels": ["n", "y"], "table": 0, "first": 2, "columns": 1, "scale": 1.0, "bias": [0, 0]}
    other = {"name": "act", "labels": ["a", "b"], "table": 1, "first": 0, "scale": 1.0, "bias": [0.0, 0.0]}
    header = {"heads": [head, other], "tables": [[rows, 3], [rows, 2]]}
    model = unpacked(packed(header, [weights, weights[: 2 * rows]], [marks, b""]))
    plain = Table(rows, 3, bytes((each + 128) % 256 for each in weights))
    for row in range(rows):
        checksum = row + rows * marks[row]
        assert model.tables[0].row_of(checksum) == row
        assert model.tables[0].row_of(checksum + rows) is None
        weight = plain.weight(row, 2)
        assert list(model.weights("keep", row)) == [-weight, weight]
        assert list(model.weights("act", row)) == [
            (each + 128) % 256 - 128 for each in weights[2 * row : 2 * row + 2]
        ]
    more, less = model.probabilities("keep", [0, 0, 5], 1), model.probabilities("keep", [0, 0, -5], 1)
    assert more == pytest.approx(less[::-1])
    assert more[1] > 0.99
