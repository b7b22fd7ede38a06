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
    from celestial_engine.compat.memory_store import MemoryCoordinate, MemoryStore, new_session_id
    from celestial_engine.compat.rebalancer import Rebalancer
    from celestial_engine.compat.resonance_ledger import ResonanceLedger
    from celestial_engine.compat.zone_manager import ZoneManager
    from celestial_engine.compat.zone_storage import InMemoryStorage, SqliteStorage
    from celestial_engine.config.engine_settings import (
        KeepingSettings,
        NightSettings,
        ReadingSettings,
        Settings,
        StorageSettings,
    )
    from celestial_engine.core.emotion.feel import RuleFeeler
    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.core.guard.secrets import GuardPolicy
    from celestial_engine.core.imagination.rules import Imagination, Imagined
    from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours
    from celestial_engine.core.keeping.retention import COORDINATES_V1, RetentionPolicy
    from celestial_engine.core.learning.settings import LearningSettings
    from celestial_engine.core.model.settings import ModelSettings, ModelUse
    from celestial_engine.core.orbit.memory_function import (
        CelestialMemoryFunction,
        Crossing,
        Explanation,
        MemoryFunctionConfig,
        ScoreBreakdown,
    )
    from celestial_engine.core.orbit.zones import DEFAULT_ZONES, ZoneConfig
    from celestial_engine.core.personas.persona import Persona
    from celestial_engine.core.personas.phase import PhaseController
    from celestial_engine.core.personas.prompt import compose_prompt_with_memory
    from celestial_engine.core.personas.registry import PersonaRegistry
    from celestial_engine.core.personas.run import PersonaAnswer, PersonaRun
    from celestial_engine.core.record.bqi import BqiCoordinate, RhythmPhase, read_bqi
    from celestial_engine.core.record.coordinate import (
        AgentCoordinate,
        ContentType,
        Document,
        Emotion,
        EmotionCoordinate,
        SpaceCoordinate,
        TimeCoordinate,
    )
    from celestial_engine.core.record.coordinate_document import coordinate_document, from_coordinate
    from celestial_engine.core.record.events import Event, EventType
    from celestial_engine.core.record.forgetting import Protection, State
    from celestial_engine.core.record.importance import (
        DefaultEvaluator,
        Evaluation,
        ImportanceEvaluator,
        RuleBasedEvaluator,
    )
    from celestial_engine.core.record.item import Category, CelestialItem
    from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
    from celestial_engine.core.record.lifetimes import Source, Tier
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.retrieval.composition import Composition
    from celestial_engine.core.retrieval.profile import Profile, ProfileFact
    from celestial_engine.core.retrieval.ranking import RecallSettings
    from celestial_engine.core.retrieval.search_result import Hit, SearchResult
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island, IslandStatus
    from celestial_engine.core.self.proposals import Channel, Proposal, ProposalKind, ProposalStatus
    from celestial_engine.core.text.perception import Perception, RulePerceiver
    from celestial_engine.core.turn.conversation import Action, Role, Utterance
    from celestial_engine.core.turn.features import TurnFeatures
    from celestial_engine.core.turn.forgetting import ForgetOutcome, Forgetting
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Choice, Decision, Phase
    from celestial_engine.engine import CelestialMemory
    from celestial_engine.errors import CelestialError
    from celestial_engine.flow.base.embed import ReindexResult
    from celestial_engine.flow.ledger.verify import Verification
    from celestial_engine.flow.night.rebalance import RebalanceResult
    from celestial_engine.flow.turn.evaluate import LLMEvaluator
    from celestial_engine.flow.turn.feel import LLMFeeler
    from celestial_engine.flow.turn.perceive import LLMPerceiver
    from celestial_engine.flow.turn.relate import Related
    from celestial_engine.personas.backends import BackendFactory
    from celestial_engine.personas.files import load_registry, ready_registry
    from celestial_engine.personas.orchestrator import PersonaOrchestrator
    from celestial_engine.storage.base import ZoneStorage

