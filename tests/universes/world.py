"""One universe: several clients, nights, backups, a clock and a disk that fails; and a model of what was acknowledged.

Everything is chosen by a list of steps, which one seed makes. A list can be shortened and played again.
"""

from __future__ import annotations

import os
import random
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from tests.universes.apsw_driver import Connection
from tests.universes.disk import Disk

from celestial_engine import CelestialMemory, KeepingSettings, RetentionPolicy, Settings, StorageSettings
from celestial_engine.backups import restore_backup
from celestial_engine.errors import CelestialError, StorageError
from celestial_engine.moves import move_memories
from celestial_engine.storage.sqlite import driver

START = 1_780_000_000.0
_OTHER_DEVICE = "elsewhere.db"
OWNERS = ("ann", "bo", "cho")
CLIENTS = 3
WORDS = (
    "amber birch cedar delta ember fjord grove heron iris jade kelp lotus maple nectar onyx pearl quartz river "
    "sable tulip umber violet willow xenon yarrow zinc 강물 나무 달빛 모래 바람 소금 안개 자갈 창문 하늘"
).split()

WEIGHTS = {
    "store": 30, "store_many": 6, "recall": 8, "search": 8, "update": 10, "forget": 8, "restore": 5, "erase": 4,
    "pin": 3, "night": 3, "rebalance": 3, "archive": 4, "bring_back": 4, "backup": 4, "restore_backup": 2,
    "reopen": 4, "kill": 5, "power_cut": 6, "power_cut_later": 12, "fail_later": 8, "fill_disk": 4, "make_room": 6,
    "clock": 6, "compress": 1, "repair": 1, "move_owners": 2, "store_elsewhere": 3, "sync": 3,
}  # fmt: skip


class BrokenPromiseError(AssertionError):
    """The universe is not as it was promised."""


@dataclass(frozen=True)
class Step:
    """One step; `dice` seeds every choice inside it, so that steps stay the same when others are left out."""

    name: str
    dice: int


def steps_of(seed: int, length: int) -> list[Step]:
    dice = random.Random(seed)
    names = dice.choices(list(WEIGHTS), list(WEIGHTS.values()), k=length)
    return [Step(name, dice.randrange(1 << 30)) for name in names]


@dataclass(frozen=True)
class Known:
    """What the model knows of one memory. `place`: orbit, cliff, archived or gone."""

    content: str
    number: int
    place: str = "orbit"


Memories = dict[tuple[str, str], Known]


