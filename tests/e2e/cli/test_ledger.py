"""`celestial ledger` and `celestial undo`, as people use them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory


@pytest.fixture
def item_id(celestial) -> str:
    item_id = json.loads(celestial("store", "coffee", "--json"))["id"]
    celestial("update", item_id, "tea")
    return item_id


@pytest.fixture
def refused(cli):
    """What `verify` says when it finds something: on standard output, with exit code 5."""

    def run(*more: str) -> str:
        answer = cli("ledger", "verify", *more)
        assert answer.code == 5
        return answer.out

    return run


def test_history_shows_numbers_that_undo_takes(celestial, item_id):
    assert [line.split()[0] for line in celestial("history").splitlines()] == ["#", "2", "1"]
    assert [event["number"] for event in json.loads(celestial("history", "--json"))["events"]] == [2, 1]
    assert celestial("undo", "2").startswith(f"Undone #2: {item_id[:8]} is as it was")
    assert "coffee" in celestial("show", item_id)
    assert json.loads(celestial("undo", "#3", "--json"))["content"] == "tea"
    assert "event 2, which was updated" in celestial("history")


def test_refusals_have_a_reason_and_a_code(celestial, item_id):
    assert "event 2 (updated) has changed the memory since" in celestial("undo", "1", code=4)
    assert "There is no event 99" in celestial("undo", "99", code=3)
    assert "event must be a whole number" in celestial("undo", "last", code=2)
    assert "그 뒤 2번(수정)에서" in celestial("--lang", "ko", "undo", "1", code=4)
    assert json.loads(celestial("undo", "1", "--json", code=4))["error"] == "cannot_undo"


def test_verify_and_head(celestial, refused, item_id):
    assert celestial("ledger", "verify").startswith("The ledger holds: 2 entries")
    head = celestial("ledger", "head").strip()
    assert head.startswith("2:")
    celestial("store", "later")
    assert celestial("ledger", "verify", "--head", head).startswith("The ledger holds: 3 entries")
    assert "rewritten" in refused("--head", "1:" + head[2:])
    assert "the head you kept is newer" in refused("--head", "9:" + head[2:])
    assert "NUMBER:HASH" in celestial("ledger", "verify", "--head", "x", code=2)
    assert "--head" in celestial("ledger", "show", "--head", head, code=2)


def test_verify_names_the_entry(refused, path, item_id):
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER ledger_is_true")
    db.execute("UPDATE ledger SET at = 0 WHERE seq = 2")
    db.commit()
    db.close()
    assert refused().startswith("Entry 2 does not follow")
    assert "2번 항목이 앞 항목과 이어지지 않습니다" in refused("--lang", "ko")
    found = json.loads(refused("--json"))
    assert (found["ok"], found["damage"]["number"], found["damage"]["kind"]) == (False, 2, "edited")


def test_show_repair_and_compress(celestial, item_id, tmp_path):
    lines = [json.loads(line) for line in celestial("ledger", "show").splitlines()]
    assert [(line["seq"], line["event_type"]) for line in lines] == [(2, "updated"), (1, "stored")]
    assert celestial("--user", "mina", "ledger", "show") == "Nothing has happened yet.\n"
    for file in (tmp_path / "m.db.ledger").glob("*.jsonl"):
        file.write_text("")
    assert "Lines missing there: 2" in celestial("ledger", "verify")
    assert celestial("ledger", "repair") == "Lines written: 2.\n"
    assert "missing" not in celestial("ledger", "verify")
    assert celestial("ledger", "compress") == "Files packed: 0.\n"
    assert json.loads(celestial("ledger", "compress", "--json")) == {"files": []}


def test_without_files(celestial, monkeypatch):
    monkeypatch.setenv("CELESTIAL_LEDGER", "none")
    celestial("store", "x")
    assert "There are no daily files" in celestial("ledger", "verify")


def test_a_recall_of_several_is_one_line(celestial):
    for text in ("the garden gate creaks", "green paint for the garden gate", "Tom has a key to the garden gate"):
        celestial("store", text)
    celestial("recall", "the garden gate")
    first = celestial("history").splitlines()[1]
    assert "recalled" in first
    assert "memories 3" in first
    assert "기억" in celestial("--lang", "ko", "history").splitlines()[1]
    event = json.loads(celestial("history", "--json"))["events"][0]
    assert (event["memory_id"], len(event["memory_ids"])) == (None, 3)
    assert "recalled" in celestial("history", event["memory_ids"][0])


def test_a_proof_is_written_and_checked_without_the_database(celestial, path, tmp_path):
    """On the other machine there is nothing but the file."""
    with CelestialMemory(path, rebalance_interval=None, embedder="none") as memory:
        gone, kept = memory.store("to be purged"), memory.store("to stay")
        memory.departures.erase([gone.id])
    file = tmp_path / "gone.json"
    assert "proves the purge of 1 memories" in celestial("proof", gone.id, "--out", str(file))
    assert json.loads(celestial("proof", gone.id)) == json.loads(file.read_text(encoding="utf-8"))
    assert "nothing to prove" in celestial("proof", kept.id, code=2)
    Path(path).rename(tmp_path / "away.db")
    told = celestial("proof", "check", str(file))
    assert gone.id in told
    anchor = told.split()[-1]
    assert "you were given" in celestial("proof", "check", str(file), "--anchor", anchor)
    assert json.loads(celestial("proof", "check", str(file), "--json"))["ok"]
    assert not Path(path).exists()
    wrong = anchor[:-1] + ("0" if anchor[-1] != "0" else "1")
    assert "받아 둔 것과 다릅니다" in celestial(
        "--lang", "ko", "proof", "check", str(file), "--anchor", wrong, code=5
    )
    file.write_text(file.read_text(encoding="utf-8").replace("purged", "stored"), encoding="utf-8")
    assert "proves nothing" in celestial("proof", "check", str(file), code=5)
    assert "no proof" in celestial("proof", "check", str(tmp_path / "away.db"), code=5)
    assert "FILE" in celestial("proof", "check", code=2)
