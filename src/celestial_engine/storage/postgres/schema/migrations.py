"""Migrations in order. Never edit one that was released: add the next.

A migration only adds (expand); what nobody uses any more is removed by a later release (contract). So servers of two
releases can use one database: `READABLE_FROM` is the oldest code that understands the newest tables.
"""

from __future__ import annotations

from celestial_engine.storage.postgres.schema.row_security import POLICIES, REFERENCE_POLICIES, SYNC_POLICIES
from celestial_engine.storage.postgres.schema.tables import (
    INLINE_VECTORS,
    LEDGER_REFERENCE_TABLES,
    SYNC_TABLES,
    TABLES,
    TURN_REASON,
)
from celestial_engine.storage.postgres.traits import TRAIT_COLUMNS

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (*TABLES, *POLICIES),
    (*SYNC_TABLES, *SYNC_POLICIES),
    TRAIT_COLUMNS,
    INLINE_VECTORS,
    (*LEDGER_REFERENCE_TABLES, *REFERENCE_POLICIES),
    TURN_REASON,
)
SCHEMA_VERSION = len(MIGRATIONS)
READABLE_FROM = 1

META = 'CREATE TABLE meta (key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL)'
APPLICATION = "celestial-engine"  # in `meta`: distinguishes our tables from another program's
