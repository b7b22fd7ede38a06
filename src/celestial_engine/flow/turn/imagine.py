"""imagine: memories and the moment become something that could be done; kept as a memory of its own."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.guard.secrets import instructs
from celestial_engine.core.imagination.ideas import (
    MOST_MEMORIES,
    IdeaDraft,
    Material,
    Situation,
    best_idea,
    made_up,
    words_for,
)
from celestial_engine.core.imagination.rules import (
    BY_MODEL,
    BY_TEMPLATES,
    FREE,
    Imagination,
    PatternStrength,
    WhyNot,
    has_secret,
    imagination_in,
    why_not,
)
from celestial_engine.core.imagination.settings import ImaginationSettings
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.framing import harmless
from celestial_engine.errors import InvalidInputError, LanguageModelError, NotFoundError, Problem, Reason, problem
from celestial_engine.flow.base.ask_model import Asked, ask
from celestial_engine.flow.base.placement import course_of, place
from celestial_engine.ports import ItemStore, Reader

logger = logging.getLogger(__name__)

_LOOKED_BACK = 16  # more than any day has, however the clock jumps
_MOST_QUOTED, _MOST_SAID, _MOST_WORD = 300, 200, 24
_SCHEMA = {
    "type": "object",
    "properties": {
        "scenario": {"type": "string", "minLength": 1},
        "action": {"type": "string"},
        "emotion": {"type": "string", "minLength": 1},
    },
    "required": ["scenario", "action", "emotion"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class IdeaResult:
    """A draft, who wrote it, and why what a language model wrote was not taken."""

    draft: IdeaDraft | None
    by: str = BY_TEMPLATES
    refused: Problem | None = None


def moments(session: Reader, owner: Owner) -> list[float]:
    """When the last ones came, as the ledger tells."""
    return [event.at for event in session.ledger.latest(owner, (EventType.IMAGINED,), _LOOKED_BACK)]


def think(
    situation: Situation,
    memories: Sequence[Material],
    strengths: Mapping[str, PatternStrength],
    model: Asked | None = None,
) -> IdeaResult:
    """By a language model if there is one; by templates where it fails, or says what no memory does."""
    draft = best_idea(situation, memories, strengths)
    if model is None or not memories or (draft is None and strengths.get(FREE, PatternStrength(FREE)).silent):
        return IdeaResult(draft)
    ranked = sorted(memories, key=lambda one: -one.weight(situation.now))
    chosen = draft.memories if draft is not None else tuple(one.item for one in ranked[:MOST_MEMORIES])
    words = words_for(situation.context, chosen)
    sources = [*(item.content for item in chosen), situation.context, f"{situation.local:%H}"]
    quoted = [f"{words.REMEMBERED}:", *(f"- {harmless(item.content)[:_MOST_QUOTED]}" for item in chosen)]
    quoted += [f"{words.NOW}: {situation.local:%H:%M} {harmless(situation.context)[:_MOST_QUOTED]}"]
    try:
        told = _read(ask(model, words.PROMPT, "\n".join(quoted), _SCHEMA))
    except LanguageModelError as error:
        logger.warning("imagined by templates instead: %s", error)
        return IdeaResult(draft, refused=problem(None, Reason.OTHER_ERROR, cause=error))
    ours = [idea.scenario + idea.action for idea in words.IDEAS.values()]
    refused = _objection(told, [*sources, *ours])
    if refused is not None:
        logger.warning("imagined by templates instead: what the language model wrote was refused: %s", refused)
        return IdeaResult(draft, refused=refused)
    pattern = FREE if draft is None else draft.pattern
    return IdeaResult(IdeaDraft(pattern, chosen, told["scenario"], told["action"] or None, told["emotion"]), BY_MODEL)


def keep(
    store: ItemStore,
    law: Law,
    item: CelestialItem,
    imagination: Imagination,
    settings: ImaginationSettings,
) -> WhyNot | None:
    """Writes it down, unless others have imagined enough meanwhile, or a memory it joins has gone."""
    owner, now = item.owner, imagination.at
    with store.write(owner) as session:
        forbidden = why_not(moments(session, owner), now, settings)
        if forbidden is not None:
            return forbidden
        there = session.items.get_many(owner, imagination.memories_used)
        if len(there) < len(imagination.memories_used) or not all(one.state.in_orbit for one in there):
            return WhyNot.NO_IDEA
        place(session, law, item, now)
        session.items.add(item, course_of(law, item, now))
        stored = {
            "zone": item.zone,
            "tier": item.tier.value,
            "importance": item.arbitrary_importance,
            "importance_source": item.importance_source,
        }
        session.ledger.record(Event(EventType.STORED, owner, now, item.id, stored))
        told = {"trigger": imagination.trigger.value, "pattern": imagination.pattern, "by": imagination.by}
        session.ledger.record(
            Event(EventType.IMAGINED, owner, now, item.id, told, memory_refs=imagination.memories_used)
        )
        strength = session.ideas.patterns(owner).get(imagination.pattern, PatternStrength(imagination.pattern))
        session.ideas.put_pattern(owner, strength.used(item.id, now))
    return None


def answer(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float, *, liked: bool) -> Imagination:
    """What somebody thought of it: its pattern comes to mind more easily, or less. Said twice it counts once."""
    with store.write(owner) as session:
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        imagination = imagination_in(item)
        if imagination is None:
            raise InvalidInputError("id", Reason.NOT_IMAGINED)
        if imagination.liked is liked:
            return imagination
        imagination = replace(imagination, liked=liked)
        item.metadata = {**item.metadata, **imagination.details()}
        if item.state.in_orbit:
            place(session, law, item, now, session.items.key_of(owner, item_id))
        session.items.rewrite(item, course_of(law, item, now))
        detail = {"fields": ["metadata"], "liked": liked, "pattern": imagination.pattern}
        session.ledger.record(Event(EventType.UPDATED, owner, now, item_id, detail))
        strength = session.ideas.patterns(owner).get(imagination.pattern, PatternStrength(imagination.pattern))
        session.ideas.put_pattern(owner, strength.answered(item_id, liked=liked))
    return imagination


def _read(answer: str) -> dict[str, str]:
    found = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        told: Any = json.loads(found.group()) if found else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise LanguageModelError(Reason.ANSWER_NOT_JSON)
    texts = {name: told.get(name) or "" for name in ("scenario", "action", "emotion")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise LanguageModelError(Reason.WRONG_CONTENTS)
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _objection(told: Mapping[str, str], sources: Sequence[str]) -> Problem | None:
    """Why it may not be kept; None if it may."""
    said = f"{told['scenario']} {told['action']}"
    if not told["scenario"] or re.fullmatch(r"[^\W\d_][\w -]*", told["emotion"]) is None:
        return problem(None, Reason.SAYS_NOTHING)
    if max(map(len, (told["scenario"], told["action"]))) > _MOST_SAID or len(told["emotion"]) > _MOST_WORD:
        return problem(None, Reason.TOO_LONG, most=_MOST_SAID)
    if instructs(said) or has_secret(said):
        return problem(None, Reason.TELLS_SECRET)
    found = made_up(said, sources)
    return problem(None, Reason.UNSUPPORTED, names=tuple(found)) if found else None
