"""reflect: propose what the lasting memories say about the self. Only the age of the self changes here."""

from __future__ import annotations

import contextlib
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from celestial_engine.core.model.invented import invented
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.self.beliefs import DOUBTFUL_BELOW, plain, same_statement
from celestial_engine.core.self.islands import MOST_DESCRIPTION, MOST_EMOJI, MOST_NAME, Island
from celestial_engine.core.self.proposals import Channel, ProposalStatus
from celestial_engine.core.self.reflection import (
    BY_MODEL,
    Suggestion,
    SuggestionKind,
    founders_of,
    prompt,
    stated_confidence,
    statement_problem,
    suggestion_sources,
    suggestions,
)
from celestial_engine.errors import CelestialError, InvalidInputError, LanguageModelError
from celestial_engine.flow.base.ask_model import AnyModel, ask
from celestial_engine.flow.self import draft
from celestial_engine.flow.self.inbox import ProposalDraft, expire_proposals, put
from celestial_engine.flow.self.tend import core_memories, self_of, tend
from celestial_engine.ports import ItemStore, Reader, Writer

logger = logging.getLogger(__name__)

BY = "sleep"
MOST_A_NIGHT = 3  # proposals per night: too many questions go unread
_MOST_MEMORIES = 300
_MOST_ASKED = 20
_MOST_QUOTED = 160
_BELIEFS = {
    "type": "object",
    "properties": {
        "beliefs": {
            "type": "array",
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "statement": {"type": "string"},
                    "memories": {"type": "array", "items": {"type": "integer"}},
                    "confidence": {"type": "number"},
                },
                "required": ["statement", "memories"],
            },
        }
    },
    "required": ["beliefs"],
}
_NAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "emoji": {"type": "string"}, "description": {"type": "string"}},
    "required": ["name", "emoji", "description"],
}


@dataclass(frozen=True)
class ReflectPlan:
    """What the memories show. None of them leaves."""

    suggestions: tuple[Suggestion, ...] = ()
    memories: tuple[CelestialItem, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float) -> ReflectPlan:
    """Plan by rules, from core memories and memories of the one-year tier."""
    core = core_memories(session, owner)
    if not core:
        return ReflectPlan()
    years = session.items.newest(owner, ItemFilter(tier=Tier.M365), _MOST_MEMORIES)
    lasting = suggestion_sources([*core, *years])
    return ReflectPlan(tuple(suggestions(lasting)), tuple(lasting))


def carry_out(
    store: ItemStore, owner: Owner, plan: ReflectPlan, now: float, model: AnyModel | None = None
) -> Mapping[str, int]:
    """Age the islands, then put a few proposals into the inbox."""
    counts = Counter[str]()
    with store.write(owner, durable=False) as session:
        counts["ended"] += expire_proposals(session, owner, now)
        counts.update(tend(session, owner, now, _recalls(session, owner)))
    suggestions = list(plan.suggestions)
    if model is not None and plan.memories:  # never inside a transaction
        suggestions = [
            *_suggested_beliefs(model, plan.memories),
            *(_named_by(model, suggestion, plan.memories) for suggestion in suggestions),
        ]
    with store.write(owner, durable=False) as session:
        counts["proposed"] += _propose(session, owner, suggestions, now)
    return +counts


def _recalls(session: Reader, owner: Owner) -> dict[str, int]:
    """Return how often the memories of each island were ever recalled."""
    islands = session.self.islands(owner)
    if not islands:
        return {}
    counts = dict.fromkeys((island.id for island in islands), 0)
    for life in session.night.lifetime_rows(owner):
        if not life.recall_count:
            continue
        for island in islands:
            at_home = life.tier in (Tier.M365, Tier.M0) and not set(island.topics).isdisjoint(life.keywords)
            if life.island == island.id or at_home:
                counts[island.id] += life.recall_count
    return counts


# -- proposing ----------------------------------------------------------------------------------------


def _propose(session: Writer, owner: Owner, suggestions: Sequence[Suggestion], now: float) -> int:
    put_in = 0
    for make in (_propose_restored_founders, _propose_dropping):
        put_in += make(session, owner, now)
    for suggestion in suggestions:
        for make_one in (_propose_island, _propose_belief):
            if put_in >= MOST_A_NIGHT:
                return put_in
            # A rejected or outdated proposal must not end the night.
            with contextlib.suppress(CelestialError):
                put_in += make_one(session, owner, suggestion, now)
    return put_in


def _propose_island(session: Writer, owner: Owner, suggestion: Suggestion, now: float) -> int:
    present = self_of(session, owner)
    founders = founders_of(suggestion, (item.id for item in core_memories(session, owner)))
    founding = {item_id for island in present.islands for item_id in (*island.founders, *island.lost)}
    if not founders or not suggestion.name or founding.intersection(founders):
        return 0
    part = {
        "name": suggestion.name,
        "emoji": suggestion.emoji,
        "description": suggestion.description,
        "founders": [*founders],
    }
    proposal = draft.island_founded(session, owner, part, _reasons(suggestion), suggestion.memories)
    return _put_once(session, owner, proposal, now)


