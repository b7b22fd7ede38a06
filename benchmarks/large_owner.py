"""One owner with very many vectors on PostgreSQL: exact search against an HNSW index of that owner.

`python -m benchmarks.large_owner --memories 10000 30000 --embedder hashed` (`make large-owner`). The vectors are
those of sentences that people wrote (`corpus/`); questions are other sentences of it. Measured are the CPU of the
server for a search and a write, how many of the nearest are found, how long the index takes to build, and its size.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import report
from benchmarks.measure import Fact, say
from benchmarks.scale import ServerCpu, running_postgres
from celestial_engine.bootstrap import open_embedder
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.storage.postgres import PostgresStore
from celestial_engine.storage.postgres.adapters import PgVector, adapters_with
from celestial_engine.storage.postgres.search import hnsw
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.signs import norm_of

NEAREST = 114  # what a recall of five asks for
QUESTIONS, WRITES = 100, 100
OTHERS = 20  # owners with a thousand vectors each, whom nobody asks about
CORPUS = Path(__file__).parents[1] / "corpus"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large_owner", description="Measures HNSW.")
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000, 30_000])
    parser.add_argument("--embedder", default="hashed")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    options = parser.parse_args(arguments)
    most = max(options.memories)
    vectors = embedded(options.embedder, most + QUESTIONS + WRITES)
    figures: list[Fact] = []
    with running_postgres() as (url, server_pid):
        for count in sorted(options.memories):
            figures += measured(url, ServerCpu(server_pid), vectors, count, most)
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    records = [{"name": one.name, "memories": one.memories, "value": one.value, "unit": one.unit} for one in figures]
    (options.output / "large_owner.json").write_text(json.dumps(records, indent=1))


def embedded(name: str, count: int) -> list[Sequence[float]]:
    """Returns the vectors of that many sentences, in an order that does not depend on their writers."""
    lines = {
        line.rpartition("\t")[2]
        for path in sorted(CORPUS.glob("*/*/*.tsv"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    }
    texts = sorted(lines)
    random.Random(7).shuffle(texts)
    if len(texts) < count:
        raise SystemExit(f"there are {len(texts):,} sentences: ask for fewer memories")
    embedder, found = open_embedder(name), list[Sequence[float]]()
    if embedder is None:
        raise SystemExit(f"{name} makes no vectors")
    for start in range(0, count, 1_000):
        found += embedder.passages(texts[start : min(count, start + 1_000)])
        say(f"{len(found):,} of {count:,} sentences embedded")
    return found


def measured(url: str, server: ServerCpu, vectors: list[Sequence[float]], count: int, most: int) -> list[Fact]:
    questions, written = vectors[most : most + QUESTIONS], vectors[most + QUESTIONS :]
    figures: list[Fact] = []

    def fact(name: str, value: float, unit: str) -> None:
        figures.append(Fact(name, count, value, unit))
        say(f"  {count:,}: {name} {value:.2f} {unit}")

    store = PostgresStore(url, large_owner=count)
    exactly = PostgresStore(url, large_owner=10**9)
    exactly.index_large_owners()  # drops what is there: it would be filled row by row
    try:
        number = fill(url, store, vectors[:count])
        exact, used = searched(exactly, server, questions)
        fact("exact search", used, "ms CPU")
        fact("write without an index", writes(url, number, count, written[: WRITES // 2], server), "ms CPU")
        began, before = time.monotonic(), server.seconds()
        store.index_large_owners()
        fact("building the index", time.monotonic() - began, "s")
        fact("building the index, CPU", server.seconds() - before, "s")
        fact("the index on disk", index_bytes(url) / count, "bytes a vector")
        if not index_is_used(store, number, questions[0]):
            raise SystemExit("PostgreSQL does not use the index")
        found, used = searched(store, server, questions)
        fact("search by HNSW", used, "ms CPU")
        fact("of the nearest found", share(exact, found, NEAREST), "")
        fact("of the ten nearest found", share(exact, found, 10), "")
        fact("write with the index", writes(url, number, count + WRITES, written[WRITES // 2 :], server), "ms CPU")
    finally:
        store.close()
        exactly.close()
    return figures


def fill(url: str, store: PostgresStore, vectors: Sequence[Sequence[float]]) -> int:
    """Gives the owner these vectors and nothing else, beside other owners with some; returns the owner's number."""
    with store.write(LOCAL_OWNER) as session:
        number = session.transaction.enrolled(LOCAL_OWNER)
    with connected(url) as connection, connection.transaction():
        connection.execute("ALTER TABLE vectors DROP CONSTRAINT IF EXISTS vectors_owner_seq_fkey")
        connection.execute("DELETE FROM vectors")
        rows = [(number, seq, vector) for seq, vector in enumerate(vectors, 1)]
        rows += [(number + 1 + seq % OTHERS, seq, vector) for seq, vector in enumerate(vectors[: OTHERS * 1_000], 1)]
        random.Random(3).shuffle(rows)  # owners write at the same time
        insert(connection, rows)
        connection.execute(
            "INSERT INTO items (owner, seq, id, state, zone, piece, level, tier, protection, created_at, "
            "last_recalled_at, recall_count, mention_count, arbitrary_importance, importance_source, context_score) "
            "SELECT owner, seq, seq::text, 'active', 0, 0, 0, 'M30', 'none', 0, 0, 0, 0, 0, 'rules', 0 FROM vectors "
            "WHERE owner = %s ON CONFLICT DO NOTHING",
            (number,),
        )
        connection.execute("UPDATE owner_state SET orbiting = %s WHERE owner = %s", (len(vectors), number))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE vectors")
    return number


