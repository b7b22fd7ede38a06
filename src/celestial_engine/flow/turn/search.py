"""search: the candidates of every list, what speaks for each, and their order. Looking reinforces nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from celestial_engine.core.learning.reranker import FEATURES, Reranker, features
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.dialogue import REACH, line_of, talk_parts
from celestial_engine.core.retrieval.ranking import (
    Candidate,
    Evidence,
    ListRank,
    RecallSettings,
    best_first,
    in_force_first,
    share_of_cosines,
    share_of_words,
)
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, Stage
from celestial_engine.core.retrieval.signals import Question, signals
from celestial_engine.core.text.entities import entities_in
from celestial_engine.core.text.keywords import category_of
from celestial_engine.core.text.turns import read_turn
from celestial_engine.core.text.words import index_words, query_words
from celestial_engine.errors import Reason
from celestial_engine.ports import ItemFilter, ItemStore, Reader

_STRANGERS = 64
_HOPS = 2
_TALKING = 20  # the neighbours of so many lines are looked at


@dataclass(frozen=True)
class Query:
    """A question, and what is known to answer it with."""

    text: str
    now: float
    vector: Sequence[float] | None = None
    closeness: Callable[[float], float] = float
    no_vector_because: Reason = Reason.NO_EMBEDDER
    where: ItemFilter | None = None
    utc_offset: float = 0.0  # seconds: where yesterday began


def search(
    store: ItemStore, law: Law, settings: RecallSettings, reranker: Reranker, owner: Owner, asked: Query, limit: int
) -> SearchResult:
    """The memories that answer best."""
    if limit == 0:
        return SearchResult([], [])
    with store.read() as session:
        judge = _Judge(session, law, settings, owner, asked, max(settings.pool, 2 * limit))
        candidates = judge.evidence(session.search.candidates(owner, judge.found))
        candidates += judge.evidence(_successors(session, judge, candidates))
        candidates, talking = _with_talk(session, judge, candidates)
        ranked, values = _reranked(best_first(candidates), reranker, asked, max(settings.reranked, limit))
        ranked = in_force_first(ranked, before=judge.question.asks_before)
        items = {item.id: item for item in session.items.get_many(owner, [one.item_id for one in ranked[:limit]])}
    hits = [
        Hit(
            items[one.item_id],
            one.relevance,
            dict(one.lists),
            dict(one.parts),
            dict(zip(FEATURES, values.get(one.item_id, ()), strict=False)),
        )
        for one in ranked[:limit]
    ]
    return SearchResult(hits, [*judge.stages, Stage("talk", talking), Stage("rerank", len(values))])


class _Judge:
    """What each list says of a memory, whether the list found it by itself or not."""

    def __init__(
        self, session: Reader, law: Law, settings: RecallSettings, owner: Owner, asked: Query, pool: int
    ) -> None:
        self._session = session
        self._sky = law
        self.owner = owner
        self._asked = asked
        self.settings = settings
        self.question = Question.read(asked.text, asked.now, asked.utc_offset)
        self.where = asked.where  # before anything is ranked: who is not meant stands in nobody's way
        self._words = session.search.by_words(owner, asked.text, pool, self.where)
        self._share_of_words = share_of_words(self._words.weights, self._words.matches)
        self._near = [] if asked.vector is None else session.search.by_vector(owner, asked.vector, pool, self.where)
        background_sample = (
            [] if asked.vector is None else session.search.background_sample(owner, asked.vector, _STRANGERS)
        )
        self._share_of_cosines = share_of_cosines(background_sample, asked.closeness)
        names = entities_in(asked.text) if settings.graph else []
        told = session.search.by_graph(owner, names, _HOPS, pool, self.where) if names else []
        self._graph = {match.item_id: match for match in told}
        self._ranks = {
            "words": _ranks(match.item_id for match in self._words.matches),
            "vectors": _ranks(match.item_id for match in self._near),
            "graph": _ranks(self._graph),
        }
        whole = settings.words + (settings.vectors if self._near else 0.0) or 1.0
        self._weights = {"words": settings.words / whole, "vectors": settings.vectors / whole}

    @property
    def found(self) -> list[str]:
        """Everybody whom some list found."""
        return list(dict.fromkeys(item_id for ranks in self._ranks.values() for item_id in ranks))

    @property
    def stages(self) -> list[Stage]:
        near = self._ranks["vectors"]
        return [
            Stage("words", len(self._ranks["words"])),
            Stage("vectors", skipped=self._asked.no_vector_because)
            if self._asked.vector is None
            else Stage("vectors", len(near)),
            Stage("graph", len(self._graph)) if self.settings.graph else Stage("graph", skipped=Reason.LEFT_OUT),
        ]

    def evidence(self, standings: Iterable[Candidate]) -> list[Evidence]:
        standings = list(standings)
        said = {match.item_id: match.score for match in self._words.matches}
        cosines = {match.item_id: match.score for match in self._near}
        if self._asked.vector is not None:
            others = [one.item_id for one in standings if one.item_id not in cosines]
            cosines |= dict(self._session.search.cosines(self.owner, others, self._asked.vector))
        return [self._evidence(one, said.get(one.item_id), cosines.get(one.item_id)) for one in standings]

    def _evidence(self, standing: Candidate, said: float | None, cosine: float | None) -> Evidence:
        item_id, turn = standing.item_id, read_turn(standing.content)
        if said is None:
            said = self._words.weights.score_at(standing.position)
        lists = {"words": ListRank(said, self._ranks["words"].get(item_id))}
        parts = {"words": self._weights["words"] * self._share_of_words(said)}
        if cosine is not None:
            lists["vectors"] = ListRank(cosine, self._ranks["vectors"].get(item_id))
            parts["vectors"] = self._weights["vectors"] * self._share_of_cosines(cosine)
        graph = self._graph.get(item_id)
        if graph is not None:
            lists["graph"] = ListRank(graph.score, self._ranks["graph"].get(item_id))
            parts["graph"] = self.settings.graph * graph.score
        parts |= signals(self.question, standing, turn, self.settings)
        parts["orbit"] = self.settings.orbit * self._sky.function.score(standing, self._asked.now)
        return Evidence(standing, turn, lists, parts, graph)


def _ranks(item_ids: Iterable[str]) -> dict[str, int]:
    return {item_id: rank for rank, item_id in enumerate(item_ids, 1)}


def _successors(session: Reader, judge: _Judge, candidates: list[Evidence]) -> list[Candidate]:
    """Who took the place of those found: they may say it in other words."""
    known = {one.item_id for one in candidates}
    missing = {one.standing.superseded_by for one in candidates} - known - {None}
    return session.search.candidates(judge.owner, sorted(filter(None, missing)), 0, judge.where) if missing else []


def _with_talk(session: Reader, judge: _Judge, candidates: list[Evidence]) -> tuple[list[Evidence], int]:
    """The lines beside those found join in, and every line is heard in its talk."""
    settings = judge.settings
    if not any((settings.speaker, settings.beside, settings.talk, settings.reply, settings.length)):
        return candidates, 0
    talking = [one.item_id for one in best_first(candidates) if line_of(one.standing, one.turn) is not None]
    if talking and (settings.beside or settings.reply):
        known = {one.item_id for one in candidates}
        beside = session.search.candidates(judge.owner, talking[:_TALKING], REACH, judge.where)
        candidates = candidates + judge.evidence(one for one in beside if one.item_id not in known)
    lines = [line for one in candidates if (line := line_of(one.standing, one.turn)) is not None]
    parts = talk_parts(judge.question.text, lines, {one.item_id: one.relevance for one in candidates}, settings)
    return [one.with_parts(parts.get(one.item_id, {})) for one in candidates], len(lines)


def _reranked(
    ordered: list[Evidence], reranker: Reranker, asked: Query, most: int
) -> tuple[list[Evidence], dict[str, tuple[float, ...]]]:
    """The best few by the reranker's score, the others behind them as they were."""
    asked_words, category = frozenset(query_words(asked.text)), category_of(asked.text)
    values = {
        one.item_id: features(
            one, asked_words, frozenset(index_words(one.standing.content[:2_000])), category, asked.now
        )
        for one in ordered[:most]
    }
    best = sorted(ordered[:most], key=lambda one: reranker.score(values[one.item_id]), reverse=True)
    return best + ordered[most:], values
