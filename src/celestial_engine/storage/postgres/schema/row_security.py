"""Row-level security: a transaction sees the rows of the owner that it named, or, if it said so, of all.

The second line of defence, behind the owner in every query. It applies to the role that owns the tables too, but
never to superusers and roles with BYPASSRLS: the server should use an ordinary role.
"""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.storage.postgres.dialect import ALL, SCOPE
from celestial_engine.storage.postgres.schema.tables import (
    ADDED_OWNER_TABLES,
    OWNER_TABLES,
    REFERENCE_OWNER_TABLES,
    SYNC_OWNER_TABLES,
)

# Subqueries, so that PostgreSQL reads the setting once for a statement and not for every row.
_SCOPE = f"(SELECT coalesce(nullif(current_setting('{SCOPE}', true), ''), '-1')::bigint)"
_VISIBLE = f"owner = {_SCOPE} OR {_SCOPE} = {ALL}"


def _policies(tables: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        statement
        for table in tables
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY of_owner ON {table} USING ({_VISIBLE}) WITH CHECK ({_VISIBLE})",
        )
    )


POLICIES = _policies(table for table in OWNER_TABLES if table not in ADDED_OWNER_TABLES)
SYNC_POLICIES = _policies(SYNC_OWNER_TABLES)
REFERENCE_POLICIES = _policies(REFERENCE_OWNER_TABLES)
