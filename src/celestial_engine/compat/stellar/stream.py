"""Memories in chronological order."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from celestial_engine.compat.stellar.models import TimelineEntry

if TYPE_CHECKING:
    from celestial_engine.compat.stellar.stellar import StellarMemory

Moment = str | float | int

_MAX_CONTENT = 200
_MAX_LINE = 150


class MemoryStream:
    """The timeline of memories, and short texts about a topic or a period."""

    def __init__(self, memory: StellarMemory) -> None:
        self._memory = memory

    def timeline(
        self,
        start: Moment | None = None,
        end: Moment | None = None,
        limit: int = 100,
        user_id: str | None = None,
    ) -> list[TimelineEntry]:
        """Memories between two times, oldest first: seconds, "YYYY-MM-DD" or "YYYY-MM-DD HH:MM" in local time."""
        since = None if start is None else self._parse_time(start)
        until = None if end is None else self._parse_time(end)
        items = [
            item
            for item in self._memory.all_items(user_id=user_id)
            if (since is None or item.created_at >= since) and (until is None or item.created_at <= until)
        ]
        return [
            TimelineEntry(
                item.created_at,
                item.id,
                item.content[:_MAX_CONTENT],
                item.zone,
                item.emotion,
                item.arbitrary_importance,
            )
            for item in sorted(items, key=lambda item: item.created_at)[:limit]
        ]

    def narrate(self, topic: str, limit: int = 10, user_id: str | None = None) -> str:
        """The memories recalled for a topic, one per line."""
        recalled = self._memory.recall(topic, limit, user_id=user_id)
        return "\n".join(f"- {item.content[:_MAX_LINE]}" for item in recalled)

    def summarize_period(self, start: Moment, end: Moment) -> str:
        """The memories between two times as one line, cut to a maximum length."""
        return " | ".join(entry.content for entry in self.timeline(start, end, 20))[:_MAX_CONTENT]

    @staticmethod
    def _parse_time(value: Moment) -> float:
        if isinstance(value, (int, float)):
            return float(value)
        if not isinstance(value, str):
            raise TypeError(f"a moment is a number of seconds or a date, not {type(value).__name__}")
        try:
            return datetime.strptime(value, "%Y-%m-%d %H:%M" if ":" in value else "%Y-%m-%d").timestamp()
        except ValueError as error:
            raise ValueError(f"Cannot parse {value!r} as a date") from error
