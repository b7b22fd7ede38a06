"""Memories out and in again, through our own bundle and through other formats."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from celestial_engine import CelestialMemory, Emotion
from celestial_engine.core.keeping.aimem import canonical, checksum
from celestial_engine.core.keeping.notes import note_of, read_note, written
from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import ImportSourceError, InvalidInputError
from celestial_engine.exporters import EXPORT_FORMATS, export_to
from celestial_engine.importers import import_from
from celestial_engine.surfaces.cli.texts.catalogue import Texts

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60).filter(
    lambda text: text.strip()
)
TAGS = st.lists(st.text(st.characters(categories=("L", "N")), min_size=1, max_size=12), max_size=3, unique=True)
MEMORIES = st.lists(st.tuples(TEXTS, TAGS, st.integers(0, 3)), min_size=1, max_size=6)
READ_BACK = {"markdown", "mem0", "letta", "memorywire", "jsonl", "csv", "aimem"}
NOON = 1_750_000_000.25


def memory_of(told: list[tuple[str, list[str], int]]) -> CelestialMemory:
    memory = CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: NOON)
    for text, tags, kind in told:
        item = memory.store(text, 0.25 + kind / 4, {"n": kind} if kind else None, tags=tags, pinned=kind == 1)
        if kind == 2:
            memory.remind(item.id)
        if kind == 3:
            memory.forget(item.id)
    return memory


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="interchange-"))
    yield path
    shutil.rmtree(path)


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(told=MEMORIES)
def test_a_round_trip_through_our_bundle_gives_the_same_bytes(told) -> None:
    with tempfile.TemporaryDirectory() as name, memory_of(told) as memory:
        first, second = Path(name) / "a", Path(name) / "b"
        report = export_to(memory, first, "bundle")
        assert (report.exported, report.left_out) == (len(told), 0)
        with CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: NOON + 999) as other:
            assert import_from(other, first).format == "celestial-bundle"
            export_to(other, second, "bundle")
        assert first.read_bytes() == second.read_bytes()


def test_core_memories_survive_a_bundle_that_the_user_names(folder: Path) -> None:
    with memory_of([("My daughter is called Yuna", [], 0)]) as memory:
        memory.self.approve_core(memory.list()[0].id, by="Mina")
        export_to(memory, folder / "a")
        with CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: NOON) as other:
            with pytest.raises(ImportSourceError):
                import_from(other, folder / "a", by="Mina")
            import_from(other, folder / "a", "celestial-bundle", by="Mina")
            export_to(other, folder / "b")
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()


@settings(max_examples=15, suppress_health_check=list(HealthCheck), deadline=None)
@given(told=MEMORIES, kind=st.sampled_from(sorted(READ_BACK)))
def test_what_a_format_holds_comes_back(told, kind) -> None:
    """Texts, times and tags; what is on the cliff stays behind."""
    with tempfile.TemporaryDirectory() as name, memory_of(told) as memory:
        path = Path(name) / ("notes" if kind == "markdown" else "file")
        report = export_to(memory, path, kind)
        kept = list(memory.list(100))
        assert (report.exported, report.left_out) == (len(kept), len(told) - len(kept))
        if not kept:
            return
        with CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: NOON + 999) as other:
            done = import_from(other, path, "jsonl" if kind == "memorywire" else kind)
            assert not done.skipped, done.skipped
            back = other.list(100)
            expected = sorted(
                (item.content if kind == "markdown" else item.content.strip(), item.tags) for item in kept
            )
            found = sorted((item.content if kind == "markdown" else item.content.strip(), item.tags) for item in back)
            if kind == "memorywire":  # its tags are metadata
                expected, found = ([text for text, _ in pairs] for pairs in (expected, found))
            assert found == expected
            assert all(abs(item.created_at - NOON) < 0.01 for item in back)


@given(TEXTS, TAGS)
def test_a_note_is_read_as_it_was_written(text: str, tags: list[str]) -> None:
    item = CelestialItem("an id", text, NOON, NOON, tags=tuple(tags))
    note = read_note(written(note_of(item)))
    assert (note.text, note.tags, note.item_id) == (text, tuple(tags), "an id")


@pytest.mark.parametrize("tags", [["NaN"], ["a", "b, c"], ["-Infinity", "1", "true", "[x]"]])
def test_tags_that_look_like_something_else_are_read_as_they_were_written(tags):
    note = read_note(written(note_of(CelestialItem("an id", "tea", NOON, NOON, tags=tuple(tags)))))
    assert note.tags == tuple(tags)


@pytest.mark.parametrize("value", ["[" * 100_000, "[" * 5_000 + "x" + "]" * 5_000, "9" * 10_000, '"' + "\\" * 9])
def test_front_matter_of_any_depth_and_length_is_text_at_worst(value):
    note = read_note(f'---\ntags: [a, "b, c", 3]\nodd: {value}\n---\n\nThe lamp is green.\n')
    assert note.front["tags"] == ["a", "b, c", 3]
    assert "odd" in note.front
    assert note.text == "The lamp is green."


def test_a_cut_a_changed_and_a_newer_bundle_are_refused(folder: Path) -> None:
    with memory_of([("Mina lives in Busan", [], 0), ("I like tea", [], 0)]) as memory:
        export_to(memory, folder / "a")
        whole = (folder / "a").read_bytes()
        header, _, rest = whole.partition(b"\n")
        newer = json.dumps(json.loads(header) | {"version": 9}).encode() + b"\n" + rest
        for data, said in (
            (whole[:-30], "hash"), (whole.replace(b"Busan", b"Seoul"), "hash"), (newer, "newer version"),
        ):  # fmt: skip
            (folder / "b").write_bytes(data)
            with (
                CelestialMemory(":memory:", rebalance_interval=None) as other,
                pytest.raises(ImportSourceError, match=said),
            ):
                import_from(other, folder / "b")
        with pytest.raises(InvalidInputError, match="format"):
            export_to(memory, folder / "c", "nonsense")


def test_one_memory_md(folder: Path) -> None:
    with memory_of([("Mina\nlives in Busan", [], 0)]) as memory:
        export_to(memory, folder / "MEMORY.md", "memory-md")
    assert "- Mina lives in Busan" in (folder / "MEMORY.md").read_text()


def test_letta_agent_files_are_read(folder: Path) -> None:
    agent = {
        "agents": [],
        "blocks": [{"label": "human", "value": "Mina lives in Busan"}],
        "passages": [{"text": "x"}],
    }
    (folder / "agent.af").write_text(json.dumps(agent))
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        report = import_from(memory, folder / "agent.af")
        assert (report.format, report.added) == ("letta", 2)


def test_memorywire_lines_fit_the_schemas(folder: Path) -> None:
    """The required fields of the package's type schemas (0.5.0), without installing it."""
    with memory_of([("Mina lives in Busan", ["home"], 0), ("오늘 정말 행복했어", [], 0)]) as memory:
        export_to(memory, folder / "wire", "memorywire")
    for line in (folder / "wire").read_text().splitlines():
        record = json.loads(line)
        assert record.keys() >= {"id", "agent_id", "type", "content", "created_at"}
        assert record["type"] in ("semantic", "episodic", "emotional")
        assert isinstance(record["created_at"], int)
        assert 0 <= record["confidence"] <= 1