# Loaded when first asked for: a command line that answers every turn cannot wait for what it does not use.
_HOMES = {
    "core.record.forgetting": ("Protection", "State"),
    "core.self.beliefs": ("Belief",),
    "core.self.islands": ("Island", "IslandStatus"),
    "core.self.proposals": ("Channel", "Proposal", "ProposalKind", "ProposalStatus"),
    "core.self.self_state": ("Self", "SelfVersion"),
    "core.imagination.rules": ("Imagination", "Imagined"),
    "core.imagination.settings": ("ImaginationSettings", "QuietHours"),
    "core.record.importance": ("DefaultEvaluator", "Evaluation", "ImportanceEvaluator", "RuleBasedEvaluator"),
    "core.record.bqi": ("BqiCoordinate", "RhythmPhase", "read_bqi"),
    "core.record.coordinate": (
        "AgentCoordinate",
        "ContentType",
        "Document",
        "Emotion",
        "EmotionCoordinate",
        "SpaceCoordinate",
        "TimeCoordinate",
    ),
    "core.record.coordinate_document": ("coordinate_document", "from_coordinate"),
    "core.record.item": ("Category", "CelestialItem"),
    "core.record.item_filter": ("BqiFilter", "ItemFilter"),
    "compat.memory_store": ("MemoryCoordinate", "MemoryStore", "new_session_id"),
    "core.federation.settings": ("GossipConfig",),
    "core.learning.settings": ("LearningSettings",),
    "core.record.lifetimes": ("Source", "Tier"),
    "core.orbit.memory_function": (
        "CelestialMemoryFunction",
        "Crossing",
        "Explanation",
        "MemoryFunctionConfig",
        "ScoreBreakdown",
    ),
    "core.retrieval.composition": ("Composition",),
    "core.retrieval.profile": ("Profile", "ProfileFact"),
    "core.record.events": ("Event", "EventType"),
    "core.retrieval.search_result": ("SearchResult", "Hit"),
    "core.turn.conversation": ("Action", "Role", "Utterance"),
    "core.turn.features": ("TurnFeatures",),
    "core.turn.forgetting": ("ForgetOutcome", "Forgetting"),
    "core.turn.observation": ("Observed",),
    "core.turn.policy": ("Choice", "Decision", "Phase"),
    "core.model.settings": ("ModelSettings", "ModelUse"),
    "core.record.owner": ("Owner",),
    "core.text.perception": ("Perception", "RulePerceiver"),
    "core.retrieval.ranking": ("RecallSettings",),
    "core.guard.secrets": ("GuardPolicy",),
    "core.keeping.retention": ("COORDINATES_V1", "RetentionPolicy"),
    "core.emotion.feel": ("RuleFeeler",),
    "flow.turn.feel": ("LLMFeeler",),
    "backups": ("restore_backup", "verify_backup"),
    "core.orbit.zones": ("DEFAULT_ZONES", "ZoneConfig"),
    "engine": ("CelestialMemory",),
    "async_memory": ("AsyncCelestialMemory",),
    "config.engine_settings": (
        "KeepingSettings",
        "NightSettings",
        "ReadingSettings",
        "Settings",
        "StorageSettings",
    ),
    "errors": ("CelestialError",),
    "core.personas.persona": ("Persona",),
    "core.personas.phase": ("PhaseController",),
    "core.personas.prompt": ("compose_prompt_with_memory",),
    "core.personas.registry": ("PersonaRegistry",),
    "core.personas.run": ("PersonaAnswer", "PersonaRun"),
    "personas.backends": ("BackendFactory",),
    "personas.files": ("load_registry", "ready_registry"),
    "personas.orchestrator": ("PersonaOrchestrator",),
    "flow.base.embed": ("ReindexResult",),
    "flow.turn.evaluate": ("LLMEvaluator",),
    "flow.turn.perceive": ("LLMPerceiver",),
    "flow.night.rebalance": ("RebalanceResult",),
    "flow.turn.relate": ("Related",),
    "flow.ledger.verify": ("Verification",),
    "compat.rebalancer": ("Rebalancer",),
    "compat.resonance_ledger": ("ResonanceLedger",),
    "compat.zone_manager": ("ZoneManager",),
    "compat.zone_storage": ("InMemoryStorage", "SqliteStorage"),
    "storage.base": ("ZoneStorage",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "COORDINATES_V1",
    "DEFAULT_ZONES",
    "Action",
    "AgentCoordinate",
    "AsyncCelestialMemory",
    "BackendFactory",
    "Belief",
    "BqiCoordinate",
    "BqiFilter",
    "Category",
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
    "ForgetOutcome",
    "Forgetting",
    "GossipConfig",
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
    "KeepingSettings",
    "LLMEvaluator",
    "LLMFeeler",
    "LLMPerceiver",
    "LearningSettings",
    "MemoryCoordinate",
    "MemoryFunctionConfig",
    "MemoryStore",
    "ModelSettings",
    "ModelUse",
    "NightSettings",
    "Observed",
    "Owner",
    "Perception",
    "Persona",
    "PersonaAnswer",
    "PersonaOrchestrator",
    "PersonaRegistry",
    "PersonaRun",
    "Phase",
    "PhaseController",
    "Profile",
    "ProfileFact",
    "Proposal",
    "ProposalKind",
    "ProposalStatus",
    "Protection",
    "QuietHours",
    "ReadingSettings",
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
    "SearchResult",
    "Self",
    "SelfVersion",
    "Settings",
    "Source",
    "SpaceCoordinate",
    "SqliteStorage",
    "State",
    "StorageSettings",
    "Tier",
    "TimeCoordinate",
    "TurnFeatures",
    "Utterance",
    "Verification",
    "ZoneConfig",
    "ZoneManager",
    "ZoneStorage",
    "compose_prompt_with_memory",
    "coordinate_document",
    "from_coordinate",
    "load_registry",
    "new_session_id",
    "read_bqi",
    "ready_registry",
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
