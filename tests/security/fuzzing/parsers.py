"""Every parser of foreign bytes, with valid samples; each answers or raises an error of ours, whatever it is given."""

from __future__ import annotations

import atexit
import gzip
import json
import zlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from celestial_engine import CelestialMemory
from celestial_engine.config import Environment
from celestial_engine.config.project import find_project
from celestial_engine.core.keeping.aimem import checksum, content_hash
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
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.operations.declaration import Caller, Scope
from celestial_engine.surfaces.wire import request_of
from celestial_engine.understanding.model import MAGIC, ModelFileError
from celestial_engine.understanding.model import unpacked as unpack_model

CORPUS = Path(__file__).with_name("corpus")  # inputs that reached something new, and everything that was ever found
_STORED_ONCE_IN = 4
OURS = (CelestialError, DamagedCheckpointError, ModelFileError, NotASoulError, SealedError)


class Parser(NamedTuple):
    """`read` is given any bytes."""

    read: Callable[[bytes], object]
    samples: tuple[bytes, ...]


def holds(parser: Parser, data: bytes) -> None:
    """Raises what is no error of ours."""
    try:
        parser.read(data)
    except OURS:
        return


def kept(name: str) -> list[bytes]:
    """The corpus of a parser."""
    return [path.read_bytes() for path in sorted((CORPUS / slug(name)).glob("*"))]


def slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


