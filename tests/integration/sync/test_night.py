"""Nights, archives and the self on several devices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.sync.conftest import Clock, contents

from celestial_engine import CelestialMemory

Device = Callable[..., CelestialMemory]
DAY = 86_400.0


def exchange(folder: Path, *devices: CelestialMemory) -> None:
    for memory in devices:
        assert memory.sync.with_folder(str(folder), plaintext=True).problems == ()


@pytest.mark.parametrize("purged", [False, True])
def test_two_devices_that_merge_duplicates_into_each_other_keep_one(
    device: Device, tmp_path: Path, clock: Clock, purged: bool
) -> None:
    laptop, phone = device("laptop"), device("phone")
    first = laptop.store("Mina lives in Busan")
    second = phone.store("Mina lives in Busan.")
    exchange(tmp_path / "shared", laptop, phone, laptop)
    for memory, item in ((laptop, first), (phone, second)):  # each prefers another one
        clock.tick()
        memory.remind(item.id)
        memory.sleep(duties=["consolidate"], force=True)
    assert laptop.get(second.id).state.value == phone.get(first.id).state.value == "cliff"
    if purged:
        for _ in range(9):
            clock.tick(DAY)
            for memory in (laptop, phone):
                memory.recall("something else")
                memory.rebalance()
        assert len(contents(laptop)) == len(contents(phone)) == 1
    exchange(tmp_path / "shared", laptop, phone, laptop, phone, laptop, phone)
    assert contents(laptop) == contents(phone)
    active = [record for record in contents(laptop).values() if record["state"] == "active"]
    assert [record["id"] for record in active] == [min(first.id, second.id)]


def test_days_on_which_the_owner_was_active_elsewhere_count(device: Device, tmp_path: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, phone)
    clock.tick(10 * DAY)
    laptop.recall("Busan")
    exchange(tmp_path / "shared", laptop, phone)
    with phone.parts.store.read() as session:
        assert session.presence.last_active(phone.owner) == clock.now


def test_an_island_that_was_approved_on_one_device_stands_on_the_other(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("My daughter is called Yuna")
    laptop.self.approve_core(item.id, by="Mina")
    proposal = laptop.self.propose.island("Family", description="those who are close", founders=[item.id])
    laptop.self.approve(proposal.id, laptop.self.approval_token(proposal.id), by="Mina")
    exchange(tmp_path / "shared", laptop, phone)
    (island,) = phone.self.islands()
    assert (island.name, island.founders) == ("Family", (item.id,))
    assert phone.self.versions()[0].by == "Mina"
    exchange(tmp_path / "shared", phone, laptop)
    assert [one.part for one in laptop.self.islands()] == [island.part]


def test_an_archived_memory_is_told_with_its_text(device: Device, tmp_path: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("Mina lives in Busan", session_id="s1")
    clock.tick(40 * DAY)
    laptop.store("later", session_id="s2")
    laptop.departures.retain("coordinates-v1")
    exchange(tmp_path / "shared", laptop, phone)
    assert phone.get(item.id).content == "Mina lives in Busan"
