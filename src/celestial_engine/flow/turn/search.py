"""search: collect the candidates of every channel, their evidence, and rank them. Searching reinforces nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import nlargest

from celestial_engine.core.learning.reranker import FEATURES, Reranker, features
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import QuestionReading
from celestial_engine.core.retrieval import relevance
from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
from celestial_engine.core.retrieval.dialogue import REACH, dialogue_line_of, dialogue_scores
from celestial_engine.core.retrieval.judges import NO_EMBEDDER, TOPICS, judge_of
from celestial_engine.core.retrieval.outdated import MOST_COMPARED
from celestial_engine.core.retrieval.question_parts import QuestionParts, is_bare
from celestial_engine.core.retrieval.ranking import (
    Candidate,
    Evidence,
    ListRank,
    RecallSettings,
    best_first,
    share_of_cosines,
    share_of_words,
    valid_statements_first,
)
from celestial_engine.core.retrieval.relevance import (
    Judged,
    Relevance,
    Spread,
    is_measured,
    is_question,
    least_returned,
    own_relevance,
    probability,
    usual_cosines,
)
from celestial_engine.core.retrieval.search_result import Hit, SearchResult, Stage
from celestial_engine.core.retrieval.signals import Question, signals
from celestial_engine.core.text.entities import entities_in
from celestial_engine.core.text.keywords import category_of
from celestial_engine.core.text.words import query_words, recent_index_words
from celestial_engine.errors import Reason
from celestial_engine.flow.base.read import (
    answer_chances_by_topic,
    answer_chances_by_vector,
    read_question,
)
from celestial_engine.ports import ItemFilter, ItemStore, Reader

_BACKGROUND_SIZE = 64
_HOPS = 2
_READ_CHARACTERS = 2_000
_NOTHING: Mapping[str, float] = {}
# Among more memories too many are about the same, and each has to be read.
_MOST_WITH_TOPICS = 120
_MOST_BY_TOPIC, _LEAST_BY_TOPIC = 20, 0.0001
_MOST_LINES_WITH_NEIGHBOURS = 20  # matches whose neighbouring messages are read


@dataclass(frozen=True)
class Query:
    """A query and the inputs to answer it with."""

    text: str
    now: float
    vector: Sequence[float] | None = None
    closeness: Callable[[float], float] = float
    no_vector_because: Reason = Reason.NO_EMBEDDER
    where: ItemFilter | None = None
    utc_offset: float = 0.0  # seconds: decides when "yesterday" began
    embedder: str = NO_EMBEDDER  # the name of the model that made `vector`: each has its own floor
    floor: float | None = None  # the probability from which memories are returned; None: the standard floor
    cross_encoder: CrossEncoder | None = None  # reads the best hits again, together with the question


def search(
    store: ItemStore, law: Law, settings: RecallSettings, reranker: Reranker, owner: Owner, query: Query, limit: int
) -> SearchResult:
    """Return the memories that match best and are likely to answer; none if nothing is known."""
    if limit == 0:
        return SearchResult([], [])
    with store.read() as session:
        judge = _Judge(session, law, settings, owner, query, max(settings.pool, 2 * limit))
        candidates = judge.evidence(session.search.candidates(owner, judge.found))
        candidates += judge.evidence(judge.by_topic({evidence.item_id for evidence in candidates}))
        candidates += judge.evidence(_successors(session, judge, candidates))
        candidates, talking = _with_talk(session, judge, candidates)
        ordered = best_first(candidates)
        judged = _judged(session, judge, ordered[: max(settings.reranked, limit)])
        ranked, values = _reranked(ordered, judged, reranker, query)
        more: list[Stage] = []
        if query.cross_encoder is not None:
            from celestial_engine.flow.base.cross_encode import cross_encoded

            ranked, stage = cross_encoded(query.cross_encoder, query.text, ranked, settings.reranked)
            more.append(stage)
        ranked = valid_statements_first(ranked, before=judge.question.asks_before)
        floor = judge_of(judge.model).floor
        chosen = _chosen(ranked, judged, floor, query.floor)[: max(limit, MOST_COMPARED)]
        items = {item.id: item for item in session.items.get_many(owner, [evidence.item_id for evidence in chosen])}
    outdated = {} if judge.question.asks_before else _outdated(query, chosen, judged, items)
    for older, (newer, _) in outdated.items():  # it answers what the other one did
        best = max(judged[older].probability, judged[newer].probability)
        judged[newer] = judged[newer]._replace(probability=best)
    likely = {older: newer for older, (newer, _) in outdated.items()}
    chosen = valid_statements_first(chosen, before=judge.question.asks_before, likely=likely)[:limit]
    hits = [
        _hit(items[each.item_id], each, judged[each.item_id], values[each.item_id], floor, outdated)
        for each in chosen
    ]
    known = sum(each.probability >= floor for each in judged.values())
    note = None if is_measured(judge.model) else Reason.FLOOR_NOT_MEASURED
    stages = [
        *judge.stages,
        Stage("talk", talking),
        Stage("rerank", len(values)),
        *more,
        Stage("floor", known, note=note),
    ]
    return SearchResult(hits, stages, floor)


def _outdated(
    query: Query, chosen: Sequence[Evidence], judged: Mapping[str, Judged], items: Mapping[str, CelestialItem]
) -> dict[str, tuple[str, float]]:
    """Return which memories are likely outdated: the later one that says so, and how likely it is."""
    if not (chosen and is_question(judged[chosen[0].item_id].values)):  # what keywords find is left as it is
        return {}
    from celestial_engine.core.sameness.succession import VectorScale
    from celestial_engine.flow.base.outdated import outdated_by

    scale = None if query.vector is None else VectorScale(query.embedder, query.closeness)
    return outdated_by(query.text, scale, chosen, judged, items)


def _hit(
    item: CelestialItem,
    evidence: Evidence,
    judged: Judged,
    values: Sequence[float],
    floor: float,
    outdated: Mapping[str, tuple[str, float]],
) -> Hit:
    newer, chance = outdated.get(item.id, (None, 0.0))
    return Hit(
        item,
        evidence.relevance,
        dict(evidence.lists),
        dict(evidence.parts),
        dict(zip(FEATURES, values, strict=False)),
        judged.probability,
        dict(zip(relevance.FEATURES, judged.values, strict=True)),
        judged.probability >= floor,
        chance,
        newer,
    )


def _chosen(
    ranked: Sequence[Evidence], judged: Mapping[str, Judged], floor: float, wanted: float | None
) -> list[Evidence]:
    """Return the memories to return: none if the best is below the floor, unless the caller `wanted` another one."""
    best = max((each.probability for each in judged.values()), default=0.0)

    def least(evidence: Evidence) -> float:
        if wanted is not None:
            return wanted
        return least_returned(best, floor, in_dialogue=evidence.candidate.speaker is not None)

    return [evidence for evidence in ranked if judged[evidence.item_id].probability >= least(evidence)]


def _judged(session: Reader, judge: _Judge, ordered: list[Evidence]) -> dict[str, Judged]:
    """Judge the best memories. One that replaced another answers what the other answers."""
    judging = judge.relevance(ordered, session.orbits.count(judge.owner))
    judged: dict[str, Judged] = {}
    for evidence in ordered:
        words = frozenset(recent_index_words(evidence.candidate.content[:_READ_CHARACTERS]))
        values = judging.features(evidence, words)
        model = judge.model if judge.model == TOPICS or "vectors" in evidence.lists else NO_EMBEDDER
        judged[evidence.item_id] = Judged(words, values, probability(model, values))
    for evidence in ordered:
        successor, seen = evidence.candidate.superseded_by, {evidence.item_id}
        while successor in judged and successor not in seen:
            seen.add(successor)
            best = max(judged[evidence.item_id].probability, judged[successor].probability)
            judged[successor] = judged[successor]._replace(probability=best)
            successor = next(each.candidate.superseded_by for each in ordered if each.item_id == successor)
    return judged


class _Judge:
    """The score of every channel for a memory, whether or not the channel found it itself."""

    def __init__(
        self, session: Reader, law: Law, settings: RecallSettings, owner: Owner, query: Query, pool: int
    ) -> None:
        self._session = session
        self._law = law
        self.owner = owner
        self._query = query
        self.settings = settings
        self.question = Question.read(query.text, query.now, query.utc_offset)
        self.where = query.where  # filter before ranking, so that excluded memories take no places
        self._words = session.search.by_words(owner, query.text, pool, self.where)
        self._word_scores = dict(self._words.matches)
        self._share_of_words = share_of_words(self._words.weights, self._words.matches)
        self._near = [] if query.vector is None else session.search.by_vector(owner, query.vector, pool, self.where)
        self._cosines = dict(self._near)
        background_sample = (
            [] if query.vector is None else session.search.background_sample(owner, query.vector, _BACKGROUND_SIZE)
        )
        self._background = background_sample
        self._share_of_cosines = share_of_cosines(background_sample, query.closeness)
        names = entities_in(query.text) if settings.graph else []
        graph_matches = session.search.by_graph(owner, names, _HOPS, pool, self.where) if names else []
        self._graph = {match.item_id: match for match in graph_matches}
        self._ranks = {
            "words": _ranks(match.item_id for match in self._words.matches),
            "vectors": _ranks(match.item_id for match in self._near),
            "graph": _ranks(self._graph),
        }
        self._few = self._all_of_few()
        self._topics = self._answer_chances_of_few()
        whole = settings.words + (settings.vectors if self._near else 0.0) or 1.0
        self._weights = {"words": settings.words / whole, "vectors": settings.vectors / whole}

    @property
    def found(self) -> list[str]:
        """Return the ids that any channel found."""
        return list(dict.fromkeys(item_id for ranks in self._ranks.values() for item_id in ranks))

    @property
    def words(self) -> WordWeights:
        """Return the weights of the question's words, and who has them."""
        return self._words.weights

    @property
    def model(self) -> str:
        """Return the name of the weights that judge what was found."""
        return TOPICS if self._topics else self._query.embedder

    def _all_of_few(self) -> list[Candidate]:
        """Return all memories of an owner who has few, to compare their topics. A vector says more than topics."""
        query = self._query
        if not self.settings.topics or query.embedder != NO_EMBEDDER or is_bare(query.text.casefold()):
            return []
        if self._session.orbits.count(self.owner) > _MOST_WITH_TOPICS:
            return []
        newest = self._session.items.newest(self.owner, self.where or ItemFilter(), 1)
        ids = [item.id for item in newest]
        few = self._session.search.candidates(self.owner, ids, _MOST_WITH_TOPICS, self.where) if ids else []
        # The lines of a dialogue are judged with those around them, not alone.
        return [] if any(candidate.speaker for candidate in few) else few

    def _answer_chances_of_few(self) -> dict[str, float]:
        """Return how likely each memory of an owner who has few answers; empty if nobody can tell."""
        if not self._few:
            return {}
        chances = answer_chances_by_topic(self._query.text, [each.content[each.begins :] for each in self._few])
        return {each.item_id: chance for each, chance in zip(self._few, chances, strict=True)} if any(chances) else {}

    def by_topic(self, found: Set[str]) -> list[Candidate]:
        """Return the memories that are likeliest about the same as the question, without those that were found."""
        others = [each for each in self._few if each.item_id not in found]
        likeliest = nlargest(_MOST_BY_TOPIC, others, key=self._topic)
        return [each for each in likeliest if self._topic(each) >= _LEAST_BY_TOPIC]

    def _topic(self, candidate: Candidate) -> float:
        return self._topics.get(candidate.item_id, 0.0)

    @property
    def stages(self) -> list[Stage]:
        by_vector = self._ranks["vectors"]
        return [
            Stage("words", len(self._ranks["words"])),
            Stage("vectors", skipped=self._query.no_vector_because)
            if self._query.vector is None
            else Stage("vectors", len(by_vector)),
            Stage("graph", len(self._graph)) if self.settings.graph else Stage("graph", skipped=Reason.LEFT_OUT),
        ]

    def _answer_chances(self, ordered: Sequence[Evidence]) -> Mapping[str, float]:
        """Return how likely each of these answers by what it is about: by vectors, if heads were trained for them."""
        query = self._query
        if query.vector is None:
            return self._topics
        vectors = self._session.search.vectors(self.owner, [each.item_id for each in ordered])
        return answer_chances_by_vector(query.embedder, query.vector, vectors)

    def relevance(self, ordered: Sequence[Evidence], memories: int) -> Relevance:
        """Return the judge of whether these memories, best first, answer the question."""
        query = QuestionParts.read(self.question, self._words.weights.rarities, memories)
        usual = usual_cosines(self._query.embedder, query.language)
        return Relevance(
            query,
            Spread.of(self._background, [match.score for match in self._near], usual),
            memories,
            max(map(own_relevance, ordered), default=0.0),
            QuestionReading() if query.is_bare else read_question(self.question.text),
            self._words.weights,
            {} if query.is_bare else self._answer_chances(ordered),
        )

    def evidence(self, candidates: Sequence[Candidate]) -> list[Evidence]:
        cosines = self._cosines
        if self._query.vector is not None:
            unscored = [candidate.item_id for candidate in candidates if candidate.item_id not in cosines]
            cosines |= dict(self._session.search.cosines(self.owner, unscored, self._query.vector))
        return [self._evidence(candidate) for candidate in candidates]

    def _evidence(self, candidate: Candidate) -> Evidence:
        item_id, ranks, weights = candidate.item_id, self._ranks, self._weights
        word_score = self._word_scores.get(item_id)
        if word_score is None:
            word_score = self._words.weights.score_at(candidate.position)
        lists = {"words": ListRank(word_score, ranks["words"].get(item_id))}
        parts = {"words": weights["words"] * self._share_of_words(word_score)}
        topic = self._topic(candidate)
        if topic >= _LEAST_BY_TOPIC:
            parts["topics"] = self.settings.topics * topic**0.5
        cosine = self._cosines.get(item_id)
        if cosine is not None:
            lists["vectors"] = ListRank(cosine, ranks["vectors"].get(item_id))
            parts["vectors"] = weights["vectors"] * self._share_of_cosines(cosine)
        graph = self._graph.get(item_id)
        if graph is not None:
            lists["graph"] = ListRank(graph.score, ranks["graph"].get(item_id))
            parts["graph"] = self.settings.graph * graph.score
        parts.update(signals(self.question, candidate, self.settings))
        parts["orbit"] = self.settings.orbit * self._law.function.score(candidate, self._query.now)
        return Evidence.of(candidate, lists, parts, graph)


