"""compose: write the search result and the Core zone for a prompt, within a token budget."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.composition import Composition, PromptCandidate, compose
from celestial_engine.core.retrieval.search_result import SearchResult
from celestial_engine.core.text.language import language_of
from celestial_engine.ports import ItemFilter, ItemStore

_MOST_OF_CORE = 20


def compose_context(
    store: ItemStore, owner: Owner, found: SearchResult, question: str, budget: int, where: ItemFilter | None = None
) -> Composition:
    """Put Core first, since it is what the conversation is about now; then what answers the question."""
    with store.read() as session:
        core = session.items.newest(owner, replace(where or ItemFilter(), zone=0), _MOST_OF_CORE)
    best = max((hit.relevance for hit in found.hits), default=0.0)
    relevance = {hit.item.id: max(0.0, hit.relevance / best) if best > 0 else 0.0 for hit in found.hits}
    items = {item.id: item for item in [*core, *(hit.item for hit in found.hits)]}
    in_core = {item.id for item in core}
    candidates = [
        PromptCandidate(item, relevance.get(item_id, 0.0), core=item_id in in_core) for item_id, item in items.items()
    ]
    return compose(candidates, budget, language=language_of(question).value)
