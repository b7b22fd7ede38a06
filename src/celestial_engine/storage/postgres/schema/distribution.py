"""Spread the tables over the nodes of a Citus cluster: every owner's rows on one of them."""

from __future__ import annotations

from celestial_engine.errors import Reason, StorageError
from celestial_engine.storage.postgres.connections import Connections
from celestial_engine.storage.postgres.schema.tables import OWNER_TABLES

# Small, written rarely and joined with everything: copied to every node. Tables that are in neither list stay on the
# coordinator: jobs, tokens, budgets and archive files.
_ON_EVERY_NODE = ("meta", "owners", "anchors")
_FIRST = "owner_state"  # the others are placed beside it


def distribution_plan() -> list[str]:
    """Returns the statements, in the order that foreign keys need."""
    beside = [
        f"SELECT create_distributed_table('{table}', 'owner', colocate_with => '{_FIRST}')"
        for table in OWNER_TABLES
        if table != _FIRST
    ]
    return [
        # The ledger refuses changes by a trigger, which reads nothing but its own row.
        "SET LOCAL citus.enable_unsafe_triggers = on",
        "SET LOCAL citus.propagate_set_commands = 'local'",
        *(f"SELECT create_reference_table('{table}')" for table in _ON_EVERY_NODE),
        f"SELECT create_distributed_table('{_FIRST}', 'owner')",
        *beside,
    ]


def distribute(connections: Connections) -> list[str]:
    """Distributes the tables that are not distributed yet, all or none; returns what was done."""
    with connections.writing(whole_store=True) as connection:
        if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
            raise StorageError(connections.path, Reason.NO_CITUS)
        distributed = {name for (name,) in connection.execute("SELECT logicalrelid::text FROM pg_dist_partition")}
        statements = [
            statement
            for statement in distribution_plan()
            if statement.startswith("SET") or statement.split("'")[1] not in distributed
        ]
        for statement in statements:
            connection.execute(statement.encode())
    return [statement for statement in statements if not statement.startswith("SET")]
