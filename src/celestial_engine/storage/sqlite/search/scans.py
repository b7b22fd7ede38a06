"""Three ways to scan sign codes in RAM by Hamming distance: the standard library, numpy, faiss."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol

from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.search.signs import code_of

FAISS_FROM = 1_000_000  # below this, numpy is as fast
_WIDER = 5  # numpy compares this many times as many codes more closely
_SAMPLE = 16  # one in so many codes is sampled to estimate the cut
_ALL_ONES = (1 << 64) - 1

Row = tuple[int, bytes]


class Scan(Protocol):
    """Keys and their codes, all of one width."""

    def __len__(self) -> int: ...
    def change(self, removed: Collection[int], new: Sequence[Row]) -> None:
        """Removes the `removed` keys, then adds the new ones: a changed code is in both."""
        ...

    def nearest(self, vector: Sequence[float], count: int, among: Keys | None = None) -> list[int]:
        """Returns the keys of the `count` codes nearest to a centred vector, of all or of some.

        In no order, maybe a few more.
        """
        ...

    @property
    def size_bytes(self) -> int: ...


def scan_of(rows: Sequence[Row], width: int) -> Scan:
    """Returns the fastest scan for so many codes with the installed packages."""
    numpy = _imported("numpy")
    if numpy is None:
        return IntegerScan(rows, width)
    faiss = _imported("faiss") if len(rows) >= FAISS_FROM else None
    return NumpyScan(rows, width, numpy) if faiss is None else FaissScan(rows, width, numpy, faiss)


def _imported(package: str) -> Any:
    """Imports on demand: importing numpy takes longer than most commands."""
    try:
        return import_module(package)
    except ImportError:
        return None


def numpy_if_loaded() -> Any:
    """Returns numpy only if it is imported, for work too small to import it."""
    return sys.modules.get("numpy")


class IntegerScan:
    """Standard library: a code is an integer, a distance the bit count of an XOR.

    The key precedes its code, followed by its complement: every key adds 64 ones. So only one list is scanned.
    """

    def __init__(self, rows: Sequence[Row], width: int) -> None:
        self._bits = 8 * width
        self._largest = -1
        self._entries: list[int] = []
        self._append(rows)

    def __len__(self) -> int:
        return len(self._entries)

    def change(self, removed: Collection[int], new: Sequence[Row]) -> None:
        present = {
            key for key in removed if key <= self._largest
        }  # most changes are new memories, which need no lookup
        if present:
            self._entries = [entry for entry in self._entries if self._key(entry) not in present]
        self._append(new)

    def nearest(self, vector: Sequence[float], count: int, among: Keys | None = None) -> list[int]:
        entries = self._entries
        if among is not None:
            entries = [entry for entry in entries if self._key(entry) in among]
        if len(entries) <= count:
            return [self._key(entry) for entry in entries]
        code = int.from_bytes(code_of(vector, 1.0, None), "big")
        distance = _guess(entries, code, count)
        near = [entry for entry in entries if (entry ^ code).bit_count() <= distance]
        if len(near) < count:  # the sample was not representative
            near = entries
        cut = sorted([(entry ^ code).bit_count() for entry in near])[count - 1]
        return [self._key(entry) for entry in near if (entry ^ code).bit_count() <= cut]

    @property
    def size_bytes(self) -> int:
        each = sys.getsizeof(self._entries[0]) if self._entries else 0
        return sys.getsizeof(self._entries) + each * len(self._entries)

    def _append(self, rows: Iterable[Row]) -> None:
        for key, code in rows:
            self._entries.append((key << 64 | key ^ _ALL_ONES) << self._bits | int.from_bytes(code, "big"))
            self._largest = max(self._largest, key)

    def _key(self, entry: int) -> int:
        return entry >> self._bits + 64


def _guess(entries: Sequence[int], code: int, count: int) -> int:
    """Estimates a distance that contains somewhat more than `count` codes."""
    sample = sorted([(entry ^ code).bit_count() for entry in entries[::_SAMPLE]])
    return sample[min(len(sample) - 1, count // _SAMPLE * 3 // 2 + 4)]


class NumpyScan:
    """Codes as 64-bit words in columns: each column is read sequentially."""

    _order = "F"

    def __init__(self, rows: Sequence[Row], width: int, numpy: Any) -> None:
        self._np = numpy
        self._width = width
        self._largest = -1
        self._count = 0
        self._keys: Any = ()
        self._codes: Any = ()
        self._reserve(len(rows))
        self._append(rows)

    def __len__(self) -> int:
        return self._count

    def change(self, removed: Collection[int], new: Sequence[Row]) -> None:
        present = [
            key for key in removed if key <= self._largest
        ]  # most changes are new memories, which need no lookup
        if present:
            stored_keys = self._keys[: self._count]
            for place in self._np.flatnonzero(self._np.isin(stored_keys, present))[::-1].tolist():
                self._count -= 1
                self._keys[place] = self._keys[self._count]
                self._codes[place] = self._codes[self._count]
        self._append(new)

    def nearest(self, vector: Sequence[float], count: int, among: Keys | None = None) -> list[int]:
        """Re-ranks the nearest by signs with weighted dimensions: halves the misses at little cost."""
        np = self._np
        chosen = None if among is None else self._places_of(among)
        size = self._count if chosen is None else len(chosen)
        if size <= count:
            return list(self._keys[slice(self._count) if chosen is None else chosen].tolist())
        code, wider = self._matrix([code_of(vector, 1.0, None)]), min(size, _WIDER * count)
        places = self._by_signs(code, wider) if chosen is None else chosen[self._by_signs_of(code, wider, chosen)]
        bits = np.unpackbits(np.ascontiguousarray(self._codes[places]).view(np.uint8), axis=1)
        spare = 8 * self._width - len(vector)  # codes have whole bytes: the first bits of some are padding
        # Not `@`: its worker threads cost ten times what they save on a busy machine.
        agreement = np.einsum("ij,j->i", bits[:, spare : 8 * self._width], np.array(vector, np.float32))
        return list(self._keys[places[np.argpartition(-agreement, count)[:count]]].tolist())

    @property
    def size_bytes(self) -> int:
        return int(self._keys.nbytes + self._codes.nbytes)

    def _places_of(self, among: Keys) -> Any:
        """Returns the column positions of these keys."""
        np = self._np
        first, bits = among.as_bytes()
        flags = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")
        offsets = self._keys[: self._count] - first
        inside = (offsets >= 0) & (offsets < len(flags))
        inside[inside] = flags[offsets[inside]] == 1
        return np.flatnonzero(inside)

    def _by_signs(self, code: Any, count: int) -> Any:
        return self._by_signs_of(code, count, slice(self._count))

    def _by_signs_of(self, code: Any, count: int, chosen: Any) -> Any:
        np = self._np
        distances = np.zeros(len(self._keys[chosen]), np.uint16)
        for column, word in enumerate(code[0]):
            distances += _ones(np, self._codes[chosen, column] ^ word)
        # There are only as many distances as bits, so counting is faster than sorting.
        cut = np.searchsorted(np.bincount(distances).cumsum(), count)
        return np.flatnonzero(distances <= cut)

    def _append(self, rows: Sequence[Row]) -> None:
        end = self._count + len(rows)
        if end > len(self._keys):
            self._reserve(end + end // 8)
        if rows:
            self._keys[self._count : end] = [key for key, _ in rows]
            self._codes[self._count : end] = self._matrix([code for _, code in rows])
            self._largest = max(self._largest, int(self._keys[self._count : end].max()))
            self._count = end

    def _matrix(self, codes: list[bytes]) -> Any:
        """Returns a row of words for each code; partial words are padded with zeros."""
        np = self._np
        padded = np.zeros((len(codes), -(-self._width // 8) * 8), np.uint8)
        padded[:, : self._width] = np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), self._width)
        return padded.view(np.uint64)

    def _reserve(self, capacity: int) -> None:
        np = self._np
        keys = np.empty(capacity, np.int64)
        codes = np.empty((capacity, -(-self._width // 8)), np.uint64, order=self._order)
        if self._count:
            keys[: self._count] = self._keys[: self._count]
            codes[: self._count] = self._codes[: self._count]
        self._keys, self._codes = keys, codes


class FaissScan(NumpyScan):
    """The same codes in rows, as faiss needs them. It builds no index: it compares all codes, only faster."""

    _order = "C"

    def __init__(self, rows: Sequence[Row], width: int, numpy: Any, faiss: Any) -> None:
        super().__init__(rows, width, numpy)
        self._faiss = faiss

    def _by_signs(self, code: Any, count: int) -> Any:
        byte = self._np.uint8
        _, places = self._faiss.knn_hamming(code.view(byte), self._codes[: self._count].view(byte), count)
        return places[0]


def _ones(np: Any, words: Any) -> Any:
    """Counts the set bits of each word."""
    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words)
    # Before numpy 2: add pairs, then fours, then eights of bits within each word.
    one, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    words = words - ((words >> np.uint64(1)) & one)
    words = (words & two) + ((words >> np.uint64(2)) & two)
    words = (words + (words >> np.uint64(4))) & four
    return ((words * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint8)
