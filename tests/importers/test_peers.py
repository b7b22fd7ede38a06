"""Each of the other memories: what it holds arrives with its history, its ties and its place."""

from __future__ import annotations

import json
import sqlite3

import pytest

from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.importers import import_from


def by_identity(memory):
    return {record["metadata"]["imported"]["id"]: record for record in memory.transfer.export()}


# -- stellar-memory -----------------------------------------------------------------------------------


def test_stellar_memory_by_its_database(memory, clock, stellar):
    now = clock()
    path = stellar(
        [
            ("a", "Mina likes tea", 2, 0.7, 5, now - 9000, now - 100, json.dumps({"tags": ["tea"], "n": 1})),
            ("b", "미나는 부산에 산다", 3, 0.4, 0, now - 9000, now - 9000, None),
            ("c", "The bus was late", 4, 7.5, -3, "never", None, "{broken"),
            ("d", "", 4, 0.1, 0, now, now, "{}"),
        ],
        [("a", "b"), ("a", "gone")],
    )
    report = import_from(memory, path)
    assert (report.format, report.added, report.skipped) == ("stellar-memory", 3, {"no_text": 1})
    assert report.zones == {"outer": 1, "belt": 1, "cloud": 1}
    told = by_identity(memory)
    assert (told["a"]["recall_count"], told["a"]["arbitrary_importance"]) == (5, 0.7)
    assert (told["a"]["created_at"], told["a"]["last_recalled_at"]) == (now - 9000, now - 100)
    assert told["a"]["tags"] == ["tea"]
    assert told["a"]["metadata"]["n"] == 1
    assert told["b"]["id"] in told["a"]["links"]["related"]
    assert told["a"]["id"] in told["b"]["links"]["related"]
    # what makes no sense is as if it were not there, and what cannot be read is kept as it is
    assert (told["c"]["arbitrary_importance"], told["c"]["recall_count"], told["c"]["created_at"]) == (1.0, 0, now)
    assert told["c"]["metadata"]["unread"] == "{broken"


def test_a_database_in_use_is_read_with_its_log_and_left_alone(memory, stellar):
    """What lies in the write-ahead log comes too, and no file beside the database appears or changes."""
    path = stellar([("a", "Mina likes tea", 2, 0.5, 0, 1e9, 1e9, "{}")])
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("INSERT INTO memories_zone_2 SELECT 'b', 'Juno likes rain', 1, 1, 0, 0.5, 2, '{}', NULL, 0 FROM edges "
                   "UNION SELECT 'b', 'Juno likes rain', 1, 1, 0, 0.5, 2, '{}', NULL, 0")  # fmt: skip
    writer.commit()
    before = {file.name: file.read_bytes() for file in path.parent.glob("stellar.db*")}
    assert import_from(memory, path).added == 2
    assert {file.name: file.read_bytes() for file in path.parent.glob("stellar.db*")} == before
    writer.close()


def test_a_view_is_not_read_as_a_table(memory, tmp_path):
    """A view could compute anything, for ever."""
    connection = sqlite3.connect(tmp_path / "view.db")
    columns = "id content created_at last_recalled_at recall_count arbitrary_importance zone metadata".split()
    told = ", ".join(f"'x' AS {name}" for name in columns)
    connection.execute(f"CREATE VIEW memories_zone_2 AS SELECT {told}")
    connection.close()
    with pytest.raises(ValueError, match="none of the known formats"):
        import_from(memory, tmp_path / "view.db")


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("chroma.sqlite3", ("embeddings", "segments", "collections", "embedding_metadata")),
        ("storage.sqlite", ("points",)),
    ],
)
def test_a_folder_of_views_is_not_read_either(memory, tmp_path, name, tables):
    """The name of a file says nothing of what is in it; these would never come to an end."""
    endless = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
    columns = "id AS segment_id, id AS embedding_id, id AS collection, id AS name, id AS key, id AS string_value, "
    connection = sqlite3.connect(tmp_path / name)
    for table in tables:
        told = f"{endless} SELECT id, {columns} id AS int_value, id AS float_value, x'00' AS point FROM n"
        connection.execute(f"CREATE VIEW {table} AS {told}")
    connection.close()
    with pytest.raises(ValueError, match="none of the known formats"):
        import_from(memory, tmp_path)
    assert memory.stats()["total"] == 0


def test_stellar_memory_by_its_export(memory, written):
    item = {"id": "a", "content": "Mina likes tea", "created_at": 1.7e9, "last_recalled_at": 1.7e9, "recall_count": 2,
            "arbitrary_importance": 0.9, "zone": 0, "metadata": {"session_id": "s"}, "total_score": 0.9}  # fmt: skip
    document = {"version": "0.3.0", "exported_at": 1.7e9, "count": 2, "items": [item, "nonsense"]}
    report = import_from(memory, written("export.json", document))
    assert (report.format, report.zones, report.skipped) == ("stellar-memory", {"core": 1}, {"not_an_object": 1})
    assert memory.list()[0].time.session_id == "stellar-memory:s"


