"""How Python values travel to PostgreSQL and back."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence

from psycopg import adapters
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper
from psycopg.pq import Format
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper, TextBinaryLoader, TextLoader

from celestial_engine.storage.postgres.text import escaped, unescaped

_HEADER = struct.Struct(">HH")  # the number of dimensions, and two bytes that are not used


class _TextDumper(StrDumper):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(escaped(obj))


class _TextLoader(TextLoader):
    def load(self, data: Buffer) -> str:
        return unescaped(str(super().load(data)))


class _TextBinaryLoader(TextBinaryLoader):
    def load(self, data: Buffer) -> str:
        return unescaped(str(super().load(data)))


class PgVector:
    """A vector, as a value of pgvector's type."""

    __slots__ = ("packed",)

    def __init__(self, values: Sequence[float]) -> None:
        numbers = array("f", values)
        if sys.byteorder == "little":
            numbers.byteswap()
        self.packed = _HEADER.pack(len(numbers), 0) + numbers.tobytes()


def vector_bytes(sent: bytes) -> bytes:
    """Returns what `vector_send` gave as SQLite stores it: floats in the order of this machine."""
    numbers = array("f", sent[_HEADER.size :])
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers.tobytes()


def adapters_with(vector_oid: int | None) -> AdaptersMap:
    """Returns the adapters of a connection; with pgvector, vectors are sent in its binary format."""
    own_adapters = AdaptersMap(adapters)
    # One type for all whole numbers: a statement is prepared once, whatever their size.
    own_adapters.register_dumper(int, Int8Dumper)
    own_adapters.register_dumper(str, _TextDumper)
    own_adapters.register_loader("text", _TextLoader)
    own_adapters.register_loader("text", _TextBinaryLoader)
    if vector_oid is not None:
        number = vector_oid

        class _VectorDumper(Dumper):
            oid = number
            format = Format.BINARY

            def dump(self, obj: PgVector) -> Buffer | None:
                return obj.packed

        own_adapters.register_dumper(PgVector, _VectorDumper)
    return own_adapters
