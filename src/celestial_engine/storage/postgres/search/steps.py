"""Work on all owners, step by step along the primary key: no statement reads the whole store."""

from __future__ import annotations

from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT


def step(keys: int) -> str:
    """Returns a query for the next keys in order, to be joined; its values are those of `place`.

    Their number is part of the text: PostgreSQL takes an unknown one for many rows, and would read whole tables.
    """
    return (
        f"(SELECT owner, seq, state FROM items WHERE (owner, seq) > (?, ?) ORDER BY owner, seq LIMIT {keys}) AS step"
    )


def place(after: int) -> tuple[int, int]:
    """Returns owner and key of the memory after which a step begins."""
    return after >> OWNER_SHIFT, after


def end_of_step(db: PostgresDatabase, after: int, keys: int) -> int | None:
    """Returns the last key of a step; None if nothing is left."""
    (last,) = db.execute(f"SELECT max(seq) FROM {step(keys)}", place(after)).fetchone()
    return None if last is None else int(last)
