"""The column that says why a turn was saved, skipped or answered from memory."""

from __future__ import annotations

TURN_REASON = ("ALTER TABLE turns ADD COLUMN reason TEXT",)  # NULL: a version noted it that kept no reasons