def _ranks(item_ids: Iterable[str]) -> dict[str, int]:
    return {item_id: rank for rank, item_id in enumerate(item_ids, 1)}


def _successors(session: Reader, judge: _Judge, candidates: list[Evidence]) -> list[Candidate]:
    """Return the memories that replaced the ones found: they may use other words."""
    known = {candidate.item_id for candidate in candidates}
    missing = {evidence.candidate.superseded_by for evidence in candidates} - known - {None}
    return session.search.candidates(judge.owner, sorted(filter(None, missing)), 0, judge.where) if missing else []


def _with_talk(session: Reader, judge: _Judge, candidates: list[Evidence]) -> tuple[list[Evidence], int]:
    """Add the neighbouring messages, and score every message with its conversation."""
    settings = judge.settings
    if not any((settings.speaker, settings.around, settings.beside, settings.talk, settings.reply, settings.length)):
        return candidates, 0
    lines = [line for evidence in candidates if (line := dialogue_line_of(evidence.candidate)) is not None]
    if lines and (settings.beside or settings.reply):
        known = {evidence.item_id: evidence for evidence in candidates}
        talking = [evidence.item_id for evidence in best_first(known[line.item_id] for line in lines)]
        beside = session.search.candidates(judge.owner, talking[:_MOST_LINES_WITH_NEIGHBOURS], REACH, judge.where)
        added = [candidate for candidate in beside if candidate.item_id not in known]
        candidates = candidates + judge.evidence(added)
        lines += [line for candidate in added if (line := dialogue_line_of(candidate)) is not None]
    scores = {evidence.item_id: evidence.relevance for evidence in candidates}
    parts = dialogue_scores(judge.question.text, lines, scores, settings, judge.words)
    return [evidence.with_parts(parts.get(evidence.item_id, _NOTHING)) for evidence in candidates], len(lines)


def _reranked(
    ordered: list[Evidence], judged: Mapping[str, Judged], reranker: Reranker, query: Query
) -> tuple[list[Evidence], dict[str, tuple[float, ...]]]:
    """Order the judged ones by the reranker's score."""
    words, category = frozenset(query_words(query.text)), category_of(query.text)
    best = [evidence for evidence in ordered if evidence.item_id in judged]
    values = {
        evidence.item_id: features(evidence, words, judged[evidence.item_id].words, category, query.now)
        for evidence in best
    }

    def score(evidence: Evidence) -> float:
        return reranker.score(evidence.relevance, values[evidence.item_id])

    return sorted(best, key=score, reverse=True), values