@cache
def _folder() -> Path:
    folder = TemporaryDirectory(prefix="celestial-fuzz-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def _memory() -> CelestialMemory:
    """One memory for all requests: what they change must not break it either."""
    memory = CelestialMemory(":memory:", rebalance_interval=None)
    memory.store("Mina likes tea", session_id="s", tags=("a",), metadata={"n": 1})
    return memory


def text(read: Callable[[str], object], *samples: bytes) -> Parser:
    return Parser(lambda data: read(data.decode("utf-8", "surrogateescape")), samples)


def file(name: str, read: Callable[[Path], object], *samples: bytes) -> Parser:
    def written(data: bytes) -> object:
        path = _folder() / slug(name) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return read(path)

    return Parser(written, samples)


def imported(kind: str, suffix: str, *samples: bytes) -> Parser:
    def read(data: bytes) -> object:
        path = _folder() / f"{kind}{suffix}"
        path.write_bytes(data)
        report = import_from(_memory(), path, kind, dry_run=True)
        if zlib.crc32(data) % _STORED_ONCE_IN:  # a fresh memory is slow to make
            return report
        with CelestialMemory(":memory:", rebalance_interval=None) as memory:
            return import_from(memory, path, kind)

    return Parser(read, samples)


# -- bytes ----------------------------------------------------------------------------------------------

BUNDLE = (
    b'{"format":"celestial-sync","version":1,"device":"' + b"a" * 32 + b'","number":1,"previous":"","snapshot":true,'
    b'"cipher":"plain","salt":"AAAA","nonce":"AAAA","size":2}\n{}'
)
ARCHIVE = b'{"format":"celestial-archive","version":1}\n{"id":"x","content":"y"}\n'
LEDGER = b'{"seq":1,"at":1780000000.0,"kind":"created","item_id":"a","owner":"u:a","data":{"content":"x"},"prev":"","hash":"00"}\n'
VAULT = Vault("key", b"s" * 16) if find_spec("sqlcipher3") and find_spec("cryptography") else None


def _model(data: bytes) -> object:
    rest = data[len(MAGIC) + 9 :]
    return unpack_model(MAGIC + b"%08x\n" % zlib.crc32(rest) + rest)  # with the right checksum: the header is read


def _sealed(data: bytes) -> None:
    assert VAULT is not None
    data = data.replace(data[8:24], b"s" * 16) if data.startswith(b"CELEENC1") else data  # one slow key
    VAULT.open_line(data[:9] + data[9:].replace(b"\n", b""))
    VAULT.open(data)


def _header(path: Path) -> object:
    try:
        return read_header(str(path))
    except ValueError:  # what it promises for other files
        return None


def _seal(written: str) -> object:
    try:
        return CarriedSeal.read(written)
    except ValueError:  # the store reads only what it wrote
        return None


def _ledger(data: bytes) -> None:
    folder = _folder() / "ledger"
    folder.mkdir(exist_ok=True)
    for name, raw in (("ledger-20260601.jsonl", data), ("ledger-20260602.jsonl.gz", gzip.compress(data, 1))):
        (folder / name).write_bytes(raw)
    (folder / "head").write_bytes(data[:97])
    list(LedgerFiles(str(folder)).lines())


# -- requests -------------------------------------------------------------------------------------------

# What reads and writes this memory alone; the others start work, touch files or need a server.
_LEFT_OUT = {"memory_import", "personas_run", "sync_exchange", "imagine", "demo_add", "sleep_cycle_run"}
_OPERATIONS = {each.name: each for each in OPERATIONS if each.scope is not Scope.ADMIN and each.name not in _LEFT_OUT}


def _request(data: bytes) -> object:
    """The name of an operation, a line break, and the body as REST and MCP get it."""
    name, _, body = data.partition(b"\n")
    operation = _OPERATIONS.get(name.decode("ascii", "replace"), _OPERATIONS["memory_search"])
    try:
        arguments = json.loads(body)
    except (ValueError, RecursionError):  # answered before the operation
        return None
    if not isinstance(arguments, dict):
        return None
    return operation.run(Caller(_memory(), _memory().owner, "rest"), request_of(operation, arguments))


def _requests() -> tuple[bytes, ...]:
    bodies = [(name, example) for name, each in _OPERATIONS.items() for example in (*each.examples, {})]
    filters = {
        "query": "tea",
        "filter": {"tags": ["a"], "since": "2026-01-01T00:00:00Z", "zone": "core", "tier": "M90"},
    }
    bodies += [("memory_search", filters), ("memory_list", {"limit": 2, "cursor": cursor_of("m", 1.5, "a")})]
    return tuple(f"{name}\n{json.dumps(body, ensure_ascii=False)}".encode() for name, body in bodies)


# -- imports --------------------------------------------------------------------------------------------


def _aimem(data: bytes) -> object:
    """With the right hashes: what they protect is read."""
    try:
        bundle = json.loads(data)
        chunks = bundle.get("chunks", [])
        for chunk in chunks if isinstance(chunks, list) else []:
            if isinstance(chunk, dict) and "content_hash" in chunk:
                chunk["content_hash"] = content_hash(str(chunk.get("content")))
        data = json.dumps({**bundle, "checksum": checksum(bundle)}).encode()
    except (ValueError, RecursionError, TypeError, AttributeError):
        pass
    return _AIMEM.read(data)


_AIMEM = imported("aimem", ".json")
_AIMEM_BUNDLE = json.dumps({
    "format": "aimem-bundle", "version": "1", "producer": "x", "tenant_id": "urn:x", "scope": "FULL",
    "exported_at": "2026-06-12T10:00:00Z", "embedding_dim": 1, "embedding_model": "m", "entities": [],
    "chunks": [
        {"memory_type": "decision", "created_at": "2026-04-01T09:30:00Z", "is_pinned": True, "id": "urn:aimem:x:1",
         "content": "We use PostgreSQL", "embedding": "AACAPw==", "content_hash": "", "tags": ["a"]},
        {"memory_type": "fact", "created_at": 1700000000, "id": "urn:aimem:x:2", "content": "차를 좋아해"},
    ],
    "edges": [{"source_id": "urn:aimem:x:2", "target_id": "urn:aimem:x:1", "edge_type": "x-parent", "weight": 0.42}],
    "chunk_entities": [], "checksum": "",
}).encode()  # fmt: skip

IMPORTED = {
    "celestial": imported(
        "celestial", ".jsonl", b'{"id":"a","content":"tea","created_at":"2026-01-01T00:00:00Z","tags":["x"]}\n',
        (json.dumps(_memory().store("a whole record", metadata={"a": [1]}).to_dict(), ensure_ascii=False) + "\n").encode(),
    ),
    "mem0": imported("mem0", ".json", b'{"results":[{"id":"1","memory":"likes tea","created_at":"2026-01-01","metadata":{}}]}'),
    "letta": imported("letta", ".json", b'[{"id":"passage-1","text":"likes tea","created_at":"2026-01-01T00:00:00Z","tags":["a"]}]'),
    "markdown": imported("markdown", ".md", b"---\nid: a\ntags: [a, b]\n---\n\nMina likes tea\n"),
    "csv": imported("csv", ".csv", b"text,created_at,tags\nlikes tea,2026-01-01,a;b\n"),
    "jsonl": imported("jsonl", ".jsonl", b'{"text":"likes tea","created_at":1700000000,"tags":["a"]}\n{"text":"and milk"}\n'),
    "mcp-memory": imported(
        "mcp-memory", ".jsonl", b'{"type":"entity","name":"Mina","entityType":"person","observations":["likes tea"]}\n'
    ),
    "chatgpt": imported(
        "chatgpt", ".json",
        b'[{"title":"t","create_time":1700000000,"mapping":{"a":{"id":"a","message":{"author":{"role":"user"},'
        b'"create_time":1700000000,"content":{"content_type":"text","parts":["I like tea"]}},"parent":null}}}]',
    ),
    "claude": imported(
        "claude", ".json",
        b'[{"uuid":"u","name":"n","created_at":"2026-01-01T00:00:00Z","chat_messages":[{"uuid":"m","sender":"human",'
        b'"text":"I like tea","created_at":"2026-01-01T00:00:00Z"}]}]',
    ),
    "stellar-memory": imported(
        "stellar-memory", ".json", b'[{"id":"1","content":"likes tea","created_at":1700000000.0,"metadata":{}}]'
    ),
    "aimem": Parser(_aimem, (_AIMEM_BUNDLE,)),
}  # fmt: skip

# -- all of them ----------------------------------------------------------------------------------------

PARSERS: dict[str, Parser] = {
    "cursor of a list": text(position_at, cursor_of("m", 1.5, "abc").encode()),
    "cursor of numbers": text(lambda cursor: number_at("e", cursor), cursor_of("e", 7).encode()),
    "ledger head": text(Head.read, f"12:{'0f' * 32}".encode()),
    "carried seal": text(_seal, b"1:1:00"),
    "SOUL.md": text(
        parse_soul,
        b"# Soul\n\n## Who I am\n\n- I like tea\n\n## Beliefs\n\n- Mina is kind (b-12345678)\n",
        b"---\nversion: 3\n---\n# A\n",
    ),
    "bundle of another device": Parser(lambda data: unpack_bundle(data, None, "b", allow_plain=True), (BUNDLE,)),
    "archive": Parser(lambda data: unpack_archive(decompress_readable(data)), (gzip.compress(ARCHIVE, mtime=0),)),
    "lines of an archive": Parser(unpack_archive, (ARCHIVE,)),
    "learned checkpoint": Parser(
        lambda data: unpack_checkpoint(data, digest_of(data)), (pack_checkpoint(Learned.starting(LearningSettings())),)
    ),
    "model file": Parser(
        _model,
        (MAGIC + b'00000000\n{"features":1,"buckets":65536,"tables":[[1,2]],"heads":[]}\n' + zlib.compress(b"ab"),),
    ),
    "daily file of the ledger": Parser(_ledger, (LEDGER,)),
    "personas.json": file("r.json", load_registry, json.dumps({
        "name": "r", "personas": [{"id": "a", "name": "A", "prompt": "Be kind"}], "backends": {"x": {"type": "echo"}},
        "order": ["a"],
    }).encode()),
    "personas.toml": file("r.toml", load_registry, b'name = "r"\n[[personas]]\nid = "a"\nprompt = "Be kind"\n'),
    "SOUL.md on disk": file("SOUL.md", lambda path: DiskSoulFile(str(path)).read(), b"# Soul\n"),
    "celestial.toml": file(
        "celestial.toml", lambda path: Environment.read({"CELESTIAL_CONFIG": str(path), "HOME": str(path.parent)}),
        b'[storage]\npath = "~/m.db"\n[learning]\nepsilon = 0.05\nseed = 7\n',
    ),
    "project marker": file(
        ".celestial.toml", lambda path: find_project(str(path.parent)), b'[project]\nname = "shop"\npath = "own.db"\n'
    ),
    "database header": file("m.db", _header, b"SQLite format 3\0" + bytes(84)),
    "request": Parser(_request, _requests()),
    **({} if VAULT is None else {
        "sealed data": Parser(_sealed, (b"CELEENC1" + b"s" * 16 + bytes(60), VAULT.seal(b"text"), VAULT.seal_line(b"line"))),
    }),
    **{f"import {name}": parser for name, parser in IMPORTED.items() if name in FORMATS},
    "import auto": imported("auto", ".txt", *(sample for parser in IMPORTED.values() for sample in parser.samples)),
}  # fmt: skip
