"""imagine: combine memories and the moment into an idea, stored as a memory of its own."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.guard.instructions import looks_like_injection
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
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.errors import InvalidInputError, LanguageModelError, Problem, Reason, problem
from celestial_engine.flow.base.ask_model import AnyModel, ask
from celestial_engine.flow.base.placement import add, get_item, place_again, rewrite
from celestial_engine.ports import ItemStore, Reader

logger = logging.getLogger(__name__)

_MOST_LOOKED_BACK = 16  # more than one day can have, even if the clock jumps
_MOST_QUOTED, _MOST_TEXT, _MOST_WORD = 300, 200, 24
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
    """A draft, its author, and why the language model's text was refused."""

    draft: IdeaDraft | None
    by: str = BY_TEMPLATES
    refused: Problem | None = None


def imagined_times(session: Reader, owner: Owner) -> list[float]:
    """Return the times of the latest imaginations in the ledger."""
    return [event.at for event in session.ledger.latest(owner, (EventType.IMAGINED,), _MOST_LOOKED_BACK)]


def draft_idea(
    situation: Situation,
    memories: Sequence[Material],
    strengths: Mapping[str, PatternStrength],
    model: AnyModel | None = None,
) -> IdeaResult:
    """Draft by a language model if there is one; by templates if it fails or invents."""
    draft = best_idea(situation, memories, strengths)
    if model is None or not memories or (draft is None and strengths.get(FREE, PatternStrength(FREE)).silent):
        return IdeaResult(draft)
    ranked = sorted(memories, key=lambda memory: -memory.weight(situation.now))
    chosen = draft.memories if draft is not None else tuple(memory.item for memory in ranked[:MOST_MEMORIES])
    words = words_for(situation.context, chosen)
    sources = [*(item.content for item in chosen), situation.context, f"{situation.local:%H}"]
    quoted = [f"{words.REMEMBERED}:", *(f"- {escape_for_prompt(item.content)[:_MOST_QUOTED]}" for item in chosen)]
    quoted += [f"{words.NOW}: {situation.local:%H:%M} {escape_for_prompt(situation.context)[:_MOST_QUOTED]}"]
    try:
        written = _parsed(ask(model, words.PROMPT, "\n".join(quoted), _SCHEMA))
    except LanguageModelError as error:
        logger.warning("imagined by templates instead: %s", error)
        return IdeaResult(draft, refused=problem(None, Reason.OTHER_ERROR, cause=error))
    template_texts = [idea.scenario + idea.action for idea in words.IDEAS.values()]
    refused = _objection(written, [*sources, *template_texts])
    if refused is not None:
        logger.warning("imagined by templates instead: the language model's text was refused: %s", refused)
        return IdeaResult(draft, refused=refused)
    pattern = FREE if draft is None else draft.pattern
    return IdeaResult(
        IdeaDraft(pattern, chosen, written["scenario"], written["action"] or None, written["emotion"]), BY_MODEL
    )


def store_idea(
    store: ItemStore,
    law: Law,
    item: CelestialItem,
    imagination: Imagination,
    settings: ImaginationSettings,
) -> WhyNot | None:
    """Store the idea, unless the limit was reached meanwhile or a memory it uses has left."""
    owner, now = item.owner, imagination.at
    with store.write(owner) as session:
        forbidden = why_not(imagined_times(session, owner), now, settings)
        if forbidden is not None:
            return forbidden
        used = session.items.get_many(owner, imagination.memories_used)
        if len(used) < len(imagination.memories_used) or not all(memory.state.in_orbit for memory in used):
            return WhyNot.NO_IDEA
        add(session, law, item, now)
        detail = {"trigger": imagination.trigger.value, "pattern": imagination.pattern, "by": imagination.by}
        session.ledger.record(
            Event(EventType.IMAGINED, owner, now, item.id, detail, memory_refs=imagination.memories_used)
        )
        strength = session.ideas.patterns(owner).get(imagination.pattern, PatternStrength(imagination.pattern))
        session.ideas.put_pattern(owner, strength.used(item.id, now))
    return None


def answer(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float, *, liked: bool) -> Imagination:
    """Store whether the user liked it, and adjust its pattern's strength. The same answer counts once."""
    with store.write(owner) as session:
        item = get_item(session, owner, item_id)
        imagination = imagination_in(item)
        if imagination is None:
            raise InvalidInputError("id", Reason.NOT_IMAGINED)
        if imagination.liked is liked:
            return imagination
        imagination = replace(imagination, liked=liked)
        write = place_again if item.state.in_orbit else rewrite
        write(session, law, replace(item, metadata={**item.metadata, **imagination.details()}), now)
        detail = {"fields": ["metadata"], "liked": liked, "pattern": imagination.pattern}
        session.ledger.record(Event(EventType.UPDATED, owner, now, item_id, detail))
        strength = session.ideas.patterns(owner).get(imagination.pattern, PatternStrength(imagination.pattern))
        session.ideas.put_pattern(owner, strength.answered(item_id, liked=liked))
    return imagination


def _parsed(answer: str) -> dict[str, str]:
    match = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        data: Any = json.loads(match.group()) if match else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise LanguageModelError(Reason.ANSWER_NOT_JSON)
    texts = {name: data.get(name) or "" for name in ("scenario", "action", "emotion")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise LanguageModelError(Reason.WRONG_CONTENTS)
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _objection(written: Mapping[str, str], sources: Sequence[str]) -> Problem | None:
    """Return why the text may not be stored, or None."""
    text = f"{written['scenario']} {written['action']}"
    if not written["scenario"] or re.fullmatch(r"[^\W\d_][\w -]*", written["emotion"]) is None:
        return problem(None, Reason.SAYS_NOTHING)
    if max(map(len, (written["scenario"], written["action"]))) > _MOST_TEXT or len(written["emotion"]) > _MOST_WORD:
        return problem(None, Reason.TOO_LONG, most=_MOST_TEXT)
    if looks_like_injection(text) or has_secret(text):
        return problem(None, Reason.TELLS_SECRET)
    unsupported = made_up(text, sources)
    return problem(None, Reason.UNSUPPORTED, names=tuple(unsupported)) if unsupported else None
