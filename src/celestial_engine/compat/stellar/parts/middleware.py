"""stellar-memory's chat middleware: recall before a model call, store after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from celestial_engine.compat.stellar.models import MemoryItem, SessionInfo
from celestial_engine.core.turn.policy import Action

if TYPE_CHECKING:
    from celestial_engine.compat.stellar.stellar import StellarMemory

_HEADING = "Relevant Memories:"


class MemoryMiddleware:
    """Adds memories to prompts and stores the turns that the engine's policy would save."""

    def __init__(
        self, memory: StellarMemory, recall_limit: int = 5, auto_store: bool = True, auto_evaluate: bool = True
    ) -> None:
        self._memory = memory
        self._recall_limit = recall_limit
        self._auto_store = auto_store
        self._auto_evaluate = auto_evaluate

    def before_chat(self, user_message: str) -> str:
        """Matching memories as numbered lines with their zone; empty if there are none."""
        names = {zone.zone_id: zone.name.capitalize() for zone in self._memory.config.zones}
        items = self._memory.recall(user_message, limit=self._recall_limit)
        lines = [
            f"{number}. [{names.get(item.zone, 'Outer')}] {item.content}"
            for number, item in enumerate(items, start=1)
        ]
        return "\n".join([_HEADING, *lines]) if lines else ""

    def after_chat(self, user_message: str, assistant_response: str) -> MemoryItem | None:
        """Store the turn, unless the engine would skip it (small talk)."""
        if not self._auto_store or self._memory.engine.decide(user_message).action is not Action.SAVE:
            return None
        content = f"User: {user_message}\nAssistant: {assistant_response}"
        return self._memory.store(content, metadata={"type": "conversation"}, auto_evaluate=self._auto_evaluate)

    def chat(self, user_message: str, llm_fn: Callable[[str, str], str]) -> tuple[str, str]:
        """Run one turn with `llm_fn(context, message)`; returns (context, response)."""
        context = self.before_chat(user_message)
        response = llm_fn(context, user_message)
        self.after_chat(user_message, response)
        return context, response

    def wrap_messages(self, user_message: str) -> str:
        """The message, prefixed with matching memories."""
        context = self.before_chat(user_message)
        return f"{context}\n\n{user_message}" if context else user_message

    def start_session(self) -> SessionInfo:
        return self._memory.start_session()

    def end_session(self) -> SessionInfo | None:
        return self._memory.end_session()
