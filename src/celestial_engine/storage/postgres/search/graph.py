"""Entities and relations in tables, by name: every relation is two rows, one from each end."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.retrieval.graph import (
    HUB,
    MOST_REACHED,
    MOST_RELATIONS,
    Reached,
    Relation,
    Touch,
    start_entities,
)
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search.graph import GraphTables


class PostgresGraph(GraphTables):
    """The graph of all owners, in one transaction; entities are never shared between owners."""

    def __init__(self, db: PostgresDatabase) -> None:
        super().__init__(db)
        self._pg = db

    def add(self, owner: int, seq: int, relations: Sequence[Relation]) -> None:
        if not relations:
            return
        ends = [(one.subject, one.object, one.predicate, True, one.negative) for one in relations]
        ends += [(target, subject, predicate, False, negative) for subject, target, predicate, _, negative in ends]
        self._pg.send(
            "WITH added AS (INSERT INTO relations (owner, seq, entity, other, predicate, forward, negative) "
            "SELECT ?, ?, * FROM unnest(?::text[], ?::text[], ?::text[], ?::boolean[], ?::boolean[]) "
            "ON CONFLICT DO NOTHING RETURNING owner, entity) "
            "INSERT INTO entities (owner, name, degree) SELECT owner, entity, count(*) FROM added "
            "GROUP BY owner, entity ORDER BY entity "
            "ON CONFLICT (owner, name) DO UPDATE SET degree = entities.degree + excluded.degree",
            (owner, seq, *map(list, zip(*ends, strict=True))),
        )

    def remove(self, seq: int) -> None:
        owner = seq >> OWNER_SHIFT
        touched = self._pg.execute(
            "WITH gone AS (DELETE FROM relations WHERE owner = ? AND seq = ? RETURNING owner, entity), "
            "counts AS (SELECT owner, entity, count(*) AS rows FROM gone GROUP BY owner, entity) "
            "UPDATE entities SET degree = degree - rows FROM counts "
            "WHERE entities.owner = counts.owner AND entities.name = counts.entity RETURNING degree",
            (owner, seq),
        ).fetchall()
        if any(degree <= 0 for (degree,) in touched):
            self._pg.send("DELETE FROM entities WHERE owner = ? AND degree <= 0", (owner,))

    def reach(self, owner: int, names: Sequence[str], hops: int) -> tuple[list[Reached], list[Reached]]:
        """Returns the known entities among the names, and those around them, nearest first."""
        rows = self._pg.execute(
            "SELECT name, 0, degree FROM entities WHERE owner = ? AND name = ANY(?::text[])", (owner, list(names))
        )
        starts = start_entities([Reached(*row) for row in rows])
        reached = {entity.name: entity for entity in starts}
        frontier = [entity for entity in starts if entity.degree <= HUB]
        for hop in range(1, hops + 1):
            if not frontier:
                break
            rows = self._pg.execute(
                "SELECT DISTINCT other, degree FROM relations JOIN entities "
                "ON entities.owner = relations.owner AND entities.name = relations.other "
                "WHERE relations.owner = ? AND relations.entity = ANY(?::text[])",
                (owner, [entity.name for entity in frontier]),
            )
            around = [Reached(name, hop, degree) for name, degree in rows if name not in reached]
            reached.update((entity.name, entity) for entity in around)
            frontier = [entity for entity in around if entity.degree <= HUB]
        reachable = [entity for entity in reached.values() if entity.hops == 0 or entity.degree <= HUB]
        reachable.sort(key=lambda entity: (entity.hops, entity.degree, entity.name.encode("utf-8", "surrogatepass")))
        return starts, reachable[:MOST_REACHED]

    def touching(self, owner: int, reached: Sequence[Reached], among: Keys | None = None) -> list[Touch]:
        """Returns the newest memories that mention each entity, of all or of some."""
        within = "" if among is None else "AND seq = ANY(?)"
        rows = self._pg.execute(
            "SELECT asked.name, newest.seq, newest.negative "
            "FROM unnest(?::text[]) WITH ORDINALITY AS asked (name, place) "
            "CROSS JOIN LATERAL (SELECT seq, bool_or(negative) AS negative FROM relations "
            f"WHERE owner = ? AND entity = asked.name {within} GROUP BY seq ORDER BY seq DESC LIMIT ?) AS newest "
            "ORDER BY asked.place, newest.seq DESC",
            ([entity.name for entity in reached], owner, *([] if among is None else [list(among)]), MOST_RELATIONS),
        )
        return [Touch(seq, name, bool(negative)) for name, seq, negative in rows]

    def relations(self, seq: int) -> list[Relation]:
        """Returns the relations that one memory adds to the graph."""
        rows = self._pg.execute(
            "SELECT entity, predicate, other, negative FROM relations WHERE owner = ? AND seq = ? AND forward "
            "ORDER BY entity, other, predicate",
            (seq >> OWNER_SHIFT, seq),
        )
        return [Relation(*row) for row in rows]
