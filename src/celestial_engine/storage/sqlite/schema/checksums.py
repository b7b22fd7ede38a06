"""The column with a checksum over what a memory says."""

from __future__ import annotations

CHECKSUM_COLUMN = (
    "ALTER TABLE texts ADD COLUMN checksum INTEGER",  # NULL: an older version wrote it, and no night has passed
)
