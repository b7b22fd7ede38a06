"""StellarBuilder: builds a configuration step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from celestial_engine.compat.stellar import config as settings
from celestial_engine.compat.stellar.plugin import MemoryPlugin
from celestial_engine.compat.stellar.protocols import EmbedderProvider
from celestial_engine.compat.stellar.stellar import StellarMemory
from celestial_engine.errors import ConfigError, ConfigFileError, Reason, os_problem


class Preset(Enum):
    MINIMAL = "minimal"
    CHAT = "chat"
    AGENT = "agent"
    KNOWLEDGE = "knowledge"
    RESEARCH = "research"


_SWITCHES = (
    "embedder", "llm", "tuner", "consolidation", "session", "graph", "decay", "summarization", "emotion",
    "metacognition", "self_learning", "reasoning",
)  # fmt: skip
# preset -> the parts that are switched on and off; all others keep the default of StellarConfig
_ON: Mapping[Preset, tuple[str, ...]] = {
    Preset.MINIMAL: (),
    Preset.CHAT: ("session", "emotion"),
    Preset.AGENT: ("session", "emotion", "graph", "reasoning", "metacognition", "self_learning"),
    Preset.KNOWLEDGE: ("graph", "consolidation", "summarization"),
    Preset.RESEARCH: ("vector_index",),
}
_OFF: Mapping[Preset, tuple[str, ...]] = {
    Preset.MINIMAL: _SWITCHES,
    Preset.CHAT: ("embedder", "llm", "tuner", "graph", "reasoning", "metacognition", "self_learning"),
    Preset.AGENT: (),
    Preset.KNOWLEDGE: ("embedder", "llm", "tuner", "reasoning", "metacognition", "self_learning"),
    Preset.RESEARCH: ("graph", "reasoning", "metacognition", "self_learning"),
}


class StellarBuilder:
    """Each method changes a setting and returns the builder; `build()` returns the memory.

    >>> memory = StellarBuilder(Preset.CHAT).with_memory().build()
    >>> memory.close()
    """

    def __init__(self, preset: Preset = Preset.MINIMAL) -> None:
        self._preset = preset
        self._config = _config_of(preset)
        self._namespace: str | None = None
        self._plugins: list[MemoryPlugin] = []
        self._engine_settings: dict[str, Any] = {}

    def with_sqlite(self, path: str) -> StellarBuilder:
        self._config.db_path = path
        return self

    def with_memory(self) -> StellarBuilder:
        """Use an in-memory database."""
        return self.with_sqlite(":memory:")

    def with_embeddings(
        self, provider: str = "sentence-transformers", model: str | None = None, dimension: int = 384
    ) -> StellarBuilder:
        """Use the engine's embedder, which CELESTIAL_EMBEDDER selects."""
        name = model or settings.EmbedderConfig().model_name
        self._config.embedder = settings.EmbedderConfig(name, dimension, provider=provider)
        return self

    def with_embedder(self, embedder: EmbedderProvider) -> StellarBuilder:
        """Use your own embedder."""
        self._engine_settings["embed_fn"] = embedder.embed
        return self

    def with_llm(
        self, provider: str = "anthropic", model: str | None = None, api_key_env: str | None = None
    ) -> StellarBuilder:
        """Recorded but not used: CELESTIAL_MODEL or the engine's argument selects the language model."""
        defaults = settings.LLMConfig()
        self._config.llm = settings.LLMConfig(provider, model or defaults.model, api_key_env or defaults.api_key_env)
        return self

    def with_emotions(self, use_llm: bool = False) -> StellarBuilder:
        self._config.emotion = settings.EmotionConfig(True, use_llm)
        return self

    def with_graph(self, auto_link: bool = True, threshold: float = 0.7) -> StellarBuilder:
        self._config.graph = settings.GraphConfig(True, auto_link, threshold)
        return self

    def with_reasoning(self, use_llm: bool = True) -> StellarBuilder:
        self._config.reasoning = settings.ReasoningConfig(True, use_llm=use_llm)
        return self

    def with_metacognition(self) -> StellarBuilder:
        self._config.metacognition = settings.MetacognitionConfig(True)
        return self

    def with_self_learning(self, learning_rate: float = 0.03) -> StellarBuilder:
        self._config.self_learning = settings.SelfLearningConfig(True, learning_rate)
        return self

    def with_sessions(self, auto_summarize: bool = True) -> StellarBuilder:
        self._config.session = settings.SessionConfig(True, auto_summarize)
        return self

    def with_decay(self, rate: float = 0.0001, decay_days: int = 30, auto_forget_days: int = 90) -> StellarBuilder:
        self._config.memory_function.decay_alpha = rate
        self._config.decay = settings.DecayConfig(True, decay_days, auto_forget_days)
        return self

    def with_zones(
        self,
        core: int = 20,
        inner: int = 100,
        outer: int = 1000,
        belt: int | None = None,
        cloud: int | None = None,
    ) -> StellarBuilder:
        for zone, slots in zip(self._config.zones, (core, inner, outer, belt, cloud), strict=False):
            if slots is not None:
                zone.max_slots = slots
        return self

    def with_namespace(self, namespace: str) -> StellarBuilder:
        self._namespace = namespace
        return self

    def with_consolidation(self, threshold: float = 0.85) -> StellarBuilder:
        self._config.consolidation = settings.ConsolidationConfig(True, threshold)
        return self

    def with_summarization(self, min_length: int = 100) -> StellarBuilder:
        self._config.summarization = settings.SummarizationConfig(True, min_length)
        return self

    def with_plugin(self, plugin: MemoryPlugin) -> StellarBuilder:
        self._plugins.append(plugin)
        return self

    def with_postgres(self, db_url: str) -> StellarBuilder:
        raise ConfigError("with_postgres", Reason.NOT_SUPPORTED, alternative="sqlite")

    def with_storage(self, backend: object) -> StellarBuilder:
        raise ConfigError("with_storage", Reason.NOT_SUPPORTED, alternative="engine")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StellarBuilder:
        """Build from preset, db_path, namespace and features. An unknown preset means MINIMAL."""
        name = data.get("preset", Preset.MINIMAL.value)
        known = {preset.value: preset for preset in Preset}
        builder = cls(known.get(name, Preset.MINIMAL))
        if "db_path" in data:
            builder.with_sqlite(data["db_path"])
        if "namespace" in data:
            builder.with_namespace(data["namespace"])
        features: dict[str, Callable[..., StellarBuilder]] = {
            "embeddings": builder.with_embeddings,
            "emotions": builder.with_emotions,
            "graph": builder.with_graph,
            "reasoning": builder.with_reasoning,
            "metacognition": builder.with_metacognition,
            "self_learning": builder.with_self_learning,
        }
        for feature, switch_on in features.items():
            asked = data.get(feature)
            if asked:
                switch_on(**(asked if isinstance(asked, dict) else {}))
        return builder

    @classmethod
    def from_toml(cls, path: str) -> StellarBuilder:
        """Build from a TOML file or its table [stellar-memory]. Needs Python 3.11."""
        try:
            data = import_module("tomllib").loads(Path(path).read_text(encoding="utf-8"))
        except (ImportError, OSError, ValueError) as error:
            raise ConfigFileError(path, os_problem(error)) from error
        return cls.from_dict(data.get("stellar-memory", data))

    def build(self) -> StellarMemory:
        memory = StellarMemory(self._config, self._namespace, **self._engine_settings)
        for plugin in self._plugins:
            memory.use(plugin)
        return memory


def _config_of(preset: Preset) -> settings.StellarConfig:
    config = settings.StellarConfig()
    for part in _OFF[preset]:
        getattr(config, part).enabled = False
    for part in _ON[preset]:
        getattr(config, part).enabled = True
    if preset is Preset.MINIMAL:
        config.zones = [
            settings.ZoneConfig(0, "core", 20, 0.8),
            settings.ZoneConfig(1, "active", 50, 0.4, 0.8),
            settings.ZoneConfig(2, "archive", 200, 0.0, 0.4),
        ]
    return config
