"""Leases by the server's clock; tokens and budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from celestial_engine.core.night.leases import may_claim
from celestial_engine.core.rate_limits import Allowance, Bucket
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Spent
from celestial_engine.storage.postgres.connections import Connections
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.sqlite.items.grants import SqliteGrants
from celestial_engine.storage.sqlite.items.jobs import SqliteJobs
from celestial_engine.storage.sqlite.items.spending import SqliteSpending

_ROW = "SELECT last_run, lease_until FROM jobs WHERE name = ?"


class Transactions:
    """Short transactions on tables of the whole store; they take no lock on it."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections

    @contextmanager
    def reading(self) -> Iterator[PostgresDatabase]:
        with self.connections.reading() as connection:
            yield PostgresDatabase(connection)

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[PostgresDatabase]:
        with self.connections.writing(durable=durable) as connection:
            yield PostgresDatabase(connection)


class PostgresJobs(SqliteJobs):
    """Leases. `clock` replaces the server's clock in tests that simulate time."""

    def __init__(self, transactions: Transactions, clock: Callable[[float], float] | None = None) -> None:
        super().__init__(transactions)
        self._transactions = transactions
        self._clock = clock

    def now(self, clock: float) -> float:
        if self._clock is not None:
            return self._clock(clock)
        with self._transactions.reading() as db:
            return float(db.execute("SELECT extract(epoch FROM clock_timestamp())::double precision").fetchone()[0])

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        now = self.now(now)
        with self._transactions.reading() as db:  # called often, rarely due
            row = db.execute(_ROW, (name,)).fetchone()
        if row is not None and not may_claim(row[0], row[1], now, every, lease):
            return False
        return self._transactions.connections.retried(lambda: self._claim(name, holder, now, every, lease))

    def _claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        with self._transactions.writing(durable=False) as db:
            db.execute("INSERT INTO jobs (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            row = db.execute(f"{_ROW} FOR UPDATE", (name,)).fetchone()
            if not may_claim(row[0], row[1], now, every, lease):
                return False
            db.execute("UPDATE jobs SET holder = ?, lease_until = ? WHERE name = ?", (holder, now + lease, name))
            return True

    def extend(self, name: str, holder: str, now: float, lease: float) -> bool:
        return super().extend(name, holder, self.now(now), lease)

    def note(self, runs: Mapping[str, float]) -> None:
        # In one order for all, so that two servers never wait for each other.
        ordered = dict(sorted(runs.items()))
        self._transactions.connections.retried(lambda: super(PostgresJobs, self).note(ordered))


class PostgresRateLimits:
    """Buckets by the server's clock; a row is locked while a server takes from it."""

    def __init__(self, transactions: Transactions, jobs: PostgresJobs) -> None:
        self._transactions = transactions
        self._jobs = jobs

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        now = self._jobs.now(now)
        with self._transactions.writing(durable=False) as db:
            full = Bucket(burst, now)
            update = db.execute(
                "INSERT INTO rate_limits (caller, left_over, at, full_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (caller, full.left, full.at, now),
            )
            if update.rowcount:  # a full bucket is the same as none: callers that stay away leave no rows
                db.execute(
                    "DELETE FROM rate_limits WHERE caller IN (SELECT caller FROM rate_limits "
                    "WHERE full_at <= ? AND caller <> ? FOR UPDATE SKIP LOCKED)",
                    (now, caller),
                )
            row = db.execute(
                "SELECT left_over, at FROM rate_limits WHERE caller = ? FOR UPDATE", (caller,)
            ).fetchone()
            bucket, allowance = (full if row is None else Bucket(*row)).taken(now, rate, burst)
            db.execute(
                "INSERT INTO rate_limits (caller, left_over, at, full_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (caller) DO UPDATE SET left_over = excluded.left_over, at = excluded.at, "
                "full_at = excluded.full_at",
                (caller, bucket.left, bucket.at, bucket.full_at(rate, burst)),
            )
        return allowance


class PostgresSpending(SqliteSpending):
    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self._transactions = transactions

    def spend(self, day: int, tokens: int, most_calls: int | None, most_tokens: int | None) -> bool:
        with self._transactions.writing(durable=False) as db:
            db.execute("INSERT INTO model_days (day, calls, tokens) VALUES (?, 0, 0) ON CONFLICT DO NOTHING", (day,))
            spent = Spent(
                *db.execute("SELECT calls, tokens FROM model_days WHERE day = ? FOR UPDATE", (day,)).fetchone()
            )
            if most_calls is not None and spent.calls + 1 > most_calls:
                return False
            if most_tokens is not None and spent.tokens + tokens > most_tokens:
                return False
            db.execute("UPDATE model_days SET calls = calls + 1, tokens = tokens + ? WHERE day = ?", (tokens, day))
            return True


class PostgresGrants(SqliteGrants):
    def __init__(self, transactions: Transactions) -> None:
        super().__init__(transactions)
        self._transactions = transactions

    def take_key(self, digest: str, now: float) -> Owner | None:
        # One statement deletes and returns, so that only one of two servers can use a key.
        with self._transactions.writing() as db:
            db.execute("DELETE FROM login_keys WHERE expires_at <= ?", (now,))
            row = db.execute(
                "DELETE FROM login_keys WHERE digest = ? RETURNING user_id, agent_id", (digest,)
            ).fetchone()
        return None if row is None else Owner(*row)
