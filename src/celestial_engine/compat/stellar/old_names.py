"""Top-level names of stellar-memory 2: resolved to their 3.0 modules, with a deprecation warning."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from celestial_engine.compat.stellar.modules import MODULES

_HOMES = {
    "config": (
        "MemoryFunctionConfig", "ZoneConfig", "EmbedderConfig", "LLMConfig", "TunerConfig", "ConsolidationConfig",
        "SessionConfig", "NamespaceConfig", "GraphConfig", "DecayConfig", "EventLoggerConfig", "RecallConfig",
        "VectorIndexConfig", "SummarizationConfig", "AdaptiveDecayConfig", "GraphAnalyticsConfig", "StorageConfig",
        "SyncConfig", "SecurityConfig", "ConnectorConfig", "DashboardConfig", "EmotionConfig", "ServerConfig",
        "MetacognitionConfig", "SelfLearningConfig", "MultimodalConfig", "ReasoningConfig", "BenchmarkConfig",
    ),
    "models": (
        "ScoreBreakdown", "ReorbitResult", "SessionInfo", "MemorySnapshot", "MemoryEdge", "HealthStatus",
        "EmotionVector", "TimelineEntry", "EvaluationResult", "DecayResult", "IntrospectionResult",
        "ConfidentRecall", "ReasoningResult", "Contradiction",
    ),
    "adaptive_decay": ("AdaptiveDecayManager",),
    "decay_manager": ("DecayManager",),
    "emotion": ("EmotionAnalyzer",),
    "event_bus": ("EventBus",),
    "event_logger": ("EventLogger",),
    "graph_analyzer": ("GraphAnalyzer", "GraphStats", "CentralityResult"),
    "llm_adapter": ("MemoryMiddleware",),
    "memory_graph": ("MemoryGraph",),
    "metacognition": ("Introspector", "ConfidenceScorer"),
    "namespace": ("NamespaceManager",),
    "persistent_graph": ("PersistentMemoryGraph",),
    "reasoning": ("MemoryReasoner", "ContradictionDetector"),
    "stream": ("MemoryStream",),
    "vector_index": ("VectorIndex", "BruteForceIndex", "BallTreeIndex"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"the shim of stellar_memory has no {name!r}")
    warnings.warn(
        f"Importing {name} from here is deprecated: import it from stellar_memory.{home}.",
        DeprecationWarning,
        stacklevel=3,
    )
    return getattr(import_module(f"celestial_engine.compat.stellar.{MODULES[home]}"), name)
