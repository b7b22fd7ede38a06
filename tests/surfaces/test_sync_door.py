"""Two devices over HTTP, with the real server and the real client."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.sync.conftest import contents

from celestial_engine import CelestialMemory
from celestial_engine.errors import SyncError


@pytest.fixture
def two(tmp_path: Path):
    memories = [CelestialMemory(tmp_path / f"{name}.db", rebalance_interval=None) for name in ("a", "b")]
    yield memories
    for memory in memories:
        memory.close()


def test_both_have_everything_after_one_exchange(serve, two) -> None:
    laptop, desk = two
    for number in range(450):  # more than one request holds
        laptop.store(f"note {number} of the laptop")
    desk.store("내 고양이 이름은 나비야")
    with serve(desk) as served:
        url = str(served.url)
        report = laptop.sync.with_device(url, served.token)
        assert report.sent == 3
        assert contents(laptop) == contents(desk)
        assert len(contents(desk)) == 451
        again = laptop.sync.with_device(url, served.token)
        assert (again.sent, again.read) == (0, 0)


def test_a_copy_of_the_database_is_noticed(serve, two, tmp_path: Path) -> None:
    laptop, desk = two
    laptop.store("Mina lives in Busan")
    with serve(desk) as served:
        url = str(served.url)
        laptop.sync.with_device(url, served.token)
        laptop.transfer.backup(tmp_path / "copy.db")
        laptop.store("I like green tea")
        laptop.sync.with_device(url, served.token)
        with CelestialMemory(tmp_path / "copy.db", rebalance_interval=None) as copy:
            copy.store("내 고양이 이름은 나비야")
            with pytest.raises(SyncError, match="new-device"):
                copy.sync.with_device(url, served.token)
            copy.sync.new_device()
            copy.sync.with_device(url, served.token)
            assert contents(copy) == contents(desk)


def test_a_wrong_token_and_nobody_there_are_told(serve, two) -> None:
    laptop, desk = two
    with serve(desk) as served, pytest.raises(SyncError, match="refused"):
        laptop.sync.with_device(str(served.url), "cel_wrong")
    with pytest.raises(SyncError, match="does not answer"):
        laptop.sync.with_device("http://127.0.0.1:9", "cel_x")
    with pytest.raises(SyncError, match="anybody on the way"):
        laptop.sync.with_device("http://198.51.100.7:80", "cel_x")


def test_a_mistyped_passphrase_is_only_a_try_that_failed(serve, two, monkeypatch) -> None:
    """What was packed with it is packed again, on both sides."""
    laptop, desk = two
    laptop.store("Mina lives in Busan")
    desk.store("내 고양이 이름은 나비야")
    with serve(desk) as served:
        url = str(served.url)
        monkeypatch.setenv("CELESTIAL_SYNC_PASSPHRASE", "blue mood")  # read by the server, for each request
        with pytest.raises(SyncError, match="another passphrase"):
            laptop.sync.with_device(url, served.token, passphrase="red moon")
        with pytest.raises(SyncError, match="another passphrase"):
            laptop.sync.with_device(url, served.token, passphrase="blue moon")
        monkeypatch.setenv("CELESTIAL_SYNC_PASSPHRASE", "blue moon")
        laptop.sync.with_device(url, served.token, passphrase="blue moon")
    assert contents(laptop) == contents(desk)
    assert len(contents(desk)) == 2
