"""Search on dictionaries: every row is scanned, nothing is indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.bm25 import WordWeights, average_length, rarity
from celestial_engine.core.retrieval.graph import (
    HUB,
    Reached,
    Relation,
    Touch,
    graph_matches,
    relations_of,
    start_entities,
)
from celestial_engine.core.retrieval.ranking import Candidate, GraphMatch, Match, WordMatches
from celestial_engine.core.retrieval.text_traits import text_traits
from celestial_engine.core.sameness.statement_keys import StatementKeys, statement_keys_of
from celestial_engine.core.sameness.succession import Statement
from celestial_engine.core.text.words import index_words, query_words, with_tags
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.in_memory.transaction import Row, Transaction


class DictSearch:
    """Search over every row."""

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def by_words(self, owner: Owner, question: str, limit: int, where: ItemFilter | None = None) -> WordMatches:
        rows = [(position, row) for position, row in enumerate(self._tx.rows_of(owner)) if row.item.state.in_orbit]
        texts = [index_words(with_tags(row.item.content, row.item.tags)) for _, row in rows]
        document_counts = Counter(word for text in texts for word in set(text))
        rarities = {word: rarity(document_counts[word], len(rows)) for word in query_words(question)}
        sums = {
            position: sum(rarities[word] for word in rarities.keys() & set(text))
            for (position, _), text in zip(rows, texts, strict=True)
        }
        holders = {
            word: {position for (position, _), text in zip(rows, texts, strict=True) if word in text}
            for word in rarities
        }
        weights = WordWeights(rarities, average_length(texts), sums, holders)
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

    def vectors(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, Sequence[float]]:
        wanted = set(item_ids)
        return {
            row.item.id: row.item.embedding
            for row in self._tx.rows_of(owner)
            if row.item.id in wanted and row.item.embedding is not None
        }

    def by_graph(
        self, owner: Owner, names: Sequence[str], hops: int, limit: int, where: ItemFilter | None = None
    ) -> list[GraphMatch]:
        rows = self._tx.in_orbit(owner)
        mentions: dict[str, dict[int, bool]] = {}  # entity -> keys of memories that mention it, and whether negated
        neighbours: dict[str, list[str]] = {}
        for row in rows:
            for relation in relations_of(row.item.resolution.triples):
                for name, other in ((relation.subject, relation.object), (relation.object, relation.subject)):
                    keys = mentions.setdefault(name, {})
                    keys[row.key] = keys.get(row.key, False) or relation.negative
                    neighbours.setdefault(name, []).append(other)
        start = start_entities([Reached(name, 0, len(neighbours[name])) for name in names if name in neighbours])
        reached = {node.name: node for node in start}
        for hop in range(1, hops + 1):
            for node in [node for node in reached.values() if node.hops == hop - 1 and node.degree <= HUB]:
                for other in neighbours[node.name]:
                    if len(neighbours[other]) <= HUB:
                        reached.setdefault(other, Reached(other, hop, len(neighbours[other])))
        touches = [Touch(key, name, negative) for name in reached for key, negative in mentions[name].items()]
        ids = {row.key: row.item.id for row in self._tx.in_orbit(owner, where)}
        return graph_matches(start, list(reached.values()), touches, len(rows), ids)[:limit]

    def at_addresses(self, owner: Owner, addresses: Sequence[tuple[Subject, Attribute]], limit: int) -> list[str]:
        found = list[str]()
        for address in addresses:
            found += [
                row.item.id
                for row in reversed(self._tx.in_orbit(owner))
                if row.item.address is not None and (row.item.address.subject, row.item.address.attribute) == address
            ][:limit]
        return found

    def statements(self, owner: Owner, item_ids: Sequence[str]) -> list[Statement]:
        return [
            Statement(
                item.id,
                item.content,
                item.address.subject,
                item.address.attribute,
                item.lifetime,
                frozenset(statement_keys_of(item.content).topics),
            )
            for item in (row.item for row in reversed(self._tx.in_orbit(owner)))
            if item.id in item_ids and item.address is not None and item.lifetime is not None
        ]

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
        """None: there is no index, words are computed per query."""
        return None

    def candidates(
        self, owner: Owner, item_ids: Sequence[str], reach: int = 0, where: ItemFilter | None = None
    ) -> list[Candidate]:
        wanted = set(item_ids)
        positions = [position for position, row in enumerate(self._tx.rows_of(owner)) if row.item.id in wanted]
        near = {position + step for position in positions for step in range(-reach, reach + 1)}
        return [
            _candidate(row, position)
            for position, row in enumerate(self._tx.rows_of(owner))
            if position in near and row.item.state.in_orbit and (where is None or where.accepts(row.item))
        ]


def _best(scores: dict[str, float], limit: int) -> list[Match]:
    ranked = sorted(scores.items(), key=lambda pair: -pair[1])
    return [Match(item_id, score) for item_id, score in ranked[:limit]]


def _candidate(row: Row, position: int) -> Candidate:
    item = row.item
    return Candidate(
        item.id, position, item.recall_count, item.last_recalled_at, item.arbitrary_importance, item.context_score,
        item.created_at, item.content, item.time.session_id, None if item.category is None else item.category.value,
        1 + (item.resolution.gist is not None) + bool(item.resolution.triples), item.links.count,
        item.validity.superseded_by, *text_traits(item.content),
    )  # fmt: skip
