"""A universe on a real PostgreSQL: clients behind a network that is cut in the middle of a message, and servers killed.

The steps, the model and the promises are those of `world.py`. A call that failed may have happened: the server goes on with
what it received before the cut.
"""

from __future__ import annotations

import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import psycopg
from tests.postgres_server import Server
from tests.tcp_proxy import Proxy
from tests.universes.world import OWNERS, BrokenPromiseError, Step, World

from celestial_engine import CelestialMemory, KeepingSettings, Settings
from celestial_engine.errors import CelestialError
from celestial_engine.moves import move_memories
from celestial_engine.storage.postgres import PostgresStore

WEIGHTS = {
    "store": 30, "store_many": 6, "recall": 10, "search": 8, "update": 10, "forget": 8, "restore": 5, "erase": 4,
    "pin": 3, "night": 2, "rebalance": 3, "reopen": 3, "cut": 4, "cut_later": 16, "mend": 12, "end_sessions": 4,
    "crash_server": 1, "clock": 6, "move_owners": 2,
}  # fmt: skip
_PATIENCE_SECONDS = 60
_ATTEMPTS = 20
_BUSY_SECONDS = 0.4


def steps_of(seed: int, length: int) -> list[Step]:
    dice = random.Random(seed)
    names = dice.choices(list(WEIGHTS), list(WEIGHTS.values()), k=length)
    return [Step(name, dice.randrange(1 << 30)) for name in names]


class Network:
    """Stands where the simulated disk is in the other universes."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.proxy = Proxy(f"{server.sockets}/.s.PGSQL.5432")
        self.dice = random.Random(0)
        self.is_cut = False  # of the power: never
        self.had_a_fault = False


class PostgresWorld(World):
    def __init__(self, folder: Path, server: Server, seed: int) -> None:
        self.root = folder
        folder.mkdir(parents=True)
        self.dice = random.Random(seed)
        self.network = self.disk = Network(server)  # type: ignore[assignment]
        self.now, self.generation, self.counter, self.faults, self.noticed = 1_780_000_000.0, 0, 0, 0, False
        self.known, self.unsure, self.erased = {}, {}, set()
        self.backups, self.clients = [], [None] * 3
        self.url = self._through(server.url())
        self.cuts = 0
        self._administrator: psycopg.Connection | None = None

    def _through(self, url: str) -> str:
        """The same database, behind the network."""
        return url.replace(f"host={self.network.server.sockets}", f"host=127.0.0.1&port={self.network.proxy.port}")

    @property
    def path(self) -> str:
        return self.url

    def _open(self) -> CelestialMemory:
        return CelestialMemory(
            item_store=PostgresStore(self.url, busy_timeout=_BUSY_SECONDS, clock=lambda own: own),
            rebalance_interval=None,
            clock=lambda: self.now,
            embedder="hashed",
            settings=Settings(keeping=KeepingSettings(time="calendar")),
            auto_forget_days=None,
        )

    # -- steps --------------------------------------------------------------------------------------

    def _cut(self) -> None:
        self.network.proxy.cut()
        self.network.had_a_fault = True
        self.cuts += 1

    def _cut_later(self) -> None:
        """In the middle of a message, from either side: also of the answer to a commit."""
        self.network.proxy.cut_in(self.dice.randrange(80), self.dice.random())
        self.network.had_a_fault = True
        self.cuts += 1

    def _mend(self) -> None:
        self.network.proxy.mend()

    def _end_sessions(self) -> None:
        """As an administrator, or a server that fails over, ends them."""
        self._as_superuser("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'celestial'")
        self.network.had_a_fault = True

    def _crash_server(self) -> None:
        server = self.network.server
        self._administrator = None
        server.stop(signal.SIGQUIT)  # at once, without a checkpoint
        server.start()
        self.network.had_a_fault = True
        self.generation += 1

    def _move_owners(self) -> None:
        """To a file, and on to another schema of the server."""
        self.counter += 1
        file, target = str(self.root / f"moved{self.counter}.db"), self._through(self.network.server.url())
        self._close_all()
        move_memories(self.url, file, clock=lambda: self.now)
        move_memories(file, target, clock=lambda: self.now)
        self.url = target

    # -- looking ------------------------------------------------------------------------------------

    def _is_explained(self) -> bool:
        return self.network.had_a_fault

    def play(self, step: Step) -> None:
        super().play(step)
        # Connections of the pool may still be those that were cut: the next calls may fail, too.
        if step.name == "mend":
            self._close_all()
            self.network.had_a_fault = self.network.proxy.is_troubled

    def _compare(self, *, whole: bool = False) -> None:
        """While the promises are looked at the network holds, and the server has ended what it was doing."""
        with self.network.proxy.calm():
            self._settle()
            memory = self._connected()
            # All owners after a call that failed, so that what it did is known before the next one.
            owners = OWNERS if whole or self.unsure else (self.dice.choice(OWNERS),)
            for owner in owners:
                self._compare_owner(memory.of(owner), owner)
            self.unsure.clear()
            if whole:
                self._compare_whole(memory)

    def _connected(self) -> CelestialMemory:
        """A client whose connections are not among those that were cut."""
        for _ in range(_ATTEMPTS):
            with suppress(CelestialError):
                memory = self.clients[0] = self.clients[0] or self._open()
                memory.stats()
                return memory
        raise BrokenPromiseError("the server is not reached again after the network was mended")

    def _settle(self) -> None:
        """Waits until no session is in the middle of anything."""
        began = time.monotonic()
        while self._as_superuser(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'celestial' AND state <> 'idle'"
        ):
            if time.monotonic() - began > _PATIENCE_SECONDS:
                raise BrokenPromiseError("a session never ends")
            time.sleep(0.01)

    def _as_superuser(self, statement: str) -> int:
        if self._administrator is None:
            self._administrator = psycopg.connect(self.network.server.address("postgres"), autocommit=True)
        row = self._administrator.execute(statement.encode()).fetchone()
        return int(row[0]) if row else 0

    def end(self) -> bool:
        self.network.proxy.mend()
        self._close_all()
        self._compare(whole=True)
        self._close_all()
        return False

    def dispose(self) -> None:
        self.network.proxy.mend()
        self._close_all()
        if self._administrator is not None:
            self._administrator.close()
        self.network.proxy.close()
        shutil.rmtree(self.root, ignore_errors=True)


def play(seed: int, folder: Path, server: Server, steps: list[Step]) -> PostgresWorld:
    """Plays one universe; raises BrokenPromiseError with the step that broke a promise."""
    world = PostgresWorld(folder, server, seed)
    try:
        for number, step in enumerate(steps):
            try:
                world.play(step)
            except BrokenPromiseError as error:  # noqa: PERF203 - to say which step it was
                raise BrokenPromiseError(f"universe {seed}, step {number} ({step.name}): {error}") from error
        world.end()
    finally:
        world.dispose()
    return world
