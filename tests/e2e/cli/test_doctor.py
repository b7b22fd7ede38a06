"""`celestial doctor`: helpful whatever it finds, and a danger to nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from types import SimpleNamespace

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.errors import StorageError
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


# -- what happens to files, clocks and disks ------------------------------------------------------------


def test_a_deleted_log(path, examine):
    """The ledger's daily files know what the log held."""
    remember(path)
    copy = path.with_name("copy.db")
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        memory.store("only in the log")
        shutil.copyfile(path, copy)  # without the log
        shutil.copytree(path.with_name(path.name + ".ledger"), copy.with_name(copy.name + ".ledger"))
    code, checks = examine("--db", str(copy))
    assert code == 5
    assert checks["ledger"][0] == "problem"
    assert "-wal file was deleted" in checks["ledger"][1]
    assert "날짜별 파일" in examine("--lang", "ko", "--db", str(copy))[1]["ledger"][1]
    assert "no whole backup" in checks["advice"][1]


def test_a_database_that_was_moved_away(path, examine):
    """Under a running process: it notices, nobody makes a new file beside the old log, and the doctor says why."""
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        memory.store("before")
        path.rename(path.with_name("elsewhere.db"))
        for call in (lambda: memory.store("after"), lambda: memory.recall("before")):
            with pytest.raises(StorageError, match="moved or replaced while it was open"):
                call()
        with pytest.raises(StorageError, match=r"its log .*-wal is still there"):
            CelestialMemory(str(path))
        code, checks = examine()
        assert code == 5
        assert checks["moved"][0] == "problem"
        assert not path.exists()
        path.with_name("elsewhere.db").rename(path)
        memory.store("after")
        assert memory.stats()["total"] == 2
    assert examine()[0] == 0


def test_a_file_put_in_its_place(path):
    """Another file of the same name is not written to with the old one's connections."""
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        memory.store("before")
        memory.transfer.backup(path.with_name("other.db"))
        path.with_name("other.db").replace(path)
        with pytest.raises(StorageError, match="moved or replaced"):
            memory.store("after")


def test_an_embedder_was_added(path, examine, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    remember(path, 3)
    assert "vectors" not in examine()[1]
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    code, checks = examine()
    assert (code, checks["vectors"][0]) == (0, "warning")
    assert checks["vectors"][1].startswith("3 memories have no vector")
    assert examine("--repair")[1]["vectors"] == ("ok", "vectors made: 3; memories that could get none: 0")
    assert "vectors" not in examine()[1]


def test_another_embedder(path, examine, monkeypatch):
    with CelestialMemory(str(path), rebalance_interval=None, embed_fn=lambda text: [1.0, float(len(text))]) as memory:
        memory.store("one")
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    assert "the vectors are of function/" in examine()[1]["vectors"][1]
    assert examine("--repair")[1]["vectors"][0] == "ok"
    assert "vectors" not in examine()[1]


@pytest.mark.parametrize(("ahead", "status"), [(60.0, "ok"), (86_400.0, "problem")])
def test_a_clock_that_was_ahead(path, examine, ahead, status):
    with CelestialMemory(str(path), rebalance_interval=None, clock=lambda: time.time() + ahead) as memory:
        memory.store("from tomorrow")
    code, checks = examine()
    assert checks["clock"][0] == status
    assert (code == 0) == (status == "ok")


def test_a_clock_that_was_never_set(path, examine, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 86_400.0)
    with CelestialMemory(str(path), rebalance_interval=None, clock=lambda: 86_400.0) as memory:
        memory.store("in 1970")
    assert examine()[1]["clock"][0] == "problem"


@pytest.mark.parametrize(("free", "status"), [(1 << 40, "ok"), (100 << 20, "warning"), (1 << 20, "problem")])
def test_a_nearly_full_disk(path, examine, monkeypatch, free, status):
    remember(path)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(total=1 << 41, used=0, free=free))
    assert examine()[1]["disk"][0] == status


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_changed_permissions_are_mended(path, examine):
    remember(path)
    ledger = path.with_name(path.name + ".ledger")
    path.chmod(0o444)
    ledger.chmod(0o755)
    checks = examine()[1]
    assert (checks["permissions"][0], checks["writable"][0], checks["folders"][0]) == (
        "warning",
        "problem",
        "warning",
    )
    code, checks = examine("--repair")
    assert code == 0
    assert (checks["permissions"][0], checks["writable"][0], checks["folders"][0]) == ("ok", "ok", "ok")
    assert path.stat().st_mode & 0o777 == 0o600
    assert ledger.stat().st_mode & 0o777 == 0o700
    assert "folders" not in examine()[1]


def test_lines_that_the_daily_files_lack(path, examine):
    remember(path, 3)
    for file in path.with_name(path.name + ".ledger").glob("*.jsonl"):
        file.unlink()
    assert examine()[1]["ledger_files"][0] == "warning"
    assert examine("--repair")[1]["ledger_files"] == ("ok", "entries written into the daily files of the ledger: 3")
    assert "ledger_files" not in examine()[1]


def test_a_damaged_file_is_not_written_to(path, examine):
    """A repair of a file that is damaged in itself refuses, and names the newest backup that is whole."""
    remember(path, 60)
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        backup = memory.transfer.backup().path
    data = bytearray(path.read_bytes())
    db = sqlite3.connect(path)
    (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'texts'").fetchone()
    db.close()
    data[(page - 1) * 4096 + 8 : page * 4096] = b"\xff" * 4088
    path.write_bytes(bytes(data))
    code, checks = examine("--repair")
    assert code == 5
    assert "nothing was changed" in checks["contents"][1]
    assert f"celestial backup restore {backup}` brings back 60 memories" in checks["advice"][1]


def test_a_letter_that_the_disk_changed(path, examine):
    """SQLite finds nothing wrong with it; the checksum does."""
    with CelestialMemory(str(path), rebalance_interval=None) as memory:
        item = memory.store("Their dog is Zephyr")
    path.write_bytes(path.read_bytes().replace(b"is Zephyr", b"is zephyr"))
    code, checks = examine("--repair")
    assert code == 5
    assert f"memory '{item.id}' is not what was written" in checks["contents"][1]
