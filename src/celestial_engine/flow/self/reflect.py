"""reflect: what the lasting memories say about the self, as proposals. Of the self nothing changes but its age."""

from __future__ import annotations

import contextlib
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.night.distillation import invented
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.framing import harmless
from celestial_engine.core.self.beliefs import DOUBTFUL_BELOW, plain, same_statement
from celestial_engine.core.self.islands import MOST_DESCRIPTION, MOST_EMOJI, MOST_NAME, Island
from celestial_engine.core.self.proposals import Channel, ProposalStatus
from celestial_engine.core.self.reflection import (
    BY_MODEL,
    ENOUGH,
    Suggestion,
    SuggestionKind,
    founders_of,
    ground,
    prompt,
    suggestions,
    unfit,
)
from celestial_engine.errors import CelestialError, InvalidInputError, LanguageModelError
from celestial_engine.flow.base.ask_model import Asked, ask
from celestial_engine.flow.self import draft
from celestial_engine.flow.self.inbox import ProposalDraft, end_overdue, put
from celestial_engine.flow.self.tend import core_memories, self_of, tend
from celestial_engine.ports import ItemStore, Reader, Writer

logger = logging.getLogger(__name__)

BY = "sleep"
MOST_A_NIGHT = 3  # proposals: whoever is asked too much stops reading
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
    """What the memories show. Nobody leaves for it."""

    shown: tuple[Suggestion, ...] = ()
    memories: tuple[CelestialItem, ...] = ()

    @property
    def leaving(self) -> tuple[str, ...]:
        return ()


def plan(session: Reader, owner: Owner, now: float) -> ReflectPlan:
    """By rules, from core memories and those that live for a year."""
    core = core_memories(session, owner)
    if not core:
        return ReflectPlan()
    years = session.items.newest(owner, ItemFilter(tier=Tier.M365), _MOST_MEMORIES)
    lasting = ground([*core, *years])
    return ReflectPlan(tuple(suggestions(lasting)), tuple(lasting))


def carry_out(
    store: ItemStore, owner: Owner, plan: ReflectPlan, now: float, model: Asked | None = None
) -> Mapping[str, int]:
    """Time does its work on the islands, then a few proposals are put in."""
    counts = Counter[str]()
    with store.write(owner, durable=False) as session:
        counts["ended"] += end_overdue(session, owner, now)
        counts.update(tend(session, owner, now, _recalls(session, owner)))
    shown = list(plan.shown)
    if model is not None and plan.memories:  # never inside a transaction
        shown = [*_beliefs_by(model, plan.memories), *(_named_by(model, one, plan.memories) for one in shown)]
    with store.write(owner, durable=False) as session:
        counts["proposed"] += _propose(session, owner, shown, now)
    return +counts


def _recalls(session: Reader, owner: Owner) -> dict[str, int]:
    """How often the memories of each island were recalled, ever."""
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


def _propose(session: Writer, owner: Owner, shown: Sequence[Suggestion], now: float) -> int:
    put_in = 0
    for make in (_returning, _doubtful):
        put_in += make(session, owner, now)
    for one in shown:
        for make_one in (_island, _belief):
            if put_in >= MOST_A_NIGHT:
                return put_in
            # What was turned down, or does not hold any more, is no reason to end the night.
            with contextlib.suppress(CelestialError):
                put_in += make_one(session, owner, one, now)
    return put_in


def _island(session: Writer, owner: Owner, shown: Suggestion, now: float) -> int:
    present = self_of(session, owner)
    founders = founders_of(shown, (item.id for item in core_memories(session, owner)))
    founding = {item_id for island in present.islands for item_id in (*island.founders, *island.lost)}
    if not founders or not shown.name or len(shown.memories) < ENOUGH or founding.intersection(founders):
        return 0
    part = {"name": shown.name, "emoji": shown.emoji, "description": shown.description, "founders": [*founders]}
    made = draft.island_founded(session, owner, part, _reasons(shown), shown.memories)
    return _once(session, owner, made, now)


def _belief(session: Writer, owner: Owner, shown: Suggestion, now: float) -> int:
    if _island_waits(session, owner, shown, now):  # first the island, then what is believed on it
        return 0
    present = self_of(session, owner)
    items = session.items.get_many(owner, shown.memories)
    supports = [item.id for item in items if draft.may_support(item, shown.statement)]
    if not shown.statement or len(supports) < ENOUGH or same_statement(shown.statement, present.beliefs):
        return 0
    island = _home(present.islands, supports)
    part = {"statement": shown.statement, "supports": supports, "island": None if island is None else island.id}
    return _once(session, owner, draft.belief_formed(session, owner, part, _reasons(shown)), now)


