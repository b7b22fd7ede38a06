"""Kill -9 in the middle of a night, and again, and again: the next one ends where a single clean one would have."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, Source, Tier
from celestial_engine.core.night.sleep import Duty
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.engine.schedule.night import LEASE_SECONDS
from celestial_engine.testing.fakes import FakeClock

pytestmark = pytest.mark.usefixtures("calendar_time")  # weeks pass without a word

NIGHT = 1_750_000_000.0
DAY = 86_400.0

# Sleeps, and dies at its n-th moment: right before a transaction, at one of its events, or when it was committed.
SLEEPER = """
import contextlib, os, signal, sys
from celestial_engine import CelestialMemory
from celestial_engine.storage.sqlite.items.ledger import SqliteLedgerWriter
path, now, fatal = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
memory = CelestialMemory(path, rebalance_interval=None, clock=lambda: now)
write, record, moments = memory.parts.store.write, SqliteLedgerWriter.record, 0

def moment():
    global moments
    moments += 1
    if moments == fatal:
        os.kill(os.getpid(), signal.SIGKILL)

def recorded(ledger, event):
    moment()
    return record(ledger, event)

@contextlib.contextmanager
def written(owner, **options):
    moment()
    with write(owner, **options) as session:
        yield session
    moment()

memory.parts.store.write, SqliteLedgerWriter.record = written, recorded
report = memory.sleep(allow_large=True)
assert report.busy is None, report.busy
print(moments)
"""


def slept(path: str, now: float, fatal: int = 0) -> subprocess.CompletedProcess:
    arguments = [sys.executable, "-c", SLEEPER, path, str(now), str(fatal)]
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A memory with something to do for every duty."""
    path = str(tmp_path / "m.db")
    clock = FakeClock(NIGHT - 100 * DAY)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        memory.store_many([f"imported note {n} about topic{n % 7}" for n in range(40)])
        clock.advance(days=20)
        for n in range(25):
            memory.store(f"회의 {n}번에서 예산 {n}만 원을 정했다", source=Source.USER)
        for n in range(5):
            memory.store(f"the door code of gate {n} is {n}{n}{n}{n}", pinned=True)
        for n in range(5):
            memory.forget(memory.store(f"to be purged {n}").id)
        clock.advance(days=75)  # five days before the night
        for n in range(6):
            memory.store(f"민아는 카페 {n}호점에서 커피를 마셨다", tier=Tier.M30)
            memory.store("Jun plays the guitar in the evening", source=Source.CONVERSATION)
            memory.store("the parcel arrived at noon", source=Source.CONVERSATION)
        memory.store("I live in Seoul", source=Source.USER)
        clock.advance(days=1)
        memory.store("I live in Busan now", source=Source.USER)
        clock.advance(days=-70)
        for n in range(12):
            memory.store(f"overheard remark number {n}", tier=Tier.M30)
    return path


def contents(path: str, now: float) -> tuple[dict, Counter, Counter]:
    """Who is where; distilled ones by what they say, for their ids are new each time."""
    with CelestialMemory(path, rebalance_interval=None, clock=lambda: now) as memory:
        assert memory.maintenance.check() == []
        assert memory.ledger.verify().ok
        records = list(memory.transfer.export())
        events = Counter(event.type for event in memory.ledger.history(limit=100_000))
    made = {record["id"] for record in records if record["links"]["promoted_from"]}
    stays = {
        record["id"]: (
            record["content"], record["state"], record["tier"], record["recall_count"], record["mention_count"],
            record["validity"]["superseded_by"], record["resolution"]["gist"], record["protection"],
        )
        for record in records if record["id"] not in made
    }  # fmt: skip
    return stays, Counter((record["content"], record["tier"]) for record in records if record["id"] in made), events


@pytest.mark.slow
def test_killed_nights_end_as_one_clean_night(path, tmp_path):
    """The same memories in the same states, each event told once."""
    dice = random.Random(7)
    clean, torn = str(tmp_path / "clean.db"), str(tmp_path / "torn.db")
    for copy in (clean, torn):
        shutil.copy(path, copy)
    done = slept(clean, NIGHT)
    assert done.returncode == 0, done.stderr
    moments = int(done.stdout)
    assert moments > 100
    now, killed = NIGHT, 0
    for _ in range(12):
        end = slept(torn, now, dice.randint(1, moments // 4))
        killed += end.returncode == -signal.SIGKILL
        if end.returncode == 0:
            break
        assert end.returncode == -signal.SIGKILL, end.stderr
        now += LEASE_SECONDS  # whoever is dead does not extend its lease
    assert killed >= 3
    last = slept(torn, now)
    assert last.returncode == 0, last.stderr

    stays, made, events = contents(clean, now)
    stays_torn, made_torn, events_torn = contents(torn, now)
    assert stays_torn == stays
    assert made_torn == made
    for kind in (EventType.FORGOTTEN, EventType.PURGED, EventType.MERGED, EventType.SUPERSEDED, EventType.FADED,
                 EventType.PROMOTED, EventType.STORED):  # fmt: skip
        assert events_torn[kind] == events[kind], kind
        assert events[kind] > 0, f"the night had no {kind.value} to do"
    assert Counter(state for _, state, *_ in stays.values())[State.CLIFF.value] > 0


@pytest.mark.slow
def test_a_killed_night_is_gone_on_with_after_its_lease(path):
    """Not at once: it might be alive. What it did is not done again."""
    dead = slept(path, NIGHT, 60)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
    with CelestialMemory(path, rebalance_interval=None, clock=lambda: NIGHT + 1) as memory:
        assert memory.sleep().busy is not None
        before = {one.duty for one in memory.night.status().duties if not one.due}
        assert Duty.SUPERSEDE in before
    with CelestialMemory(path, rebalance_interval=None, clock=lambda: NIGHT + LEASE_SECONDS) as memory:
        report = memory.sleep(allow_large=True)
        assert report.duties
        assert not before & {one.duty for one in report.duties}