class World:
    """Plays steps; after each, everything acknowledged must be there."""

    def __init__(self, folder: Path, template: Path, seed: int) -> None:
        self.root = folder
        self.dice = random.Random(seed)
        self.now = START
        self.generation = 0
        self.known: Memories = {}
        self.unsure: Memories = {}  # a call that failed may have happened: what the memories would be then
        self.erased: set[str] = set()
        self.backups: list[tuple[str, Memories]] = []
        self.clients: list[CelestialMemory | None] = [None] * CLIENTS
        self.disk = Disk(self._folder(), self.dice)
        shutil.copytree(template, self.disk.folder, dirs_exist_ok=True)
        self.name = "m.db"  # of the database, which may be moved to another
        self.elsewhere: Memories = {}  # what another device of theirs stored, and this one has not got yet
        self.counter = 0
        self.faults = 0
        self.noticed = False

    def _folder(self) -> Path:
        folder = self.root / f"disk{self.generation}"
        folder.mkdir(parents=True)
        return folder

    @property
    def path(self) -> str:
        return str(self.disk.folder / self.name)

    # -- playing ------------------------------------------------------------------------------------

    def play(self, step: Step) -> None:
        self.dice.seed(step.dice)
        self.disk.dice = self.dice
        before = dict(self.known)
        try:
            getattr(self, f"_{step.name}")()
        except BrokenPromiseError:
            raise
        except Exception as error:
            # Only a fault that this universe made may fail a call, and only with an error of ours.
            if not isinstance(error, CelestialError | OSError) or not self._is_explained():
                raise BrokenPromiseError(f"{type(error).__name__}: {error}") from error
            self.faults += 1
            self._may_have_happened(before)
        if self.disk.is_cut:
            self._reboot()
        self._compare()

    def end(self) -> bool:
        """Repairs the disk, opens everything again and looks at every promise."""
        self.disk.full, self.disk.fail_in, self.disk.cut_in = False, None, None
        if self.disk.is_cut:
            self._reboot()
        self._close_all()
        self._compare(whole=True)
        self._close_all()
        return False

    def betray(self) -> bool:
        """The disk lost a write that it had acknowledged: it is noticed, or nothing is missing. Was it noticed?"""
        self.end()
        if self.disk.lose_a_write() is None:
            return False
        try:
            memory = self.clients[0] = self._open()
            if memory.maintenance.check() or not memory.ledger.verify().ok:
                return True
        except CelestialError:
            return True
        self._compare(whole=True)
        return False

    def dispose(self) -> None:
        self.disk.full, self.disk.fail_in, self.disk.cut_in, self.disk.image = False, None, None, None
        self._close_all()
        self.disk.close()

    def _is_explained(self) -> bool:
        return self.disk.is_cut or self.disk.full or self._had_a_fault

    def _may_have_happened(self, before: Memories) -> None:
        self.unsure.update({key: value for key, value in self.known.items() if before.get(key) != value})
        self.known = before

    @property
    def _had_a_fault(self) -> bool:
        return self._armed and self.disk.fail_in is None

    _armed = False

    # -- clients ------------------------------------------------------------------------------------

    def _client(self, owner: str) -> CelestialMemory:
        place = self.dice.randrange(CLIENTS)
        memory = self.clients[place]
        if memory is None:
            memory = self.clients[place] = self._open()
        return memory.of(owner)

    def _open(self, path: str | None = None) -> CelestialMemory:
        settings = Settings(storage=StorageSettings(busy_timeout=0.2), keeping=KeepingSettings(time="calendar"))
        return CelestialMemory(
            path or self.path, rebalance_interval=None, clock=lambda: self.now, embedder="hashed", settings=settings,
            auto_forget_days=None,
        )  # fmt: skip

    def _close_all(self) -> None:
        for place, memory in enumerate(self.clients):
            self.clients[place] = None
            if memory is not None:
                with suppress(StorageError, OSError):
                    memory.close()

    def _text(self) -> str:
        self.counter += 1
        return f"{' '.join(self.dice.sample(WORDS, 5))} {self.counter}"

    def _one(self, place: str, owner: str) -> str | None:
        ids = [item for (whose, item), known in self.known.items() if whose == owner and known.place == place]
        ids = [item for item in ids if (owner, item) not in self.unsure]
        return self.dice.choice(sorted(ids, key=lambda item: self.known[owner, item].number)) if ids else None

    # -- steps --------------------------------------------------------------------------------------

    def _store(self) -> None:
        owner, text = self.dice.choice(OWNERS), self._text()
        item = self._client(owner).store(text, metadata={"n": self.counter}, session_id=f"s{self.dice.randrange(3)}")
        self.known[owner, item.id] = Known(text, self.counter)

    def _store_many(self) -> None:
        owner, texts = self.dice.choice(OWNERS), [self._text() for _ in range(3)]
        for text, item in zip(texts, self._client(owner).store_many(texts), strict=True):
            self.known[owner, item.id] = Known(text, 0)

    def _recall(self) -> None:
        self._client(self.dice.choice(OWNERS)).recall(" ".join(self.dice.sample(WORDS, 2)))

    def _search(self) -> None:
        """A memory is found by its own words, by its owner and by nobody else."""
        owner = self.dice.choice(OWNERS)
        item = self._one("orbit", owner)
        if item is None:
            return
        content = self.known[owner, item].content
        if item not in {hit.id for hit in self._client(owner).search(content, limit=10)}:
            raise BrokenPromiseError(f"search: {content!r} of {owner} is not found")
        for other in OWNERS:
            found = {hit.id for hit in self._client(other).search(content, limit=50)}
            if other != owner and item in found:
                raise BrokenPromiseError(f"search: {other} finds what belongs to {owner}")

    def _update(self) -> None:
        owner = self.dice.choice(OWNERS)
        item, text = self._one("orbit", owner), self._text()
        if item is not None:
            self.known[owner, item] = Known(text, self.counter)
            self._client(owner).update(item, content=text, metadata={"n": self.counter})

    def _forget(self) -> None:
        self._move("orbit", "cliff", "forget")

    def _restore(self) -> None:
        self._move("cliff", "orbit", "restore")

    def _move(self, before: str, after: str, verb: str) -> None:
        owner = self.dice.choice(OWNERS)
        item = self._one(before, owner)
        if item is not None:
            self.known[owner, item] = replace(self.known[owner, item], place=after)
            getattr(self._client(owner), verb)(item)

    def _pin(self) -> None:
        owner = self.dice.choice(OWNERS)
        item = self._one("orbit", owner)
        if item is not None:
            self._client(owner).pin(item)

    def _erase(self) -> None:
        owner = self.dice.choice(OWNERS)
        item = self._one(self.dice.choice(("orbit", "cliff")), owner)
        if item is not None:
            self.known[owner, item] = replace(self.known[owner, item], place="gone")
            self._client(owner).departures.erase([item])
            self.erased.add(item)

    def _night(self) -> None:
        self._client(self.dice.choice(OWNERS)).sleep(force=True)

    def _rebalance(self) -> None:
        self._client(self.dice.choice(OWNERS)).rebalance()

    def _archive(self) -> None:
        """Sessions that nothing touched for a day; which ones the engine says."""
        owner = self.dice.choice(OWNERS)
        memory = self._client(owner)
        planned = memory.departures.retain(RetentionPolicy(archive_after_days=1), dry_run=True).plan
        ids = [row.item_id for session in planned.archiving for row in session.holdings]
        for item in ids:
            self.known[owner, item] = replace(self.known[owner, item], place="archived")
        memory.departures.retain(RetentionPolicy(archive_after_days=1))

    def _bring_back(self) -> None:
        self._move_archived()

    def _move_archived(self) -> None:
        owner = self.dice.choice(OWNERS)
        item = self._one("archived", owner)
        if item is not None:
            self.known[owner, item] = replace(self.known[owner, item], place="orbit")
            back = self._client(owner).departures.bring_back(item)
            if [one.id for one in back.items] != [item]:
                raise BrokenPromiseError(f"bring_back: {back}")

    def _backup(self) -> None:
        self.counter += 1
        target = f"backup{self.counter}.db"
        self._client(OWNERS[0]).transfer.backup(str(self.disk.folder / target))
        if not self.unsure:
            self.backups.append((target, dict(self.known)))

    def _restore_backup(self) -> None:
        """What was purged since stays purged; everything else is as it was."""
        usable = [(name, known) for name, known in self.backups if (self.disk.folder / name).exists()]
        if not usable or self.unsure:
            return
        name, then = self.dice.choice(usable)
        self._close_all()
        gone = {item: replace(known, place="gone") for item, known in then.items() if item[1] in self.erased}
        self.known = {**{key: replace(value, place="gone") for key, value in self.known.items()}, **then, **gone}
        restore_backup(self.disk.folder / name, self.path, clock=lambda: self.now)

    def _reopen(self) -> None:
        self._close_all()

    def _kill(self) -> None:
        """The processes die; the machine does not, so nothing that was written is lost."""
        image = {
            str(file.relative_to(self.disk.folder)): file.read_bytes()
            for file in self.disk.folder.rglob("*")
            if file.is_file() and not file.name.endswith("-shm")
        }
        self.disk.image = image
        self._close_all()

    def _power_cut(self) -> None:
        self.disk.cut_power()
        self._close_all()

    def _power_cut_later(self) -> None:
        self.disk.cut_in = self.dice.randrange(60)

    def _fail_later(self) -> None:
        self.disk.fail_in = self.dice.randrange(40)
        self._armed = True

    def _fill_disk(self) -> None:
        self.disk.full = True

    def _make_room(self) -> None:
        self.disk.full, self.disk.fail_in, self._armed = False, None, False

    def _clock(self) -> None:
        self.now += self.dice.choice((1.0, 60.0, 3_600.0, 90_000.0, -60.0))

    def _compress(self) -> None:
        self._client(OWNERS[0]).ledger.compress()

    def _repair(self) -> None:
        self._client(OWNERS[0]).maintenance.repair()

    def _move_owners(self) -> None:
        """Everybody, into another file; life goes on there if the move succeeded, else where it was."""
        if self.unsure:
            return
        self.counter += 1
        target = f"moved{self.counter}.db"
        self._close_all()
        move_memories(self.path, self.disk.folder / target, clock=lambda: self.now)
        self.name = target
        self.backups.clear()

    def _store_elsewhere(self) -> None:
        """On another device of the owner, whose disk is as good as this one."""
        owner, text = self.dice.choice(OWNERS), self._text()
        memory = self._open(str(self.disk.folder / _OTHER_DEVICE))
        try:
            item = memory.of(owner).store(text, metadata={"n": self.counter})
            self.elsewhere[owner, item.id] = Known(text, self.counter)
        finally:
            memory.close()

    def _sync(self) -> None:
        """Both devices of an owner, through a folder: afterwards both have everything, and nothing erased is back."""
        owner, folder = self.dice.choice(OWNERS), str(self.disk.folder / "sync")
        new = {key: known for key, known in self.elsewhere.items() if key[0] == owner}
        for key, known in new.items():  # until it succeeds, each may be here or not
            self.known.setdefault(key, replace(known, place="gone"))
            self.unsure[key] = known
        other = self._open(str(self.disk.folder / _OTHER_DEVICE))
        try:
            for memory in (self._client(owner), other.of(owner), self._client(owner)):
                memory.sync.with_folder(folder, plaintext=True)
            there = {line["id"] for line in other.of(owner).transfer.export()}
        finally:
            other.close()
        for key, known in new.items():
            self.known[key] = known
            self.unsure.pop(key, None)
            del self.elsewhere[key]
        lost = [
            item
            for (whose, item), known in self.known.items()
            if whose == owner and known.place == "orbit" and item not in there and (owner, item) not in self.unsure
        ]
        back = there & self.erased
        if lost or back:
            raise BrokenPromiseError(f"sync: the other device lacks {lost}, and has erased {sorted(back)}")

    # -- looking ------------------------------------------------------------------------------------

    def _reboot(self) -> None:
        """The same files on another disk: what the power cut left of them."""
        image = self.disk.image or {}
        self._close_all()
        self.disk.close()
        self.generation += 1
        self.disk = Disk(self._folder(), self.dice)
        for name, content in image.items():
            file = self.disk.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        self._armed = False
        self._compare(whole=True)
        self.unsure.clear()  # what the log still held is now there for good, or gone

    @contextmanager
    def _calm(self) -> Iterator[None]:
        """Nothing fails while the promises are looked at."""
        disk = self.disk
        saved = disk.full, disk.fail_in, disk.cut_in
        disk.full, disk.fail_in, disk.cut_in = False, None, None
        try:
            yield
        finally:
            disk.full, disk.fail_in, disk.cut_in = saved

    def _compare(self, *, whole: bool = False) -> None:
        with self._calm():
            memory = self.clients[0] or self._open()
            self.clients[0] = memory
            for owner in OWNERS if whole else [self.dice.choice(OWNERS)]:
                self._compare_owner(memory.of(owner), owner)
            if whole:
                self._compare_whole(memory)

    def _compare_owner(self, memory: CelestialMemory, owner: str) -> None:
        places = {"active": "orbit", "faded": "orbit", "inactive": "orbit", "cliff": "cliff", "archived": "archived"}
        found = {
            line["id"]: Known(line["content"], line["metadata"].get("n", 0), places[line["state"]])
            for line in memory.transfer.export()
            if line.get("source") != "distillation"
        }
        for (whose, item), known in list(self.known.items()):
            if whose == owner and not self._holds(owner, item, known, found.get(item)):
                raise BrokenPromiseError(f"{owner} {item}: acknowledged {known}, found {found.get(item)}")
        for item, actual in found.items():
            if (owner, item) not in self.known:
                # A call that failed may have stored it; it never answered, so its id is new to us.
                if not self.faults:
                    raise BrokenPromiseError(f"{owner} {item}: nobody stored {actual}")
                if any(item == other for _, other in self.known):
                    raise BrokenPromiseError(f"{item} belongs to somebody else than {owner}")
                self.known[owner, item] = actual

    def _holds(self, owner: str, item: str, known: Known, found: Known | None) -> bool:
        actual = found or replace(known, place="gone")
        if actual == known:
            return True
        if self.unsure.get((owner, item)) == actual:
            self.known[owner, item] = actual
            return True
        return False

    def _compare_whole(self, memory: CelestialMemory) -> None:
        if problems := memory.maintenance.check():
            raise BrokenPromiseError(f"check: {[str(one) for one in problems]}")
        verified = memory.ledger.verify()
        if not verified.ok:
            raise BrokenPromiseError(f"ledger: {verified.fault}")


