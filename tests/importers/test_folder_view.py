"""The folder of notes: kept equal both ways, conflicts shown, secrets guarded, nothing lost by accident."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.exporters.folder_view import FolderReport, sync_folder
from celestial_engine.surfaces.cli import main


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[CelestialMemory]:
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def only(folder: Path) -> Path:
    (file,) = [path for path in folder.glob("*.md") if not path.name.endswith(".conflict.md")]
    return file


def quiet(report: FolderReport) -> bool:
    return report == FolderReport()


def test_memories_become_notes_and_edits_come_back(memory: CelestialMemory, folder: Path) -> None:
    item = memory.store("Mina lives in Busan", tags=["home"])
    assert len(sync_folder(memory, folder).written) == 1
    assert quiet(sync_folder(memory, folder))
    note = only(folder)
    note.write_text(note.read_text().replace("Busan", "Seoul").replace("tags: [home]", "tags: [home, city]"))
    assert sync_folder(memory, folder).updated == (note.name,)
    assert (memory.get(item.id).content, memory.get(item.id).tags) == ("Mina lives in Seoul", ("home", "city"))
    memory.update(item.id, content="Mina lives in Jeju")
    assert sync_folder(memory, folder).written == (note.name,)
    assert "Jeju" in note.read_text()
    assert quiet(sync_folder(memory, folder))


def test_a_new_note_is_remembered_once_and_may_move(memory: CelestialMemory, folder: Path) -> None:
    folder.mkdir()
    (folder / "idea.md").write_text("녹차를 좋아해\n")
    assert sync_folder(memory, folder).stored == ("idea.md",)
    (item,) = memory.list()
    assert item.content == "녹차를 좋아해"
    (folder / "deeper").mkdir()
    (folder / "idea.md").rename(folder / "deeper" / "tea.md")
    assert quiet(sync_folder(memory, folder))
    assert len(memory.list()) == 1


def test_deleting_a_note_lets_its_memory_go_and_back(memory: CelestialMemory, folder: Path) -> None:
    item = memory.store("Mina lives in Busan")
    sync_folder(memory, folder)
    only(folder).unlink()
    assert len(sync_folder(memory, folder).forgotten) == 1
    assert memory.get(item.id).state.value == "cliff"
    memory.restore(item.id)
    assert len(sync_folder(memory, folder).written) == 1
    memory.forget(item.id)
    assert len(sync_folder(memory, folder).removed) == 1
    assert not list(folder.glob("*.md"))


def test_what_changed_on_both_sides_is_shown_and_settled_by_hand(memory: CelestialMemory, folder: Path) -> None:
    item = memory.store("The report is due on Friday")
    sync_folder(memory, folder)
    note = only(folder)
    note.write_text(note.read_text().replace("is due on Friday", "is due on Monday"))
    memory.update(item.id, content="The report is due on Tuesday")
    for _ in range(2):
        assert sync_folder(memory, folder).conflicts == (note.name,)
        assert memory.get(item.id).content == "The report is due on Tuesday"
        assert "due on Monday" in note.read_text()
    beside = folder / f"{note.name}.conflict.md"
    assert "due on Tuesday" in beside.read_text()
    beside.unlink()
    assert sync_folder(memory, folder).updated == (note.name,)
    assert memory.get(item.id).content == "The report is due on Monday"
    assert quiet(sync_folder(memory, folder))


def test_secrets_do_not_come_in(memory: CelestialMemory, folder: Path) -> None:
    folder.mkdir()
    (folder / "key.md").write_text(
        "my key is AKIAIOSFODNN7EXAMPLE and sk-proj-abcdefghijklmnopqrstuvwxyz0123456789AB\n"
    )
    report = sync_folder(memory, folder)
    assert report.redacted == ("key.md",)
    assert "AKIAIOSFODNN7EXAMPLE" not in memory.list()[0].content
    assert "AKIAIOSFODNN7EXAMPLE" not in (folder / "key.md").read_text()


def test_nonsense_is_left_alone_and_loses_nothing(memory: CelestialMemory, folder: Path) -> None:
    items = [memory.store(f"note number {number}") for number in range(3)]
    sync_folder(memory, folder)
    first, second, third = sorted(folder.glob("*.md"))
    first.write_text("---\ncelestial: memory\nid: " + items[0].id + "\n---\n")  # no text
    second.write_bytes(b"\xff\xfe\x00nonsense")
    (folder / "copy.md").write_text(third.read_text())
    report = sync_folder(memory, folder)
    assert len(report.problems) == 3
    assert report.forgotten == ()
    assert len(memory.list()) == 3


def test_an_emptied_folder_is_an_accident_until_confirmed(memory: CelestialMemory, folder: Path) -> None:
    for number in range(8):
        memory.store(f"note number {number}")
    sync_folder(memory, folder)
    for path in folder.glob("*.md"):
        path.unlink()
    report = sync_folder(memory, folder)
    assert ("--allow-large" in report.problems[0][1], len(memory.list())) == (True, 8)
    assert len(sync_folder(memory, folder, allow_large=True, dry_run=True).forgotten) == 8
    assert len(memory.list()) == 8
    sync_folder(memory, folder, allow_large=True)
    assert (len(memory.list()), len(memory.departures.cliff())) == (0, 8)


def test_core_memories_come_back_and_foreign_folders_are_refused(memory: CelestialMemory, folder: Path) -> None:
    item = memory.store("My daughter is called Yuna")
    memory.self.approve_core(item.id, by="Mina")
    sync_folder(memory, folder)
    only(folder).unlink()
    assert len(sync_folder(memory, folder).problems) == 1
    assert only(folder).exists()
    with pytest.raises(InvalidInputError):
        sync_folder(memory.of("jun"), folder)
    (folder / ".celestial-folder.json").write_text("[]")
    with pytest.raises(InvalidInputError):
        sync_folder(memory, folder)


def test_a_note_that_lost_its_front_matter_is_still_the_note_of_its_memory(
    memory: CelestialMemory, folder: Path
) -> None:
    item = memory.store("Mina lives in Busan", tags=["home"])
    sync_folder(memory, folder)
    note = only(folder)
    whole = note.read_text()
    note.write_text("Mina lives in Seoul\n")
    report = sync_folder(memory, folder)
    assert (report.updated, report.stored, report.forgotten) == ((note.name,), (), ())
    (kept,) = memory.list()
    assert (kept.id, kept.content, kept.tags) == (item.id, "Mina lives in Seoul", ("home",))
    assert f"id: {item.id}" in note.read_text()
    note.write_text(note.read_text().split("---\n", 2)[2])
    assert sync_folder(memory, folder).written == (note.name,)
    assert note.read_text().partition("title:")[0] == whole.partition("title:")[0]
    assert quiet(sync_folder(memory, folder))


def test_what_was_written_into_the_bare_note_of_a_core_memory_is_not_overwritten(
    memory: CelestialMemory, folder: Path
) -> None:
    item = memory.store("My daughter is called Yuna")
    memory.self.approve_core(item.id, by="Mina")
    sync_folder(memory, folder)
    note = only(folder)
    note.write_text("My daughter is called Yuna Kim\n")
    for _ in range(2):
        report = sync_folder(memory, folder)
        assert [file for file, _ in report.problems] == [note.name]
        assert note.read_text() == "My daughter is called Yuna Kim\n"
    assert [one.content for one in memory.list()] == ["My daughter is called Yuna"]


@pytest.mark.parametrize(
    "name", ["../victim.txt", "../victim.md", "{outside}/victim.md", "linked/victim.md", "a.txt", "\x00.md"]
)
def test_what_the_folder_says_of_other_places_is_not_believed(
    memory: CelestialMemory, folder: Path, name: str
) -> None:
    item = memory.store("Mina lives in Busan")
    sync_folder(memory, folder)
    outside = folder.parent
    victims = [outside / "victim.txt", outside / "victim.md"]
    for victim in victims:
        victim.write_text("somebody else's")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    noted = folder / ".celestial-folder.json"
    known = json.loads(noted.read_text())
    noted.write_text(json.dumps({**known, "notes": {item.id: [name.format(outside=outside), "0" * 64]}}))
    only(folder).unlink()
    with pytest.raises(InvalidInputError) as refused:
        sync_folder(memory, folder)
    assert refused.value.reason is Reason.FOLDER_NOTES_DAMAGED
    assert [victim.read_text() for victim in victims] == ["somebody else's"] * 2
    assert list(folder.glob("*.txt")) == []


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_note_without_front_matter_whose_memory_is_gone_is_a_new_one(
    memory: CelestialMemory, folder: Path, dry_run: bool
) -> None:
    item = memory.store("Mina lives in Busan")
    sync_folder(memory, folder)
    note = only(folder)
    note.write_text("Mina lives in Seoul\n")
    memory.forget(item.id)
    report = sync_folder(memory, folder, dry_run=dry_run)
    assert (report.stored, report.conflicts, report.removed) == ((note.name,), (), ())
    assert [one.content for one in memory.list()] == ([] if dry_run else ["Mina lives in Seoul"])
    assert (f"id: {item.id}" in note.read_text(), memory.get(item.id).state.value) == (False, "cliff")
    sync_folder(memory, folder)
    assert quiet(sync_folder(memory, folder))


def test_another_note_in_the_place_of_one_edits_it_and_the_old_text_stays_in_the_history(
    memory: CelestialMemory, folder: Path
) -> None:
    item = memory.store("Mina lives in Busan")
    sync_folder(memory, folder)
    note = only(folder)
    note.unlink()
    note.write_text("The report is due on Friday\n")
    assert sync_folder(memory, folder).updated == (note.name,)
    assert [one.content for one in memory.list()] == ["The report is due on Friday"]
    edit = memory.ledger.history(item.id)[0].number
    assert edit is not None
    assert memory.ledger.undo(edit).content == "Mina lives in Busan"


def test_what_is_left_alone_is_not_told_as_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, database = tmp_path / "notes", str(tmp_path / "m.db")
    folder.mkdir()
    assert main(["folder", str(folder), "--db", database]) == 0
    assert "are the same" in capsys.readouterr().out
    (folder / "empty.md").write_text("")
    assert main(["folder", str(folder), "--db", database]) == 4
    told = capsys.readouterr().out
    assert "empty.md" in told
    assert "are the same" not in told
