"""The plan for Citus names every table with an owner; without Citus, the command says so."""

from __future__ import annotations

import re

import psycopg
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


_RECORDER = """
CREATE TABLE public.pg_dist_partition (place serial, logicalrelid regclass PRIMARY KEY, partkey text, beside regclass);
CREATE FUNCTION public.create_reference_table(name regclass) RETURNS void LANGUAGE sql AS
  $$ INSERT INTO public.pg_dist_partition (logicalrelid) VALUES (name) $$;
CREATE FUNCTION public.create_distributed_table(name regclass, key text, colocate_with text DEFAULT 'none')
RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM pg_constraint JOIN public.pg_dist_partition ON logicalrelid = confrelid
               WHERE conrelid = name AND contype = 'f' AND partkey IS DISTINCT FROM key) OR
       EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = name AND contype = 'f' AND confrelid <> name
               AND confrelid NOT IN (SELECT logicalrelid FROM public.pg_dist_partition)) THEN
      RAISE EXCEPTION 'a foreign key of % leads to a table that is not placed with it', name;
    END IF;
    INSERT INTO public.pg_dist_partition (logicalrelid, partkey, beside)
    VALUES (name, key, nullif(colocate_with, 'none')::regclass);
  END $$;
GRANT ALL ON public.pg_dist_partition, public.pg_dist_partition_place_seq TO celestial;
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
VALUES (987654, 'citus', 10, 'public'::regnamespace, false, '13.0');
"""
_WITHOUT = """
SET allow_system_table_mods = on;
DELETE FROM pg_extension WHERE extname = 'citus';
DROP FUNCTION public.create_reference_table, public.create_distributed_table;
DROP TABLE public.pg_dist_partition;
"""


@pytest.fixture
def citus_calls(postgres):
    """Records the calls of Citus' functions and refuses the order that foreign keys forbid; Citus has no wheel."""
    postgres.sql(_RECORDER)
    yield
    postgres.sql(_WITHOUT)


@pytest.mark.usefixtures("citus_calls")
def test_the_statements_are_sent_once_and_in_an_order_that_foreign_keys_allow(url):
    plan = distribute_server(url, dry_run=True)
    sent = distribute_server(url)
    assert sent == [statement for statement in plan if not statement.startswith("SET")]
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT logicalrelid::text, partkey, beside::text FROM pg_dist_partition ORDER BY place"
        ).fetchall()
    assert [row for row in rows if row[1] is None] == [
        ("meta", None, None),
        ("owners", None, None),
        ("anchors", None, None),
    ]
    assert rows[3] == ("owner_state", "owner", None)
    assert {row[1:] for row in rows[4:]} == {("owner", "owner_state")}
    assert {row[0] for row in rows[3:]} == set(tables.OWNER_TABLES)
    assert distribute_server(url) == [], "what is distributed already stays"