@contextmanager
def simulated(world: World) -> Iterator[None]:
    """The engine's connections go to the universe's disk."""

    def connect(path: str, *, timeout: float = 5.0, options: str = "", vault: None = None) -> Connection:
        address = f"file:{os.path.abspath(path)}?{options}" if options else path
        return Connection(address, world.disk.name, timeout, uri=bool(options))

    real, really_sync = os.write, os.fsync

    def write(handle: int, data: bytes) -> int:
        return world.disk.write_other_file(real)(handle, data)

    def sync(handle: int) -> None:
        really_sync(handle)
        if stat.S_ISDIR(os.fstat(handle).st_mode) and not world.disk.is_cut:
            world.disk.unlinked.clear()

    with (
        mock.patch.object(driver, "connect", connect),
        mock.patch("os.write", write),
        mock.patch("os.fsync", sync),
    ):
        yield


def play(seed: int, folder: Path, template: Path, steps: list[Step], *, betrayed: bool = False) -> World:
    """Plays one universe; raises BrokenPromiseError with the step that broke a promise.

    At its end the disk may turn out to have lost a write (`betrayed`).
    """
    world = World(folder, template, seed)
    with simulated(world):
        try:
            for number, step in enumerate(steps):
                try:
                    world.play(step)
                except BrokenPromiseError as error:  # noqa: PERF203 - to say which step it was
                    raise BrokenPromiseError(f"step {number} ({step.name}): {error}") from error
            world.noticed = world.betray() if betrayed else world.end()
        finally:
            world.dispose()
            shutil.rmtree(folder, ignore_errors=True)
    return world