# -- long-term-memory ---------------------------------------------------------------------------------


@pytest.fixture
def chroma(tmp_path):
    def make(*memories):
        folder = tmp_path / "memory_db"
        folder.mkdir()
        connection = sqlite3.connect(folder / "chroma.sqlite3")
        connection.executescript(
            "CREATE TABLE collections (id TEXT, name TEXT); CREATE TABLE segments (id TEXT, scope TEXT, collection TEXT);"
            "CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT);"
            "CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT, int_value INTEGER, "
            "float_value REAL, bool_value INTEGER);"
            "INSERT INTO collections VALUES ('c', 'memories'); INSERT INTO segments VALUES ('s', 'METADATA', 'c');"
        )
        for row, (identity, told) in enumerate(memories, 1):
            connection.execute("INSERT INTO embeddings VALUES (?, 's', ?)", (row, identity))
            for key, value in told.items():
                string, whole = (value, None) if isinstance(value, str) else (None, value)
                connection.execute(
                    "INSERT INTO embedding_metadata VALUES (?, ?, ?, ?, NULL, NULL)", (row, key, string, whole)
                )
        connection.commit()
        connection.close()
        return folder

    return make


def test_long_term_memory_by_its_folder(memory, chroma):
    folder = chroma(
        ("a1", {"chroma:document": "사용자는 녹차를 좋아한다", "category": "preference", "keywords": "녹차,사용자",
                "related_ids": "b2", "created_at": "2024-05-01T10:00:00.5", "immutable": "false", "pinned": "true",
                "access_count": 4, "level1_text": "녹차 선호", "level2_text": "사용자,좋아한다,녹차", "active": "true"}),
        ("b2", {"chroma:document": "Never deploy on Friday", "category": "core_principle", "immutable": "true",
                "active": "false", "level2_text": "no triple", "related_ids": ""}),
        ("c3", {"category": "fact"}),
    )  # fmt: skip
    report = import_from(memory, folder)
    assert (report.format, report.added, report.skipped) == ("long-term-memory", 2, {"no_text": 1})
    told = by_identity(memory)
    tea, rule = told["a1"], told["b2"]
    assert (tea["category"], tea["keywords"], tea["recall_count"]) == ("preference", ["녹차", "사용자"], 4)
    assert (tea["protection"], rule["protection"]) == (Protection.PINNED.value, Protection.IMMUTABLE.value)
    assert tea["resolution"]["gist"] == "녹차 선호"
    assert ["사용자", "좋아한다", "녹차"] in tea["resolution"]["triples"]
    assert tea["links"]["related"] == [rule["id"]]
    assert rule["state"] == State.INACTIVE.value
    assert (tea["tier_reason"], rule["tier"]) == ("lasting", "M90")
    assert rule["metadata"]["level2_text"] == "no triple"


# -- mem0 ---------------------------------------------------------------------------------------------

MEM0 = {
    "id": "6a0ff0c4-3a0f-4c3f-9a3e-000000000001", "memory": "Likes green tea", "hash": "x", "user_id": "mina",
    "created_at": "2024-07-01T10:00:00.123456-07:00", "updated_at": None, "metadata": {"topic": "tea"},
    "categories": ["food"], "run_id": "r1",
}  # fmt: skip


@pytest.mark.parametrize("shape", ["results", "memories", "list"])
def test_mem0_by_json(memory, written, shape):
    text = json.dumps([MEM0] if shape == "list" else {shape: [MEM0], "relations": []}, indent=1)
    report = import_from(memory, written("mem0.json", text))
    assert (report.format, report.added) == ("mem0", 1)
    (item,) = memory.list()
    assert (item.content, item.tags, item.metadata["topic"]) == ("Likes green tea", ("food",), "tea")
    assert item.created_at == pytest.approx(1719853200.123456)
    assert (item.time.session_id, item.metadata["imported"]["user"]) == ("mem0:r1", "mina")


