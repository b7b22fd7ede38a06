"""Every parser of untrusted bytes: whatever it is given, it answers or raises an error of ours.

Samples that are valid are damaged: bits, pieces that are missing, doubled or swapped, and values that JSON allows and nobody
expects. `CELESTIAL_FUZZ=20000` runs more of them; `python -m tests.security.fuzzing` is guided by coverage, and what it
reached is kept in `fuzzing/corpus/` and read again here.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.security.fuzzing.parsers import BUNDLE, CORPUS, IMPORTED, PARSERS, holds, kept, slug

from celestial_engine.config.project import find_project
from celestial_engine.core.keeping.archive import unpack as unpack_archive
from celestial_engine.core.sync.bundle import unpack as unpack_bundle
from celestial_engine.errors import CelestialError
from celestial_engine.importers import FORMATS

EXAMPLES = int(os.environ.get("CELESTIAL_FUZZ", "60"))
STRANGE = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0.0", b"9" * 400, b"null", b"true", b"[]", b"{}", b'""', b"[" * 2000,
    b'{"a":' * 500, b"\\ud800", b'"\\u0000"', b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"---\n", b"=" * 70,
    "가".encode(), "\u202e".encode(), b"1" * 20, b"-1", b"1970-01-01", b"9999-12-31T23:59:60Z", b"0001-01-01",
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, samples: tuple[bytes, ...]) -> bytes:
    """A sample with a few changes, or no sample at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=300))
    data = bytearray(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        end = min(len(data), place + draw(st.integers(0, 40)))
        match draw(st.integers(0, 5)):
            case 0 if data:
                data[place] ^= 1 << draw(st.integers(0, 7))
            case 1:
                del data[place:end]
            case 2:
                data[place:place] = data[place:end]
            case 3:
                data[place:end] = draw(st.sampled_from(STRANGE))
            case 4:
                data[place:place] = draw(st.binary(max_size=8))
            case _:
                _replace_value(data, draw)
    return bytes(data)


def _replace_value(data: bytearray, draw: st.DrawFn) -> None:
    """Puts a strange value where one of JSON or TOML stands."""
    places = [place + 1 for place, byte in enumerate(data) if byte in b":=[,"]
    if not places:
        return
    start = draw(st.sampled_from(places))
    end = next((place for place in range(start, len(data)) if data[place] in b",]}\n"), len(data))
    data[start:end] = draw(st.sampled_from(STRANGE))


@pytest.mark.parametrize("name", PARSERS)
def test_damaged_samples(name):
    examples = max(20, EXAMPLES // 2) if name.startswith("import") else EXAMPLES

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(damaged(PARSERS[name].samples))
    def fuzz(data: bytes) -> None:
        holds(PARSERS[name], data)

    fuzz()


@pytest.mark.parametrize("name", PARSERS)
def test_what_was_reached_before(name):
    for data in kept(name):
        holds(PARSERS[name], data)


def test_the_corpus_belongs_to_parsers():
    assert {folder.name for folder in CORPUS.iterdir()} <= set(map(slug, PARSERS))


def test_every_format_of_files_is_fuzzed():
    """Whole folders are read with the same readers of rows and notes; bundles have their hashes."""
    assert set(FORMATS) - set(IMPORTED) == {"celestial-bundle", "long-term-memory", "basic-memory"}


def test_what_fuzzing_found():
    """Kept: each was once an error that was not ours."""
    for value in (b"1e999", b"Infinity", b"-Infinity"):
        for field in (b'"version":1', b'"number":1', b'"size":2'):
            data = BUNDLE.replace(field, field.split(b":")[0] + b":" + value)
            with pytest.raises(CelestialError):
                unpack_bundle(data, None, "b", allow_plain=True)


def test_a_marker_with_a_zero_byte(tmp_path):
    (tmp_path / ".celestial.toml").write_text('[project]\npath = "own\\u0000.db"\n')
    with pytest.raises(CelestialError):
        find_project(str(tmp_path))


def test_an_archive_of_endless_brackets_holds_nothing():
    deep = b"[" * 100_000
    assert unpack_archive(deep + b"\n").problems
    assert not unpack_archive(b'{"format":"celestial-archive","version":1}\n' + deep + b"\n").memories
