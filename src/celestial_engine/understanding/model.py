"""The trained weights: one linear model with several heads, in one file, read with the standard library.

The file is a line that names the format, a line with the checksum of the rest, a line of JSON (heads, labels,
calibration), and the weights: signed bytes, compressed, one row a bucket, one column a label. `make train` writes it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from struct import unpack
from typing import Any

from celestial_engine.understanding.features import BUCKETS, VERSION
from celestial_engine.understanding.relation import Relations

MAGIC = b"celestial-understanding 1\n"
_MOST_BYTES = 16_000_000
_ROWS_AT_ONCE = 256
_SHIFT = 128
_SHIFTED = bytes((byte + _SHIFT) % 256 for byte in range(256))


class ModelFileError(ValueError):
    """A file that does not hold weights for these features."""


@dataclass(frozen=True)
class Head:
    """One question about a text: its possible answers, and how raw sums become probabilities."""

    name: str
    labels: tuple[str, ...]
    table: int  # which table of weights holds its columns
    first: int  # its first column there
    scale: float  # of one step of a quantised weight, times the calibration
    bias: tuple[float, ...]


@dataclass(frozen=True)
class Table:
    """Weights for the buckets modulo `rows`; heads that need less detail share fewer rows.

    A weight is stored as a byte that is 128 greater, so that none is negative.
    """

    rows: int
    columns: int
    weights: bytes

    def sums(self, buckets: Sequence[int]) -> list[int]:
        """Returns the sum of the rows of these buckets, column by column.

        A row is one long number: adding two of them adds all columns at once. Every other byte is added on its own,
        so that a sum has two bytes of room, which are enough for 256 rows.
        """
        columns, rows, weights = self.columns, self.rows, self.weights
        pairs = (columns + 1) // 2
        every_other = int.from_bytes(b"\xff\x00" * pairs, "little")
        totals = [0] * (2 * pairs)
        for first in range(0, len(buckets), _ROWS_AT_ONCE):
            starts = [bucket % rows * columns for bucket in buckets[first : first + _ROWS_AT_ONCE]]
            numbers = [int.from_bytes(weights[start : start + columns], "little") for start in starts]
            for place in (0, 1):
                total = sum([number >> 8 * place & every_other for number in numbers])
                sums = unpack(f"<{pairs}H", total.to_bytes(2 * pairs, "little"))
                totals[place::2] = map(int.__add__, totals[place::2], sums)
        added = _SHIFT * len(buckets)
        return [total - added for total in totals[:columns]]

    def weight(self, bucket: int, column: int) -> int:
        return self.weights[bucket % self.rows * self.columns + column] - _SHIFT


@dataclass(frozen=True)
class Model:
    """The heads by name, over their tables."""

    heads: Mapping[str, Head]
    tables: Sequence[Table]
    relations: Relations
    checksum: str

    def probabilities(self, name: str, sums: Sequence[int], features: int) -> list[float]:
        """Returns a probability for each label of a head, from the sums of its table."""
        head = self.heads[name]
        size = sqrt(max(1, features))
        raw = [
            total * head.scale / size + bias
            for total, bias in zip(sums[head.first : head.first + len(head.labels)], head.bias, strict=True)
        ]
        highest = max(raw)
        grown = [exp(value - highest) for value in raw]
        whole = sum(grown)
        return [value / whole for value in grown]


def packed(header: dict[str, Any], tables: Sequence[bytes]) -> bytes:
    """Returns the bytes of a model file."""
    full = {**header, "features": VERSION, "buckets": BUCKETS}
    line = json.dumps(full, sort_keys=True, ensure_ascii=False).encode()
    rest = line + b"\n" + zlib.compress(b"".join(tables), 9)
    return MAGIC + b"%08x\n" % zlib.crc32(rest) + rest


def unpacked(raw: bytes) -> Model:
    """Reads a model file; raises ModelFileError if it is damaged, foreign, or made for other features."""
    if not raw.startswith(MAGIC):
        raise ModelFileError("not a file of trained weights")
    checksum, rest = raw[len(MAGIC) : len(MAGIC) + 8], raw[len(MAGIC) + 9 :]
    if checksum != b"%08x" % zlib.crc32(rest):
        raise ModelFileError("the weights are damaged")
    line, _, weights = rest.partition(b"\n")
    try:
        header = json.loads(line)
        if (header["features"], header["buckets"]) != (VERSION, BUCKETS):
            raise ModelFileError("trained for other features")
        plain = zlib.decompressobj().decompress(weights, _MOST_BYTES).translate(_SHIFTED)
        tables, start = list[Table](), 0
        for rows, columns in header["tables"]:
            tables.append(Table(rows, columns, plain[start : start + rows * columns]))
            start += rows * columns
        if start != len(plain):
            raise ModelFileError("the weights are damaged")
        heads = {
            each["name"]: Head(
                each["name"], tuple(each["labels"]), each["table"], each["first"], each["scale"], tuple(each["bias"])
            )
            for each in header["heads"]
        }
        relations = Relations(header["relations"]["plain"], header["relations"]["with_vectors"])
        return Model(heads, tables, relations, checksum.decode())
    except (ValueError, KeyError, TypeError, IndexError, zlib.error, RecursionError) as error:
        raise error if isinstance(error, ModelFileError) else ModelFileError("the weights are damaged") from error
