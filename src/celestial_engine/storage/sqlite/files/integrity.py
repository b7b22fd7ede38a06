"""Integrity checks on one connection, for any database file."""

from __future__ import annotations

import sqlite3

from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, ITEM_TABLES, UnreadableRowError, item_from
from celestial_engine.storage.sqlite.search.facets import FacetTables
from celestial_engine.storage.sqlite.search.statement_keys import StatementKeyTable
from celestial_engine.storage.sqlite.search.words import WordIndex


def file_problems(db: sqlite3.Connection) -> list[Problem]:
    """Returns the problems that SQLite itself finds, in a database of any version."""
    found = [
        problem(None, Reason.SQLITE_FINDS, cause=row[0])
        for row in db.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    return found + [
        problem(None, Reason.ORPHANED_ROW, row=row[1], table=row[0]) for row in db.execute("PRAGMA foreign_key_check")
    ]


def problems(db: sqlite3.Connection, words: WordIndex) -> list[Problem]:
    """Returns all problems; empty if there are none."""
    found = file_problems(db)
    (bare,) = db.execute(
        "SELECT count(*) FROM items LEFT JOIN texts USING (seq) WHERE content IS NULL "
        "OR (state = 'archived' AND seq NOT IN (SELECT seq FROM archived))"
    ).fetchone()
    if bare:
        found.append(problem(None, Reason.TEXTS_LOST, count=bare))
    (miscounted,) = db.execute(
        "SELECT count(*) FROM owners WHERE orbiting != "
        "(SELECT count(*) FROM items WHERE items.owner = owners.owner AND state IN ('active', 'faded'))"
    ).fetchone()
    if miscounted:
        found.append(problem(None, Reason.MISCOUNTED, count=miscounted))
    return (
        found + _unreadable(db) + words.problems(db) + FacetTables(db).problems() + StatementKeyTable(db).problems()
    )


def _unreadable(db: sqlite3.Connection) -> list[Problem]:
    """Returns rows that SQLite accepts but that cannot be read as memories."""
    found = []
    for row in db.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES}"):
        try:
            item_from(row, LOCAL_OWNER)
        except UnreadableRowError as error:  # noqa: PERF203 - one bad row must not hide the next
            found.append(error.problem)
    return found
