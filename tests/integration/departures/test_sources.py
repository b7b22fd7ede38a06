"""Tracing and retracting a source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.errors import BackupExistsError, SourceNotFoundError, UndoError
from celestial_engine.exporters import export_to
from celestial_engine.importers import import_from

DAY = 86_400.0


class Clock:
    now = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[CelestialMemory]:
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, clock=clock) as opened:
        yield opened


def test_a_session_goes_and_comes_back_as_it_was(memory: CelestialMemory) -> None:
    kept = memory.store("I like green tea")
    for text in ("Jun lives in Seoul", "준은 커피를 좋아해"):
        memory.store(text, session_id="guest")
    before = {record["id"]: record["content"] for record in memory.transfer.export()}
    planned = memory.sources.retract("guest", dry_run=True)
    assert (len(planned.trace.leaving), planned.event) == (2, None)
    done = memory.sources.retract("guest")
    assert [item.id for item in memory.list()] == [kept.id]
    assert done.event is not None
    assert len(memory.sources.undo(done.event)) == 2
    assert len(memory.list()) == 3
    assert {record["id"]: record["content"] for record in memory.transfer.export()} == before
    assert memory.ledger.verify().ok


def test_an_import_is_known_by_its_format(memory: CelestialMemory, tmp_path: Path) -> None:
    (tmp_path / "wrong.jsonl").write_text(json.dumps({"text": "Mina likes tea"}) + "\n")
    import_from(memory, tmp_path / "wrong.jsonl")
    memory.store("I live in Busan")
    assert len(memory.sources.trace("jsonl", "import").sources) == 1
    memory.sources.retract("jsonl")
    assert [item.content for item in memory.list()] == ["I live in Busan"]


@pytest.mark.parametrize("name", ["wrong.jsonl", "wrong.celestial"])
def test_an_import_of_the_wrong_file_is_undone_without_the_right_one(
    name: str, memory: CelestialMemory, tmp_path: Path
) -> None:
    for path, text in ((tmp_path / "right.jsonl", "I live in Busan"), (tmp_path / name, "Jun likes tea")):
        path.write_text(json.dumps({"text": text}) + "\n")
        if path.suffix == ".celestial":
            with CelestialMemory(tmp_path / "other.db", rebalance_interval=None) as other:
                other.store(text)
                export_to(other, path, "bundle")
        assert import_from(memory, path).added == 1
    assert len(memory.sources.trace(str(tmp_path / name)).sources) == 1
    done = memory.sources.retract(name)
    assert [item.content for item in memory.list()] == ["I live in Busan"]
    assert done.event is not None
    assert [item.content for item in memory.sources.undo(done.event)] == ["Jun likes tea"]


def test_what_was_distilled_from_it_alone_goes_too(memory: CelestialMemory, clock: Clock) -> None:
    for _ in range(4):
        for text in ("지수랑 테니스를 쳤다", "지수랑 공원에서 테니스를 쳤다"):
            memory.store(text, session_id="guest")
        clock.now += 3 * DAY
    for _ in range(30):
        clock.now += DAY
        memory.recall("테니스")
        memory.sleep(force=True)
    found = memory.sources.trace("guest")
    distilled = [item for item in memory.list(100) if item.links.promoted_from]
    assert {item.id for item in distilled} <= {item.id for item in (*found.distilled, *found.shared)}
    memory.sources.retract("guest")
    assert [item for item in memory.list(100) if item.state.value == "active"] == []


def test_what_it_had_ended_holds_again(memory: CelestialMemory, clock: Clock) -> None:
    older = memory.store("나는 서울에 살아")
    clock.now += DAY
    memory.store("이제 부산에 살아", session_id="guest")
    assert memory.get(older.id).validity.until is not None
    found = memory.sources.retract("guest")
    assert [item.id for item in found.trace.superseded] == [older.id]
    assert memory.get(older.id).validity.until is None
    memory.sources.undo(found.event)
    assert memory.get(older.id).validity.until is not None


def test_core_memories_stay_and_unknown_names_are_told(memory: CelestialMemory) -> None:
    item = memory.store("My daughter is called Yuna", session_id="guest")
    memory.self.approve_core(item.id, by="Mina")
    done = memory.sources.retract("guest")
    assert (done.event, [one.id for one in done.trace.protected]) == (None, [item.id])
    with pytest.raises(SourceNotFoundError, match="no memory, session or import"):
        memory.sources.trace("nothing of that name")
    with pytest.raises(UndoError, match="no retraction"):
        memory.sources.undo(1)


def test_a_fork_is_a_database_of_its_own(memory: CelestialMemory, tmp_path: Path) -> None:
    memory.store("I like green tea")
    own = memory.sync.status().device
    memory.transfer.fork(tmp_path / "fork.db")
    with CelestialMemory(tmp_path / "fork.db", rebalance_interval=None) as fork:
        fork.store("only an experiment")
        assert (len(fork.list()), len(memory.list())) == (2, 1)
        assert fork.sync.status().device != own
        assert fork.ledger.verify().ok


def test_a_fork_overwrites_nothing(memory: CelestialMemory, tmp_path: Path) -> None:
    (tmp_path / "fork.db").write_text("mine")
    with pytest.raises(BackupExistsError, match="Give another path"):
        memory.transfer.fork(tmp_path / "fork.db")
    assert (tmp_path / "fork.db").read_text() == "mine"


def test_every_owner_of_a_fork_is_a_device_of_its_own(memory: CelestialMemory, tmp_path: Path) -> None:
    """A fork is the whole database: a project in it that synchronises would be taken for the original's."""
    project = memory.of(agent_id="default@alpha")
    project.store("The alpha server is called Orion")
    own = project.sync.status().device
    memory.transfer.fork(tmp_path / "fork.db")
    with CelestialMemory(tmp_path / "fork.db", rebalance_interval=None) as fork:
        copied = fork.of(agent_id="default@alpha")
        assert [item.content for item in copied.list()] == ["The alpha server is called Orion"]
        assert copied.sync.status().device != own