def insert(connection: psycopg.Connection[Any], rows: Sequence[tuple[int, int, Sequence[float]]]) -> None:
    numbered = ((owner, (owner << OWNER_SHIFT) + seq, array("f", vector)) for owner, seq, vector in rows)
    connection.cursor().executemany(
        "INSERT INTO vectors (owner, seq, embedding, dims, norm, searchable) VALUES (%s, %s, %s, %s, %s, true)",
        ((owner, key, PgVector(numbers), len(numbers), norm_of(numbers)) for owner, key, numbers in numbered),
    )


def connected(url: str) -> psycopg.Connection[Any]:
    """Returns a connection that sees all owners and takes vectors."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT 'vector'::regtype::oid").fetchone()
    connection = psycopg.connect(url, autocommit=True, context=adapters_with(int(row[0])) if row else None)
    connection.execute("SET celestial.owner = '0'")
    return connection


def searched(
    store: PostgresStore, server: ServerCpu, questions: Sequence[Sequence[float]]
) -> tuple[list[list[str]], float]:
    """Returns the nearest of each question, and the server's CPU for one search, in ms."""

    def search(question: Sequence[float]) -> list[str]:
        with store.read() as session:
            return [match.item_id for match in session.search.by_vector(LOCAL_OWNER, question, NEAREST)]

    for question in questions[:20]:  # statements are prepared by then
        search(question)
    before = server.seconds()
    found = [search(question) for question in questions]
    return found, 1000 * (server.seconds() - before) / len(questions)


def share(exact: Sequence[Sequence[str]], found: Sequence[Sequence[str]], first: int) -> float:
    kept = sum(len(set(one[:first]) & set(other[:first])) for one, other in zip(exact, found, strict=True))
    return kept / sum(len(one[:first]) for one in exact)


def writes(url: str, owner: int, first: int, vectors: Sequence[Sequence[float]], server: ServerCpu) -> float:
    """Returns the server's CPU for storing one vector more, in ms."""
    with connected(url) as connection:
        before = server.seconds()
        for seq, vector in enumerate(vectors, first + 1):
            insert(connection, [(owner, seq, vector)])
        return 1000 * (server.seconds() - before) / len(vectors)


def index_bytes(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT sum(pg_relation_size(indexrelid))::bigint FROM pg_index "
            "JOIN pg_class ON pg_class.oid = indexrelid "
            "WHERE indrelid = 'vectors'::regclass AND relname LIKE 'vectors_hnsw%'"
        ).fetchone()
    return int(row[0]) if row and row[0] else 0


def index_is_used(store: PostgresStore, number: int, question: Sequence[float]) -> bool:
    with store.read() as session:
        session.transaction.number(LOCAL_OWNER)
        session.transaction.db.command(hnsw.prefer_index(NEAREST))
        plan = session.transaction.raw(
            f"EXPLAIN {hnsw.nearest_query(number, len(question))}", (PgVector(question), NEAREST)
        )
    return any("vectors_hnsw" in line for (line,) in plan)


if __name__ == "__main__":
    main()
