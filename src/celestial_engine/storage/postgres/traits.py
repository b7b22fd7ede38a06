"""Columns for what ranking needs of a memory, and a mark that tells whether they still belong to its text.

Servers of two releases may share a database. The older one changes a text and leaves these columns as they were: the
mark then differs from that of the text, and a search reads the text itself.
"""

from __future__ import annotations

_TEXT = 'text COLLATE "C"'
# Another mark than the one stored: the text or its facets were changed without the columns.
MARK = "(hashtextextended(content, 0) # hashtextextended(facets, 1))"
_TYPES = {
    "content": "text", "metadata": "text", "facets": "text",
    "traits_by": "bigint", "session_id": "text", "category": "text", "resolutions": "bigint", "links": "bigint",
    "superseded_by": "text", "speaker": "text", "said_at": "double precision", "begins": "bigint", "kinds": "bigint",
}  # fmt: skip

_TRAITS = {name: kind for name, kind in _TYPES.items() if name not in ("content", "metadata", "facets")}
_ADDED = [f"ADD COLUMN {name} {_TEXT if kind == 'text' else kind}" for name, kind in _TRAITS.items()]

TRAIT_COLUMNS = (f"ALTER TABLE texts {', '.join(_ADDED)}, ADD COLUMN traits_of bigint",)

_NAMES = ", ".join(_TYPES)
_VALUES = ", ".join(f"?::{kind}" for kind in _TYPES.values())
_NEW = f"(SELECT {_NAMES}, {MARK} FROM (VALUES ({_VALUES})) AS new ({_NAMES}))"
ADD_TEXT = (
    f"INSERT INTO texts (owner, seq, {_NAMES}, traits_of) SELECT ?::bigint, ?::bigint, new.* FROM {_NEW} AS new"
)
REWRITE_TEXT = f"UPDATE texts SET ({_NAMES}, traits_of) = {_NEW} WHERE owner = ? AND seq = ?"

_TRAIT_VALUES = ", ".join(f"?::{kind}" for kind in _TRAITS.values())
# The text may have changed since it was read; then the mark differs, and it is read again.
READ_TEXT = (
    f"UPDATE texts SET ({', '.join(_TRAITS)}, traits_of) = ({_TRAIT_VALUES}, {MARK}) "
    "WHERE owner = ? AND seq = ? AND content = ? AND facets = ?"
)
