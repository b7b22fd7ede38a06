"""Secrets that were stored before the guard knew them are found everywhere and can be redacted."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, GuardPolicy, Settings
from celestial_engine.core.guard.stored_secret import SecretPlace
from celestial_engine.core.keeping.retention import RetentionPolicy

SECRET = "plum9921"
TEXT = f"The wifi password is {SECRET}, call Mina"
EVERYTHING_ALLOWED = Settings(guard=GuardPolicy.everything("allow"))


@pytest.fixture
def path(tmp_path):
    """A database of a version that had no guard."""
    file = tmp_path / "memory.db"
    with CelestialMemory(str(file), settings=EVERYTHING_ALLOWED, rebalance_interval=None) as memory:
        memory.store(TEXT)
        changed = memory.store("The door password: fig7734 since May")
        memory.update(changed.id, "The door opens with a card since May")
        memory.store("Mina likes tea")
        memory.transfer.backup()
    return file


def opened(path):
    return CelestialMemory(str(path), rebalance_interval=None)


def test_a_dry_run_lists_everything_and_changes_nothing(path):
    with opened(path) as memory:
        before = [item.content for item in memory.list(10)]
        scan = memory.maintenance.scan_secrets()
        assert scan.dry_run
        assert {secret.place for secret in scan.found} == {
            SecretPlace.MEMORY,
            SecretPlace.VERSION,
            SecretPlace.BACKUP,
        }
        assert all(secret.kinds == ("password",) for secret in scan.found)
        assert SECRET not in repr(scan)
        assert [item.content for item in memory.list(10)] == before


def test_redacting_leaves_the_secret_nowhere_but_in_the_backup(path):
    with opened(path) as memory:
        scan = memory.maintenance.scan_secrets(redact=True)
        assert len(scan.redacted) == 2
        assert [secret.place for secret in scan.left] == [SecretPlace.BACKUP]
        contents = {item.content for item in memory.list(10)}
        assert "The wifi password is [redacted: password], call Mina" in contents
        assert "The door opens with a card since May" in contents
        assert len(contents) == 3
        assert memory.ledger.verify().ok
        assert not memory.maintenance.check()
        again = memory.maintenance.scan_secrets()
        assert {secret.place for secret in again.found} == {SecretPlace.BACKUP}
        assert any("wifi" in item.content for item in memory.search("wifi password"))
    backups = [file for file in path.parent.glob("*.db") if file != path]
    assert len(backups) == 1
    for file in path.parent.rglob("*"):
        if file.is_file() and file not in backups:
            raw = file.read_bytes()
            assert SECRET.encode() not in raw, file
            assert b"fig7734" not in raw, file


@pytest.mark.usefixtures("calendar_time")
def test_an_archived_memory_is_redacted_too(tmp_path, clock):
    path = tmp_path / "memory.db"
    with CelestialMemory(str(path), settings=EVERYTHING_ALLOWED, rebalance_interval=None, clock=clock) as memory:
        memory.store(TEXT, session_id="old")
        clock.advance(days=31)
        assert memory.departures.retain(RetentionPolicy(archive_after_days=30)).archived == 1
    with CelestialMemory(str(path), rebalance_interval=None, clock=clock) as memory:
        assert [secret.place for secret in memory.maintenance.scan_secrets().found] == [SecretPlace.ARCHIVE]
        assert memory.maintenance.scan_secrets(redact=True).redacted
        assert not memory.maintenance.scan_secrets().found
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()]
