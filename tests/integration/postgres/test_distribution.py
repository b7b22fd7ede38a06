"""The plan for Citus names every table with an owner; without Citus, the command says so."""

from __future__ import annotations

import re

import pytest

from celestial_engine.backups import distribute_server
from celestial_engine.errors import StorageError

tables = pytest.importorskip("celestial_engine.storage.postgres.schema.tables")


def test_every_table_with_an_owner_is_distributed_by_it(url):
    plan = distribute_server(url, dry_run=True)
    placed = [found[1] for line in plan if (found := re.search(r"create_distributed_table\('(\w+)', 'owner'", line))]
    assert sorted(placed) == sorted(tables.OWNER_TABLES)
    assert placed[0] == "owner_state"
    assert placed.index("items") < placed.index("texts"), "a foreign key's target comes first"


def test_without_citus(url):
    with pytest.raises(StorageError, match="citus is not installed"):
        distribute_server(url)


def test_a_file_is_not_distributed(tmp_path):
    with pytest.raises(StorageError, match="no PostgreSQL database"):
        distribute_server(str(tmp_path / "m.db"))
