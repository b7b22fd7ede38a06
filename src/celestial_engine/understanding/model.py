"""The trained weights: one linear model with several heads, in one file, read with the standard library.

The file is a line that names the format, a line with the checksum of the rest, a line of JSON (heads, labels,
calibration), and the weights: signed bytes, compressed, one row a bucket, one column a label, stored row by row or
column by column. A head of two labels may have one column: what speaks for one speaks against the other. A table
whose buckets have owners begins with a mark a row. `make train` writes the file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from struct import unpack
from threading import Lock
from typing import Any, overload

from celestial_engine.understanding.features import BUCKETS, VERSION, HashedText

MAGIC = b"celestial-understanding 1\n"
_MOST_BYTES = 16_000_000
_ROWS_AT_ONCE = 256
_FEW_TEXTS = 64
MARKS = 64  # a mark is the checksum's next bits: it tells the owner of a row from most others that fall into it
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
    columns: int
    scale: float  # of one step of a quantised weight, times the calibration
    bias: tuple[float, ...]


class Table:
    """Weights for the buckets modulo `rows`; heads that need less detail share fewer rows."""

    def __init__(self, rows: int, columns: int, weights: bytes, marks: bytes = b"") -> None:
        """`weights` are bytes, each 128 greater than the weight, so that none is negative.

        `marks`: the mark of the feature that owns each row; others that fall into it weigh nothing.
        """
        self.rows = rows
        self.columns = columns
        self._marks = marks
        self._width = 2 * columns
        # A byte of room after each weight: a row is one long number, and adding rows adds all columns at once.
        wide = bytearray(2 * len(weights))
        wide[::2] = weights
        self._wide = bytes(wide)
        self._numbers: list[int] = []
        self._texts = 0

    def rows_of(self, text: HashedText) -> Sequence[int]:
        """Returns the rows of a text's features."""
        marks, rows = self._marks, self.rows
        if not marks:
            return text.buckets
        return list({row for each in text.checksums if marks[row := each % rows] == each // rows % MARKS})

    def row_of(self, checksum: int) -> int | None:
        """Returns the row of a feature; None if it belongs to another one."""
        row = checksum % self.rows
        return row if not self._marks or self._marks[row] == checksum // self.rows % MARKS else None

    def sums(self, buckets: Sequence[int]) -> list[int]:
        """Returns the sum of the rows of these buckets, column by column. Two bytes hold the sum of 256 rows."""
        numbers = self._numbers or self._all_numbers()
        totals = [-_SHIFT * len(buckets)] * self.columns
        for first in range(0, len(buckets), _ROWS_AT_ONCE):
            some = buckets[first : first + _ROWS_AT_ONCE]
            total = sum(map(numbers.__getitem__, some) if numbers else map(self._number, some))
            sums = unpack(f"<{self.columns}H", total.to_bytes(self._width, "little"))
            totals = list(map(int.__add__, totals, sums))
        return totals

    def weight(self, bucket: int, column: int) -> int:
        return self._wide[bucket % self.rows * self._width + 2 * column] - _SHIFT

    def _number(self, bucket: int) -> int:
        start = bucket % self.rows * self._width
        return int.from_bytes(self._wide[start : start + self._width], "little")

    def _all_numbers(self) -> list[int]:
        """Returns the numbers of all buckets once they are worth it: a process that reads many texts."""
        self._texts += 1
        if self._texts > _FEW_TEXTS:
            self._numbers = [self._number(row) for row in range(self.rows)] * max(1, BUCKETS // self.rows)
        return self._numbers


class _Tables(Sequence[Table]):
    """The tables of a file, unpacked one after the other when they are needed: a question needs only the first."""

    def __init__(self, sizes: Sequence[tuple[int, int, bool]], packed_weights: bytes, *, by_column: bool) -> None:
        if sum(rows * (columns + marked) for rows, columns, marked in sizes) > _MOST_BYTES:
            raise ModelFileError("the weights are damaged")
        self._sizes = sizes
        self._by_column = by_column
        self._stream = zlib.decompressobj()
        self._rest = packed_weights
        self._unpacked: list[Table] = []
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, place: int) -> Table: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Table]: ...
    def __getitem__(self, place: int | slice) -> Table | Sequence[Table]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        if place >= len(self._unpacked):
            with self._lock:
                while place >= len(self._unpacked):
                    self._unpack_next()
        return self._unpacked[place]

    def _unpack_next(self) -> None:
        rows, columns, marked = self._sizes[len(self._unpacked)]
        marks = self._read(rows) if marked else b""
        weights = self._read(rows * columns)
        weights = _by_row(weights, rows, columns) if self._by_column else weights
        self._unpacked.append(Table(rows, columns, weights.translate(_SHIFTED), marks))

    def _read(self, size: int) -> bytes:
        read = self._stream.decompress(self._rest, size)
        self._rest = self._stream.unconsumed_tail
        if len(read) != size:  # the checksum was right: the file was written wrongly
            raise ModelFileError("the weights are damaged")
        return read


@dataclass(frozen=True)
class Model:
    """The heads by name, over their tables."""

    heads: Mapping[str, Head]
    tables: Sequence[Table]
    checksum: str
    second: tuple[float, ...] = ()  # weights of a regression over what a head says and other signs
    space: Mapping[str, Any] = field(default_factory=dict)  # the small values of heads over vectors

    def probabilities(self, name: str, sums: Sequence[int], features: int) -> list[float]:
        """Returns a probability for each label of a head, from the sums of its table."""
        head = self.heads[name]
        size = sqrt(max(1, features))
        totals = _for_labels(head, sums[head.first : head.first + head.columns])
        raw = [total * head.scale / size + bias for total, bias in zip(totals, head.bias, strict=True)]
        highest = max(raw)
        grown = [exp(value - highest) for value in raw]
        whole = sum(grown)
        return [value / whole for value in grown]

    def weights(self, name: str, row: int) -> Sequence[int]:
        """Returns what a row speaks for each label of a head."""
        head = self.heads[name]
        table = self.tables[head.table]
        return _for_labels(head, [table.weight(row, head.first + column) for column in range(head.columns)])


def _for_labels(head: Head, columns: Sequence[int]) -> Sequence[int]:
    return columns if head.columns == len(head.labels) else (-columns[0], columns[0])


def packed(header: dict[str, Any], tables: Sequence[bytes], marks: Sequence[bytes] = ()) -> bytes:
    """Returns the bytes of a model file; `marks`: those of each table, empty for one without."""
    marks = marks or [b""] * len(tables)
    sizes = header["tables"]
    header = {**header, "tables": [[*size, True] if each else size for size, each in zip(sizes, marks, strict=True)]}
    transposed = [_by_column(table, *size) for table, size in zip(tables, sizes, strict=True)]
    by_row, by_column = (
        _compressed(b"".join(each + table for each, table in zip(marks, tables_so, strict=True)))
        for tables_so in (tables, transposed)
    )
    full = {**header, "features": VERSION, "buckets": BUCKETS, "by_column": len(by_column) < len(by_row)}
    line = json.dumps(full, sort_keys=True, ensure_ascii=False).encode()
    rest = line + b"\n" + min(by_row, by_column, key=len)
    return MAGIC + b"%08x\n" % zlib.crc32(rest) + rest


def _by_column(table: bytes, rows: int, columns: int) -> bytes:
    return b"".join(table[column::columns] for column in range(columns))


def _by_row(table: bytes, rows: int, columns: int) -> bytes:
    by_row = bytearray(rows * columns)
    for column in range(columns):
        by_row[column::columns] = table[column * rows : (column + 1) * rows]
    return bytes(by_row)


def _compressed(plain: bytes) -> bytes:
    """Returns the shortest of three ways: steps repeat in rows if there are many zeros, and hardly otherwise."""

    def by(strategy: int) -> bytes:
        compressor = zlib.compressobj(9, strategy=strategy)
        return compressor.compress(plain) + compressor.flush()

    return min(by(zlib.Z_FILTERED), by(zlib.Z_HUFFMAN_ONLY), by(zlib.Z_DEFAULT_STRATEGY), key=len)


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
        sizes = [(rows, columns, any(marked)) for rows, columns, *marked in header["tables"]]
        tables = _Tables(sizes, weights, by_column=bool(header.get("by_column")))
        heads = {
            each["name"]: Head(
                each["name"],
                tuple(each["labels"]),
                each["table"],
                each["first"],
                each.get("columns", len(each["labels"])),
                each["scale"],
                tuple(each["bias"]),
            )
            for each in header["heads"]
        }
        second = tuple(float(weight) for weight in header.get("second", ()))
        return Model(heads, tables, checksum.decode(), second, header.get("space", {}))
    except (ValueError, KeyError, TypeError, IndexError, zlib.error, RecursionError) as error:
        raise error if isinstance(error, ModelFileError) else ModelFileError("the weights are damaged") from error
