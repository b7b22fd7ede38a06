"""stellar-memory's emotion analyzer, using the engine's emotion rules."""

from __future__ import annotations

from celestial_engine.compat.stellar.config import EmotionConfig
from celestial_engine.compat.stellar.models import EmotionVector
from celestial_engine.compat.stellar.translation import vector_of
from celestial_engine.core.emotion.feel import feel


class EmotionAnalyzer:
    """Rule-based, English and Korean. `surprise` is always 0: the engine has no such emotion."""

    def __init__(self, config: EmotionConfig | None = None) -> None:
        self._config = config or EmotionConfig()

    def analyze(self, text: str) -> EmotionVector:
        """Returns a zero vector if emotions are disabled."""
        return vector_of(feel(text), self._config.enabled) or EmotionVector()
