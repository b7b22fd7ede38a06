"""Every parser of untrusted bytes: whatever it is given, it answers or raises an error of ours.

Samples that are valid are damaged: bits, pieces that are missing, doubled or swapped, and values that JSON allows and nobody
expects. `CELESTIAL_FUZZ=20000` runs more of them.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from celestial_engine import CelestialMemory, RetentionPolicy
from celestial_engine.config import Environment
from celestial_engine.config.project import find_project
from celestial_engine.core.keeping.archive import unpack as unpack_archive
from celestial_engine.core.learning.checkpoints import DamagedCheckpointError, Learned, digest_of
from celestial_engine.core.learning.checkpoints import packed as pack_checkpoint
from celestial_engine.core.learning.checkpoints import unpacked as unpack_checkpoint
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.ledger.chain import CarriedSeal, Head
from celestial_engine.core.paging import cursor_of, number_at, position_at
from celestial_engine.core.self.soul import NotASoulError, parse_soul
from celestial_engine.core.sync.bundle import unpack as unpack_bundle
from celestial_engine.errors import CelestialError
from celestial_engine.importers import FORMATS, import_from
from celestial_engine.personas.files import load_registry
from celestial_engine.storage.archive import decompress_readable
from celestial_engine.storage.ledger_files import LedgerFiles
from celestial_engine.storage.soul_file import DiskSoulFile
from celestial_engine.storage.sqlite.files.header import read_header
from celestial_engine.storage.vault import SealedError, Vault
from celestial_engine.understanding.model import MAGIC, ModelFileError
from celestial_engine.understanding.model import unpacked as unpack_model

EXAMPLES = int(os.environ.get("CELESTIAL_FUZZ", "60"))
STRANGE = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0.0", b"9" * 400, b"null", b"true", b"[]", b"{}", b'""', b"[" * 2000,
    b'{"a":' * 500, b"\\ud800", b'"\\u0000"', b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"---\n", b"=" * 70,
    "가".encode(), "\u202e".encode(), b"1" * 20, b"-1", b"1970-01-01", b"9999-12-31T23:59:60Z", b"0001-01-01",
]  # fmt: skip
Parser = Callable[[bytes], object]


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


def holds(parser: Parser, data: bytes) -> None:
    try:
        parser(data)
    except (CelestialError, DamagedCheckpointError, ModelFileError, NotASoulError, SealedError):
        return


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """A memory with everything that is written to files, and the bytes of those files."""
    folder = tmp_path_factory.mktemp("origin")
    now = [1_780_000_000.0]
    memory = CelestialMemory(str(folder / "m.db"), rebalance_interval=None, clock=lambda: now[0])
    for number in range(4):
        memory.store(f"memory {number} 기억", session_id="s", tags=("a",), metadata={"n": number})
    memory.self.write_soul()
    exported = "\n".join(json.dumps(line, ensure_ascii=False) for line in memory.transfer.export())
    memory.departures.retain(RetentionPolicy(archive_after_days=1))
    now[0] += 90 * 86_400.0
    memory.store("later")
    now[0] += 90 * 86_400.0
    memory.departures.retain(RetentionPolicy(archive_after_days=1))
    memory.close()
    return folder, exported.encode()


# -- texts and cursors ----------------------------------------------------------------------------------

TEXT_PARSERS: dict[str, tuple[Callable[[str], object], tuple[bytes, ...]]] = {
    "cursor of a list": (position_at, (cursor_of("m", 1.5, "abc").encode(),)),
    "cursor of numbers": (lambda text: number_at("e", text), (cursor_of("e", 7).encode(),)),
    "ledger head": (Head.read, (f"12:{'0f' * 32}".encode(),)),
    "SOUL.md": (
        parse_soul,
        (
            b"# Soul\n\n## Who I am\n\n- I like tea\n\n## Beliefs\n\n- Mina is kind (b-12345678)\n",
            b"---\nversion: 3\n---\n# A\n",
        ),
    ),
}


@pytest.mark.parametrize("name", TEXT_PARSERS)
def test_texts(name):
    parser, samples = TEXT_PARSERS[name]

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged(samples))
    def fuzz(data: bytes) -> None:
        holds(lambda raw: parser(raw.decode("utf-8", "surrogateescape")), data)

    fuzz()


# -- bytes ----------------------------------------------------------------------------------------------

BUNDLE = (
    b'{"format":"celestial-sync","version":1,"device":"' + b"a" * 32 + b'","number":1,"previous":"","snapshot":true,'
    b'"cipher":"plain","salt":"AAAA","nonce":"AAAA","size":2}\n{}'
)


def _checkpoint(data: bytes) -> object:
    return unpack_checkpoint(data, digest_of(data))


def _model(data: bytes) -> object:
    rest = data[len(MAGIC) + 9 :]
    return unpack_model(MAGIC + b"%08x\n" % zlib.crc32(rest) + rest)  # with the right checksum: the header is read


VAULT = Vault("key", b"s" * 16) if find_spec("sqlcipher3") and find_spec("cryptography") else None
BYTE_PARSERS: dict[str, tuple[Parser, tuple[bytes, ...]]] = {
    "bundle of another device": (lambda data: unpack_bundle(data, None, "b", allow_plain=True), (BUNDLE,)),
    "archive": (
        lambda data: unpack_archive(decompress_readable(data)),
        (gzip.compress(b'{"format":"celestial-archive","version":1}\n{"id":"x","content":"y"}\n', mtime=0),),
    ),
    "lines of an archive": (unpack_archive, (b'{"format":"celestial-archive","version":1}\n{"id":"x","content":"y"}\n',)),
    "learned checkpoint": (_checkpoint, (pack_checkpoint(Learned.starting(LearningSettings())),)),
    "model file": (_model, (MAGIC + b'00000000\n{"features":1,"buckets":65536,"tables":[[1,2]],"heads":[]}\n' + zlib.compress(b"ab"),)),
}  # fmt: skip


@pytest.mark.parametrize("name", BYTE_PARSERS)
def test_bytes(name):
    parser, samples = BYTE_PARSERS[name]

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged(samples))
    def fuzz(data: bytes) -> None:
        holds(parser, data)

    fuzz()


@pytest.mark.skipif(VAULT is None, reason="needs the extra `encrypted`")
def test_sealed_data():
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged((b"CELEENC1" + b"s" * 16 + bytes(60), VAULT.seal(b"text"), VAULT.seal_line(b"line"))))
    def fuzz(data: bytes) -> None:
        data = data.replace(data[8:24], b"s" * 16) if data.startswith(b"CELEENC1") else data  # one slow key
        holds(VAULT.open, data)
        VAULT.open_line(data[:9] + data[9:].replace(b"\n", b""))

    fuzz()


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


# -- files ----------------------------------------------------------------------------------------------

REGISTRY = json.dumps({
    "name": "r", "personas": [{"id": "a", "name": "A", "prompt": "Be kind"}], "backends": {"x": {"type": "echo"}},
    "order": ["a"],
}).encode()  # fmt: skip


def _settings_file(path: Path) -> object:
    return Environment.read({"CELESTIAL_CONFIG": str(path), "HOME": str(path.parent)})


FILE_PARSERS: dict[str, tuple[str, Callable[[Path], object], tuple[bytes, ...]]] = {
    "personas.json": ("r.json", load_registry, (REGISTRY,)),
    "personas.toml": ("r.toml", load_registry, (b'name = "r"\n[[personas]]\nid = "a"\nprompt = "Be kind"\n',)),
    "SOUL.md": ("SOUL.md", lambda path: DiskSoulFile(str(path)).read(), (b"# Soul\n",)),
    "celestial.toml": (
        "celestial.toml", _settings_file, (b'[storage]\npath = "~/m.db"\n[learning]\nepsilon = 0.05\nseed = 7\n',),
    ),
    "project marker": (
        ".celestial.toml", lambda path: find_project(str(path.parent)), (b'[project]\nname = "shop"\npath = "own.db"\n',),
    ),
    "database header": ("m.db", lambda path: _header(path), (b"SQLite format 3\0" + bytes(84),)),
}  # fmt: skip


def _header(path: Path) -> object:
    try:
        return read_header(str(path))
    except ValueError:  # what it promises for other files
        return None


@pytest.mark.parametrize("name", FILE_PARSERS)
def test_files(name, tmp_path):
    file, parser, samples = FILE_PARSERS[name]

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged(samples))
    def fuzz(data: bytes) -> None:
        path = tmp_path / file
        path.write_bytes(data)
        holds(lambda _: parser(path), data)

    fuzz()


def test_daily_files_of_the_ledger(origin, tmp_path):
    folder, _ = origin
    samples = tuple(file.read_bytes() for file in (folder / "m.db.ledger").glob("*.jsonl"))

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(damaged(samples), st.booleans())
    def fuzz(data: bytes, packed: bool) -> None:
        file = tmp_path / ("ledger-20260601.jsonl.gz" if packed else "ledger-20260601.jsonl")
        file.write_bytes(gzip.compress(data) if packed else data)
        (tmp_path / "head").write_bytes(data[:97])
        list(LedgerFiles(str(tmp_path)).lines())
        file.unlink()

    fuzz()


def test_seals_that_were_carried():
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(st.text(max_size=200))
    def fuzz(text: str) -> None:
        try:
            CarriedSeal.read(text)
        except (CelestialError, ValueError):  # the store reads only what it wrote
            return

    fuzz()


IMPORTED: dict[str, tuple[str, tuple[bytes, ...]]] = {
    name: (suffix, samples)
    for name, suffix, samples in (
        ("celestial", ".jsonl", (b'{"id":"a","content":"tea","created_at":"2026-01-01T00:00:00Z","tags":["x"]}\n',)),
        ("mem0", ".json", (b'{"results":[{"id":"1","memory":"likes tea","created_at":"2026-01-01","metadata":{}}]}',)),
        ("letta", ".json", (b'[{"id":"passage-1","text":"likes tea","created_at":"2026-01-01T00:00:00Z","tags":["a"]}]',)),
        ("markdown", ".md", (b"---\nid: a\ntags: [a, b]\n---\n\nMina likes tea\n",)),
        ("csv", ".csv", (b"text,created_at,tags\nlikes tea,2026-01-01,a;b\n",)),
        ("jsonl", ".jsonl", (b'{"text":"likes tea","created_at":1700000000,"tags":["a"]}\n{"text":"and milk"}\n',)),
        ("mcp-memory", ".jsonl", (b'{"type":"entity","name":"Mina","entityType":"person","observations":["likes tea"]}\n',)),
        ("chatgpt", ".json", (
            b'[{"title":"t","create_time":1700000000,"mapping":{"a":{"id":"a","message":{"author":{"role":"user"},'
            b'"create_time":1700000000,"content":{"content_type":"text","parts":["I like tea"]}},"parent":null}}}]',)),
        ("claude", ".json", (
            b'[{"uuid":"u","name":"n","created_at":"2026-01-01T00:00:00Z","chat_messages":[{"uuid":"m","sender":"human",'
            b'"text":"I like tea","created_at":"2026-01-01T00:00:00Z"}]}]',)),
        ("stellar-memory", ".json", (b'[{"id":"1","content":"likes tea","created_at":1700000000.0,"metadata":{}}]',)),
    )
    if name in FORMATS
}  # fmt: skip


@pytest.mark.parametrize("name", [*IMPORTED, "auto"])
def test_imported_files(name, tmp_path):
    samples = (
        tuple(sample for _, each in IMPORTED.values() for sample in each) if name == "auto" else IMPORTED[name][1]
    )
    suffix = ".txt" if name == "auto" else IMPORTED[name][0]

    @settings(max_examples=max(20, EXAMPLES // 2), suppress_health_check=list(HealthCheck))
    @given(damaged(samples))
    def fuzz(data: bytes) -> None:
        path = tmp_path / f"source{suffix}"
        path.write_bytes(data)
        with CelestialMemory(":memory:", rebalance_interval=None) as memory:
            holds(lambda _: import_from(memory, path, name), data)

    fuzz()


def test_every_format_of_files_is_fuzzed():
    """Whole folders are read with the same readers of rows and notes; bundles have their hashes."""
    assert set(FORMATS) - set(IMPORTED) == {"celestial-bundle", "aimem", "long-term-memory", "basic-memory"}


def test_an_archive_of_endless_brackets_holds_nothing():
    deep = b"[" * 100_000
    assert unpack_archive(deep + b"\n").problems
    assert not unpack_archive(b'{"format":"celestial-archive","version":1}\n' + deep + b"\n").memories
