"""`memory.sync` through a shared folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.integration.sync.conftest import Clock, contents

from celestial_engine import CelestialMemory

Device = Callable[..., CelestialMemory]


def exchange(folder: Path, *devices: CelestialMemory, rounds: int = 1) -> None:
    for _ in range(rounds):
        for memory in devices:
            report = memory.sync.with_folder(str(folder), plaintext=True)
            assert not report.problems
            assert not report.waiting


def test_memories_of_two_devices_are_together_after_they_met(device: Device, tmp_path: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("내 고양이 이름은 나비야")
    phone.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, phone, laptop)
    assert len(contents(laptop)) == 2
    assert contents(laptop) == contents(phone)
    assert laptop.recall("Where does Mina live?")[0].content == "Mina lives in Busan"


def test_counts_add_up(device: Device, tmp_path: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, phone)
    for memory, times in ((laptop, 2), (phone, 3)):
        for _ in range(times):
            clock.tick()
            memory.recall("Where does Mina live?")
    exchange(tmp_path / "shared", laptop, phone, rounds=3)
    assert [memory.get(item.id).recall_count for memory in (laptop, phone)] == [5, 5]
    assert contents(laptop) == contents(phone)


def test_of_two_edits_the_newer_is_in_force_and_both_are_kept(device: Device, tmp_path: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("The report is due on Friday")
    exchange(tmp_path / "shared", laptop, phone)
    clock.tick()
    phone.update(item.id, content="The report is due on Monday")
    clock.tick()
    laptop.update(item.id, content="The report is due on Tuesday")
    exchange(tmp_path / "shared", phone, laptop, phone)
    for memory in (laptop, phone):
        assert memory.get(item.id).content == "The report is due on Tuesday"
        (conflict,) = memory.sync.status().conflicts
        assert [text for _, text in conflict.others] == ["The report is due on Monday"]
    clock.tick()
    phone.update(item.id, content="The report is due on Monday")
    exchange(tmp_path / "shared", phone, laptop)
    assert laptop.get(item.id).content == "The report is due on Monday"
    assert laptop.sync.status().conflicts == phone.sync.status().conflicts == ()
    assert contents(laptop) == contents(phone)


def test_forgetting_wins_over_an_edit(device: Device, tmp_path: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("The report is due on Friday")
    exchange(tmp_path / "shared", laptop, phone)
    laptop.forget(item.id)
    clock.tick()
    phone.update(item.id, content="The report is due on Monday")
    exchange(tmp_path / "shared", laptop, phone, laptop)
    for memory in (laptop, phone):
        assert memory.get(item.id).state.value == "cliff"
    phone.restore(item.id)
    exchange(tmp_path / "shared", phone, laptop)
    assert laptop.get(item.id).state.value == "active"
    assert contents(laptop) == contents(phone)


def test_what_is_purged_is_gone_everywhere_and_from_the_folder(device: Device, tmp_path: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("a very secret plan")
    kept = laptop.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, phone)
    phone.departures.erase([item.id])
    exchange(tmp_path / "shared", phone, laptop, phone)
    assert list(contents(laptop)) == list(contents(phone)) == [kept.id]
    for name in ("laptop.db", "phone.db"):
        with CelestialMemory(tmp_path / name, rebalance_interval=None, embedder="none") as memory:
            record = memory.parts.store
            with record.read() as session:
                assert session.sync.records(memory.owner, [item.id])[item.id].texts is None
    import zlib

    for file in (tmp_path / "shared" / "devices").rglob("*.celestial"):
        assert b"secret plan" not in zlib.decompress(file.read_bytes().partition(b"\n")[2])


def test_an_approved_core_memory_is_core_everywhere_and_outlives_forgetting(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop, phone = device("laptop"), device("phone")
    item = laptop.store("My daughter is called Yuna")
    exchange(tmp_path / "shared", laptop, phone)
    laptop.self.approve_core(item.id, by="Mina")
    clock.tick()
    phone.forget(item.id)  # does not know yet that it is core
    exchange(tmp_path / "shared", phone, laptop, phone)
    for memory in (laptop, phone):
        found = memory.get(item.id)
        assert (found.state.value, found.protection.value, found.tier.value) == ("active", "core", "M0")
    assert contents(laptop) == contents(phone)


def test_nothing_happens_the_second_time(device: Device, tmp_path: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, phone, rounds=2)
    for memory in (laptop, phone):
        report = memory.sync.with_folder(str(tmp_path / "shared"), plaintext=True)
        assert (report.sent, report.read, dict(report.changed)) == (0, 0, {})
        assert memory.ledger.verify().ok
