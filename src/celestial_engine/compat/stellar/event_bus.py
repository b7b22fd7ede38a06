"""Events and their handlers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

logger = logging.getLogger(__name__)


class EventBus:
    """Calls every handler of an event; one that fails is logged and skipped."""

    EVENTS = (
        "on_store", "on_recall", "on_forget", "on_reorbit", "on_consolidate", "on_zone_change", "on_decay",
        "on_auto_forget", "on_summarize", "on_adaptive_decay",
    )  # fmt: skip

    def __init__(self) -> None:
        self._handlers: dict[str, list[Callable[..., Any]]] = {event: [] for event in self.EVENTS}

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        if event not in self._handlers:
            # Programs written for stellar-memory may match its message.
            raise ValueError(f"Unknown event {event!r}; there are {', '.join(self.EVENTS)}")
        self._handlers[event].append(handler)

    def off(self, event: str, handler: Callable[..., Any]) -> None:
        if handler in self._handlers.get(event, ()):
            self._handlers[event].remove(handler)

    def has_handlers(self, event: str) -> bool:
        """Whether the event has any handlers."""
        return bool(self._handlers.get(event))

    def emit(self, event: str, *args: Any, **kwargs: Any) -> None:
        for handler in tuple(self._handlers.get(event, ())):
            self._call_handler(handler, event, args, kwargs)

    @staticmethod
    def _call_handler(handler: Callable[..., Any], event: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        try:
            handler(*args, **kwargs)
        except Exception:
            logger.exception("a handler of %s failed", event)

    def clear(self, event: str | None = None) -> None:
        for name in self.EVENTS if event is None else (event,):
            self._handlers.get(name, []).clear()
