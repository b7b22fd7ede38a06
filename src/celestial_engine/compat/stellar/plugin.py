"""Plugins: whoever wants a say when something is stored, recalled or forgotten."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from celestial_engine.compat.stellar.models import MemoryItem

if TYPE_CHECKING:
    from celestial_engine.compat.stellar.stellar import StellarMemory

logger = logging.getLogger(__name__)


class MemoryPlugin:
    """Override what you need; what is not overridden changes nothing."""

    name: str = "unnamed-plugin"

    def on_init(self, memory: StellarMemory) -> None:
        """It was registered."""

    def on_store(self, item: MemoryItem) -> MemoryItem:
        """Something was stored; what the item that comes back says otherwise is stored too."""
        return item

    def on_pre_recall(self, query: str, **kwargs: Any) -> str:
        """Somebody asks; the question that comes back is asked instead."""
        return query

    def on_recall(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
        """These were found; those that come back are given."""
        return results

    def on_decay(self, item: MemoryItem, new_score: float) -> float:
        """Never called here: a score is a function of the memory and the time alone."""
        return new_score

    def on_reorbit(self, moves: list[tuple[str, int, int]]) -> None:
        """Everybody was put where their score belongs; `moves` are (id, from zone, to zone)."""

    def on_forget(self, memory_id: str) -> bool:
        """Somebody wants this forgotten; False keeps it."""
        return True

    def on_consolidate(self, merged_item: MemoryItem, source_items: list[MemoryItem]) -> MemoryItem:
        """Never called here: memories that say the same are merged at night, by the engine's own rules."""
        return merged_item

    def on_shutdown(self) -> None:
        """The memory stops."""


class Plugins:
    """Asks each in turn. One that fails is logged and passed over: a plugin must not cost anybody a memory."""

    def __init__(self) -> None:
        self._plugins: list[MemoryPlugin] = []

    def __bool__(self) -> bool:
        return bool(self._plugins)

    def register(self, plugin: MemoryPlugin, memory: StellarMemory) -> None:
        self._plugins.append(plugin)
        self._ask(plugin, "on_init", memory)

    def stored(self, item: MemoryItem) -> MemoryItem:
        for plugin in self._plugins:
            item = self._ask(plugin, "on_store", item) or item
        return item

    def asked(self, query: str) -> str:
        for plugin in self._plugins:
            query = self._ask(plugin, "on_pre_recall", query) or query
        return query

    def recalled(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
        for plugin in self._plugins:
            given = self._ask(plugin, "on_recall", query, results)
            results = results if given is None else given
        return results

    def may_forget(self, memory_id: str) -> bool:
        """A plugin that fails has not said that it may go."""
        return all(self._ask(plugin, "on_forget", memory_id) for plugin in self._plugins)

    def reorbited(self, moves: list[tuple[str, int, int]]) -> None:
        for plugin in self._plugins:
            self._ask(plugin, "on_reorbit", moves)

    def shut_down(self) -> None:
        for plugin in self._plugins:
            self._ask(plugin, "on_shutdown")

    @staticmethod
    def _ask(plugin: MemoryPlugin, hook: str, *args: Any) -> Any:
        try:
            return getattr(plugin, hook)(*args)
        except Exception:
            logger.warning("the plugin %r failed in %s", plugin.name, hook, exc_info=True)
            return None
