"""Candidates for a query: by words, vector and relations, and the memories stored beside them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import Relation, graph_matches
from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
from celestial_engine.core.sameness.succession import Statement
from celestial_engine.storage.sqlite.dialect import in_list
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import CANDIDATE_COLUMNS, candidate_from
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

if TYPE_CHECKING:
    from celestial_engine.core.sameness.statement_keys import StatementKeys

_SUBJECTS, _ATTRIBUTES, _LIFETIMES = tuple(Subject), tuple(Attribute), tuple(Lifetime)


class SqliteSearch:
    """Searches within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        low, high = self._tx.key_range(owner)
        row = self._tx.db.execute("SELECT orbiting FROM owners WHERE owner = ?", (self._tx.number(owner),)).fetchone()
        among = self._among(owner, where)
        ranked_keys, weights = self._tx.words.search(
            self._tx.db, question, low, high, row[0] if row else 0, limit, among
        )
        return WordMatches(self._with_ids(ranked_keys), weights)

    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]:
        return self._with_ids(
            self._tx.vectors.search(*self._tx.key_range(owner), vector, limit, self._among(owner, where))
        )

    def cosines(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        keys = self._tx.ids_by_key(owner, item_ids)
        if not keys:
            return []
        return [Match(keys[seq], cosine) for seq, cosine in self._tx.vectors.compare(list(keys), vector)]

    def vectors(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, Sequence[float]]:
        keys = self._tx.ids_by_key(owner, item_ids)
        return {keys[seq]: vector for seq, vector in self._tx.vectors.read(list(keys))}

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        low, high = self._tx.key_range(owner)
        # Two queries: for min and max in one, SQLite would read every row between them.
        (first,) = self._tx.db.execute(
            "SELECT min(seq) FROM vectors WHERE seq BETWEEN ? AND ?", (low, high)
        ).fetchone()
        (last,) = self._tx.db.execute(
            "SELECT max(seq) FROM vectors WHERE seq BETWEEN ? AND ?", (low, high)
        ).fetchone()
        if first is None:
            return []
        step = max(1, (last - first + 1) // count)
        keys = range(first, last + 1, step)[:count]
        return [cosine for _, cosine in self._tx.vectors.compare(keys, vector)]

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        number = self._tx.number(owner)
        starts, reached = self._tx.graph.reach(number, names, hops)
        touches = self._tx.graph.touching(number, reached, self._among(owner, where))
        ids = self._tx.ids_of({touch.key for touch in touches})
        row = self._tx.db.execute("SELECT orbiting FROM owners WHERE owner = ?", (number,)).fetchone()
        return graph_matches(starts, reached, touches, row[0] if row else 0, ids)[:limit]

    def at_addresses(self, owner: Owner, addresses: Sequence[tuple[Subject, Attribute]], limit: int) -> list[str]:
        number = self._tx.number(owner)
        return [
            item_id
            for subject, attribute in addresses
            for (item_id,) in self._tx.db.execute(
                "SELECT id FROM items INDEXED BY items_address WHERE owner = ? AND subject = ? AND attribute = ? "
                f"AND {IN_ORBIT} ORDER BY seq DESC LIMIT ?",
                (number, _SUBJECTS.index(subject), _ATTRIBUTES.index(attribute), limit),
            )
        ]

    def statements(self, owner: Owner, item_ids: Sequence[str]) -> list[Statement]:
        marks, keys = in_list(sorted(self._tx.ids_by_key(owner, item_ids)))
        rows = self._tx.db.execute(
            "SELECT id, content, subject, attribute, lifetime, topics "
            "FROM items JOIN texts USING (seq) LEFT JOIN sayings USING (seq) "
            f"WHERE seq IN ({marks}) AND subject IS NOT NULL AND {IN_ORBIT} ORDER BY seq DESC",
            keys,
        )
        return [
            Statement(
                item_id, content, _SUBJECTS[subject], _ATTRIBUTES[attribute], _LIFETIMES[lifetime],
                frozenset(array("q", topics or b"")),
            )
            for item_id, content, subject, attribute, lifetime, topics in rows
        ]  # fmt: skip

    def statement_keys(self, owner: Owner) -> Iterator[tuple[str, StatementKeys]]:
        return self._tx.statement_keys.between(*self._tx.key_range(owner))

    def statement_keys_outdated(self) -> bool:
        return not self._tx.statement_keys.complete()

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        return [
            relation for seq in self._tx.ids_by_key(owner, [item_id]) for relation in self._tx.graph.relations(seq)
        ]

    def _with_ids(self, pairs: Iterable[tuple[int, float]]) -> list[Match]:
        scores = dict(pairs)
        names = self._tx.ids_of(scores)
        # A key without an id: the index has a stale row; `check` reports it.
        return [Match(names[seq], score) for seq, score in scores.items() if seq in names]

    def _among(self, owner: Owner, where: ItemFilter | None) -> Keys | None:
        return None if where is None else self._tx.facets.chosen(self._tx.number(owner), where)

    def candidates(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        named, among = self._tx.ids_by_key(owner, item_ids), self._among(owner, where)
        low, high = self._tx.key_range(owner)
        nearby = {key + step for key in named for step in range(-reach, reach + 1)}
        keys = sorted(key for key in nearby if low <= key <= high and (among is None or key in among))
        candidates: list[Candidate] = []
        for start in range(0, len(keys), SQL_VARIABLES):
            marks, part = in_list(keys[start : start + SQL_VARIABLES])
            rows = self._tx.db.execute(
                f"SELECT {CANDIDATE_COLUMNS} FROM items JOIN texts USING (seq) WHERE seq IN ({marks}) AND {IN_ORBIT}",
                part,
            )
            candidates.extend(map(candidate_from, rows))
        self._tx.note_ids({candidate.position: candidate.item_id for candidate in candidates})
        return candidates

    def word_analyser(self) -> str | None:
        return self._tx.setting("analyser")