def test_every_format_says_what_it_cannot_hold() -> None:
    page = (Path(__file__).parents[2] / "docs" / "interchange.md").read_text(encoding="utf-8")
    for one in EXPORT_FORMATS.values():
        assert f"| `{one.name}` | {one.about} | {one.lost} |" in page
        english, korean = (Texts(language)(f"export_lost.{one.name}") for language in ("en", "ko"))
        assert english == one.lost
        assert len(korean.split(", ")) == len(one.lost.replace(";", ",").split(", ")), one.name


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_canonical_numbers_are_the_shortest_that_read_back(value: float) -> None:
    text = canonical(value)
    assert float(text) == value
    assert not text.endswith(".0")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (-0.0, "0"), (1, "1"), (1.0, "1"), (-1.5, "-1.5"), (0.42, "0.42"), (1e21, "1e+21"), (1e20, "1" + "0" * 20),
        (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e-10, "1.5e-10"), (333333333.33333329, "333333333.3333333"),
        (4.50, "4.5"), (2e-3, "0.002"), (123456789012345680000.0, "123456789012345680000"),
        ({"\u20ac": 1, "\r": 2, "1": [True, None, "\n\"é"]}, '{"\\r":2,"1":[true,null,"\\n\\"é"],"€":1}'),
    ],
)  # fmt: skip
def test_canonical_json_is_that_of_rfc_8785(value, text) -> None:
    assert canonical(value) == text


