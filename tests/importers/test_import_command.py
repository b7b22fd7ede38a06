"""`celestial import`, by hand."""

from __future__ import annotations

import io
import json

from celestial_engine import CelestialMemory
from celestial_engine.importers import FORMATS
from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.cli.import_options import IMPORT_FORMATS
from celestial_engine.surfaces.cli.texts import Texts

LINES = [{"said": "Mina likes tea"}, "{broken\n", {"said": "The password is hunter2!"}]


def run(tmp_path, *arguments: str) -> int:
    return main(["import", *arguments, "--db", str(tmp_path / "memory.db")])


def test_the_formats_of_the_command_are_those_of_the_importers():
    assert ("auto", *FORMATS) == IMPORT_FORMATS


def test_an_import_tells_what_it_did(tmp_path, written, capsys):
    path = str(written("facts.jsonl", LINES))
    assert run(tmp_path, path, "--map", "content=said", "--dry-run", "--lang", "ko") == 0
    told = capsys.readouterr().out
    assert "jsonl 형식" in told
    assert "2개가 들어오고" in told
    assert "JSON이 아닙니다 (첫 번째: 2번째 줄)" in told
    assert run(tmp_path, path, "--map", "content=said") == 0
    told = capsys.readouterr().out
    assert "2 memories came in; 0 were here already." in told
    assert "taken out of 1" in told
    assert run(tmp_path, path, "--map", "content=said", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["format"], report["added"], report["known"], report["skipped"]) == ("jsonl", 0, 2, {"not_json": 1})
    assert report["examples"] == [{"where": "line 2", "reason": "not_json", "detail": ""}]


def test_what_cannot_be_imported_is_refused_with_the_formats(tmp_path, written, capsys):
    letter = str(written("letter.txt", "Dear Mina,"))
    assert run(tmp_path, letter) == 2
    assert all(name in capsys.readouterr().err for name in ("stellar-memory",))
    assert run(tmp_path, letter, "--lang", "ko") == 2
    told = capsys.readouterr().err
    assert "내용이 알려진 어느 형식도 아닙니다" in told
    assert all(name in told for name in FORMATS)
    assert run(tmp_path, letter, "--from", "diary") == 2
    assert run(tmp_path, letter, "--map", "colour=x", "--lang", "ko") == 2
    assert "뜻=필드" in capsys.readouterr().err


def test_standard_input_may_be_anything_that_is_text(tmp_path, monkeypatch):
    text = json.dumps({"text": "Mina likes tea"}) + "\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(tmp_path, "-") == 0
    with CelestialMemory(tmp_path / "memory.db", rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["Mina likes tea"]


def test_whose_memories_is_chosen_by_name(tmp_path, written, capsys):
    lines = [{"text": "Mina likes tea", "user": "mina"}, {"text": "Juno likes rain", "user": "juno"}]
    path = str(written("shared.jsonl", lines))
    assert run(tmp_path, path) == 2
    assert "--of" in capsys.readouterr().err
    assert run(tmp_path, path, "--of", "juno") == 0


def test_every_reason_has_a_name_in_both_languages():
    english, korean = Texts("en"), Texts("ko")
    for reason in ("not_json", "not_plain", "other_branch", "not_the_user", "content_too_large", "small_talk"):
        assert english.word("skipped", reason) != reason != korean.word("skipped", reason)
