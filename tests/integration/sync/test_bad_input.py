"""Foreign and newer bundles, half-copied folders, wrong clocks, two databases with one id: clear, and nothing lost."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.sync.conftest import NOON, Clock, contents

from celestial_engine import CelestialMemory
from celestial_engine.core.sync.bundle import bundle_hash
from celestial_engine.errors import Reason, SyncError

Device = Callable[..., CelestialMemory]
YEARS = 30 * 365 * 86_400.0


def exchange(memory: CelestialMemory, folder: Path, **more: object):
    return memory.sync.with_folder(str(folder), **({"plaintext": True} | more))


def bundles(folder: Path) -> list[Path]:
    return sorted((folder / "devices").rglob("*.celestial"))


def reasons(report) -> list[Reason]:
    return [problem.reason for problem in report.problems]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return tmp_path / "shared"


def test_nothing_is_written_in_the_clear_unless_asked(device: Device, shared: Path) -> None:
    memory = device("laptop")
    memory.store("Mina lives in Busan")
    with pytest.raises(SyncError, match="no passphrase is set"):
        memory.sync.with_folder(str(shared))
    assert not shared.exists()


def test_encrypted_bundles_need_the_same_passphrase(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared, passphrase="blue moon", plaintext=False)
    assert b"Busan" not in b"".join(path.read_bytes() for path in bundles(shared))
    wrong = exchange(phone, shared, passphrase="red moon", plaintext=False)
    assert reasons(wrong) == [Reason.SYNC_WRONG_KEY]
    assert reasons(exchange(phone, shared)) == [Reason.SYNC_SEALED]
    assert contents(phone) == {}
    exchange(phone, shared, passphrase="blue moon", plaintext=False)
    assert contents(phone) == contents(laptop)


def test_plain_bundles_are_refused_by_those_who_encrypt(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    assert reasons(exchange(phone, shared, passphrase="x", plaintext=False)) == [Reason.SYNC_PLAIN]


def test_a_changed_bundle_is_not_believed(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    (path,) = bundles(shared)
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(bytes(data))
    assert reasons(exchange(phone, shared)) == [Reason.SYNC_DAMAGED]
    assert contents(phone) == {}


def test_half_a_folder_is_waited_for(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    laptop.store("내 고양이 이름은 나비야")
    exchange(laptop, shared)
    first, second = bundles(shared)
    whole, aside = second.read_bytes(), first.read_bytes()
    first.unlink()
    assert len(exchange(phone, shared).waiting) == 1  # the second without the first
    first.write_bytes(aside)
    second.write_bytes(whole[:-10])
    report = exchange(phone, shared)
    assert (report.read, len(report.waiting)) == (1, 1)
    second.write_bytes(whole)
    assert exchange(phone, shared).read == 1
    assert contents(phone) == contents(laptop)


def test_foreign_and_newer_files_are_named_and_the_rest_is_read(device: Device, shared: Path) -> None:
    laptop, phone, desk = device("laptop"), device("phone"), device("desk")
    laptop.store("Mina lives in Busan")
    desk.store("내 고양이 이름은 나비야")
    exchange(desk, shared)
    exchange(laptop, shared)
    (path,) = [path for path in bundles(shared) if path.parent.name == laptop.sync.status().device]
    header, _, payload = path.read_bytes().partition(b"\n")
    newer = json.dumps(json.loads(header) | {"version": 99}).encode() + b"\n" + payload
    for data, reason in ((b"holiday photo", Reason.SYNC_FOREIGN), (newer, Reason.SYNC_NEWER)):
        path.write_bytes(data)
        assert reasons(exchange(phone, shared)) == [reason]
    assert list(contents(phone)) == list(contents(desk))
    (shared / "devices" / "notes.txt").write_text("not ours")
    (path.parent / "00000001.celestial.syncthing-tmp").write_bytes(b"half")
    path.write_bytes(header + b"\n" + payload)
    assert exchange(phone, shared).problems == ()
    assert len(contents(phone)) == 2


def test_a_file_in_place_of_a_folder(device: Device, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SyncError, match="no folder"):
        exchange(device("laptop"), tmp_path / "file")


def test_a_disk_that_is_not_connected_is_not_taken_for_a_new_folder(device: Device, tmp_path: Path) -> None:
    laptop = device("laptop")
    laptop.store("Mina lives in Busan")
    with pytest.raises(SyncError, match=f"no folder {tmp_path / 'usb'}"):
        exchange(laptop, tmp_path / "usb" / "memory")
    assert not (tmp_path / "usb").exists()
    (tmp_path / "usb").mkdir()
    assert exchange(laptop, tmp_path / "usb" / "memory").sent_memories == 1


def test_an_old_bundle_is_not_taken_for_a_wrong_clock(device: Device, shared: Path, clock: Clock) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    clock.tick(YEARS)
    exchange(phone, shared)
    (other,) = phone.sync.status().devices
    assert (other.clock_ahead, other.heard_at) == (None, clock.now)


def test_another_owners_bundle_is_refused(device: Device, shared: Path) -> None:
    laptop, other = device("laptop"), device("other", user_id="jun")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    assert reasons(exchange(other, shared)) == [Reason.SYNC_OTHER_OWNER]
    assert contents(other) == {}


def test_a_copied_database_is_noticed_and_gets_a_new_id(device: Device, shared: Path, tmp_path: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    laptop.transfer.backup(tmp_path / "copy.db")
    copy = CelestialMemory(tmp_path / "copy.db", rebalance_interval=None, clock=Clock(), embedder="none")
    laptop.store("I like green tea")
    exchange(laptop, shared)
    copy.store("내 고양이 이름은 나비야")
    with pytest.raises(SyncError, match="new-device"):
        exchange(copy, shared)
    copy.sync.new_device()
    for memory in (copy, phone, laptop, copy):
        assert exchange(memory, shared).problems == ()
    assert len(contents(laptop)) == 3
    assert contents(laptop) == contents(phone) == contents(copy)
    copy.close()


def test_two_databases_that_wrote_with_one_id_are_told_apart_by_the_others(
    device: Device, shared: Path, tmp_path: Path
) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    laptop.transfer.backup(tmp_path / "copy.db")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(shared, elsewhere)
    with CelestialMemory(tmp_path / "copy.db", rebalance_interval=None, embedder="none") as copy:
        copy.store("내 고양이 이름은 나비야")
        exchange(copy, elsewhere)
    laptop.store("I like green tea")
    exchange(laptop, shared)
    shutil.copytree(elsewhere, shared, dirs_exist_ok=True)  # the folders meet later
    assert reasons(exchange(phone, shared)) == [Reason.SYNC_FORKED]


def test_a_clock_that_is_wrong_by_years_decides_nothing_it_knew_of(
    device: Device, shared: Path, clock: Clock
) -> None:
    future = Clock(NOON + YEARS)
    laptop, broken = device("laptop"), device("broken", clock=future)
    item = broken.store("The report is due on Friday")
    broken.recall("report")
    exchange(broken, shared)
    exchange(laptop, shared)
    assert laptop.get(item.id).last_recalled_at <= clock.now
    laptop.update(item.id, content="The report is due on Monday")
    exchange(laptop, shared)
    exchange(broken, shared)
    assert broken.get(item.id).content == laptop.get(item.id).content == "The report is due on Monday"
    (other,) = laptop.sync.status().devices
    assert other.clock_ahead == pytest.approx(YEARS, rel=0.01)
    assert not laptop.departures.cliff()


def test_a_dry_run_writes_nothing(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    report = exchange(laptop, shared, dry_run=True)
    assert (report.sent_memories, shared.exists()) == (1, False)
    exchange(laptop, shared)
    report = exchange(phone, shared, dry_run=True)
    assert (report.read, dict(report.changed), report.dry_run) == (1, {"stored": 1}, True)
    assert contents(phone) == {}


def test_a_folder_that_was_emptied_is_filled_again(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared)
    shutil.rmtree(shared / "devices")
    laptop.store("I like green tea")
    exchange(laptop, shared)
    exchange(phone, shared)
    assert contents(phone) == contents(laptop)


def rewritten(path: Path, marks: dict[str, Any], texts: dict[str, Any] | None) -> None:
    """Replaces what a plain bundle says of its one memory: values by register, as if its device had written them."""
    header, _, payload = path.read_bytes().partition(b"\n")
    head, record = (json.loads(line) for line in zlib.decompress(payload).splitlines())
    (key,) = record["marks"]["presence"]["seen"]

    def register(value: Any) -> dict[str, Any]:
        return {"seen": {key: 1}, "versions": [] if value is None else [[key, 1, NOON + 5, value]]}

    if "counts" in marks:
        record["marks"]["counts"] = {"recall_count": {key: [1, marks["counts"]]}}
    if "presence" in marks:
        record["marks"]["presence"] = register(marks["presence"])
    if texts is not None:
        record["texts"] = {name: register(value) for name, value in texts.items()}
    payload = zlib.compress(json.dumps(head).encode() + b"\n" + json.dumps(record).encode() + b"\n")
    data = json.dumps({**json.loads(header), "size": len(payload)}).encode() + b"\n" + payload
    path.unlink()
    path.with_name(f"00000001-{bundle_hash(data)[:16]}.celestial").write_bytes(data)


LEFT = {"state": "cliff", "reason": "expired", "left_at": NOON}
GONE = {"state": "purged", "reason": "manual", "left_at": NOON}


@pytest.mark.parametrize(
    ("marks", "texts"),
    [
        ({"presence": {"state": "archived"}}, None),
        ({"presence": {**LEFT, "left_at": None}}, {}),
        ({"presence": {**LEFT, "left_at": "5"}}, {}),
        ({"presence": {**LEFT, "recalls": "5"}}, {}),
        ({"presence": {**LEFT, "recalls": True}}, {}),
        ({"presence": {**LEFT, "absorbed": "abc"}}, {}),
        ({"presence": {**LEFT, "absorbed": {"abc": None}}}, {}),
        ({}, {"labels": {"metadata": 5}}),
        ({}, {"validity": {"validity": {"until": "x"}}}),
        ({}, {"origin": {}}),
        ({}, {"content": {"content": "Mina lives in Busan"}}),
        ({}, {"content": None}),
        ({}, {"mood": {}}),
        ({"presence": GONE}, {"content": {}}),
        ({"presence": GONE}, {"labels": {"metadata": 5}}),
    ],
)
def test_what_is_said_without_a_text_is_checked_too_and_keeps_no_other_device_out(
    device: Device, shared: Path, tmp_path: Path, marks: dict[str, Any], texts: dict[str, Any] | None
) -> None:
    laptop, phone, desk = device("laptop"), device("phone"), device("desk")
    laptop.store("Mina lives in Busan")
    exchange(laptop, tmp_path / "elsewhere")
    exchange(desk, tmp_path / "elsewhere")
    exchange(laptop, shared)
    rewritten(*bundles(shared), marks, texts)
    for _ in range(2):
        assert reasons(exchange(phone, shared)) == [Reason.SYNC_DAMAGED]
    exchange(desk, shared)
    assert reasons(exchange(phone, shared)) == [Reason.SYNC_DAMAGED]
    assert contents(phone) == contents(desk)
    assert len(contents(phone)) == 1


WHOLE = {"content": {"content": "Mina lives in Seoul"}, "origin": {"created_at": NOON}}


@pytest.mark.parametrize(("marks", "texts"), [({}, WHOLE), ({}, {"labels": {}}), ({"counts": 10**9}, None)])
def test_a_lie_that_makes_sense_keeps_no_other_device_out(
    device: Device, shared: Path, tmp_path: Path, marks: dict[str, Any], texts: dict[str, Any] | None
) -> None:
    laptop, phone, desk = device("laptop"), device("phone"), device("desk")
    item = laptop.store("Mina lives in Busan")
    exchange(laptop, tmp_path / "elsewhere")
    exchange(desk, tmp_path / "elsewhere")
    desk.recall("Busan")
    exchange(laptop, shared)
    rewritten(*bundles(shared), marks, texts)
    for memory in (phone, desk) * 5:
        assert reasons(exchange(memory, shared)) == []
    assert contents(phone) == contents(desk)
    assert contents(phone)[item.id]["content"] in ("Mina lives in Busan", "Mina lives in Seoul")


def test_a_mistyped_passphrase_publishes_nothing(device: Device, shared: Path) -> None:
    """A bundle with it would keep what this device writes later from all others."""
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared, passphrase="blue moon", plaintext=False)
    phone.store("Mina likes tea")
    before = bundles(shared)
    for wrong in ({"passphrase": "blue mood", "plaintext": False}, {"plaintext": True}):
        assert len(reasons(exchange(phone, shared, dry_run=True, **wrong))) == 1
        assert len(reasons(exchange(phone, shared, **wrong))) == 1
        assert bundles(shared) == before
    exchange(phone, shared, passphrase="blue moon", plaintext=False)
    phone.store("Mina has a cat")
    report = exchange(phone, shared, passphrase="blue mood", plaintext=False)
    assert reasons(report) == [Reason.SYNC_WRONG_KEY], "told without news of others, too"
    exchange(phone, shared, passphrase="blue moon", plaintext=False)
    exchange(laptop, shared, passphrase="blue moon", plaintext=False)
    assert contents(laptop) == contents(phone)
    assert len(contents(laptop)) == 3


@pytest.mark.parametrize("first", [{"passphrase": "blue mood", "plaintext": False}, {"plaintext": True}])
def test_the_first_device_may_correct_its_passphrase(first: dict[str, Any], device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared, **first)
    laptop.store("Mina likes tea")
    exchange(laptop, shared, **first)
    phone.store("Mina has a cat")
    assert reasons(exchange(phone, shared, passphrase="blue moon", plaintext=False))
    exchange(laptop, shared, passphrase="blue moon", plaintext=False)
    assert b"Busan" not in b"".join(path.read_bytes() for path in bundles(shared))
    for memory in (phone, laptop):
        assert reasons(exchange(memory, shared, passphrase="blue moon", plaintext=False)) == []
    assert contents(laptop) == contents(phone)
    assert len(contents(laptop)) == 3


def test_what_was_encrypted_is_not_written_in_the_clear_later(device: Device, shared: Path) -> None:
    laptop = device("laptop")
    laptop.store("Mina lives in Busan")
    exchange(laptop, shared, passphrase="blue moon", plaintext=False)
    before = bundles(shared)
    laptop.store("Mina likes tea")
    assert reasons(exchange(laptop, shared)) == [Reason.SYNC_SEALED]
    assert bundles(shared) == before


def test_a_folder_gets_another_passphrase_by_being_emptied(device: Device, shared: Path) -> None:
    laptop, phone = device("laptop"), device("phone")
    laptop.store("Mina lives in Busan")
    phone.store("Mina likes tea")
    for memory in (laptop, phone, laptop):
        exchange(memory, shared, passphrase="blue moon", plaintext=False)
    shutil.rmtree(shared)
    phone.store("Mina has a cat")
    for memory in (laptop, phone, laptop):
        assert reasons(exchange(memory, shared, passphrase="red moon", plaintext=False)) == []
    assert contents(laptop) == contents(phone)
    assert len(contents(laptop)) == 3
