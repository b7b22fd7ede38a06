"""Integrity checks on one connection, for any database file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.core.retrieval.graph import relations_of
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.checksums import ChecksumColumn
from celestial_engine.storage.sqlite.packed_recall import packed_references
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, ITEM_TABLES, UnreadableRowError, item_from
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.facets import FacetTables
from celestial_engine.storage.sqlite.search.graph import GraphTables
from celestial_engine.storage.sqlite.search.statement_keys import StatementKeyTable
from celestial_engine.storage.sqlite.search.vectors import VectorTable
from celestial_engine.storage.sqlite.search.words import WordIndex

# What SQLite says of an index that REINDEX, or rebuilding the words, makes right again.
_MENDABLE = re.compile(r"missing from index|wrong # of entries in index|fts5", re.IGNORECASE)


def file_problems(db: sqlite3.Connection) -> list[Problem]:
    """Returns the problems that SQLite itself finds, in a database of any version."""
    findings = [
        problem(None, Reason.SQLITE_FINDS, cause=row[0])
        for row in db.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    return findings + [
        problem(None, Reason.ORPHANED_ROW, row=row[1], table=row[0]) for row in db.execute("PRAGMA foreign_key_check")
    ]


def problems(db: sqlite3.Connection, words: WordIndex) -> list[Problem]:
    """Returns all problems; empty if there are none."""
    findings = list[Problem]()
    for part in (
        file_problems,
        _counts,
        _unreadable,
        lambda one: ChecksumColumn(one).problems(),
        words.problems,
        lambda one: FacetTables(one).problems(),
        lambda one: StatementKeyTable(one).problems(),
        lambda one: GraphTables(one).problems(),
        lambda one: VectorTable(one).problems(),
        _references,
    ):
        try:
            findings += part(db)
        except (sqlite3.DatabaseError, UnreadableRowError, ValueError, TypeError) as error:  # noqa: PERF203
            if isinstance(error, sqlite3.OperationalError) and _is_passing(error):
                raise
            # One damaged table must not hide the others.
            findings.append(problem(None, Reason.SQLITE_FINDS, cause=str(error)))
    return findings


def mendable(findings: Sequence[Problem]) -> bool:
    """Returns whether only indexes are damaged, so that writing to the file makes nothing worse."""
    return all(
        one.reason is not Reason.SQLITE_FINDS or _MENDABLE.search(str(one.fields.get("cause", ""))) is not None
        for one in findings
    )


def rebuild_indexes(db: sqlite3.Connection) -> None:
    """Rebuilds SQLite's indexes and the counts of each owner's memories."""
    db.execute("REINDEX")
    db.execute("DELETE FROM ledger_references")
    db.executemany("INSERT INTO ledger_references (owner, ref, number) VALUES (?, ?, ?)", _named_in_ledger(db))
    db.execute(
        "UPDATE owners SET orbiting = "
        "(SELECT count(*) FROM items WHERE items.owner = owners.owner AND state IN ('active', 'faded'))"
    )


def rebuild_graph(db: sqlite3.Connection) -> None:
    """Rebuilds entities and relations from what each memory in orbit says."""
    graph = GraphTables(db)
    graph.clear()
    for row in db.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES} WHERE state IN ('active', 'faded')").fetchall():
        try:
            item = item_from(row, LOCAL_OWNER)
        except UnreadableRowError:
            continue  # `problems` reports it
        graph.add(row[0] >> OWNER_SHIFT, row[0], relations_of(item.resolution.triples))


def _is_passing(error: sqlite3.Error) -> bool:
    """Returns whether another process is in the way, or the file is not readable now."""
    return any(word in str(error).lower() for word in ("locked", "busy", "unable to open", "interrupted"))


def _counts(db: sqlite3.Connection) -> list[Problem]:
    findings = []
    (bare,) = db.execute(
        "SELECT count(*) FROM items LEFT JOIN texts USING (seq) WHERE content IS NULL "
        "OR (state = 'archived' AND seq NOT IN (SELECT seq FROM archived))"
    ).fetchone()
    if bare:
        findings.append(problem(None, Reason.TEXTS_LOST, count=bare))
    (miscounted,) = db.execute(
        "SELECT count(*) FROM owners WHERE orbiting != "
        "(SELECT count(*) FROM items WHERE items.owner = owners.owner AND state IN ('active', 'faded'))"
    ).fetchone()
    if miscounted:
        findings.append(problem(None, Reason.MISCOUNTED, count=miscounted))
    return findings


def _named_in_ledger(db: sqlite3.Connection) -> set[tuple[int, int, int]]:
    """Returns which memories the entries about several of them name: owner, reference, number of the entry."""
    rows = db.execute("SELECT owner, number, host FROM ledger WHERE typeof(host) = 'blob'")
    return {(owner, ref, number) for owner, number, host in rows for ref in packed_references(host)}


def _references(db: sqlite3.Connection) -> list[Problem]:
    noted = set(db.execute("SELECT owner, ref, number FROM ledger_references"))
    wrong = len(noted ^ _named_in_ledger(db))
    return [problem(None, Reason.REFERENCES_DIFFER, count=wrong)] if wrong else []


def _unreadable(db: sqlite3.Connection) -> list[Problem]:
    """Returns rows that SQLite accepts but that cannot be read as memories."""
    findings = []
    for row in db.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES}"):
        try:
            item_from(row, LOCAL_OWNER)
        except UnreadableRowError as error:  # noqa: PERF203 - one bad row must not hide the next
            findings.append(error.problem)
    return findings
