"""Entities and relations in tables: a hop is one statement, a step in it an index lookup.

A relation is one row, with an index from each end. An entity exists as long as a relation uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice
from operator import itemgetter

from celestial_engine.core.retrieval.graph import (
    HUB,
    MOST_REACHED,
    MOST_RELATIONS,
    Reached,
    Relation,
    Touch,
    start_entities,
)
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.storage.sqlite.dialect import Database, in_list
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT


class GraphTables:
    """The graph of all owners, in one transaction; entities are never shared between owners."""

    def __init__(self, db: Database) -> None:
        self._db = db
        # Entities that this transaction wrote or read; a removal may delete some, and clears it.
        self._entities: dict[tuple[int, str], int] = {}

    def add(self, owner: int, seq: int, relations: Sequence[Relation]) -> None:
        once: dict[tuple[int, int, str], bool] = {}
        for relation in relations:
            subject, target = self._entity(owner, relation.subject), self._entity(owner, relation.object)
            once.setdefault((subject, target, relation.predicate), relation.negative)
        if once:
            self._db.executemany(
                "INSERT OR IGNORE INTO relations (seq, number, subject, object, predicate, negative) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [(seq, number, *key, negative) for number, (key, negative) in enumerate(once.items())],
            )

    def remove(self, seq: int) -> None:
        self._entities.clear()
        self._db.execute("DELETE FROM relations WHERE seq = ?", (seq,))

    def reach(self, owner: int, names: Sequence[str], hops: int) -> tuple[list[Reached], list[Reached]]:
        """Returns the known entities among the names, and those around them, nearest first."""
        marks, wanted = in_list(names)
        known = self._db.execute(
            f"SELECT entity, name, degree FROM entities WHERE owner = ? AND name IN ({marks})", (owner, *wanted)
        ).fetchall()
        numbers = {name: number for number, name, _ in known}
        starts = start_entities([Reached(name, 0, degree) for _, name, degree in known])
        reached = {numbers[entity.name]: entity for entity in starts}
        frontier = [number for number, entity in reached.items() if entity.degree <= HUB]
        for hop in range(1, hops + 1):
            if not frontier or len(reached) >= MOST_REACHED:  # what is further away would be left out
                break
            marks, ends = in_list(frontier)
            rows = self._db.execute(
                "SELECT entity, name, degree FROM entities WHERE degree <= ? AND entity IN ("
                f"SELECT object FROM relations WHERE subject IN ({marks}) UNION "
                f"SELECT subject FROM relations WHERE object IN ({marks}))",
                (HUB, *ends, *ends),
            )
            around = {number: Reached(name, hop, degree) for number, name, degree in rows if number not in reached}
            reached.update(around)
            frontier = list(around)
        nearest = sorted(
            reached.values(),
            key=lambda entity: (entity.hops, entity.degree, entity.name.encode("utf-8", "surrogatepass")),
        )
        return starts, nearest[:MOST_REACHED]

    def touching(self, owner: int, reached: Sequence[Reached], among: Keys | None = None) -> list[Touch]:
        """Returns the newest memories that mention each entity, of all or of some."""
        marks, names = in_list([entity.name for entity in reached if entity.degree <= HUB])
        # One statement for all but hubs: what is no hub has fewer relations than are wanted of one entity.
        rows = self._db.execute(
            f"WITH wanted AS (SELECT entity, name FROM entities WHERE owner = ? AND name IN ({marks})) "
            "SELECT name, seq, max(negative) FROM ("
            "SELECT entity, name, seq, negative FROM wanted JOIN relations ON entity = subject UNION ALL "
            "SELECT entity, name, seq, negative FROM wanted JOIN relations ON entity = object) GROUP BY entity, seq",
            (owner, *names),
        )
        touches = [Touch(seq, name, bool(negative)) for name, seq, negative in rows if among is None or seq in among]
        for hub in [entity.name for entity in reached if entity.degree > HUB]:
            # Two indexes, each read from its end as far as is needed, and merged.
            number = "(SELECT entity FROM entities WHERE owner = ? AND name = ?)"
            rows = self._db.execute(
                f"SELECT seq, negative FROM relations WHERE subject = {number} UNION ALL "
                f"SELECT seq, negative FROM relations WHERE object = {number} ORDER BY seq DESC",
                (owner, hub, owner, hub),
            )
            by_memory = groupby(rows, itemgetter(0))
            matches = ((seq, told) for seq, told in by_memory if among is None or seq in among)
            touches += [
                Touch(seq, hub, any(negative for _, negative in told))
                for seq, told in islice(matches, MOST_RELATIONS)
            ]
        return touches

    def relations(self, seq: int) -> list[Relation]:
        """Returns the relations that one memory adds to the graph."""
        rows = self._db.execute(
            "SELECT a.name, predicate, b.name, negative FROM relations "
            "JOIN entities AS a ON a.entity = subject JOIN entities AS b ON b.entity = object "
            "WHERE seq = ? ORDER BY number",
            (seq,),
        )
        return [Relation(subject, predicate, target, bool(negative)) for subject, predicate, target, negative in rows]

    def problems(self) -> list[Problem]:
        """Returns how many entities and relations do not fit together, or belong to a memory out of orbit."""
        (count,) = self._db.execute(
            "SELECT (SELECT count(*) FROM entities WHERE degree != "
            "(SELECT count(*) FROM relations WHERE subject = entity) + "
            "(SELECT count(*) FROM relations WHERE object = entity)) + "
            "(SELECT count(*) FROM (SELECT 1 FROM relations GROUP BY seq HAVING max(number) != count(*) - 1)) + "
            f"(SELECT count(*) FROM relations LEFT JOIN items USING (seq) WHERE state IS NULL OR NOT {IN_ORBIT})"
        ).fetchone()
        return [problem(None, Reason.RELATIONS_DIFFER, count=count)] if count else []

    def clear(self) -> None:
        """Removes everything, whatever its counts say."""
        self._db.execute("UPDATE entities SET degree = 1 << 40")  # so that no trigger deletes what another row needs
        self._db.execute("DELETE FROM relations")
        self._db.execute("DELETE FROM entities")

    def _entity(self, owner: int, name: str) -> int:
        entity = self._entities.get((owner, name))
        if entity is not None:
            return entity
        row = self._db.execute("SELECT entity FROM entities WHERE owner = ? AND name = ?", (owner, name)).fetchone()
        if row is None:
            cursor = self._db.execute("INSERT INTO entities (owner, name) VALUES (?, ?)", (owner, name))
            row = (cursor.lastrowid or 0,)
        number = self._entities[owner, name] = int(row[0])
        return number
