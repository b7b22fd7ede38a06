"""Sign codes and the three ways to scan them."""

from __future__ import annotations

import random
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import pytest

from celestial_engine.storage.sqlite.search import scans
from celestial_engine.storage.sqlite.search.signs import centre_of, code_of, code_width, dot, norm_of, off_centre

WAYS = ["standard library", *(name for name in ("numpy", "faiss") if find_spec(name))]
WIDTH = 48


def scan(way: str, rows: list[tuple[int, bytes]], width: int = WIDTH) -> scans.Scan:
    if way == "standard library":
        return scans.IntegerScan(rows, width)
    if way == "numpy":
        return scans.NumpyScan(rows, width, import_module("numpy"))
    return scans.FaissScan(rows, width, import_module("numpy"), import_module("faiss"))


@cache
def crowd(count: int, dimension: int = 8 * WIDTH, seed: int = 1) -> list[list[float]]:
    """Vectors in groups of ten: each has nine neighbours."""
    chance = random.Random(seed)
    leaders = [[chance.gauss(0, 1) for _ in range(dimension)] for _ in range(-(-count // 10))]
    return [[value + chance.gauss(0, 0.5) for value in leaders[number // 10]] for number in range(count)]


def rows_of(vectors: list[list[float]], first: int = 1) -> list[tuple[int, bytes]]:
    return [(key, code_of(vector, norm_of(vector), None)) for key, vector in enumerate(vectors, first)]


class TestCodes:
    def test_a_bit_says_on_which_side_of_the_centre(self):
        assert code_of([0.6, -0.8, 0.0], 1.0, None) == bytes([0b100])
        assert code_of([0.6, -0.8, 0.0], 1.0, [0.7, -0.9, -0.1]) == bytes([0b011])

    def test_the_length_of_a_vector_does_not_matter(self):
        centre = [0.3, 0.3, 0.3]
        assert code_of([0.4, 0.2, 0.9], norm_of([0.4, 0.2, 0.9]), centre) == code_of(
            [40.0, 20.0, 90.0], norm_of([40.0, 20.0, 90.0]), centre
        )

    def test_a_centre_of_another_length_is_no_centre(self):
        assert code_of([1.0, -1.0], 1.0, [5.0, 5.0, 5.0]) == code_of([1.0, -1.0], 1.0, None)

    @pytest.mark.parametrize("dimension", [1, 7, 8, 9, 384])
    def test_a_code_has_whole_bytes(self, dimension):
        assert len(code_of([1.0] * dimension, 1.0, None)) == code_width(dimension) == -(-dimension // 8)

    def test_the_centre_is_the_mean_direction(self):
        centre = centre_of([[2.0, 0.0], [0.0, 4.0], [1.0, 1.0, 1.0], [0.0, 0.0]])
        assert centre is not None
        assert centre.tolist() == [0.5, 0.5]
        assert centre_of([]) is None

    def test_what_is_seen_from_the_centre_has_the_same_signs(self):
        for vector in crowd(20, 30):
            centre = [0.05] * 30
            seen = off_centre(vector, centre)
            assert code_of(seen, 1.0, None) == code_of(vector, norm_of(vector), centre)

    def test_dot_and_norm(self):
        assert dot([1.0, 2.0], [3.0, 4.0]) == 11.0
        assert norm_of([3.0, 4.0]) == 5.0


@pytest.mark.parametrize("way", WAYS)
class TestScans:
    def test_neighbours_are_among_the_nearest(self, way):
        vectors = crowd(2_000)
        held = scan(way, rows_of(vectors))
        for number in (0, 500, 1_999):
            group = set(range(number // 10 * 10 + 1, number // 10 * 10 + 11))
            found = held.nearest(vectors[number], 100)
            assert group <= set(found)
            assert 100 <= len(found) < 200

    def test_those_who_are_few_are_all_near(self, way):
        held = scan(way, rows_of(crowd(30)))
        assert sorted(held.nearest([-1.0] * 384, 30)) == list(range(1, 31))
        assert scan(way, []).nearest([1.0] * 384, 5) == []

    def test_changes(self, way):
        """After any changes it answers as one that was made of what is left."""
        vectors = crowd(1_500)
        rows = rows_of(vectors)
        held = scan(way, rows[:1_000])
        chance = random.Random(5)
        present = dict(rows[:1_000])
        for _ in range(20):
            gone = chance.sample(sorted(present), 10)
            new = chance.sample(rows, 12)  # some of them again, some again
            held.change([*gone, *(key for key, _ in new)], new)
            for key in gone:
                present.pop(key, None)
            present.update(new)
        assert len(held) == len(present)
        fresh = scan(way, sorted(present.items()))
        for vector in vectors[:50:10]:
            assert sorted(held.nearest(vector, len(present))) == sorted(present)
            near, group = set(held.nearest(vector, 50)), set(fresh.nearest(vector, 50))
            assert len(near & group) >= 45  # those at the rim are equally near

    @pytest.mark.parametrize("dimension", [7, 63, 64, 65, 100, 385])
    def test_any_number_of_dimensions(self, way, dimension):
        vectors = crowd(400, dimension, seed=3)
        held = scan(way, rows_of(vectors), code_width(dimension))
        missed = sum(number + 1 not in held.nearest(vectors[number], 60) for number in range(0, 400, 20))
        assert missed == 0

    def test_a_sample_unlike_the_rest(self, way):
        """All that are near lie where no sample looks."""
        near, far = b"\xff" * WIDTH, b"\x00" * WIDTH
        rows = [(key, far if key % 16 == 0 else near) for key in range(1_600)]
        assert len({key for key in scan(way, rows).nearest([1.0] * 384, 1_550) if key % 16}) == 1_500


def test_bits_are_counted_without_the_newest_numpy():
    numpy = pytest.importorskip("numpy")

    class Old:
        """numpy 1: no bitwise_count."""

        uint64, uint8 = numpy.uint64, numpy.uint8

    words = numpy.array([0, 1, 0xFFFFFFFFFFFFFFFF, 0x8000000000000001, 0x123456789ABCDEF0], numpy.uint64)
    assert scans._ones(Old, words).tolist() == [word.bit_count() for word in words.tolist()]


class TestChoice:
    def test_the_standard_library_where_there_is_no_numpy(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "numpy", None)
        assert isinstance(scans.scan_of([], WIDTH), scans.IntegerScan)

    def test_numpy_where_it_is(self):
        pytest.importorskip("numpy")
        assert type(scans.scan_of([], WIDTH)) is scans.NumpyScan

    def test_faiss_from_a_million(self, monkeypatch):
        pytest.importorskip("faiss")
        monkeypatch.setattr(scans, "FAISS_FROM", 10)
        assert type(scans.scan_of(rows_of(crowd(9)), WIDTH)) is scans.NumpyScan
        assert type(scans.scan_of(rows_of(crowd(10)), WIDTH)) is scans.FaissScan
