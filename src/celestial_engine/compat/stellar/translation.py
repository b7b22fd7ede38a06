"""Convert stellar-memory's settings to the engine's, and memories in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timezone
from typing import Any

from celestial_engine.compat.stellar.config import StellarConfig
from celestial_engine.compat.stellar.memory_function import function_config, inside_out, zone_configs
from celestial_engine.compat.stellar.models import EMOTIONS, EmotionVector, MemoryItem, MemoryStats, clamped
from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier, expiry
from celestial_engine.core.text.perception import RulePerceiver
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ConfigError, InvalidMetadataError, NotFoundError, Reason

NOTES = "stellar_memory"  # metadata key of the shim's own data: edges, emotion, content type
# Observed turns live shorter; what a stellar-memory user stores should stay as long as it is used.
TIER = Tier.M365

_SUPPORTED = {
    "memory_function", "zones", "reorbit_interval", "db_path", "auto_start_scheduler", "session", "namespace",
    "graph", "decay", "recall_boost", "emotion", "embedder", "graph_analytics", "metacognition", "reasoning",
}  # fmt: skip
_REFUSED = ("security", "sync")  # not supported: encryption, roles and sync
_AXIS_OF = {Emotion.ANXIETY: "fear", Emotion.ENVY: "anger", Emotion.NOSTALGIA: "sadness"}
_DAY_SECONDS = 86_400.0
_CROWDED_PERCENT = 80
_FORGOTTEN_STATES = (State.CLIFF, State.PURGED)


def engine_options(config: StellarConfig) -> dict[str, Any]:
    """The arguments for CelestialMemory; raises ConfigError for settings that the engine cannot fulfil."""
    for part in _REFUSED:
        if getattr(config, part).enabled:
            raise ConfigError(f"{part}.enabled", Reason.NOT_SUPPORTED, alternative=part)
    if config.storage.backend not in ("sqlite", "memory"):
        raise ConfigError("storage.backend", Reason.NOT_SUPPORTED, alternative="sqlite")
    law = function_config(config.memory_function)
    return {
        "db_path": ":memory:" if config.storage.backend == "memory" else config.db_path,
        "zones": zone_configs(inside_out(config.zones), law.w_freshness),
        "memory_fn_config": law,
        "auto_forget_days": None,  # reorbit() forgets, and emits the events
        "rebalance_interval": None,  # start() and stop() run the scheduler
        "embedder": None if config.embedder.enabled else "none",
    }


def ignored_settings(config: StellarConfig) -> tuple[str, ...]:
    """The settings changed from their default that are ignored here, as "part.name"."""
    defaults = StellarConfig()
    unheeded = []
    for part in (field.name for field in fields(StellarConfig)):
        configured, default = getattr(config, part), getattr(defaults, part)
        if part in _SUPPORTED or part in _REFUSED:
            continue
        if not hasattr(default, "__dataclass_fields__"):
            unheeded += [part] if configured != default else []
            continue
        unheeded += [
            f"{part}.{name}" for name, value in vars(default).items() if getattr(configured, name, value) != value
        ]
    if config.memory_function.w_emotion:
        unheeded.append("memory_function.w_emotion")
    return tuple(unheeded)


def to_stellar_item(item: CelestialItem, lift: float, *, feeling: bool, user_id: str | None = None) -> MemoryItem:
    """Convert to a stellar-memory item; `lift` is the freshness weight, by which its scores are higher."""
    notes = notes_of(item)
    metadata = {name: value for name, value in item.metadata.items() if name != NOTES}
    if item.time.session_id is not None:
        metadata.setdefault("session_id", item.time.session_id)
    if item.importance_source != "given":
        metadata.setdefault("evaluation", item.importance_source)
    emotion = notes.get("emotion")
    return MemoryItem(
        item.id,
        item.content,
        item.created_at,
        item.last_recalled_at,
        item.recall_count,
        item.arbitrary_importance,
        item.zone,
        metadata,
        item.embedding,
        item.total_score + lift,
        emotion=EmotionVector.from_dict(emotion) if isinstance(emotion, dict) else vector_of(item.emotion, feeling),
        content_type=str(notes.get("content_type", "text")),
        user_id=user_id,
    )


def to_engine_item(item: MemoryItem, now: float, *, pinned: bool) -> CelestialItem:
    """Convert an imported item to an engine item; its zone and vector are computed again."""
    perceived = RulePerceiver().perceive(item.content)
    return CelestialItem(
        item.id,
        item.content,
        item.created_at,
        item.last_recalled_at,
        item.recall_count,
        clamped(item.arbitrary_importance),
        metadata=with_notes(item.metadata, notes_for(item.emotion, item.content_type)),
        tier=TIER,
        expires_at=expiry(TIER, now),
        protection=Protection.PINNED if pinned else Protection.NONE,
        source=Source.IMPORT,
        category=perceived.category,
        keywords=perceived.keywords,
        resolution=perceived.resolution,
        emotion=coordinate_of(item.emotion) or feel(item.content),
    )


def notes_of(item: CelestialItem) -> dict[str, Any]:
    notes = item.metadata.get(NOTES)
    return dict(notes) if isinstance(notes, dict) else {}


def notes_for(emotion: EmotionVector | None, content_type: str | None) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    if emotion is not None:
        notes["emotion"] = emotion.to_dict()
    if content_type not in (None, "text"):
        notes["content_type"] = content_type
    return notes


def with_notes(metadata: dict[str, Any] | None, notes: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in (metadata or {}).items() if name != NOTES}
    return {**rest, NOTES: notes} if notes else rest


def checked_metadata(metadata: dict[str, Any] | None) -> dict[str, Any] | None:
    if metadata is not None and NOTES in metadata:
        raise InvalidMetadataError(Reason.RESERVED_KEY, got=NOTES)
    return metadata


def coordinate_of(vector: EmotionVector | None) -> EmotionCoordinate | None:
    """The strongest of the six emotions as an engine tag; surprise has none."""
    if vector is None or not vector.intensity:
        return None
    tags = () if vector.dominant == "surprise" else (Emotion(vector.dominant),)
    return EmotionCoordinate(tags=tags, intensity=max(0.0, min(1.0, vector.intensity)))


def vector_of(felt: EmotionCoordinate, feeling: bool) -> EmotionVector | None:
    """An engine emotion on stellar-memory's six axes; None if emotions are disabled."""
    if not feeling:
        return None
    names = {_AXIS_OF.get(tag, tag.value) for tag in felt.tags}
    return EmotionVector(**{name: felt.intensity for name in EMOTIONS if name in names})


