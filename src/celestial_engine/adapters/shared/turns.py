"""Observe and store conversation turns from frameworks, and compose memories for the prompt."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal, cast, get_args

from celestial_engine.core.record.coordinate import AgentCoordinate, ContentType, Document
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.turn.conversation import Action, Role, Utterance
from celestial_engine.core.turn.observation import Observed
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import (
    CelestialError,
    ContentTooLargeError,
    InvalidInputError,
    InvalidTextError,
    KeyReusedError,
    Reason,
    SecretError,
)

logger = logging.getLogger(__name__)

Keep = Literal["everything", "worthwhile"]

MAX_HISTORY_TURNS = 12  # turns; older ones say little about the current one
_MAX_HISTORY_CHARACTERS = 2_000  # characters kept of each turn in a history


def past_turn(role: Role, text: str, observed: Observed | None = None) -> Utterance:
    """A finished turn as history for the next one; a long text is cut."""
    action = None if observed is None else observed.decision.action
    return Utterance(text[:_MAX_HISTORY_CHARACTERS], role, action)


def observe_turn(
    memory: CelestialMemory,
    text: str,
    history: Sequence[Utterance],
    *,
    budget: int,
    always: bool,
    session_id: str | None,
    user_id: str | None,
    agent_id: str | None,
) -> tuple[Observed | None, str]:
    """Observe a user's turn; returns the observation and the memories for the answer as quoted data, or "".

    With `always` memories are searched for every turn, not only for questions. If the search fails, the conversation
    continues without memories.
    """
    if not text.strip():
        return None, ""
    composed = ""
    if always:  # before the turn is saved: it must not be recalled as its own answer
        try:
            composed = memory.of(user_id, agent_id).compose(text, budget).text
        except CelestialError as error:
            logger.warning("a turn is answered without memories: %s", error)
    observed = memory.of(user_id, agent_id).observe(
        text, history[-MAX_HISTORY_TURNS:], budget=0 if always else budget, session_id=session_id
    )
    return observed, composed or observed.context


def drop_last_memories(composed: str, tokens: int) -> str | None:
    """Drop the last memories of a composed text to save at least `tokens`; None if no memory would be left."""
    opening, *lines = composed.splitlines(keepends=True)
    header, memories, closing = lines[:1], lines[1:-1], lines[-1:]
    saved = 0
    while memories and saved < tokens:
        saved += len(memories.pop().split())  # a lower bound: every word is at least one token
    return "".join((opening, *header, *memories, *closing)) if memories else None


def check_keep(keep: object) -> Keep:
    if keep not in get_args(Keep):
        raise InvalidInputError("keep", Reason.UNKNOWN_CHOICE, got=keep, choices=("everything", "worthwhile"))
    return cast(Keep, keep)


def keep_turn(
    memory: CelestialMemory,
    said: Utterance,
    history: Sequence[Utterance],
    *,
    keep: Keep,
    speaker: str | None = None,
    metadata: dict[str, object] | None = None,
    idempotency_key: str | None = None,
    session_id: str | None,
    user_id: str | None,
    agent_id: str | None,
) -> None:
    """Store a finished turn: every turn, or only those that `decide` would save. Nothing is searched.

    A turn that cannot be stored (too large, a blocked secret, a reused key with another text) is logged and skipped,
    so that the others are still stored.
    """
    tier, by_user = Tier.M30, said.role is Role.USER
    try:
        if keep == "worthwhile":
            decision = memory.of(user_id, agent_id).decide(said, history[-MAX_HISTORY_TURNS:])
            if decision.action is not Action.SAVE:
                return
            tier = Tier.M90 if decision.features.remember else tier
        memory.of(user_id, agent_id).store(
            said.text,
            metadata={**(metadata or {}), **({"speaker": speaker} if speaker else {})},
            source=Source.CONVERSATION,
            tier=tier,
            session_id=session_id,
            agent=AgentCoordinate(role=said.role.value),
            document=Document(type=ContentType.USER_INPUT if by_user else ContentType.PERSONA_RESPONSE),
            idempotency_key=idempotency_key,
        )
    except (ContentTooLargeError, InvalidTextError, SecretError, KeyReusedError) as error:
        logger.warning("a turn was not remembered: %s", error)