def test_mem0_by_its_local_store(memory, qdrant, written, monkeypatch):
    """Pickled points are read as plain values; one that is more than that is passed over, and nothing runs."""
    monkeypatch.setattr("pickle.loads", None)
    payload = {"data": "Likes green tea", "user_id": "mina", "created_at": "2024-07-01T10:00:00Z", "topic": "tea"}
    folder = qdrant(
        [
            {"id": MEM0["id"], "vector": [0.1, 0.2], "payload": payload},
            {
                "id": 7,
                "vector": {"": [0.1]},
                "payload": {"data": "Lives in Busan", "seen": (1, 2), "user_id": "mina"},
            },
            {"id": 8, "vector": [], "payload": {"no": "text"}},
            b"cos\nsystem\n(S'touch exploded'\ntR.",
            b"nonsense",
        ]
    )
    report = import_from(memory, folder)
    assert (report.format, report.added) == ("mem0", 2)
    assert report.skipped == {"no_text": 1, "not_plain": 2}
    told = by_identity(memory)
    assert told[MEM0["id"]]["metadata"]["topic"] == "tea"
    assert told["7"]["metadata"]["seen"] == [1, 2]
    assert memory.get(told[MEM0["id"]]["id"]).created_at == pytest.approx(1719828000)
    # the same memories by JSON are known
    again = import_from(memory, written("mem0.json", {"results": [MEM0]}))
    assert (again.added, again.known) == (0, 1)


# -- the MCP reference server -------------------------------------------------------------------------


def test_mcp_memory(memory, written):
    lines = [
        {"type": "entity", "name": "Mina", "entityType": "person", "observations": ["Speaks Korean", "Likes tea", 5]},
        {"type": "relation", "from": "Mina", "to": "Acme", "relationType": "works_at"},
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
        {"type": "dream"},
    ]
    report = import_from(memory, written("memory.jsonl", lines))
    assert (report.format, report.added) == ("mcp-memory", 4)
    assert report.skipped == {"no_text": 1, "unknown_line": 1}
    told = {item.content: item for item in memory.list()}
    assert told.keys() == {
        "Mina (person): Speaks Korean", "Mina (person): Likes tea", "Acme (company)", "Mina works at Acme",
    }  # fmt: skip
    first, second = told["Mina (person): Speaks Korean"], told["Mina (person): Likes tea"]
    relation = told["Mina works at Acme"]
    assert second.links.parent == first.id
    assert second.tags == ("person",)
    assert ("Mina", "works_at", "Acme") in relation.resolution.triples
    assert set(relation.links.related) == {first.id, told["Acme (company)"].id}


# -- basic-memory -------------------------------------------------------------------------------------

NOTE = """---
title: Coffee Brewing
type: note
permalink: notes/coffee
tags:
- coffee
- "brewing"
created: 2024-03-01T08:00:00+09:00
---

# Coffee Brewing

Better coffee, slowly.

## Observations
- [method] Pour over brings out the flavour #taste (tried it)
- [ ] buy filters
- [preference] 나는 연한 커피를 좋아한다

## Relations
- relates_to [[Tea Time]]
- [[Nowhere]]
"""


def test_a_note_that_is_no_text_is_told_and_a_date_that_is_none_is_kept(memory, written, tmp_path):
    written("notes/tea.md", "---\ncreated: 어제\n---\n# Tea\nGreen.\n")
    (tmp_path / "notes/picture.md").write_bytes(b"\x89PNG\xff\xfe")
    report = import_from(memory, tmp_path / "notes")
    assert (report.added, report.skipped, report.first_undated) == (1, {"unreadable": 1}, "tea.md")
    assert memory.list()[0].metadata["created"] == "어제"


def test_basic_memory(memory, written, tmp_path):
    written("notes/coffee.md", NOTE)
    written("notes/deep/tea.md", "---\ntags: [tea, calm]\n---\n# Tea Time\nGreen, 70 degrees.\n")
    written("notes/.hidden/secret.md", "# Not to be read")
    written("outside.md", "# Outside")
    (tmp_path / "notes/link.md").symlink_to(tmp_path / "outside.md")
    report = import_from(memory, tmp_path / "notes")
    assert (report.format, report.added, report.skipped) == ("basic-memory", 4, {})
    told = by_identity(memory)
    coffee, tea = told["notes/coffee"], told["deep/tea"]
    assert coffee["content"].startswith("Coffee Brewing\n\nBetter coffee, slowly.")
    assert "- [ ] buy filters" in coffee["content"]  # a box to be ticked is no observation
    assert "Pour over" not in coffee["content"]
    assert coffee["tags"] == ["coffee", "brewing"]
    assert coffee["links"]["related"] == [tea["id"]]
    assert coffee["created_at"] == pytest.approx(1709247600)
    assert ["Coffee Brewing", "relates_to", "Tea Time"] in coffee["resolution"]["triples"]
    assert tea["content"] == "Tea Time\n\nGreen, 70 degrees."
    assert tea["tags"] == ["tea", "calm"]
    observed = {record["content"]: record for record in told.values() if record["links"]["parent"] == coffee["id"]}
    assert observed.keys() == {
        "Coffee Brewing (method): Pour over brings out the flavour  (tried it)",
        "Coffee Brewing (preference): 나는 연한 커피를 좋아한다",
    }
    assert observed["Coffee Brewing (preference): 나는 연한 커피를 좋아한다"]["category"] == "preference"
    assert import_from(memory, tmp_path / "notes").known == 4
