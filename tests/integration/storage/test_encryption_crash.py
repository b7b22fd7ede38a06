"""Processes that are killed while they encrypt, decrypt or back up: what they leave is never readable for long."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sqlcipher3")
if os.name == "nt":
    pytest.skip("nothing is killed like this on Windows", allow_module_level=True)

from tests.integration.storage.test_encryption import KEY, contents, fill, opened, readable_on

from celestial_engine.backups import change_key
from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.files import encrypt
from celestial_engine.storage.vault import Vault

# Kills itself after so many steps of the database's machine, so that a copy is cut off in the middle.
KILLED = """
import os, signal, sys
from celestial_engine.backups import change_key
from celestial_engine.storage.sqlite import driver
path, old, new, steps = sys.argv[1], sys.argv[2] or None, sys.argv[3] or None, int(sys.argv[4])
connect, done = driver.connect, [0]
def step():
    done[0] += 100
    if done[0] >= steps:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
def connected(*args, **options):
    connection = connect(*args, **options)
    connection.set_progress_handler(step, 100)
    return connection
driver.connect = connected
change_key(path, old=old, new=new)
"""


def killed(path, old, new, steps) -> bool:
    """Changes the key in a process of its own; whether it was killed before it ended."""
    arguments = [sys.executable, "-c", KILLED, str(path), old or "", new or "", str(steps)]
    ended = subprocess.run(arguments, capture_output=True, check=False)
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    return ended.returncode != 0


def left_over(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*") if encrypt._NEW in file.name or file.name.startswith(".")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memories" / "m.db"


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [(None, KEY), (KEY, None)])
def test_killed_in_the_middle_of_a_copy(path, old, new):
    fill(path, old)
    before, cuts = contents(path, old), 0
    for steps in (2_000, 16_000):
        if not killed(path, old, new, steps):
            break
        cuts += 1
    assert cuts
    change_key(path, old=KEY if old is None else old, new=KEY)  # the user wants a key, whatever was begun
    assert contents(path, KEY) == before
    assert readable_on(path.parent) == set()
    assert left_over(path.parent) == []


def test_unfinished_files_of_killed_processes_go(path):
    """A backup, an archive and a SOUL.md that were being written when there was no key yet."""
    fill(path, None)
    (backup,) = path.parent.glob("m-*.db")
    archive = next(file for file in path.parent.rglob("*") if file.parent.name.endswith("archive") and file.is_file())
    unfinished = [
        path.parent / ".celestial-backup-abc123_x",
        archive.parent / f".celestial-archive-{archive.name}-abc123_x",
        path.parent / ".SOUL.abc123_x.tmp",
    ]
    for file, source in zip(unfinished, (backup, archive, path.parent / "SOUL.md"), strict=True):
        file.write_bytes(source.read_bytes())
    linked = path.parent / "kept by somebody.db"
    os.link(unfinished[0], linked)
    change_key(path, old=None, new=KEY)
    assert not any(file.exists() for file in unfinished)
    assert linked.read_bytes() != bytes(linked.stat().st_size), "a file with another name is not overwritten"
    linked.unlink()
    assert readable_on(path.parent) == set()


def test_an_encrypted_unfinished_backup_stays(path):
    """It may be the backup that another process is making now."""
    fill(path, KEY)
    (backup,) = path.parent.glob("m-*.db")
    unfinished = path.parent / ".celestial-backup-abc123_x"
    unfinished.write_bytes(backup.read_bytes())
    change_key(path, old=KEY, new=KEY)
    assert unfinished.exists()


def test_nothing_but_leftovers_goes(path, monkeypatch):
    """Files of the user with such names, the chosen soul among them, and one that nobody may read."""
    fill(path, None)
    chosen, swap = path.parent / ".SOUL.md", path.parent / ".SOUL.md.swp"
    notes = [swap, path.parent / ".SOUL.notes.tmp", path.parent / ".celestial-backup-script.sh"]
    chosen.write_text("# Me\nzanzibar")
    for file in notes:
        file.write_text("mine")
    theirs = path.parent / ".SOUL.theirs_1.tmp"
    theirs.write_text("theirs")
    read = Path.read_bytes

    def refused(file: Path) -> bytes:  # as for another user; root, who runs tests in containers, may read everything
        if file == theirs:
            raise PermissionError(file)
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", refused)
    monkeypatch.setenv("CELESTIAL_SOUL", str(chosen))
    change_key(path, old=None, new=KEY)
    assert [file.read_text() for file in (*notes, theirs)] == ["mine"] * 3 + ["theirs"]
    assert Vault.of_database(str(path), KEY).open(chosen.read_bytes()) == b"# Me\nzanzibar"
    assert (path.parent / "SOUL.md").read_bytes().startswith(b"CELEENC1"), "what comes after is done too"


def test_a_soul_that_is_named_like_a_leftover_stays(path):
    fill(path, None)
    chosen = path.parent / ".SOUL.my_notes.tmp"
    chosen.write_text("# Me")
    vault = encrypt.new_vault(str(path), KEY, None)
    files = encrypt.FilesOfDatabase(str(path), None, str(path.parent / "archive"), (str(chosen),), ())
    encrypt.rekey(files, None, vault)
    assert vault.open(chosen.read_bytes()) == b"# Me"


# Copies a database, and waits before the last page.
COPYING = """
import sqlite3, sys
def wait(status, remaining, total):
    if remaining == 1:
        print("copying", flush=True)
        sys.stdin.readline()
source, copy = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
copy.execute("PRAGMA journal_mode = OFF")
copy.execute("PRAGMA cache_size = 5")  # what does not fit is on the disk, as with a large database
source.backup(copy, pages=1, progress=wait)
"""


def test_a_backup_that_another_process_is_writing_stays_until_that_is_killed(path):
    """It is of another database in the same folder: nobody writes one of this."""
    fill(path, None)
    other, unfinished = path.parent / "other.db", path.parent / ".celestial-backup-abc123_x"
    fill(other, None)
    arguments = [sys.executable, "-c", COPYING, str(other), str(unfinished)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as copying:
        try:
            assert copying.stdout.readline() == "copying\n"
            assert "비밀정원".encode() in unfinished.read_bytes()
            change_key(path, old=None, new=KEY)
            assert unfinished.exists()
        finally:
            copying.kill()
    change_key(path, old=KEY, new=KEY)
    assert not unfinished.exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells which files are open")
def test_no_temporary_file_is_opened_while_rows_are_sorted(path):
    """SQLite removes the name of a temporary file at once, so it is only seen among the open files."""
    with opened(path, KEY) as memory:
        for number in range(12):
            memory.store(f"zanzibar {number} " + "비밀정원 " * 50)
    seen: set[str] = set()

    def look() -> int:
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):  # closed since it was listed
                seen.add(os.readlink(f"/proc/self/fd/{name}"))
        return 0

    look()
    before = seen.copy()  # of the test runner itself
    seen.clear()
    connection = driver.connect(str(path), vault=Vault.of_database(str(path), KEY))
    try:
        connection.execute("PRAGMA cache_size = 2")
        connection.set_progress_handler(look, 200)
        rows = connection.execute(
            "SELECT a.content || b.content AS both FROM texts a, texts b, texts c ORDER BY both DESC"
        ).fetchmany(3)
        assert len(rows) == 3
        connection.execute("VACUUM")
    finally:
        connection.close()
    assert any(name.endswith("m.db") for name in seen)
    assert [name for name in seen if name not in before and ("(deleted)" in name or "etilqs" in name)] == []
