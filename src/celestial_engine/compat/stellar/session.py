"""Sessions: the conversation in which a memory was stored."""

from __future__ import annotations

from uuid import uuid4

from celestial_engine.compat.stellar.config import SessionConfig
from celestial_engine.compat.stellar.models import MemoryItem, SessionInfo
from celestial_engine.ports import Clock


class SessionManager:
    """Holds the current session, if any."""

    def __init__(self, config: SessionConfig | None = None, clock: Clock | None = None) -> None:
        import time

        self._config = config or SessionConfig()
        self._clock = clock or time.time
        self._current: SessionInfo | None = None

    @property
    def current_session_id(self) -> str | None:
        return self._current.session_id if self._current else None

    def start_session(self) -> SessionInfo:
        self._current = SessionInfo(str(uuid4()), self._clock())
        return self._current

    def end_session(self) -> SessionInfo | None:
        ended, self._current = self._current, None
        if ended is not None:
            ended.ended_at = self._clock()
        return ended

    def tag_memory(self, item: MemoryItem) -> None:
        """Add the session id to an item's metadata, and count the item."""
        if self._current is not None:
            item.metadata["session_id"] = self._current.session_id
            self._current.memory_count += 1
