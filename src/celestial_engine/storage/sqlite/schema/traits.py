"""Columns for what ranking needs of a memory, so that a search parses neither texts nor facets."""

from __future__ import annotations

TRAIT_COLUMNS = tuple(
    f"ALTER TABLE texts ADD COLUMN {column}"
    for column in (
        "traits_by INTEGER",  # the version of the rules that read the text; another or NULL: to be read again
        "session_id TEXT",
        "category TEXT",
        "resolutions INTEGER",
        "links INTEGER",
        "superseded_by TEXT",
        "speaker TEXT",
        "said_at REAL",
        "begins INTEGER",  # the first character of the speech, after the date and the speaker
        "kinds INTEGER",
    )
)
