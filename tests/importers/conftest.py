from __future__ import annotations

import json
import pickle
import sqlite3
import sys
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a file: lines of JSON for a list, one document for a dict, else the text itself."""

    def write(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, list):
            value = "".join(
                line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) + "\n" for line in value
            )
        elif isinstance(value, dict):
            value = json.dumps(value, ensure_ascii=False, indent=2)
        path.write_text(value, encoding="utf-8")
        return path

    return write


@pytest.fixture
def stellar(tmp_path: Path) -> Callable[..., Path]:
    """A database with stellar-memory's tables: (id, content, zone, importance, recalls, created, recalled, metadata)."""

    def make(
        rows: Iterable[tuple[Any, ...]], edges: Iterable[tuple[str, str]] = (), name: str = "stellar.db"
    ) -> Path:
        connection = sqlite3.connect(tmp_path / name)
        for zone in (2, 3, 4):
            connection.execute(
                f"CREATE TABLE memories_zone_{zone} (id TEXT PRIMARY KEY, content TEXT NOT NULL, created_at REAL, "
                "last_recalled_at REAL, recall_count INTEGER, arbitrary_importance REAL, zone INTEGER, metadata TEXT, "
                "embedding BLOB, total_score REAL)"
            )
        connection.execute("CREATE TABLE edges (source_id TEXT, target_id TEXT, edge_type TEXT)")
        connection.executemany("INSERT INTO edges VALUES (?, ?, 'related_to')", edges)
        for key, content, zone, importance, recalls, created, recalled, metadata in rows:
            connection.execute(
                f"INSERT INTO memories_zone_{zone} VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0.1)",
                (key, content, created, recalled, recalls, importance, zone, metadata),
            )
        connection.commit()
        connection.close()
        return tmp_path / name

    return make


@pytest.fixture
def qdrant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A folder as a local Qdrant leaves it: points are pickled objects of a class that cannot be imported."""
    module = types.ModuleType("qdrant_client.http.models.models")

    class PointStruct:
        def __init__(self, **fields: Any) -> None:
            self.fields = fields

        def __getstate__(self) -> dict[str, Any]:
            return {"__dict__": self.fields, "__pydantic_extra__": None, "__pydantic_fields_set__": {"id", "payload"}}

    PointStruct.__module__, PointStruct.__qualname__ = module.__name__, "PointStruct"
    module.PointStruct = PointStruct  # type: ignore[attr-defined]

    def make(points: Iterable[Any], name: str = "qdrant") -> Path:
        folder = tmp_path / name / "collection" / "mem0"
        folder.mkdir(parents=True)
        connection = sqlite3.connect(folder / "storage.sqlite")
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        with monkeypatch.context() as patched:
            for part in ("qdrant_client", "qdrant_client.http", "qdrant_client.http.models"):
                patched.setitem(sys.modules, part, types.ModuleType(part))
            patched.setitem(sys.modules, module.__name__, module)
            for place, point in enumerate(points):
                data = point if isinstance(point, bytes) else pickle.dumps(PointStruct(**point), protocol=4)
                connection.execute("INSERT INTO points VALUES (?, ?)", (str(place), data))
        connection.commit()
        connection.close()
        return tmp_path / name

    return make


def chatgpt_conversation(key: str, *turns: tuple[str, str], title: str = "Talk", at: float = 1.7e9) -> dict[str, Any]:
    """A conversation as ChatGPT exports it: a tree of messages below an empty root."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    last = "root"
    for place, (role, text) in enumerate(turns):
        node = f"{key}-{place}"
        message = {
            "id": node,
            "author": {"role": role},
            "create_time": at + 60 * place,
            "content": {"content_type": "text", "parts": [text]},
        }
        mapping[node] = {"id": node, "message": message, "parent": last, "children": []}
        mapping[last]["children"].append(node)
        last = node
    return {"title": title, "create_time": at, "conversation_id": key, "mapping": mapping, "current_node": last}


@pytest.fixture
def chatgpt() -> Callable[..., dict[str, Any]]:
    return chatgpt_conversation
