"""Plugins: hooks for storing, recalling and forgetting."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from celestial_engine.compat.stellar.models import MemoryItem

if TYPE_CHECKING:
    from celestial_engine.compat.stellar.stellar import StellarMemory

logger = logging.getLogger(__name__)


class MemoryPlugin:
    """Base class of plugins: override the hooks you need; the defaults change nothing."""

    name: str = "unnamed-plugin"

    def on_init(self, memory: StellarMemory) -> None:
        """Called when the plugin is registered."""

    def on_store(self, item: MemoryItem) -> MemoryItem:
        """Called after storing; changes in the returned item are stored too."""
        return item

    def on_pre_recall(self, query: str, **kwargs: Any) -> str:
        """Called before a recall; the returned query is used instead."""
        return query

    def on_recall(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
        """Called after a recall; the returned list is used as its result."""
        return results

    def on_decay(self, item: MemoryItem, new_score: float) -> float:
        """Never called here: a score is a function of the memory and the time alone."""
        return new_score

    def on_reorbit(self, moves: list[tuple[str, int, int]]) -> None:
        """Called after a reorbit; `moves` are (id, from zone, to zone)."""

    def on_forget(self, memory_id: str) -> bool:
        """Called before forgetting; returning False keeps the memory."""
        return True

    def on_consolidate(self, merged_item: MemoryItem, source_items: list[MemoryItem]) -> MemoryItem:
        """Never called here: the engine merges duplicates by its own rules when it sleeps."""
        return merged_item

    def on_shutdown(self) -> None:
        """Called when the memory stops."""


class Plugins:
    """Calls the plugins in order. One that fails is logged and skipped: it must not lose a memory."""

    def __init__(self) -> None:
        self._plugins: list[MemoryPlugin] = []

    def __bool__(self) -> bool:
        return bool(self._plugins)

    def register(self, plugin: MemoryPlugin, memory: StellarMemory) -> None:
        self._plugins.append(plugin)
        self._call(plugin, "on_init", memory)

    def stored(self, item: MemoryItem) -> MemoryItem:
        for plugin in self._plugins:
            item = self._call(plugin, "on_store", item) or item
        return item

    def asked(self, query: str) -> str:
        for plugin in self._plugins:
            query = self._call(plugin, "on_pre_recall", query) or query
        return query

    def recalled(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
        for plugin in self._plugins:
            changed = self._call(plugin, "on_recall", query, results)
            results = results if changed is None else changed
        return results

    def may_forget(self, memory_id: str) -> bool:
        """Whether every plugin allows it; a plugin that fails does not."""
        return all(self._call(plugin, "on_forget", memory_id) for plugin in self._plugins)

    def reorbited(self, moves: list[tuple[str, int, int]]) -> None:
        for plugin in self._plugins:
            self._call(plugin, "on_reorbit", moves)

    def shut_down(self) -> None:
        for plugin in self._plugins:
            self._call(plugin, "on_shutdown")

    @staticmethod
    def _call(plugin: MemoryPlugin, hook: str, *args: Any) -> Any:
        try:
            return getattr(plugin, hook)(*args)
        except Exception:
            logger.warning("the plugin %r failed in %s", plugin.name, hook, exc_info=True)
            return None