def _island_waits(session: Reader, owner: Owner, shown: Suggestion, now: float) -> bool:
    waiting = session.self.proposals_about(owner, f"island:{plain(shown.name)}") if shown.name else []
    return any(one.status is ProposalStatus.PENDING and not one.is_over(now) for one in waiting)


def _home(islands: Sequence[Island], supports: Sequence[str]) -> Island | None:
    standing = [(len(set(island.founders).intersection(supports)), island) for island in islands]
    best = max(standing, key=lambda pair: pair[0], default=(0, None))
    return best[1] if best[0] else None


def _doubtful(session: Writer, owner: Owner, now: float) -> int:
    """Beliefs that hardly anything holds up: does the user still want them?"""
    asked = 0
    for belief in self_of(session, owner).beliefs:
        if belief.confidence < DOUBTFUL_BELOW and belief.lost:
            reasons = {"confidence": belief.confidence, "lost": len(belief.lost)}
            with contextlib.suppress(InvalidInputError):
                made = draft.belief_changed(session, owner, belief.id, {}, drop=True, reasons=reasons)
                asked += _once(session, owner, made, now)
    return asked


def _returning(session: Writer, owner: Owner, now: float) -> int:
    """Founders that came back from the cliff: no core memories, unless the user says so."""
    asked = 0
    for island in session.self.islands(owner):
        for item in session.items.get_many(owner, island.lost):
            with contextlib.suppress(CelestialError):
                made = draft.core_promotion(session, owner, item.id, Channel.SLEEP, {"founded": island.id})
                asked += _once(session, owner, made, now)
    return asked


def _once(session: Writer, owner: Owner, made: ProposalDraft, now: float) -> int:
    """What was ever proposed by whomever is not proposed at night, unless it has expired."""
    undecided = [one for one in session.self.proposals_about(owner, made.about) if not one.is_over(now)]
    if any(one.kind is made.kind and one.decided_at is None for one in undecided):
        return 0
    put(session, owner, made, BY, Channel.SLEEP, now)
    return 1


def _reasons(shown: Suggestion) -> dict[str, Any]:
    return {"memories": len(shown.memories), "written_by": shown.by}


# -- by a language model ------------------------------------------------------------------------------


def _beliefs_by(model: Asked, memories: Sequence[CelestialItem]) -> list[Suggestion]:
    read = list(memories[:_MOST_ASKED])
    told = _asked(model, SuggestionKind.BELIEFS, read, _BELIEFS)
    found = []
    for one in told.get("beliefs", []) if isinstance(told.get("beliefs"), list) else []:
        statement, numbers = (one.get("statement"), one.get("memories")) if isinstance(one, dict) else (None, None)
        if not isinstance(statement, str) or not isinstance(numbers, list):
            continue
        known = [read[n - 1] for n in numbers if isinstance(n, int) and 0 < n <= len(read)]
        refused = unfit(statement, [item.content for item in known])
        if refused is None and len(known) >= ENOUGH:
            ids = tuple(dict.fromkeys(item.id for item in known))
            found.append(Suggestion(ids, statement=harmless(statement), by=BY_MODEL))
        else:
            logger.warning(
                "a belief that the language model wrote was refused: %s", refused or "too little supports it"
            )
    return found


def _named_by(model: Asked, shown: Suggestion, memories: Sequence[CelestialItem]) -> Suggestion:
    """A name that suits better, if it says nothing that no memory says."""
    read = [item for item in memories if item.id in shown.memories]
    told = _asked(model, SuggestionKind.NAME, read, _NAME)
    fields = {name: harmless(value) for name, value in told.items() if isinstance(value, str)}
    name, emoji, description = (fields.get(key, "") for key in ("name", "emoji", "description"))
    fits = 0 < len(name) <= MOST_NAME and len(emoji) <= MOST_EMOJI and len(description) <= MOST_DESCRIPTION
    if not fits or invented(f"{name}. {description}", [item.content for item in read]):
        return shown
    return replace(shown, name=name, emoji=emoji, description=description, by=BY_MODEL)


def _asked(
    model: Asked, kind: SuggestionKind, read: Sequence[CelestialItem], schema: dict[str, Any]
) -> dict[str, Any]:
    lines = [f"{n}. {harmless(item.content)[:_MOST_QUOTED]}" for n, item in enumerate(read, 1)]
    try:
        answer = ask(model, prompt(kind, [item.content for item in read]), "\n".join(lines), schema)
        told = json.loads(answer[answer.find("{") : answer.rfind("}") + 1] or "{}")
    except (LanguageModelError, ValueError) as error:
        logger.warning("reflected by rules alone: %s", error)
        return {}
    return told if isinstance(told, dict) else {}
