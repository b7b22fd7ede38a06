"""HNSW indexes for owners with very many vectors: a partial index for each of them, built by the nightly work.

Comparing all vectors of an owner is exact, and fast enough for nearly everybody. An index over all owners would be
searched before the owner is known, and find other owners' vectors. A search needs no list of the indexes: above the
limit it names the owner in its text, and PostgreSQL takes the index if there is one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import psycopg

from celestial_engine.storage.postgres.connections import Connections
from celestial_engine.storage.postgres.dialect import ALL, SCOPE

logger = logging.getLogger(__name__)

LARGE_OWNER = 30_000  # memories in orbit; measured: docs/scaling.md, "Large owners"
MOST_COMPARED = 1_000  # pgvector's limit of ef_search
_MOST_DIMENSIONS = 2_000  # pgvector's limit of an index
_MOST_INDEXES = 100  # every write to the table looks at the condition of each
_LEAST_SEARCHED = 400  # ef_search, the candidates kept while searching: 200 finds 93 % of the nearest, 400 finds 97 %
_PREFIX = "vectors_hnsw_"
AS_BEFORE = "SET LOCAL enable_sort = on"


class LargeOwner(NamedTuple):
    """An owner whose vectors are worth an index."""

    number: int
    dims: int

    @property
    def index_name(self) -> str:
        return f"{_PREFIX}{self.number}_{self.dims}"


def nearest_query(owner: int, dims: int) -> str:
    """Returns the search for one large owner: the text has the condition of the index."""
    return (
        f"SELECT seq, embedding, norm FROM vectors WHERE owner = {int(owner)} AND searchable AND dims = {int(dims)} "
        f"ORDER BY embedding::vector({int(dims)}) <=> ? LIMIT ?"
    )


def prefer_index(count: int) -> str:
    """Returns the settings for a search of that many neighbours: an index returns no more than ef_search.

    PostgreSQL underestimates the rows behind row-level security, and would rather sort them all than use the index.
    """
    return f"SET LOCAL hnsw.ef_search = {max(_LEAST_SEARCHED, count)}; SET LOCAL enable_sort = off"


def plan_indexes(large: Iterable[LargeOwner], still: Iterable[LargeOwner], there: Mapping[str, bool]) -> list[str]:
    """Returns the statements that are needed. `there`: the indexes, and whether they were built to the end.

    `still`: owners who are not large any more, but not small either; they keep what they have.
    """
    by_name = {owner.index_name: owner for owner in list(large)[:_MOST_INDEXES]}
    expected = {owner.index_name for owner in still} | by_name.keys()
    drop = [name for name, whole in there.items() if name not in expected or not whole]
    build = [owner for name, owner in by_name.items() if not there.get(name)]
    return [f"DROP INDEX CONCURRENTLY IF EXISTS {name}" for name in sorted(drop)] + [
        f"CREATE INDEX CONCURRENTLY {owner.index_name} ON vectors USING hnsw "
        f"((embedding::vector({owner.dims})) vector_cosine_ops) "
        f"WHERE owner = {owner.number} AND searchable AND dims = {owner.dims}"
        for owner in build
    ]


def update_indexes(connections: Connections, limit: int) -> list[str]:
    """Builds the indexes that are missing and drops those that are not needed; returns the statements.

    Writers go on meanwhile. One server does it; an index that a killed one left unfinished is built again. Without
    the right to change the table searches stay exact.
    """
    with connections.named_errors(), connections.connect() as connection, connections.connect() as guard:
        guard.execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
        (mine,) = _one(guard, f"SELECT pg_try_advisory_xact_lock({connections.lock_number('hnsw')})")
        if not mine:
            return []
        connection.execute("SET statement_timeout = 0")
        connection.execute(f"SET {SCOPE} = '{ALL}'".encode())
        owners = _owners_above(connection, limit // 2)
        large = [LargeOwner(number, dims) for number, dims, count in owners if count >= limit]
        still = [LargeOwner(number, dims) for number, dims, count in owners if count < limit]
        statements = plan_indexes(large, still, _indexes(connection))
        try:
            for statement in statements:
                connection.execute(statement.encode())
        except psycopg.errors.InsufficientPrivilege as error:
            logger.warning("no HNSW index in %s, searches compare all vectors: %s", connections.path, error)
            return []
        return statements


def _owners_above(connection: psycopg.Connection[Any], least: int) -> list[tuple[int, int, int]]:
    """Returns number, length of the vectors and count of memories; the largest owner first."""
    return connection.execute(
        "SELECT owner, dims, orbiting FROM owner_state CROSS JOIN LATERAL (SELECT dims FROM vectors "
        "WHERE vectors.owner = owner_state.owner AND searchable ORDER BY seq DESC LIMIT 1) AS newest "
        "WHERE orbiting >= %s AND dims <= %s ORDER BY orbiting DESC, owner",
        (max(1, least), _MOST_DIMENSIONS),
    ).fetchall()


def _indexes(connection: psycopg.Connection[Any]) -> dict[str, bool]:
    rows = connection.execute(
        "SELECT relname::text, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indrelid = 'vectors'::regclass AND starts_with(relname::text, %s)",
        (_PREFIX,),
    )
    return dict(rows.fetchall())


def _one(connection: psycopg.Connection[Any], statement: str) -> Any:
    return connection.execute(statement.encode()).fetchone()
