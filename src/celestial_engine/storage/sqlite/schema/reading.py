"""Columns for what was read in a memory's text, as positions of labels; NULL: not read yet."""

from __future__ import annotations

READING_COLUMNS = (
    "ALTER TABLE items ADD COLUMN lifetime INTEGER",
    "ALTER TABLE items ADD COLUMN subject INTEGER",
    "ALTER TABLE items ADD COLUMN attribute INTEGER",
    "ALTER TABLE items ADD COLUMN value TEXT",
    "CREATE INDEX items_address ON items (owner, subject, attribute) WHERE subject IS NOT NULL",
)