def _propose_belief(session: Writer, owner: Owner, suggestion: Suggestion, now: float) -> int:
    if _island_waits(session, owner, suggestion, now):  # first the island, then the belief on it
        return 0
    present = self_of(session, owner)
    items = session.items.get_many(owner, suggestion.memories)
    supports = [item.id for item in items if draft.may_support(item, suggestion.statement)]
    if not suggestion.statement or not supports or same_statement(suggestion.statement, present.beliefs):
        return 0
    island = _closest_island(present.islands, supports)
    part = {"statement": suggestion.statement, "supports": supports, "island": None if island is None else island.id}
    reasons = _reasons(suggestion)
    proposal = draft.belief_formed(session, owner, part, reasons, confidence=suggestion.confidence)
    return _put_once(session, owner, proposal, now)


def _island_waits(session: Reader, owner: Owner, suggestion: Suggestion, now: float) -> bool:
    waiting = session.self.proposals_about(owner, f"island:{plain(suggestion.name)}") if suggestion.name else []
    return any(proposal.status is ProposalStatus.PENDING and not proposal.is_over(now) for proposal in waiting)


def _closest_island(islands: Sequence[Island], supports: Sequence[str]) -> Island | None:
    overlaps = [(len(set(island.founders).intersection(supports)), island) for island in islands]
    best = max(overlaps, key=lambda pair: pair[0], default=(0, None))
    return best[1] if best[0] else None


def _propose_dropping(session: Writer, owner: Owner, now: float) -> int:
    """Ask the user about beliefs that have little support left."""
    count = 0
    for belief in self_of(session, owner).beliefs:
        if belief.confidence < DOUBTFUL_BELOW and belief.lost:
            reasons = {"confidence": belief.confidence, "lost": len(belief.lost)}
            with contextlib.suppress(InvalidInputError):
                proposal = draft.belief_changed(session, owner, belief.id, {}, drop=True, reasons=reasons)
                count += _put_once(session, owner, proposal, now)
    return count


def _propose_restored_founders(session: Writer, owner: Owner, now: float) -> int:
    """Ask about founders restored from the cliff: they are no core memories unless the user approves."""
    count = 0
    for island in session.self.islands(owner):
        for item in session.items.get_many(owner, island.lost):
            with contextlib.suppress(CelestialError):
                proposal = draft.core_promotion(session, owner, item.id, Channel.SLEEP, {"founded": island.id})
                count += _put_once(session, owner, proposal, now)
    return count


def _put_once(session: Writer, owner: Owner, proposal: ProposalDraft, now: float) -> int:
    """Put a proposal unless anyone proposed the same before and it did not expire."""
    undecided = [
        earlier for earlier in session.self.proposals_about(owner, proposal.about) if not earlier.is_over(now)
    ]
    if any(earlier.kind is proposal.kind and earlier.decided_at is None for earlier in undecided):
        return 0
    put(session, owner, proposal, BY, Channel.SLEEP, now)
    return 1


def _reasons(suggestion: Suggestion) -> dict[str, Any]:
    return {"memories": len(suggestion.memories), "written_by": suggestion.by}


# -- by a language model ------------------------------------------------------------------------------


def _suggested_beliefs(model: AnyModel, memories: Sequence[CelestialItem]) -> list[Suggestion]:
    read = list(memories[:_MOST_ASKED])
    answer = _ask_json(model, SuggestionKind.BELIEFS, read, _BELIEFS)
    suggestions = []
    for entry in answer.get("beliefs", []) if isinstance(answer.get("beliefs"), list) else []:
        statement, numbers = (
            (entry.get("statement"), entry.get("memories")) if isinstance(entry, dict) else (None, None)
        )
        if not isinstance(statement, str) or not isinstance(numbers, list):
            continue
        cited = [read[n - 1] for n in numbers if isinstance(n, int) and 0 < n <= len(read)]
        refused = statement_problem(statement, [item.content for item in cited])
        if refused is None and cited:
            ids = tuple(dict.fromkeys(item.id for item in cited))
            confidence = stated_confidence(entry.get("confidence"))
            suggestions.append(
                Suggestion(ids, statement=escape_for_prompt(statement), by=BY_MODEL, confidence=confidence)
            )
        else:
            logger.warning(
                "a belief written by the language model was refused: %s", refused or "no memory supports it"
            )
    return suggestions


def _named_by(model: AnyModel, suggestion: Suggestion, memories: Sequence[CelestialItem]) -> Suggestion:
    """Return a better name if the model finds one that the memories support."""
    read = [item for item in memories if item.id in suggestion.memories]
    answer = _ask_json(model, SuggestionKind.NAME, read, _NAME)
    fields = {name: escape_for_prompt(value) for name, value in answer.items() if isinstance(value, str)}
    name, emoji, description = (fields.get(key, "") for key in ("name", "emoji", "description"))
    fits = 0 < len(name) <= MOST_NAME and len(emoji) <= MOST_EMOJI and len(description) <= MOST_DESCRIPTION
    if not fits or invented(f"{name}. {description}", [item.content for item in read]):
        return suggestion
    return replace(suggestion, name=name, emoji=emoji, description=description, by=BY_MODEL)


def _ask_json(
    model: AnyModel, kind: SuggestionKind, read: Sequence[CelestialItem], schema: dict[str, Any]
) -> dict[str, Any]:
    lines = [f"{n}. {escape_for_prompt(item.content)[:_MOST_QUOTED]}" for n, item in enumerate(read, 1)]
    try:
        answer = ask(model, prompt(kind, [item.content for item in read]), "\n".join(lines), schema)
        data = json.loads(answer[answer.find("{") : answer.rfind("}") + 1] or "{}")
    except (LanguageModelError, ValueError) as error:
        logger.warning("reflected by rules alone: %s", error)
        return {}
    return data if isinstance(data, dict) else {}
