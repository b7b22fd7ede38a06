"""stellar-memory's public calls, working on this engine.

>>> from celestial_engine.compat.stellar import StellarConfig, StellarMemory
>>> memory = StellarMemory(StellarConfig(db_path=":memory:"))
>>> _ = memory.store("커피보다 차를 좋아한다", importance=0.9)
>>> [item.content for item in memory.recall("차 좋아해?")]
['커피보다 차를 좋아한다']
>>> memory.close()
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from celestial_engine.compat.stellar import old_names
from celestial_engine.compat.stellar.builder import Preset, StellarBuilder
from celestial_engine.compat.stellar.config import StellarConfig
from celestial_engine.compat.stellar.memory_function import use_celestial_function as use_celestial_function
from celestial_engine.compat.stellar.models import MemoryItem, MemoryStats
from celestial_engine.compat.stellar.modules import MODULES
from celestial_engine.compat.stellar.plugin import MemoryPlugin
from celestial_engine.compat.stellar.protocols import (
    EmbedderProvider,
    ImportanceEvaluator,
    MemoryStore,
    StorageBackendProtocol,
)
from celestial_engine.compat.stellar.stellar import StellarMemory
from celestial_engine.errors import InvalidInputError, Reason

__version__ = "3.0.0"  # of the API that is implemented here

# Exactly the top-level names of stellar-memory 3.0.
__all__ = [
    "EmbedderProvider",
    "ImportanceEvaluator",
    "MemoryItem",
    "MemoryPlugin",
    "MemoryStats",
    "MemoryStore",
    "Preset",
    "StellarBuilder",
    "StellarConfig",
    "StellarMemory",
    "StorageBackendProtocol",
]


def stand_in() -> None:
    """Make `import stellar_memory` return the shim in this process, for code that cannot be changed."""
    real = sys.modules.get("stellar_memory")
    if real is not None and real is not sys.modules[__name__]:
        raise InvalidInputError("stellar_memory", Reason.IMPORTED_BEFORE)
    sys.modules["stellar_memory"] = sys.modules[__name__]
    for theirs, ours in MODULES.items():
        sys.modules[f"stellar_memory.{theirs}"] = import_module(f"{__name__}.{ours}")


def __getattr__(name: str) -> Any:
    if name == "compat":
        return old_names
    return getattr(old_names, name)
