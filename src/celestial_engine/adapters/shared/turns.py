"""Turns of a conversation, as frameworks hand them over: observed, and answered with memories for the prompt."""

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

MOST_HISTORY = 12  # turns; what lies further back says little about this one
_MOST_REMEMBERED = 2_000  # characters of a turn in a history


def past_turn(role: Role, text: str, observed: Observed | None = None) -> Utterance:
    """A turn for the history of the next one; a long one by its beginning."""
    action = None if observed is None else observed.decision.action
    return Utterance(text[:_MOST_REMEMBERED], role, action)


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
    """What became of a user's turn, and the memories for its answer as quoted data; "" where none help.

    With `always` memories are looked up for every turn, not only for those that ask something. It never raises: the
    conversation goes on without its memory.
    """
    if not text.strip():
        return None, ""
    composed = ""
    if always:  # before it is saved: a turn is no answer to itself
        try:
            composed = memory.of(user_id, agent_id).compose(text, budget).text
        except CelestialError as error:
            logger.warning("a turn is answered without memories: %s", error)
    observed = memory.of(user_id, agent_id).observe(
        text, history[-MOST_HISTORY:], budget=0 if always else budget, session_id=session_id
    )
    return observed, composed or observed.context


def without_last(composed: str, tokens: int) -> str | None:
    """A composition that takes at least so many tokens less: its last memories go; None if none would be left."""
    opening, *lines = composed.splitlines(keepends=True)
    header, told, closing = lines[:1], lines[1:-1], lines[-1:]
    saved = 0
    while told and saved < tokens:
        saved += len(told.pop().split())  # no tokeniser makes less than a token of a word
    return "".join((opening, *header, *told, *closing)) if told else None


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
    """Remembers a turn that is over: every one, or the user's that are worth it. Nothing is looked up for it.

    One that cannot be remembered (too large, a secret that is blocked, the same event with another text) is logged,
    and does not hold up the others.
    """
    tier, by_user = Tier.M30, said.role is Role.USER
    try:
        if keep == "worthwhile":
            decision = memory.of(user_id, agent_id).decide(said, history[-MOST_HISTORY:])
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
