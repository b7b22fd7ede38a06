"""Candidates from dictionaries: everything is looked at, nothing is indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.retrieval.graph import HUB, Reached, Relation, Touch, graph_matches, relations_of, starts
from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
from celestial_engine.core.sameness.statement_keys import StatementKeys, statement_keys_of
from celestial_engine.core.text.words import index_words, query_words, with_tags
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.in_memory.transaction import Row, Transaction


class DictSearch:
    """Search over every row."""

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        rows = [(place, row) for place, row in enumerate(self._tx.rows_of(owner)) if row.item.state.in_orbit]
        texts = [index_words(with_tags(row.item.content, row.item.tags)) for _, row in rows]
        having = Counter(word for text in texts for word in set(text))
        rarities = {word: rarity(having[word], len(rows)) for word in query_words(question)}
        sums = {
            place: sum(rarities[word] for word in rarities.keys() & set(text))
            for (place, _), text in zip(rows, texts, strict=True)
        }
        weights = WordWeights(rarities, average_length(texts), sums)
        scores = {
            row.item.id: weights.score(text)
            for (_, row), text in zip(rows, texts, strict=True)
            if where is None or where.accepts(row.item)
        }
        return WordMatches(_best({item_id: score for item_id, score in scores.items() if score}, limit), weights)

    def by_vector(
        self, owner: Owner, vector: Sequence[float], limit: int, where: ItemFilter | None = None
    ) -> list[Match]:
        scores = {
            row.item.id: similarity(row.item.embedding, vector)
            for row in self._tx.in_orbit(owner, where)
            if row.item.embedding is not None and len(row.item.embedding) == len(vector)
        }
        return _best({item_id: score for item_id, score in scores.items() if score > 0.0}, limit)

    def cosines(self, owner: Owner, item_ids: Sequence[str], vector: Sequence[float]) -> list[Match]:
        wanted = set(item_ids)
        return [
            Match(row.item.id, similarity(row.item.embedding, vector))
            for row in self._tx.rows_of(owner)
            if row.item.id in wanted and row.item.embedding is not None and len(row.item.embedding) == len(vector)
        ]

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        rows = self._tx.in_orbit(owner)
        met: dict[str, dict[int, bool]] = {}  # entity -> memories that tell of it, and whether negatively
        beside: dict[str, list[str]] = {}
        for row in rows:
            for relation in relations_of(row.item.resolution.triples):
                for name, other in ((relation.subject, relation.object), (relation.object, relation.subject)):
                    keys = met.setdefault(name, {})
                    keys[row.key] = keys.get(row.key, False) or relation.negative
                    beside.setdefault(name, []).append(other)
        asked = starts([Reached(name, 0, len(beside[name])) for name in names if name in beside])
        reached = {one.name: one for one in asked}
        for hop in range(1, hops + 1):
            for one in [one for one in reached.values() if one.hops == hop - 1 and one.degree <= HUB]:
                for other in beside[one.name]:
                    if len(beside[other]) <= HUB:
                        reached.setdefault(other, Reached(other, hop, len(beside[other])))
        touches = [Touch(key, name, negative) for name in reached for key, negative in met[name].items()]
        ids = {row.key: row.item.id for row in self._tx.in_orbit(owner, where)}
        return graph_matches(asked, list(reached.values()), touches, len(rows), ids)[:limit]

    def statement_keys(self, owner: Owner) -> Iterator[tuple[str, StatementKeys]]:
        return ((row.item.id, statement_keys_of(row.item.content)) for row in self._tx.in_orbit(owner))

    def statement_keys_outdated(self) -> bool:
        return False

    def relations(self, owner: Owner, item_id: str) -> list[Relation]:
        triples = [row.item.resolution.triples for row in self._tx.in_orbit(owner) if row.item.id == item_id]
        return relations_of(triples[0]) if triples else []

    def background_sample(self, owner: Owner, vector: Sequence[float], count: int) -> list[float]:
        ids = [row.item.id for row in self._tx.rows_of(owner)]
        return [match.score for match in self.cosines(owner, ids[:: max(1, len(ids) // count)][:count], vector)]

    def word_analyser(self) -> str | None:
        """There is no index: words are made when they are asked for."""
        return None

    def candidates(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        wanted = set(item_ids)
        places = [place for place, row in enumerate(self._tx.rows_of(owner)) if row.item.id in wanted]
        near = {place + step for place in places for step in range(-reach, reach + 1)}
        return [
            _candidate(row, place)
            for place, row in enumerate(self._tx.rows_of(owner))
            if place in near and row.item.state.in_orbit and (where is None or where.accepts(row.item))
        ]


def _best(scores: dict[str, float], limit: int) -> list[Match]:
    ranked = sorted(scores.items(), key=lambda pair: -pair[1])
    return [Match(item_id, score) for item_id, score in ranked[:limit]]


def _candidate(row: Row, position: int) -> Candidate:
    item = row.item
    return Candidate(
        item.id, position, item.recall_count, item.last_recalled_at, item.arbitrary_importance, item.context_score,
        item.created_at, item.content, item.time.session_id, item.category,
        1 + (item.resolution.gist is not None) + bool(item.resolution.triples), item.links.count,
        item.validity.superseded_by,
    )  # fmt: skip
