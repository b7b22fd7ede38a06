"""Integrity checks: what the tables hold, and whether the indexes fit it."""

from __future__ import annotations

from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.postgres.search.words import word_problems
from celestial_engine.storage.postgres.transaction import PostgresTransaction
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, UnreadableRowError, item_from
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT


def problems(tx: PostgresTransaction) -> list[Problem]:
    """Returns all problems; empty if there are none."""
    tx.see_all_owners()
    findings: list[Problem] = []
    (bare,) = tx.db.execute(
        "SELECT count(*) FROM items LEFT JOIN texts USING (owner, seq) LEFT JOIN archived USING (owner, seq) "
        "WHERE content IS NULL OR (state = 'archived' AND file IS NULL)"
    ).fetchone()
    if bare:
        findings.append(problem(None, Reason.TEXTS_LOST, count=bare))
    (miscounted,) = tx.db.execute(
        "SELECT count(*) FROM owner_state WHERE orbiting != "
        f"(SELECT count(*) FROM items WHERE items.owner = owner_state.owner AND {IN_ORBIT})"
    ).fetchone()
    if miscounted:
        findings.append(problem(None, Reason.MISCOUNTED, count=miscounted))
    return (
        findings
        + _unreadable(tx)
        + word_problems(tx.db, tx.analyser())
        + tx.facets.problems()
        + tx.statement_keys.problems()
    )


def _unreadable(tx: PostgresTransaction) -> list[Problem]:
    """Returns rows that cannot be read as memories."""
    findings = []
    columns = ITEM_COLUMNS.replace("embedding", "NULL")
    for row in tx.db.execute(f"SELECT {columns} FROM {tx.dialect.texts}"):
        try:
            item_from(row, LOCAL_OWNER)
        except UnreadableRowError as error:  # noqa: PERF203 - one bad row must not hide the next
            findings.append(error.problem)
    return findings
