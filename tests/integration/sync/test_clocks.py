"""Devices whose clocks are wrong by years, or whose news are old: no memory leaves because of that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.sync.conftest import NOON, Clock, contents

from celestial_engine import CelestialMemory
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.sync.duplicates import Rescue, find_rescue
from celestial_engine.core.sync.item_state import ItemState
from celestial_engine.core.sync.registers import Register
from celestial_engine.core.sync.state_checks import check_state
from celestial_engine.flow.departures.forget import move_to_cliff
from celestial_engine.flow.night import consolidate

Device = Callable[..., CelestialMemory]
DAY = 86_400.0
YEAR = 365 * DAY


def exchange(folder: Path, *devices: CelestialMemory) -> None:
    for memory in devices:
        report = memory.sync.with_folder(str(folder), plaintext=True)
        assert (report.problems, report.waiting) == ((), ())


def night(memory: CelestialMemory) -> None:
    memory.recall("something else")
    memory.rebalance()
    memory.sleep(force=True)


def states(memory: CelestialMemory) -> set[str]:
    return {record["state"] for record in contents(memory).values()}


@pytest.mark.parametrize("wrong_by", [-30 * YEAR, -YEAR, YEAR, 30 * YEAR])
def test_a_memory_of_a_wrong_clock_lives_as_long_as_any_other(
    device: Device, tmp_path: Path, clock: Clock, wrong_by: float
) -> None:
    wrong = Clock(NOON + wrong_by)
    laptop, broken = device("laptop"), device("broken", clock=wrong)
    ours = laptop.store("Mina lives in Busan", tier="M90")
    theirs = broken.store("The report is due on Friday", tier="M90")
    exchange(tmp_path / "shared", laptop, broken, laptop)
    assert laptop.get(theirs.id).expires_at == clock.now + 90 * DAY
    assert broken.get(ours.id).expires_at == wrong.now + 90 * DAY
    for _ in range(10):  # longer than a stay on the cliff
        clock.tick(DAY)
        wrong.tick(DAY)
        night(laptop)
        night(broken)
    exchange(tmp_path / "shared", laptop, broken, laptop)
    for memory in (laptop, broken):
        assert contents(memory).keys() == {ours.id, theirs.id}
        assert states(memory) == {"active"}


@pytest.mark.parametrize("wrong_by", [-30 * YEAR, 30 * YEAR])
def test_a_clock_that_is_set_right_takes_nothing_with_it(
    device: Device, tmp_path: Path, clock: Clock, wrong_by: float
) -> None:
    wrong = Clock(NOON + wrong_by)
    laptop, broken = device("laptop"), device("broken", clock=wrong)
    ours, theirs = laptop.store("Mina lives in Busan"), broken.store("The report is due on Friday")
    exchange(tmp_path / "shared", laptop, broken, laptop)
    wrong.now = clock.now
    for _ in range(10):
        clock.tick(DAY)
        wrong.now = clock.now
        night(laptop)
        night(broken)
        exchange(tmp_path / "shared", laptop, broken, laptop)
    for memory in (laptop, broken):
        assert contents(memory).keys() == {ours.id, theirs.id}
        assert states(memory) == {"active"}
        assert all(memory.get(item_id).expires_at <= clock.now + YEAR for item_id in contents(memory))


def test_a_clock_that_was_behind_and_is_right_again_names_nobody(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    behind = Clock(NOON - YEAR)
    laptop, broken = device("laptop"), device("broken", clock=behind)
    laptop.store("Mina lives in Busan")
    exchange(tmp_path / "shared", laptop, broken)
    assert [other.clock_ahead for other in broken.sync.status().devices] == [YEAR]
    behind.now = clock.now
    assert [other.clock_ahead for other in broken.sync.status().devices] == [None]


def test_a_clock_that_is_ahead_is_named_while_the_time_it_told_is_ahead(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop, ahead = device("laptop"), device("ahead", clock=Clock(NOON + 3 * DAY))
    ahead.store("Mina lives in Busan")
    exchange(tmp_path / "shared", ahead, laptop)
    named = []
    for _ in range(4):
        named.append([other.clock_ahead for other in laptop.sync.status().devices])
        clock.tick(DAY)
    assert named == [[3 * DAY], [2 * DAY], [None], [None]]


def left_because_of_time(memory: CelestialMemory, item_id: str) -> None:
    parts = memory.parts
    with parts.store.write(parts.owner) as session:
        item = session.items.get(parts.owner, item_id)
        assert item is not None
        move_to_cliff(session, parts.law(), item, DepartureReason.STALE, parts.now())


def merge_away(memory: CelestialMemory, gone: str, keeper: str) -> None:
    parts = memory.parts
    plan = consolidate.ConsolidationPlan((consolidate.Merge(keeper, gone),))
    assert consolidate.carry_out(parts.store, parts.law(), parts.owner, plan, parts.now())["merged"] == 1


@pytest.mark.parametrize("wrong_by", [-30 * YEAR, 0.0, 30 * YEAR])
def test_a_recall_keeps_what_another_device_let_go_without_knowing_of_it(
    device: Device, tmp_path: Path, clock: Clock, wrong_by: float
) -> None:
    wrong = Clock(NOON + wrong_by)
    laptop, broken = device("laptop"), device("broken", clock=wrong)
    item = laptop.store("Mina lives in Busan", tier="M90")
    exchange(tmp_path / "shared", laptop, broken)
    broken.recall("Busan")
    clock.tick(DAY)
    left_because_of_time(laptop, item.id)  # a day after the recall
    exchange(tmp_path / "shared", laptop, broken, laptop, broken)
    assert (laptop.get(item.id).state.value, broken.get(item.id).state.value) == ("active", "active")
    night(laptop)
    assert laptop.get(item.id).state.value == "active"
    assert laptop.get(item.id).expires_at > clock.now


@pytest.mark.parametrize("purged", [False, True])
@pytest.mark.parametrize("wrong_by", [-30 * YEAR, 0.0, 30 * YEAR])
def test_a_recall_keeps_a_duplicate_whose_survivor_another_device_let_go_without_knowing_of_it(
    device: Device, tmp_path: Path, clock: Clock, wrong_by: float, *, purged: bool
) -> None:
    wrong = Clock(NOON + wrong_by)
    laptop, broken = device("laptop"), device("broken", clock=wrong)
    items = [laptop.store("Mina lives in Busan" + end) for end in ("", ".")]
    exchange(tmp_path / "shared", laptop, broken)
    (gone,) = broken.recall("Busan", limit=1)
    (kept,) = (item for item in items if item.id != gone.id)
    for seconds in (clock, wrong):
        seconds.tick(DAY)
    merge_away(laptop, gone.id, kept.id)
    left_because_of_time(laptop, kept.id)  # a day after the recall
    if purged:
        exchange(tmp_path / "shared", laptop)
        laptop.departures.erase([kept.id])
    exchange(tmp_path / "shared", laptop, broken, laptop, broken)
    assert (laptop.get(gone.id).state.value, broken.get(gone.id).state.value) == ("active", "active")


@pytest.mark.parametrize("wrong_by", [-30 * YEAR, 0.0, 30 * YEAR])
def test_a_duplicate_whose_last_recall_was_known_leaves_with_its_survivor(
    device: Device, tmp_path: Path, clock: Clock, wrong_by: float
) -> None:
    laptop, phone = device("laptop"), device("phone", clock=Clock(NOON + wrong_by))
    items = [laptop.store("Mina lives in Busan" + end) for end in ("", ".")]
    exchange(tmp_path / "shared", laptop, phone)
    (gone,) = phone.recall("Busan", limit=1)
    (kept,) = (item for item in items if item.id != gone.id)
    exchange(tmp_path / "shared", phone, laptop)
    merge_away(laptop, gone.id, kept.id)
    left_because_of_time(laptop, kept.id)
    exchange(tmp_path / "shared", laptop, phone, laptop)
    assert (states(laptop), states(phone)) == ({"cliff"}, {"cliff"})


@pytest.mark.parametrize(("recalled_at", "rescue"), [(NOON - DAY, None), (NOON + DAY, Rescue(("gone",)))])
def test_where_recalls_of_duplicates_were_not_noted_yet_the_clock_tells(
    recalled_at: float, rescue: Rescue | None
) -> None:
    merged = {"state": "cliff", "reason": "merged", "into": "kept"}
    left = {"state": "cliff", "reason": "expired", "left_at": NOON, "absorbed": ["gone"]}
    presences = {name: Register().write("a", 1, NOON, value) for name, value in (("gone", merged), ("kept", left))}
    states = {name: ItemState({}, recalled_at, presence) for name, presence in presences.items()}
    states["kept"] = replace(states["kept"], recalled_at=0.0)
    for name, state in states.items():
        check_state(name, state)
    assert find_rescue("gone", states.__getitem__) == rescue


def test_a_memory_that_left_after_its_last_recall_was_known_stays_away(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop, phone = device("laptop"), device("phone", clock=Clock(NOON + 30 * YEAR))
    item = laptop.store("Mina lives in Busan", tier="M90")
    exchange(tmp_path / "shared", laptop, phone)
    phone.recall("Busan")
    exchange(tmp_path / "shared", phone, laptop)
    left_because_of_time(laptop, item.id)
    exchange(tmp_path / "shared", laptop, phone, laptop)
    assert (laptop.get(item.id).state.value, phone.get(item.id).state.value) == ("cliff", "cliff")


def test_days_without_the_owner_do_not_count_on_a_new_device_either(
    device: Device, tmp_path: Path, clock: Clock
) -> None:
    laptop = device("laptop")
    item = laptop.store("Mina lives in Busan", tier="M90")
    clock.tick(YEAR)
    laptop.recall("something else")
    phone = device("phone")
    exchange(tmp_path / "shared", laptop, phone)
    for _ in range(10):
        clock.tick(DAY)
        night(phone)
    exchange(tmp_path / "shared", phone, laptop)
    assert laptop.get(item.id).state.value == phone.get(item.id).state.value == "active"


def test_a_new_device_counts_its_days_from_today(device: Device, tmp_path: Path, clock: Clock) -> None:
    """Not from the last day of a clock that is behind by years, which would be an absence of years."""
    broken = device("broken", clock=Clock(NOON - 30 * YEAR))
    item = broken.store("Mina lives in Busan", tier="M90")
    phone = device("phone")
    exchange(tmp_path / "shared", broken, phone)
    clock.tick(DAY)
    phone.recall("something else")
    assert phone.get(item.id).expires_at == NOON + 90 * DAY
