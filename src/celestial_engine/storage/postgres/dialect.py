"""What PostgreSQL writes differently."""

from __future__ import annotations

from celestial_engine.storage.sqlite.dialect import Dialect

# Row-level security shows a transaction the rows of the owner that this setting names: a number, or ALL.
SCOPE = "celestial.owner"
ALL = "0"  # never the number of an owner

_SAME_ITEM = "USING (owner, seq)"

POSTGRES = Dialect(
    owner_state="owner_state",
    owners="owners JOIN owner_state USING (owner)",
    texts=f"items JOIN texts {_SAME_ITEM}",
    records=f"items JOIN texts {_SAME_ITEM} LEFT JOIN vectors {_SAME_ITEM}",
    same_item=_SAME_ITEM,
    vector_bytes="dims * 4",
    greatest="greatest",
    least="least",
    text_bytes="octet_length({})",
    whole="trunc({})::bigint",
)
