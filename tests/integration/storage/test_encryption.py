"""Encryption at rest: nothing readable is left on the disk, keys can be changed, and an interrupted run goes on."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

pytest.importorskip("sqlcipher3")

from celestial_engine import CelestialMemory, KeepingSettings, RetentionPolicy, Settings, StorageSettings
from celestial_engine.backups import change_key, restore_backup, verify_backup
from celestial_engine.config.keys import resolve_key
from celestial_engine.errors import ConfigError, ForeignDatabaseError, StorageError
from celestial_engine.storage.sqlite.files import encrypt
from celestial_engine.storage.vault import SealedError, Vault
from celestial_engine.surfaces.cli import main

START = 1_780_000_000.0
MARKERS = (b"zanzibar", b"quokka", "비밀정원".encode(), b"sess_visible", b"CREATE TABLE")
KEY, OTHER = "correct horse battery staple", "another key entirely"


def opened(path, key, now=START):
    storage = StorageSettings(key=key)
    return CelestialMemory(
        str(path), rebalance_interval=None, clock=lambda: now, embedder="hashed",
        settings=Settings(storage=storage, keeping=KeepingSettings(time="calendar")),
    )  # fmt: skip


def fill(path, key):
    """Texts in the database, its log, the ledger's files, an archive, SOUL.md and a backup."""
    with opened(path, key) as memory:
        for number in range(12):
            memory.store(
                f"zanzibar {number} 비밀정원", session_id="sess_visible", metadata={"note": f"quokka {number}"}
            )
        memory.ledger.log("sess_visible", "tool_call")
        memory.self.write_soul()
    with opened(path, key, START + 40 * 86_400) as memory:
        assert memory.departures.retain(RetentionPolicy(archive_after_days=30)).archived
        memory.store("zanzibar in the log 비밀정원", session_id="sess_visible_again")
        assert memory.ledger.compress()
        memory.transfer.backup()


def contents(path, key):
    with opened(path, key) as memory:
        assert memory.maintenance.check() == []
        assert memory.ledger.verify().ok
        assert memory.ledger.verify().mirror.unreadable == 0
        return {line["id"]: line["content"] for line in memory.transfer.export()}


def readable_on(folder: Path) -> set[tuple[str, bytes]]:
    """Every marker in every file, packed or not."""
    found = set()
    for file in folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            if data.startswith(b"\x1f\x8b"):
                data += gzip.GzipFile(fileobj=io.BytesIO(data)).read()
            if data.startswith(b"\xfd7zXZ"):
                data += lzma.decompress(data)
            found |= {(file.name, marker) for marker in MARKERS if marker in data}
    return found


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memories" / "m.db"


def test_nothing_readable_is_written(path):
    fill(path, KEY)
    assert len(contents(path, KEY)) == 13
    assert readable_on(path.parent) == set()
    assert (path.parent / "SOUL.md").read_bytes().startswith(b"CELEENC1")
    with opened(path, KEY) as memory:
        memory.store("zanzibar while it is open")
        assert len(memory.search("zanzibar")) > 0
        assert readable_on(path.parent) == set()


def test_the_control_finds_what_is_not_encrypted(path):
    fill(path, None)
    names = {name for name, _ in readable_on(path.parent)}
    assert len(names) >= 4  # database, backup, archive and daily file
    assert (path.parent / "SOUL.md").read_text().startswith("# ")


def test_a_soul_at_a_path_of_ones_own_is_sealed_too(path, tmp_path, monkeypatch):
    """With a key nothing plain is written anywhere; `celestial encrypt` finds the file by the settings."""
    monkeypatch.setenv("CELESTIAL_SOUL", str(tmp_path / "elsewhere" / "SELF.md"))
    chosen = tmp_path / "elsewhere" / "SELF.md"
    with opened(path, None) as memory:
        memory.store("zanzibar")
        memory.self.write_soul()
    assert chosen.read_text().startswith("# ")
    change_key(path, old=None, new=KEY)
    assert chosen.read_bytes().startswith(b"CELEENC1")
    with opened(path, KEY) as memory:
        assert memory.self.soul_diff(str(chosen)) == ""
        chosen.unlink()
        memory.self.write_soul(str(chosen))
        assert chosen.read_bytes().startswith(b"CELEENC1")
        assert memory.self.read_soul(str(chosen)) == []
    change_key(path, old=KEY, new=None)
    assert chosen.read_text().startswith("# ")


