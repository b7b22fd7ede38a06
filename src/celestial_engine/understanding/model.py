"""The trained weights: one linear model with several heads, in one file, read with the standard library.

The file is a line that names the format, a line with the checksum of the rest, a line of JSON (heads, labels,
calibration), and the weights: signed bytes, compressed, one row a bucket, one column a label. `make train` writes it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

from celestial_engine.understanding.features import BUCKETS, VERSION
from celestial_engine.understanding.relation import Relations

MAGIC = b"celestial-understanding 1\n"
_MOST_BYTES = 16_000_000


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
    """Weights for the buckets modulo `rows`; heads that need less detail share fewer rows."""

    rows: int
    columns: int
    weights: memoryview

    def sums(self, buckets: Iterable[int]) -> list[int]:
        """Returns the sum of the rows of these buckets, column by column."""
        columns, weights = self.columns, self.weights
        starts = [bucket % self.rows * columns for bucket in buckets]
        if not starts:
            return [0] * columns
        return list(map(sum, zip(*(weights[start : start + columns] for start in starts), strict=True)))

    def weight(self, bucket: int, column: int) -> int:
        return self.weights[bucket % self.rows * self.columns + column]


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
        plain = memoryview(zlib.decompressobj().decompress(weights, _MOST_BYTES)).cast("b")
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
