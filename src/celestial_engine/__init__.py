"""Long-term memory for AI agents: memories that orbit, drift and come back.

>>> from celestial_engine import CelestialMemory
>>> memory = CelestialMemory(":memory:")
>>> _ = memory.store("파이썬은 1991년에 만들어졌다", importance=0.8)
>>> [hit.content for hit in memory.recall("파이썬 역사")]
['파이썬은 1991년에 만들어졌다']
>>> memory.close()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from celestial_engine.async_memory import AsyncCelestialMemory
    from celestial_engine.backups import restore_backup, verify_backup
    from celestial_engine.core.beliefs import Belief
    from celestial_engine.core.bqi import BqiCoordinate, RhythmPhase, read_bqi
    from celestial_engine.core.composition import Composition
    from celestial_engine.core.conversation import Action, Role, Utterance
    from celestial_engine.core.coordinate import (
        AgentCoordinate,
        ContentType,
        Document,
        Emotion,
        EmotionCoordinate,
        SpaceCoordinate,
        TimeCoordinate,
    )
    from celestial_engine.core.coordinate_document import coordinate_document, from_coordinate
    from celestial_engine.core.emotions import RuleFeeler
    from celestial_engine.core.events import Event, EventType
    from celestial_engine.core.features import TurnFeatures
    from celestial_engine.core.forgetting import Protection, State
    from celestial_engine.core.found import Found, Hit
    from celestial_engine.core.imagination import Imagination, Imagined
    from celestial_engine.core.imagination_settings import ImaginationSettings, QuietHours
    from celestial_engine.core.importance import (
        DefaultEvaluator,
        Evaluation,
        ImportanceEvaluator,
        RuleBasedEvaluator,
    )
    from celestial_engine.core.islands import Island, IslandStatus
    from celestial_engine.core.item import CelestialItem
    from celestial_engine.core.item_filter import BqiFilter, ItemFilter
    from celestial_engine.core.learning_settings import LearningSettings
    from celestial_engine.core.lifetimes import Source, Tier
    from celestial_engine.core.memory_function import (
        CelestialMemoryFunction,
        Crossing,
        Explanation,
        MemoryFunctionConfig,
        ScoreBreakdown,
    )
    from celestial_engine.core.model_settings import ModelSettings, ModelUse
    from celestial_engine.core.observed import Observed
    from celestial_engine.core.owner import Owner
    from celestial_engine.core.perception import Perception, RulePerceiver
    from celestial_engine.core.policy import Choice, Decision, Phase
    from celestial_engine.core.proposals import Channel, Proposal, ProposalKind, ProposalStatus
    from celestial_engine.core.ranking import RecallSettings
    from celestial_engine.core.retention import COORDINATES_V1, RetentionPolicy
    from celestial_engine.core.secrets import GuardPolicy
    from celestial_engine.core.zones import DEFAULT_ZONES, ZoneConfig
    from celestial_engine.engine import CelestialMemory
    from celestial_engine.errors import CelestialError
    from celestial_engine.flow.embed import ReindexResult
    from celestial_engine.flow.evaluate import LLMEvaluator
    from celestial_engine.flow.feel import LLMFeeler
    from celestial_engine.flow.perceive import LLMPerceiver
    from celestial_engine.flow.rebalance import RebalanceResult
    from celestial_engine.flow.relate import Related
    from celestial_engine.flow.verify import Verification
    from celestial_engine.memory_store import MemoryCoordinate, MemoryStore, new_session_id
    from celestial_engine.rebalancer import Rebalancer
    from celestial_engine.resonance_ledger import ResonanceLedger
    from celestial_engine.zone_manager import ZoneManager
    from celestial_engine.zone_storage import InMemoryStorage, SqliteStorage, ZoneStorage

# Loaded when first asked for: a command line that answers every turn cannot wait for what it does not use.
_HOMES = {
    "core.forgetting": ("Protection", "State"),
    "core.beliefs": ("Belief",),
    "core.islands": ("Island", "IslandStatus"),
    "core.proposals": ("Channel", "Proposal", "ProposalKind", "ProposalStatus"),
    "core.selfhood": ("Self", "SelfVersion"),
    "core.imagination": ("Imagination", "Imagined"),
    "core.imagination_settings": ("ImaginationSettings", "QuietHours"),
    "core.importance": ("DefaultEvaluator", "Evaluation", "ImportanceEvaluator", "RuleBasedEvaluator"),
    "core.bqi": ("BqiCoordinate", "RhythmPhase", "read_bqi"),
    "core.coordinate": (
        "AgentCoordinate",
        "ContentType",
        "Document",
        "Emotion",
        "EmotionCoordinate",
        "SpaceCoordinate",
        "TimeCoordinate",
    ),
    "core.coordinate_document": ("coordinate_document", "from_coordinate"),
    "core.item": ("CelestialItem",),
    "core.item_filter": ("BqiFilter", "ItemFilter"),
    "memory_store": ("MemoryCoordinate", "MemoryStore", "new_session_id"),
    "core.learning_settings": ("LearningSettings",),
    "core.lifetimes": ("Source", "Tier"),
    "core.memory_function": (
        "CelestialMemoryFunction",
        "Crossing",
        "Explanation",
        "MemoryFunctionConfig",
        "ScoreBreakdown",
    ),
    "core.composition": ("Composition",),
    "core.events": ("Event", "EventType"),
    "core.found": ("Found", "Hit"),
    "core.conversation": ("Action", "Role", "Utterance"),
    "core.features": ("TurnFeatures",),
    "core.observed": ("Observed",),
    "core.policy": ("Choice", "Decision", "Phase"),
    "core.model_settings": ("ModelSettings", "ModelUse"),
    "core.owner": ("Owner",),
    "core.perception": ("Perception", "RulePerceiver"),
    "core.ranking": ("RecallSettings",),
    "core.secrets": ("GuardPolicy",),
    "core.retention": ("COORDINATES_V1", "RetentionPolicy"),
    "core.emotions": ("RuleFeeler",),
    "flow.feel": ("LLMFeeler",),
    "backups": ("restore_backup", "verify_backup"),
    "core.zones": ("DEFAULT_ZONES", "ZoneConfig"),
    "engine": ("CelestialMemory",),
    "async_memory": ("AsyncCelestialMemory",),
    "errors": ("CelestialError",),
    "flow.embed": ("ReindexResult",),
    "flow.evaluate": ("LLMEvaluator",),
    "flow.perceive": ("LLMPerceiver",),
    "flow.rebalance": ("RebalanceResult",),
    "flow.relate": ("Related",),
    "flow.verify": ("Verification",),
    "rebalancer": ("Rebalancer",),
    "resonance_ledger": ("ResonanceLedger",),
    "zone_manager": ("ZoneManager",),
    "zone_storage": ("InMemoryStorage", "SqliteStorage", "ZoneStorage"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "COORDINATES_V1",
    "DEFAULT_ZONES",
    "Action",
    "AgentCoordinate",
    "AsyncCelestialMemory",
    "Belief",
    "BqiCoordinate",
    "BqiFilter",
    "CelestialError",
    "CelestialItem",
    "CelestialMemory",
    "CelestialMemoryFunction",
    "Channel",
    "Choice",
    "Composition",
    "ContentType",
    "Crossing",
    "Decision",
    "DefaultEvaluator",
    "Document",
    "Emotion",
    "EmotionCoordinate",
    "Evaluation",
    "Event",
    "EventType",
    "Explanation",
    "Found",
    "GuardPolicy",
    "Hit",
    "Imagination",
    "ImaginationSettings",
    "Imagined",
    "ImportanceEvaluator",
    "InMemoryStorage",
    "Island",
    "IslandStatus",
    "ItemFilter",
    "LLMEvaluator",
    "LLMFeeler",
    "LLMPerceiver",
    "LearningSettings",
    "MemoryCoordinate",
    "MemoryFunctionConfig",
    "MemoryStore",
    "ModelSettings",
    "ModelUse",
    "Observed",
    "Owner",
    "Perception",
    "Phase",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Protection",
    "QuietHours",
    "RebalanceResult",
    "Rebalancer",
    "RecallSettings",
    "ReindexResult",
    "Related",
    "ResonanceLedger",
    "RetentionPolicy",
    "RhythmPhase",
    "Role",
    "RuleBasedEvaluator",
    "RuleFeeler",
    "RulePerceiver",
    "ScoreBreakdown",
    "Self",
    "SelfVersion",
    "Source",
    "SpaceCoordinate",
    "SqliteStorage",
    "State",
    "Tier",
    "TimeCoordinate",
    "TurnFeatures",
    "Utterance",
    "Verification",
    "ZoneConfig",
    "ZoneManager",
    "ZoneStorage",
    "coordinate_document",
    "from_coordinate",
    "new_session_id",
    "read_bqi",
    "restore_backup",
    "verify_backup",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
