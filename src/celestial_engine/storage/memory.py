"""A zone in memory, under the name of the original design: `celestial_engine.storage.memory`."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "InMemoryStorage":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    # The class stands on the store, which must not import it when it is loaded itself.
    return import_module("celestial_engine").InMemoryStorage
