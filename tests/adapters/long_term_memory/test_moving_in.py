"""The folder of a long-term-memory arrives whole: read by the standard library, written by the package itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.importers import import_from

# Everything is theirs but the vectors, for which they would download a model. Their store is loaded by its file: the
# package around it also loads what learns, and that needs gigabytes of model library.
THEIRS = """
import hashlib, importlib.util, json, sys
import chromadb.utils.embedding_functions as functions
from chromadb.api.types import EmbeddingFunction

class Digest(EmbeddingFunction):
    def __init__(self, model_name=""):
        pass

    def __call__(self, input):
        return [[byte / 255 for byte in hashlib.sha256(text.encode()).digest()] for text in input]

functions.SentenceTransformerEmbeddingFunction = Digest
(folder,) = importlib.util.find_spec("aimemory").submodule_search_locations
spec = importlib.util.spec_from_file_location("graph_store", f"{folder}/memory/graph_store.py")
sys.modules["graph_store"] = theirs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(theirs)

store = theirs.GraphMemoryStore("theirs")
tea = store.add_memory(
    "사용자는 녹차를 좋아한다", keywords=["녹차", "사용자"], category="preference", conversation_id="first",
    source_turn_id=3, level1_text="녹차 선호", level2_text="사용자,좋아한다,녹차", pinned=True,
)
rule = store.add_memory("Never deploy on Friday", category="core_principle", immutable=True, related_ids=[tea])
city = store.add_memory("The user lives in Busan", category="fact", extraction_source="heuristic")
for _ in range(3):
    store.search("The user lives in Busan", top_k=1)
old = store.add_memory("The user lived in Seoul", category="experience")
store.deactivate_memory(old)
nodes = store.get_all_memories(include_inactive=True)
with open("nodes.json", "w", encoding="utf-8") as stream:
    json.dump([vars(node) for node in nodes], stream)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    subprocess.run([sys.executable, "-I", "-W", "ignore", "-c", THEIRS], cwd=tmp_path, check=True, timeout=300)
    return tmp_path


@pytest.mark.parametrize("place", ["theirs", "theirs/chroma.sqlite3"])
def test_a_folder_arrives_whole(memory: CelestialMemory, clock, folder, place):
    """Text, kind, keywords, readings, ties, recalls, protection and session of every memory; the sleeping sleep on."""
    clock.now = 2_000_000_000.0
    before = (folder / "theirs/chroma.sqlite3").read_bytes()
    report = import_from(memory, folder / place)
    assert (folder / "theirs/chroma.sqlite3").read_bytes() == before
    nodes = {node["memory_id"]: node for node in json.loads((folder / "nodes.json").read_text(encoding="utf-8"))}
    ours = {record["metadata"]["imported"]["id"]: record for record in memory.transfer.export()}
    assert (report.format, report.added, report.skipped) == ("long-term-memory", 4, {})
    assert ours.keys() == nodes.keys()
    for identity, node in nodes.items():
        record = ours[identity]
        assert record["content"] == node["content"]
        assert record["category"] == node["category"]
        assert record["recall_count"] == node["access_count"]
        assert set(node["keywords"]) <= set(record["keywords"])
        told = {ours[other]["id"] for other in node["related_ids"]}
        assert set(record["links"]["related"]) == told
        assert record["state"] == (State.ACTIVE if node["active"] else State.INACTIVE).value
    tea = next(record for record in ours.values() if "녹차" in record["content"])
    rule = next(record for record in ours.values() if "Friday" in record["content"])
    assert tea["protection"] == Protection.PINNED.value
    assert rule["protection"] == Protection.IMMUTABLE.value
    assert tea["resolution"]["gist"] == "녹차 선호"
    assert ["사용자", "좋아한다", "녹차"] in tea["resolution"]["triples"]
    assert (tea["time"]["session_id"], tea["time"]["sequence"]) == ("long-term-memory:first", 3)
    assert any(record["recall_count"] == 3 for record in ours.values())
    assert import_from(memory, folder / place).known == 4