def test_the_wrong_key_and_none(path):
    fill(path, KEY)
    before = {file: file.read_bytes() for file in path.parent.rglob("*") if file.is_file()}
    with pytest.raises(ForeignDatabaseError, match="this key does not open it"):
        opened(path, OTHER)
    with pytest.raises(ForeignDatabaseError, match="CELESTIAL_KEY"):
        opened(path, None)
    assert before == {file: file.read_bytes() for file in path.parent.rglob("*") if file.is_file()}


def test_a_key_for_a_database_that_is_not_encrypted(path):
    fill(path, None)
    with pytest.raises(StorageError, match="celestial encrypt"):
        opened(path, KEY)


def test_encrypted_in_place_and_back(path):
    fill(path, None)
    before = contents(path, None)
    databases, files = change_key(path, old=None, new=KEY)
    assert databases == 2
    assert files >= 3
    assert readable_on(path.parent) == set()
    assert contents(path, KEY) == before
    assert change_key(path, old=None, new=KEY) == (0, 0)
    assert change_key(path, old=KEY, new=OTHER)[0] == 2
    assert contents(path, OTHER) == before
    with pytest.raises(ForeignDatabaseError):
        opened(path, KEY)
    change_key(path, old=OTHER, new=None)
    assert contents(path, None) == before


class Interrupted(BaseException):
    """The process ends here."""


@pytest.mark.parametrize(("old", "new"), [(None, KEY), (KEY, OTHER), (KEY, None)])
def test_interrupted_anywhere_and_started_again(path, old, new, monkeypatch):
    """At a rename, a sync or an overwriting: run again, it ends; nothing is lost, and nothing readable stays."""
    fill(path, old)
    before, replace, sync, wipe = contents(path, old), os.replace, os.fsync, encrypt.wipe
    for at in range(100):
        left = [at]

        def counted(function, left=left):
            def call(*args):
                left[0] -= 1
                if left[0] < 0:
                    raise Interrupted
                return function(*args)

            return call

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", counted(replace))
            patch.setattr(os, "fsync", counted(sync))
            patch.setattr(encrypt, "wipe", counted(wipe))
            try:
                change_key(path, old=old, new=new)
            except Interrupted:
                continue
        break
    else:
        pytest.fail("it never ends")
    assert at > 5
    change_key(path, old=old, new=new)
    assert contents(path, new) == before
    if new is not None:
        assert readable_on(path.parent) == set()
    assert not [file for file in path.parent.rglob("*") if "rekeying" in file.name]


def test_an_open_database_is_refused(path):
    fill(path, None)
    with opened(path, None) as memory:
        with pytest.raises(StorageError):
            change_key(path, old=None, new=KEY)
        memory.store("still in use")
    assert len(contents(path, None)) == 14


@pytest.mark.slow
def test_a_database_that_another_process_has_open_is_refused(path):
    fill(path, None)
    script = "import sys; from celestial_engine import CelestialMemory as C; C(sys.argv[1]); print('open', flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StorageError):
            change_key(path, old=None, new=KEY)
    finally:
        other.communicate("\n")
    assert len(contents(path, None)) == 13