def idle_items(engine: CelestialMemory, now: float, days: float) -> Iterator[CelestialItem]:
    """Unprotected items that were not recalled for at least `days` days."""
    since = now - days * _DAY_SECONDS
    where = ItemFilter(time_range=(None, datetime.fromtimestamp(since, timezone.utc)))
    cursor: str | None = None
    while True:
        page = engine.browse.page(500, cursor, where=where)
        yield from (
            item for item in page.items if item.last_recalled_at <= since and item.protection is Protection.NONE
        )
        cursor = page.cursor
        if cursor is None:
            return


def usage_of(stats: MemoryStats) -> tuple[dict[int, str], list[str]]:
    """Occupancy of each zone as text, and warnings for zones that are nearly full."""
    usage: dict[int, str] = {}
    warnings: list[str] = []
    for zone, count in stats.zone_counts.items():
        slots = stats.zone_capacities[zone]
        if slots is None:
            usage[zone] = f"{count}/unlimited"
            continue
        percent = 100 * count / slots
        usage[zone] = f"{count}/{slots} ({percent:.0f}%)"
        if percent >= _CROWDED_PERCENT:
            warnings.append(f"Zone {zone} at {percent:.0f}% capacity")
    return usage, warnings


def find_item(engine: CelestialMemory, item_id: str, user_id: str | None = None) -> CelestialItem | None:
    """The memory, or None if it is forgotten or unknown."""
    try:
        item = engine.of(user_id).get(item_id)
    except NotFoundError:
        return None
    return None if item.state in _FORGOTTEN_STATES else item


def active_items(engine: CelestialMemory, user_id: str | None = None) -> Iterator[CelestialItem]:
    """Every memory that is not forgotten, oldest first."""
    for record in engine.of(user_id).transfer.export():
        item = CelestialItem.from_dict(record)
        if item.state not in _FORGOTTEN_STATES:
            yield item
