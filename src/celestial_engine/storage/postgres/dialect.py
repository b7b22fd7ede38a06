"""What PostgreSQL writes differently."""

from __future__ import annotations

from celestial_engine.storage.sqlite.dialect import Dialect

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