def test_backups_are_verified_and_restored_with_the_key(path, monkeypatch):
    fill(path, KEY)
    (backup,) = path.parent.glob("m-*.db")
    monkeypatch.setenv("CELESTIAL_KEY", KEY)
    monkeypatch.setenv("CELESTIAL_DB", str(path))
    assert verify_backup(backup).memories == 13
    with opened(path, KEY) as memory:
        memory.store("after the backup")
    restore_backup(backup, path, clock=lambda: START + 41 * 86_400)
    assert len(contents(path, KEY)) == 13
    assert readable_on(path.parent) == set()


def test_on_the_command_line(path, monkeypatch, capsys):
    fill(path, None)
    monkeypatch.setenv("CELESTIAL_DB", str(path))
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    assert main(["encrypt"]) != 0
    monkeypatch.setenv("CELESTIAL_KEY", KEY)
    capsys.readouterr()
    assert main(["encrypt"]) == 0
    assert "is encrypted" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["healthy"]
    assert main(["search", "zanzibar"]) == 0
    new = path.parent / "new.key"
    new.write_text(OTHER + "\n")
    new.chmod(0o600)
    assert main(["encrypt", "--new-key-from", f"file:{new}"]) == 0
    monkeypatch.delenv("CELESTIAL_KEY")
    monkeypatch.setenv("CELESTIAL_KEY_FROM", f"file:{new}")
    assert main(["search", "zanzibar"]) == 0
    assert main(["encrypt", "--off", "--lang", "ko"]) == 0
    monkeypatch.delenv("CELESTIAL_KEY_FROM")
    assert len(contents(path, None)) == 13


# -- where keys come from -------------------------------------------------------------------------------


def test_a_key_in_a_file(tmp_path):
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o600)
    assert resolve_key("m.db", None, f"file:{file}") == KEY
    if os.name != "nt":
        file.chmod(0o644)
        with pytest.raises(ConfigError, match="other users can read"):
            resolve_key("m.db", None, f"file:{file}")
    for bad in (f"file:{tmp_path}/none", "file:", "somewhere"):
        with pytest.raises(ConfigError):
            resolve_key("m.db", None, bad)


def test_a_key_in_the_keyring(monkeypatch):
    class KeyringError(Exception):
        pass

    keys = {("celestial-engine", os.path.abspath("m.db")): KEY}
    keyring = types.ModuleType("keyring")
    keyring.get_password = lambda service, name: keys.get((service, name))
    keyring.errors = types.SimpleNamespace(KeyringError=KeyringError)
    keyring.__spec__ = types.SimpleNamespace(name="keyring")
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    assert resolve_key("m.db", None, "keyring") == KEY
    with pytest.raises(ConfigError, match="keyring"):
        resolve_key("other.db", None, "keyring")


def test_a_key_by_prompt(monkeypatch):
    asked = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or KEY)
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(isatty=lambda: True))
    assert [resolve_key("prompted.db", None, "prompt") for _ in range(2)] == [KEY, KEY]
    assert len(asked) == 1
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(isatty=lambda: False))
    with pytest.raises(ConfigError, match="no terminal"):
        resolve_key("elsewhere.db", None, "prompt")


def test_a_key_is_never_shown(path):
    assert KEY not in repr(StorageSettings(key=KEY))
    with opened(path, KEY) as memory:
        assert KEY not in repr(memory.parts)


# -- sealing --------------------------------------------------------------------------------------------


def test_sealed_data_that_was_changed():
    vault = Vault(KEY, b"s" * 16)
    sealed = vault.seal(b"text")
    assert vault.open(sealed) == b"text"
    assert vault.open(b"from before there was a key") == b"from before there was a key"
    for place in range(8, len(sealed), 7):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(SealedError):
            vault.open(bytes(changed))
    with pytest.raises(SealedError):
        Vault(OTHER, b"s" * 16).open(sealed)
    assert Vault(OTHER, b"t" * 16, older=(KEY,)).open(sealed) == b"text"
    line = vault.seal_line(b'{"seq": 1}')
    assert vault.open_line(line + b"\n") == b'{"seq": 1}'
    assert vault.open_line(line[:-9]) == line[:-9]