def test_an_aimem_bundle_that_was_changed_is_refused(folder: Path) -> None:
    with memory_of([("Mina lives in Busan", ["home"], 1), ("I like tea", [], 0)]) as memory:
        memory.self.approve_core(memory.list()[0].id, by="Mina")
        export_to(memory, folder / "a", "aimem")
    bundle = json.loads((folder / "a").read_text())
    assert (bundle["format"], bundle["version"], bundle["scope"]) == ("aimem-bundle", "1", "FULL")
    assert all(chunk["id"].startswith("urn:aimem:celestial:") for chunk in bundle["chunks"])
    changed = json.loads(json.dumps(bundle))
    changed["chunks"][0]["content"] = "Mina lives in Seoul"
    resigned = {**changed, "checksum": checksum(changed)}
    for data, said in ((changed, "hash"), ({**bundle, "version": "2"}, "newer version")):
        (folder / "b").write_text(json.dumps(data))
        with (
            CelestialMemory(":memory:", rebalance_interval=None) as other,
            pytest.raises(ImportSourceError, match=said),
        ):
            import_from(other, folder / "b")
    (folder / "b").write_text(json.dumps(resigned))
    with CelestialMemory(":memory:", rebalance_interval=None) as other:
        done = import_from(other, folder / "b")
        assert (done.format, done.added, done.skipped) == ("aimem", 1, {"other_hash": 1})
        assert import_from(other, folder / "b").known == 1


def test_kinds_and_edges_of_an_aimem_bundle_come_along(folder: Path) -> None:
    chunk = {"memory_type": "decision", "created_at": "2026-04-01T09:30:00Z", "is_pinned": True}
    bundle = {
        "format": "aimem-bundle", "version": "1", "producer": "x", "tenant_id": "urn:x", "scope": "FULL",
        "exported_at": "2026-06-12T10:00:00Z", "embedding_dim": 1, "embedding_model": "m", "entities": [],
        "chunks": [
            {**chunk, "id": "urn:aimem:x:1", "content": "We use PostgreSQL", "embedding": "AACAPw=="},
            {**chunk, "id": "urn:aimem:x:2", "content": "Because of row-level security", "memory_type": "fact"},
        ],
        "edges": [{"source_id": "urn:aimem:x:2", "target_id": "urn:aimem:x:1", "edge_type": "causal", "weight": 0.42}],
        "chunk_entities": [],
    }  # fmt: skip
    bundle["checksum"] = checksum(bundle)
    (folder / "a.json").write_text(json.dumps(bundle))
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        assert import_from(memory, folder / "a.json").added == 2
        items = {item.content: item for item in memory.list()}
        decided = items["We use PostgreSQL"]
        assert (decided.tags, decided.protection.value) == (("decision",), "pinned")
        assert decided.id in items["Because of row-level security"].links.related


# What a memory may hold, and the word for it in what formats say that they cannot hold.
PARTS = {
    "recalls": ("recall_count",),
    "lifetimes": ("tier",),
    "protection": ("protection",),
    "importance": ("arbitrary_importance",),
    "kinds": ("category",),
    "emotions": ("emotion",),
    "links": ("links",),
    "metadata": ("metadata",),
    "sessions": ("time",),
}
# Of what the format holds, `celestial import` reads memorywire as any other JSON lines.
NOT_READ_BACK = {"memorywire": {"importance", "kinds", "lifetimes", "emotions"}}


def whole_memory(clock: list[float]) -> tuple[CelestialMemory, CelestialItem]:
    """A memory that uses every part that a format may hold; nothing of it can be guessed from its text."""
    memory = CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: clock[0], embedder="none")
    other = memory.store("The office is in Busan")
    item = memory.store(
        "We decided on PostgreSQL", 0.9, {"n": 1}, tags=["db", "work"], category=Category.EMOTION, tier=Tier.M30,
        pinned=True, session_id="s1", emotion=EmotionCoordinate((Emotion.JOY,), 0.9), related=[other.id],
    )  # fmt: skip
    clock[0] += 3 * 86_400
    memory.remind(item.id)
    return memory, memory.get(item.id)


def parts_of(item: CelestialItem) -> dict[str, list[Any]]:
    record = item.to_dict()
    record["metadata"] = {name: value for name, value in record["metadata"].items() if name == "n"}
    record["links"] = len(record["links"]["related"])
    record["emotion"] = record["emotion"]["tags"]
    record["time"] = (record["time"]["session_id"] or "").rpartition(":")[2]  # the format's name stands before it
    return {word: [record[name] for name in names] for word, names in PARTS.items()}


@pytest.mark.parametrize("kind", sorted(READ_BACK))
def test_a_format_loses_what_it_says_and_nothing_else(kind: str, folder: Path) -> None:
    clock = [NOON]
    memory, item = whole_memory(clock)
    with memory, CelestialMemory(":memory:", rebalance_interval=None, clock=lambda: clock[0]) as other:
        export_to(memory, folder / "x", kind)
        import_from(other, folder / "x", "jsonl" if kind == "memorywire" else kind)
        (back,) = [one for one in other.list() if one.content == item.content]
    before, after = parts_of(item), parts_of(back)
    lost = {word for word in PARTS if before[word] != after[word]}
    said = {word for word in PARTS if re.search(rf"\b{word}\b", EXPORT_FORMATS[kind].lost)}
    assert lost - NOT_READ_BACK.get(kind, set()) == said
