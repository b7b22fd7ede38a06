"""Candidates for a query: by words, vector and relations, and the memories stored beside them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import graph_matches
from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
from celestial_engine.core.sameness.succession import Statement
from celestial_engine.storage.postgres.search.words import TablePostings
from celestial_engine.storage.postgres.traits import MARK
from celestial_engine.storage.postgres.transaction import PostgresTransaction
from celestial_engine.storage.sqlite.items.search import SqliteSearch
from celestial_engine.storage.sqlite.rows import TRAITS_OF_CANDIDATE, TRAITS_READ, candidate_from
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT
from celestial_engine.storage.sqlite.search.word_ranking import ranked

_CANDIDATE_COLUMNS = (
    f"{TRAITS_OF_CANDIDATE}, CASE WHEN {TRAITS_READ} AND traits_of = {MARK} THEN NULL ELSE facets END"
)
_SUBJECTS, _ATTRIBUTES, _LIFETIMES = tuple(Subject), tuple(Attribute), tuple(Lifetime)


class PostgresSearch(SqliteSearch):
    """Searches within one transaction."""

    __slots__ = ("_pg",)

    def __init__(self, transaction: PostgresTransaction) -> None:
        super().__init__(transaction)
        self._pg = transaction

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        number, total = self._pg.number(owner), self._orbiting(owner)
        postings = TablePostings(self._pg.db, number, self._among(owner, where))
        ranked_keys, weights = ranked(postings, self._pg.analyser(), question, total, limit)
        return WordMatches(self._matches(number, ranked_keys), weights)

    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]:
        low, high = self._pg.key_range(owner)
        large = self._pg.vectors.pgvector and self._orbiting(owner) >= self._pg.large_owner
        scored_keys = self._pg.vectors.search(low, high, vector, limit, self._among(owner, where), large=large)
        return self._matches(self._pg.number(owner), scored_keys)

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        first, last = self._pg.db.execute(
            "SELECT min(seq), max(seq) FROM vectors WHERE owner = ?", (self._pg.number(owner),)
        ).fetchone()
        if first is None:
            return []
        keys = range(first, last + 1, max(1, (last - first + 1) // count))[:count]
        return [cosine for _, cosine in self._pg.vectors.compare(keys, vector)]

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        number = self._pg.number(owner)
        starts, reached = self._pg.graph.reach(number, names, hops)
        touches = self._pg.graph.touching(number, reached, self._among(owner, where))
        ids = self._pg.ids_of_keys(number, {touch.key for touch in touches})
        return graph_matches(starts, reached, touches, self._orbiting(owner), ids)[:limit]

    def at_addresses(self, owner: Owner, addresses: Sequence[tuple[Subject, Attribute]], limit: int) -> list[str]:
        if not addresses:
            return []
        rows = self._pg.db.execute(
            "SELECT id FROM unnest(?::int[], ?::int[]) WITH ORDINALITY AS asked (subject, attribute, place) "
            "CROSS JOIN LATERAL (SELECT id, seq FROM items WHERE owner = ? AND subject = asked.subject "
            f"AND attribute = asked.attribute AND {IN_ORBIT} ORDER BY seq DESC LIMIT ?) AS newest "
            "ORDER BY place, seq DESC",
            (
                [_SUBJECTS.index(subject) for subject, _ in addresses],
                [_ATTRIBUTES.index(attribute) for _, attribute in addresses],
                self._pg.number(owner),
                limit,
            ),
        )
        return [item_id for (item_id,) in rows]

    def statements(self, owner: Owner, item_ids: Sequence[str]) -> list[Statement]:
        rows = self._pg.db.execute(
            "SELECT id, content, subject, attribute, lifetime, topics FROM items JOIN texts USING (owner, seq) "
            "LEFT JOIN sayings USING (owner, seq) "
            f"WHERE owner = ? AND id = ANY(?::text[]) AND subject IS NOT NULL AND {IN_ORBIT} ORDER BY seq DESC",
            (self._pg.number(owner), list(item_ids)),
        )
        return [
            Statement(
                item_id, content, _SUBJECTS[subject], _ATTRIBUTES[attribute], _LIFETIMES[lifetime],
                frozenset(array("q", topics or b"")),
            )
            for item_id, content, subject, attribute, lifetime, topics in rows
        ]  # fmt: skip

    def statement_keys_outdated(self) -> bool:
        self._pg.see_all_owners()
        return super().statement_keys_outdated()

    def candidates(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        named, among = self._pg.ids_by_key(owner, item_ids), self._among(owner, where)
        nearby = {key + step for key in named for step in range(-reach, reach + 1)}
        rows = self._pg.db.execute(
            f"SELECT {_CANDIDATE_COLUMNS} FROM items JOIN texts USING (owner, seq) "
            f"WHERE owner = ? AND seq = ANY(?) AND {IN_ORBIT} ORDER BY seq",
            (self._pg.number(owner), sorted(key for key in nearby if among is None or key in among)),
        )
        candidates = [candidate_from(row) for row in rows]
        self._pg.note_ids({candidate.position: candidate.item_id for candidate in candidates})
        return candidates

    def _orbiting(self, owner: Owner) -> int:
        number = self._pg.number(owner)
        count = self._pg.orbiting.get(number)
        if count is None:
            row = self._pg.db.execute("SELECT orbiting FROM owner_state WHERE owner = ?", (number,)).fetchone()
            count = int(row[0]) if row else 0
            if self._pg.reads_only:  # nothing changes within its snapshot
                self._pg.orbiting[number] = count
        return count

    def _matches(self, number: int, pairs: Iterable[tuple[int, float]]) -> list[Match]:
        scores = dict(pairs)
        names = self._pg.ids_of_keys(number, scores)
        # A key without an id: the index has a stale row; `check` reports it.
        return [Match(names[seq], score) for seq, score in scores.items() if seq in names]
