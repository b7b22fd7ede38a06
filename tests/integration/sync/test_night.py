"""Nights, archives and the self on several devices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.sync.conftest import Clock, contents

from celestial_engine import CelestialMemory
from celestial_engine.flow.night import consolidate

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


def merge(memory: CelestialMemory, gone: str, keeper: str) -> None:
    parts = memory.parts
    plan = consolidate.ConsolidationPlan((consolidate.Merge(keeper, gone),))
    done = consolidate.carry_out(parts.store, parts.law(), parts.owner, plan, parts.now())
    assert done == {"merged": 1}


def two_copies(device: Device, folder: Path) -> tuple[CelestialMemory, CelestialMemory, str, str]:
    laptop, phone = device("laptop"), device("phone")
    first, second = laptop.store("Mina lives in Busan"), laptop.store("Mina lives in Busan.")
    exchange(folder, laptop, phone)
    return laptop, phone, first.id, second.id


def active(memory: CelestialMemory) -> dict[str, str]:
    return {record["id"]: record["content"] for record in contents(memory).values() if record["state"] == "active"}


def test_a_survivor_that_was_forgotten_elsewhere_gives_its_duplicate_back(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop, phone, first, second = two_copies(device, tmp_path / "shared")
    clock.tick()
    merge(laptop, first, second)
    phone.forget(second)  # keeps the other one on purpose
    exchange(tmp_path / "shared", laptop, phone, laptop, phone, laptop)
    assert list(active(laptop)) == list(active(phone)) == [first]


@pytest.mark.parametrize("erased", [False, True])
def test_forgetting_a_survivor_forgets_the_duplicates_that_it_stands_for(
    device: Device, tmp_path: Path, clock: Clock, erased: bool
) -> None:
    laptop, phone, first, second = two_copies(device, tmp_path / "shared")
    clock.tick()
    merge(laptop, first, second)
    exchange(tmp_path / "shared", laptop)
    clock.tick()
    laptop.forget(second)
    if erased:
        laptop.departures.erase([first, second])
    exchange(tmp_path / "shared", laptop, phone, laptop, phone)
    assert active(laptop) == active(phone) == {}
    assert contents(laptop) == contents(phone)


@pytest.mark.parametrize("edited", ["duplicate", "survivor"])
def test_a_merge_does_not_count_if_one_of_the_two_was_edited_elsewhere(
    device: Device, tmp_path: Path, clock: Clock, edited: str
) -> None:
    laptop, phone, first, second = two_copies(device, tmp_path / "shared")
    clock.tick()
    merge(laptop, first, second)
    clock.tick()
    phone.update(first if edited == "duplicate" else second, content="Mina lives in Porto")
    exchange(tmp_path / "shared", laptop, phone, laptop, phone, laptop)
    assert active(laptop) == active(phone)
    assert sorted(text.rstrip(".") for text in active(laptop).values()) == [
        "Mina lives in Busan",
        "Mina lives in Porto",
    ]
