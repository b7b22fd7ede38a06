"""Maps module names of stellar_memory to the modules that replace them."""

from __future__ import annotations

MODULES = {
    **{
        name: name
        for name in (
            "builder", "config", "event_bus", "memory_function", "memory_graph", "models", "namespace", "plugin",
            "protocols", "serializer", "session", "stellar", "stream",
        )
    },
    **{
        name: f"parts.{name}"
        for name in (
            "embedder", "emotion", "event_logger", "graph_analyzer", "metacognition", "orbit_manager",
            "persistent_graph", "reasoning", "storage",
        )
    },
    "adaptive_decay": "parts.decay",
    "compat": "old_names",
    "decay_manager": "parts.decay",
    "importance_evaluator": "parts.importance",
    "llm_adapter": "parts.middleware",
    "storage.in_memory": "parts.storage",
    "storage.sqlite_storage": "parts.storage",
    "utils": "parts.vectors",
    "vector_index": "parts.vectors",
}  # fmt: skip
