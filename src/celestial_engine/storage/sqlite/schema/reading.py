"""Columns for what was read in a memory's text, as positions of labels; NULL: not read yet."""

from __future__ import annotations

READING_COLUMNS = (
    "ALTER TABLE items ADD COLUMN lifetime INTEGER",
    "ALTER TABLE items ADD COLUMN subject INTEGER",
    "ALTER TABLE items ADD COLUMN attribute INTEGER",
    "ALTER TABLE items ADD COLUMN value TEXT",
    "CREATE INDEX items_address ON items (owner, subject, attribute) WHERE subject IS NOT NULL",
)

# What is known about the owner: the newest lasting memories of an address are found without reading the others.
# 2 is the position of Lifetime.LASTING.
LASTING_INDEX = (
    "CREATE INDEX items_lasting ON items (owner, subject, attribute, created_at) "
    "WHERE lifetime = 2 AND state IN ('active', 'faded')",
)
