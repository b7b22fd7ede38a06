"""A turn of a conversation as a host passes it: plain text, or a role and text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from celestial_engine.core.checks import check_choice, check_text
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.errors import InvalidInputError, Reason


class Role(str, Enum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Action(str, Enum):
    """What is done with a turn."""

    SAVE = "save"
    SKIP = "skip"
    RETRIEVE = "retrieve"


@dataclass(frozen=True)
class Utterance:
    """One message. In a history it also has the action taken, or the id of the memory it repeats."""

    text: str
    role: Role = Role.USER
    action: Action | None = None
    memory_id: str | None = None


Turn = str | Mapping[str, object] | Utterance
Past = Turn | Hit | CelestialItem


def read_utterance(turn: object) -> Utterance:
    """Parses a text, `{"role": ..., "content": ...}` or an utterance; else raises InvalidInputError."""
    if isinstance(turn, Utterance):
        return Utterance(
            check_text(turn.text, "turn"), check_choice(Role, turn.role, "role"), turn.action, turn.memory_id
        )
    if isinstance(turn, Mapping):
        if "content" not in turn:
            raise InvalidInputError("turn", Reason.MISSING, names=("content",))
        action, memory_id = turn.get("action"), turn.get("memory_id")
        return Utterance(
            check_text(turn["content"], "turn"),
            check_choice(Role, turn.get("role", Role.USER), "role"),
            None if action is None else check_choice(Action, action, "action"),
            None if memory_id is None else check_text(memory_id, "memory_id"),
        )
    return Utterance(check_text(turn, "turn"))


def read_past(turn: object) -> Utterance:
    """Parses an earlier turn, or a memory that was recalled for one."""
    if isinstance(turn, Hit):
        turn = turn.item
    if isinstance(turn, CelestialItem):
        return Utterance(turn.content, Role.TOOL, memory_id=turn.id)
    return read_utterance(turn)
