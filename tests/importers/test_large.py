"""Sources that are larger than memory: read a piece at a time, told how far it is, and killed at every batch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.large_import import write_export

from celestial_engine import CelestialMemory
from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.errors import ImportSourceError
from celestial_engine.exporters import export_to
from celestial_engine.importers import FORMATS, import_from, moving_in, reading
from celestial_engine.importers.formats import detect_format

TEXT = "The lighthouse at the end of the pier was painted again. " * 20


def rows(path: Path, count: int) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        for n in range(count):
            file.write(json.dumps({"id": f"a-memory-with-number-{n:06}", "text": f"{n} {TEXT}"}) + "\n")
    return path


def table(path: Path, count: int) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,text\n")
        for n in range(count):
            file.write(f"a-memory-with-number-{n:06},{n} {TEXT}\n")
    return path


def object_with(head: str, one: Callable[[int], dict[str, object]]) -> Callable[[Path, int], Path]:
    """A JSON object with one long list, in one line or pretty."""

    def write(path: Path, count: int) -> Path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(head)
            for n in range(count):
                file.write((",\n  " if n else "") + json.dumps(one(n)))
            file.write("]}")
        return path

    return write


def bundle(path: Path, count: int) -> Path:
    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        memory.store_many([f"{n} {TEXT}" for n in range(count)])
        export_to(memory, path, "bundle")
    return path


SOURCES: dict[str, Callable[[Path, int], Path]] = {
    "jsonl": rows,
    "csv": table,
    "mem0": object_with('{"results": [', lambda n: {"id": f"m-{n}", "memory": f"{n} {TEXT}"}),
    "letta": object_with('{"passages": [', lambda n: {"id": f"p-{n}", "text": f"{n} {TEXT}"}),
    "stellar-memory": object_with(
        '{"version": "1", "items": [', lambda n: {"id": f"s-{n}", "content": TEXT, "arbitrary_importance": 0.5}
    ),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_a_source_is_never_held_in_memory_whole(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_DOCUMENT_BYTES", 1 << 20)  # what a document of AIMEM may have is no limit here
    path = SOURCES[kind](tmp_path / "source", 20_000)
    assert path.stat().st_size > 20 << 20
    tracemalloc.start()
    try:
        assert detect_format(str(path)) == kind
        entries = sum(isinstance(entry, ImportedRecord) for entry in FORMATS[kind].read(str(path), {}))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert entries == 20_000
    assert peak < 8 << 20, "a chunk of a megabyte, decoded and cut"


def test_the_hash_of_a_bundle_is_taken_a_line_at_a_time(tmp_path):
    path = bundle(tmp_path / "m.celestial", 2_000)
    tracemalloc.start()
    try:
        assert sum(1 for _ in FORMATS["celestial-bundle"].read(str(path), {})) == 2_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 4


def test_large_texts_come_in_small_batches():
    entries = [ImportedRecord("x", str(n), "a" * 1_000_000) for n in range(12)]
    sizes = [len(batch) for batch in moving_in._batches(entries)]
    assert sizes == [5, 5, 2]
    assert [len(batch) for batch in moving_in._batches([("line 1", {"content": "a"})] * 450)] == [200, 200, 50]


def test_a_document_that_must_be_read_whole_says_so_when_it_is_too_large(tmp_path, monkeypatch):
    """The checksum of AIMEM is one over the whole document."""
    monkeypatch.setattr(reading, "MOST_DOCUMENT_BYTES", 100)
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps({"format": "aimem-bundle", "version": "1", "chunks": [], "pad": "x" * 100}))
    with (
        CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory,
        pytest.raises(ImportSourceError, match="MiB"),
    ):
        import_from(memory, path)


def test_checking_a_large_source_is_told_too(tmp_path, monkeypatch):
    monkeypatch.setattr(moving_in, "_CHECKED_EVERY", 100)
    seen: list[tuple[int, int]] = []
    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        import_from(memory, rows(tmp_path / "r.jsonl", 250), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(100, 0), (200, 0), (200, 250), (250, 250)]


KILLED = """
import os, signal, sys
from celestial_engine import CelestialMemory
from celestial_engine.importers import import_from

def progress(done, total):
    if total and done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

memory = CelestialMemory(sys.argv[1], embedder="none", rebalance_interval=None)
import_from(memory, sys.argv[2], progress=progress)
"""


def told(memory: CelestialMemory) -> list[tuple[str, str]]:
    return sorted((record["id"], record["content"]) for record in memory.transfer.export())


def chat(path: Path, _: int) -> Path:
    write_export(path, 0.12, answer_words=20)
    return path


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize(("name", "make"), [("conversations.json", chat), ("m.celestial", bundle), ("t.csv", table)])
def test_killed_at_every_batch_it_ends_like_one_that_was_not(name, make, tmp_path):
    """kill -9 after each batch, and run again: the same memories with the same ids, and a ledger that verifies."""
    path, database = make(tmp_path / name, 500), tmp_path / "memory.db"
    with CelestialMemory(":memory:", embedder="none", rebalance_interval=None) as memory:
        whole = import_from(memory, path)
        expected = told(memory)
    assert len(expected) > 50
    for done in range(1, whole.read, 200):
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, database, path, str(done)], check=False, timeout=300, env={**os.environ}
        )
        assert killed.returncode == -signal.SIGKILL
    with CelestialMemory(database, embedder="none", rebalance_interval=None) as memory:
        last = import_from(memory, path)
        assert last.added + last.known == whole.added
        # The reason may differ: a question that found nothing the first time is passed over as a question now.
        assert sum(last.skipped.values()) == sum(whole.skipped.values())
        assert told(memory) == expected
        assert memory.ledger.verify().ok
