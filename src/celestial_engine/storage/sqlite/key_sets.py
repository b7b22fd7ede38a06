"""Sets of keys as bit masks: intersecting a million keys takes a millisecond."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

CHUNK_SHIFT = 10  # 1,024 keys per chunk
_BIT = (1 << CHUNK_SHIFT) - 1
_DENSE = 128


class Keys:
    """A set of keys, by non-empty chunks."""

    def __init__(self, chunks: dict[int, int] | None = None) -> None:
        self.chunks = {} if chunks is None else chunks

    @classmethod
    def of(cls, keys: Iterable[int]) -> Keys:
        chunks: dict[int, int] = {}
        for key in keys:
            chunk = key >> CHUNK_SHIFT
            chunks[chunk] = chunks.get(chunk, 0) | 1 << (key & _BIT)
        return cls(chunks)

    def __contains__(self, key: int) -> bool:
        return bool(self.chunks.get(key >> CHUNK_SHIFT, 0) >> (key & _BIT) & 1)

    def __len__(self) -> int:
        return sum(bits.bit_count() for bits in self.chunks.values())

    def __bool__(self) -> bool:
        return bool(self.chunks)

    def __iter__(self) -> Iterator[int]:
        for chunk in sorted(self.chunks):
            yield from keys_in(chunk, self.chunks[chunk])

    def __and__(self, other: Keys) -> Keys:
        both = ((chunk, bits & other.chunks.get(chunk, 0)) for chunk, bits in self.chunks.items())
        return Keys({chunk: bits for chunk, bits in both if bits})

    def __or__(self, other: Keys) -> Keys:
        chunks = dict(self.chunks)
        for chunk, bits in other.chunks.items():
            chunks[chunk] = chunks.get(chunk, 0) | bits
        return Keys(chunks)

    def __sub__(self, other: Keys) -> Keys:
        rest = ((chunk, bits & ~other.chunks.get(chunk, 0)) for chunk, bits in self.chunks.items())
        return Keys({chunk: bits for chunk, bits in rest if bits})

    def ranges(self) -> list[tuple[int, int]]:
        """Returns adjacent chunks as ranges of first and last possible key; the last range first."""
        ranges: list[tuple[int, int]] = []
        for chunk in sorted(self.chunks, reverse=True):
            first, last = chunk << CHUNK_SHIFT, (chunk + 1 << CHUNK_SHIFT) - 1
            if ranges and ranges[-1][0] == last + 1:
                first, last = first, ranges.pop()[1]
            ranges.append((first, last))
        return ranges

    def as_bytes(self) -> tuple[int, bytes]:
        """Returns the first key and one bit per key from there on, lowest first."""
        first, last = min(self.chunks, default=0), max(self.chunks, default=-1)
        size = 1 << CHUNK_SHIFT - 3
        parts = (self.chunks.get(chunk, 0).to_bytes(size, "little") for chunk in range(first, last + 1))
        return first << CHUNK_SHIFT, b"".join(parts)

    def as_digits(self) -> tuple[int, bytes]:
        """Returns the first key and "1" or "0" for each key from there on."""
        first, bits = self.as_bytes()
        return first, bin(int.from_bytes(bits, "little"))[:1:-1].encode()


def keys_in(chunk: int, bits: int) -> list[int]:
    """Returns the keys of one chunk, in order."""
    start, keys = chunk << CHUNK_SHIFT, list[int]()
    if bits.bit_count() > _DENSE:
        return [start + place for place, digit in enumerate(reversed(bin(bits)[2:])) if digit == "1"]
    while bits:
        lowest = bits & -bits
        keys.append(start + lowest.bit_length() - 1)
        bits ^= lowest
    return keys


def chunk_of(key: int) -> int:
    return key >> CHUNK_SHIFT


def bit_of(key: int) -> int:
    return 1 << (key & _BIT)


def packed(bits: int) -> bytes:
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def unpacked(blob: bytes) -> int:
    return int.from_bytes(blob, "little")
