"""compose: write the search result and the Core zone for a prompt, within a token budget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.composition import Composition, PromptCandidate, compose
from celestial_engine.core.retrieval.search_result import SearchResult
from celestial_engine.core.sameness.supersession import is_partly_true
from celestial_engine.core.text.language import language_of
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.ports import ItemFilter, ItemStore

if TYPE_CHECKING:
    from celestial_engine.core.retrieval.profile import Profile

_MOST_OF_CORE = 20


def compose_context(
    store: ItemStore,
    owner: Owner,
    result: SearchResult,
    question: str,
    budget: int,
    where: ItemFilter | None = None,
    profile: Profile | None = None,
    *,
    past: bool = False,
) -> Composition:
    """Put Core first, since it is what the conversation is about now; then what answers the question.

    A memory in Core that does not answer is background. A profile comes before all of them; what it quotes is not
    quoted again. A statement that was replaced, or likely is, is left out, unless the question asks about the `past`,
    or the statement tells something else, too: then it is quoted with the day since when it is no longer all true.
    """
    with store.read() as session:
        core = session.items.newest(owner, replace(where or ItemFilter(), zone=0), _MOST_OF_CORE)
    best = max((hit.relevance for hit in result.hits), default=0.0)
    relevance = {hit.item.id: max(0.0, hit.relevance / best) if best > 0 else 0.0 for hit in result.hits}
    items = {item.id: item for item in [*core, *(hit.item for hit in result.hits)]}
    in_core = {item.id for item in core}
    ended = {hit.item.id for hit in result.hits if not hit.is_valid and not is_partly_true(hit.item)}
    quotable = {
        item_id: item
        for item_id, item in items.items()
        if past or (item_id not in ended if item_id in relevance else item.validity.superseded_by is None)
    }
    candidates = [
        PromptCandidate(item, relevance.get(item_id, 0.0), item_id in in_core, background=item_id not in relevance)
        for item_id, item in quotable.items()
        if profile is None or not profile.quotes(item)
    ]
    replaced = len(items) - len(quotable)
    language = language_of(question).value
    known = bool(result.hits)
    if profile is None or not profile.facts:
        composition = compose(candidates, budget, language=language, known=known, question=question)
        return replace(composition, ended=replaced)
    room = budget - profile.tokens - 1  # 1: the line break between
    composition = compose(candidates, room, language=language, known=known, question=question)
    text = f"{profile.text}\n{composition.text}" if composition.text else profile.text
    used = (*profile.used, *composition.used)
    return replace(composition, text=text, used=used, tokens=count_tokens(text), budget=budget, ended=replaced)
