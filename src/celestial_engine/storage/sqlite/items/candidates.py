"""Candidates for a question: by words, by vector, by what they tell of, and those beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import Relation, graph_matches
from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction, numbers
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import STANDING_COLUMNS, standing_from
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

if TYPE_CHECKING:
    from celestial_engine.core.sameness.statement_keys import StatementKeys


class CandidateReading(Transaction):
    """The search port within one transaction."""

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        low, high = self._range(owner)
        row = self._db.execute("SELECT orbiting FROM owners WHERE owner = ?", (self._number(owner),)).fetchone()
        among = self._among(owner, where)
        found, weights = self._words.search(self._db, question, low, high, row[0] if row else 0, limit, among)
        return WordMatches(self._named(found), weights)

    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]:
        return self._named(self._vectors.search(*self._range(owner), vector, limit, self._among(owner, where)))

    def compared(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        keys = self._keys(owner, item_ids)
        return [Match(keys[seq], cosine) for seq, cosine in self._vectors.compare(list(keys), vector)]

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        low, high = self._range(owner)
        # One at a time: asked for both at once, SQLite reads every row between them.
        (first,) = self._db.execute("SELECT min(seq) FROM vectors WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()
        (last,) = self._db.execute("SELECT max(seq) FROM vectors WHERE seq BETWEEN ? AND ?", (low, high)).fetchone()
        if first is None:
            return []
        step = max(1, (last - first + 1) // count)
        keys = range(first, last + 1, step)[:count]
        return [cosine for _, cosine in self._vectors.compare(keys, vector)]

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        number = self._number(owner)
        asked, reached = self._graph.reach(number, names, hops)
        touches = self._graph.touching(number, [one.name for one in reached], self._among(owner, where))
        ids = self._ids({touch.key for touch in touches})
        row = self._db.execute("SELECT orbiting FROM owners WHERE owner = ?", (number,)).fetchone()
        return graph_matches(asked, reached, touches, row[0] if row else 0, ids)[:limit]

    def sayings(self, owner: Owner) -> Iterator[tuple[str, StatementKeys]]:
        return self._sayings.between(*self._range(owner))

    def unread(self) -> bool:
        return not self._sayings.complete()

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        return [relation for seq in self._keys(owner, [item_id]) for relation in self._graph.relations(seq)]

    def _named(self, found: Iterable[tuple[int, float]]) -> list[Match]:
        scores = dict(found)
        names = self._ids(scores)
        # One without a name: the index knows more than there is; `check` says so.
        return [Match(names[seq], score) for seq, score in scores.items() if seq in names]

    def _among(self, owner: Owner, where: ItemFilter | None) -> Keys | None:
        return None if where is None else self._facets.chosen(self._number(owner), where)

    def standings(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        named, among = self._keys(owner, item_ids), self._among(owner, where)
        low, high = self._range(owner)
        wanted = {key + step for key in named for step in range(-reach, reach + 1)}
        keys = sorted(key for key in wanted if low <= key <= high and (among is None or key in among))
        found: list[Candidate] = []
        for start in range(0, len(keys), SQL_VARIABLES):
            rows = self._db.execute(
                f"SELECT {STANDING_COLUMNS} FROM items JOIN texts USING (seq) "
                f"WHERE seq IN ({numbers(keys[start : start + SQL_VARIABLES])}) AND {IN_ORBIT}"
            )
            found.extend(standing_from(row) for row in rows)
        return found
