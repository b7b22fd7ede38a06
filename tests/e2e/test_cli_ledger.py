"""`celestial ledger` and `celestial undo`, as people use them."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3

import pytest

from celestial_engine.surfaces.cli import main


@pytest.fixture
def run(tmp_path, capsys):
    path = str(tmp_path / "m.db")

    def call(*arguments, code=0):
        assert main(["--db", path, *arguments]) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    call.path = path
    return call


@pytest.fixture
def item_id(run) -> str:
    item_id = json.loads(run("store", "coffee", "--json"))["id"]
    run("update", item_id, "tea")
    return item_id


def test_history_shows_numbers_that_undo_takes(run, item_id):
    assert [line.split()[0] for line in run("history").splitlines()] == ["#", "2", "1"]
    assert [event["number"] for event in json.loads(run("history", "--json"))] == [2, 1]
    assert run("undo", "2").startswith(f"Undone #2: {item_id[:8]} is as it was")
    assert "coffee" in run("show", item_id)
    assert json.loads(run("undo", "#3", "--json"))["content"] == "tea"
    assert "event 2, which was updated" in run("history")


def test_refusals_have_a_reason_and_a_code(run, item_id):
    assert "event 2 (updated) has changed the memory since" in run("undo", "1", code=4)
    assert "There is no event 99" in run("undo", "99", code=3)
    assert "not valid" in run("undo", "last", code=2)
    assert "그 뒤 2번(updated)에서" in run("--lang", "ko", "undo", "1", code=4)
    assert json.loads(run("undo", "1", "--json", code=4))["error"] == "cannot_undo"


def test_verify_and_head(run, item_id):
    assert run("ledger", "verify").startswith("The ledger holds: 2 entries")
    head = run("ledger", "head").strip()
    assert head.startswith("2:")
    run("store", "later")
    assert run("ledger", "verify", "--head", head).startswith("The ledger holds: 3 entries")
    assert "rewritten" in refused(run, "--head", "1:" + head[2:])
    assert "the head you kept is newer" in refused(run, "--head", "9:" + head[2:])
    assert "NUMBER:HASH" in run("ledger", "verify", "--head", "x", code=2)
    assert "--head" in run("ledger", "show", "--head", head, code=2)


def test_verify_names_the_entry(run, item_id):
    db = sqlite3.connect(run.path)
    db.execute("DROP TRIGGER ledger_is_true")
    db.execute("UPDATE ledger SET at = 0 WHERE seq = 2")
    db.commit()
    db.close()
    assert refused(run).startswith("Entry 2 does not follow")
    assert "2번 항목이 앞 항목과 이어지지 않습니다" in refused(run, "--lang", "ko")
    found = json.loads(refused(run, "--json"))
    assert (found["ok"], found["fault"]["number"], found["fault"]["wrong"]) == (False, 2, "edited")


def test_show_repair_and_compress(run, item_id, tmp_path):
    lines = [json.loads(line) for line in run("ledger", "show").splitlines()]
    assert [(line["seq"], line["event_type"]) for line in lines] == [(2, "updated"), (1, "stored")]
    assert run("--user", "mina", "ledger", "show") == "Nothing has happened yet.\n"
    for file in (tmp_path / "m.db.ledger").glob("*.jsonl"):
        file.write_text("")
    assert "Lines missing there: 2" in run("ledger", "verify")
    assert run("ledger", "repair") == "Lines written: 2.\n"
    assert "missing" not in run("ledger", "verify")
    assert run("ledger", "compress") == "Files packed: 0.\n"
    assert json.loads(run("ledger", "compress", "--json")) == {"compressed": []}


def test_without_files(run, monkeypatch):
    monkeypatch.setenv("CELESTIAL_LEDGER", "none")
    run("store", "x")
    assert "There are no daily files" in run("ledger", "verify")


def refused(run, *more) -> str:
    """What `verify` says when it finds something: on standard output, with exit code 5."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["--db", run.path, "ledger", "verify", *more]) == 5
    return out.getvalue()
