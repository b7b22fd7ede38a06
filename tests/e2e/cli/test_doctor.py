"""`celestial doctor`: helpful whatever it finds, and a danger to nothing."""

from __future__ import annotations

import json
import os
import sqlite3

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / "m.db"
    monkeypatch.setenv("CELESTIAL_DB", str(path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return path


@pytest.fixture
def examine(capsys):
    """Runs the doctor: the exit code, and the status and message of each check by name."""

    def run(*argv: str):
        code = main(["doctor", "--json", *argv])
        said = capsys.readouterr()
        assert said.err == ""
        report = json.loads(said.out)
        assert report["healthy"] == (code == 0)
        return code, {check["name"]: (check["status"], check["message"]) for check in report["checks"]}

    return run


def remember(path, count=1):
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        memory.store_many([f"memory number {number} 기억" for number in range(count)])


def test_a_healthy_database(path, examine):
    remember(path, 3)
    code, checks = examine()
    assert code == 0
    assert checks["contents"] == ("ok", "contents are consistent; local/default has 3 in orbit and 0 on the cliff")
    assert str(path) in checks["path"][1]
    assert sqlite3.sqlite_version in checks["sqlite"][1]
    assert checks["fts5"][0] == "ok"
    assert checks["durability"][1].startswith("durability full")
    assert ("wal_reset" in checks) == (sqlite3.sqlite_version_info < (3, 51, 3))


def test_it_reads_well(path, capsys):
    remember(path)
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok       celestial-engine")
    assert lines[-1] == "All is well."
    assert main(["doctor", "--lang", "ko"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "모두 정상입니다."


def test_no_database_yet(path, examine):
    code, checks = examine()
    assert code == 0
    assert checks["missing"][0] == "note"
    assert not path.exists()


def test_an_empty_file_stays_empty(path, examine):
    path.touch()
    assert examine()[0] == 0
    assert path.read_bytes() == b""


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_others_can_read_it(path, examine):
    remember(path)
    assert examine()[1]["permissions"][0] == "ok"
    path.chmod(0o644)
    code, checks = examine()
    assert code == 0
    assert checks["permissions"] == (
        "warning",
        "other users of this machine can read it (mode 644). `chmod 600` makes it private.",
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_a_file_of_somebody_else(path, examine, monkeypatch):
    """Only its owner can change the permissions of a file: no advice that cannot be followed."""
    remember(path)
    pwd = pytest.importorskip("pwd")
    owner = pwd.getpwuid(os.geteuid()).pw_name
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert examine()[1]["permissions"] == ("note", f"the file belongs to {owner}, not to you (mode 600)")
    path.chmod(0o644)
    status, message = examine()[1]["permissions"]
    assert status == "warning"
    assert message.endswith(f"{owner} can make it private with `chmod 600`.")
    assert owner in examine("--lang", "ko")[1]["permissions"][1]


def foreign(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (name)")
    connection.commit()
    connection.close()


def newer(path):
    remember(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()


def garbage(path):
    path.write_bytes(b"this is a letter to my grandmother, and no database at all\n" * 100)


@pytest.mark.parametrize(
    ("make", "says"),
    [(foreign, "is not a Celestial database"), (garbage, "is not a Celestial database"), (newer, "newer version")],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_is_not_ours_is_left_alone(path, examine, make, says, language):
    make(path)
    before, names = path.read_bytes(), sorted(entry.name for entry in path.parent.iterdir())
    code, checks = examine("--lang", language)
    assert code == 5
    status, message = checks["contents"]
    assert status == "problem"
    assert says in message or language == "ko"
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in path.parent.iterdir()) == names


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_damaged_database(path, examine, part):
    remember(path, 300)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    code, checks = examine()
    assert code == 5
    assert checks["contents"][0] == "problem"


def test_an_index_that_lost_a_memory(path, examine):
    remember(path, 3)
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.commit()
    connection.close()
    code, checks = examine()
    assert code == 5
    assert "full-text index" in checks["contents"][1]
    assert "celestial doctor --repair" in examine("--lang", "ko")[1]["contents"][1]


def test_a_folder(tmp_path, examine):
    code, checks = examine("--db", str(tmp_path))
    assert code == 5
    assert "it is a folder" in checks["contents"][1]


def test_a_bad_setting(path, examine, monkeypatch):
    remember(path)
    monkeypatch.setenv("CELESTIAL_DURABILITY", "eternal")
    code, checks = examine()
    assert code == 5
    assert "durability must be" in checks["contents"][1]


def test_in_memory(examine):
    code, checks = examine("--db", ":memory:")
    assert code == 0
    assert checks["file"][0] == "note"
