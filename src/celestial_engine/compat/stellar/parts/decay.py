"""stellar-memory's decay rules: which memories were idle for too long.

The shim acts on `to_forget` only: in the engine a memory's zone follows from its score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from celestial_engine.compat.stellar.config import DecayConfig, EmotionConfig
from celestial_engine.compat.stellar.models import DecayResult, MemoryItem

SECONDS_PER_DAY = 86_400
_OUTERMOST = 4
_MIN_FACTOR = 0.5  # smallest factor that low importance or a far zone can shorten the days to
_STEEPNESS = 6.0


class AdaptiveDecayManager:
    """Scales the configured days by importance and zone."""

    def __init__(self, decay_config: DecayConfig) -> None:
        self._config = decay_config

    def effective_decay_days(self, item: MemoryItem) -> float:
        days = self._config.decay_days * self._importance_factor(item)
        if self._config.adaptive.zone_factor and item.zone > 0:
            days *= max(_MIN_FACTOR, 2.0 - 0.5 * item.zone)
        return days

    def effective_forget_days(self, item: MemoryItem) -> float:
        return self._config.auto_forget_days * self._importance_factor(item)

    def apply_curve(self, elapsed_days: float, threshold_days: float) -> float:
        """Decay from 0 to 1: 0 up to the threshold; the linear curve reaches 1 at twice the threshold."""
        over = elapsed_days / threshold_days - 1.0
        if over <= 0.0:
            return 0.0
        curve = self._config.adaptive.decay_curve
        if curve == "exponential":
            return -math.expm1(-over)
        if curve == "sigmoid":
            return 1.0 / (1.0 + math.exp(-_STEEPNESS * (over - 0.5)))
        return min(1.0, over)

    def _importance_factor(self, item: MemoryItem) -> float:
        return _MIN_FACTOR + item.arbitrary_importance * self._config.adaptive.importance_weight


class DecayManager:
    """Decides which memories are due to be demoted or forgotten."""

    def __init__(self, config: DecayConfig, emotion_config: EmotionConfig | None = None) -> None:
        self._config = config
        self._emotion = emotion_config
        self._adaptive = AdaptiveDecayManager(config) if config.adaptive.enabled else None

    @property
    def shortest_days(self) -> float:
        """No memory is forgotten after fewer idle days than this."""
        return self._config.auto_forget_days * (_MIN_FACTOR if self._adaptive else 1.0)

    def check_decay(self, items: Iterable[MemoryItem], current_time: float) -> DecayResult:
        result = DecayResult()
        if not self._config.enabled:
            return result
        for item in items:
            if item.zone < self._config.min_zone_for_decay:
                continue
            idle_days = (current_time - item.last_recalled_at) / SECONDS_PER_DAY
            if idle_days >= self.forget_days(item):
                result.to_forget.append(item.id)
            elif idle_days >= self.decay_days(item) and item.zone < _OUTERMOST:
                result.to_demote.append((item.id, item.zone, item.zone + 1))
        return result

    def decay_days(self, item: MemoryItem) -> float:
        days = self._adaptive.effective_decay_days(item) if self._adaptive else self._config.decay_days
        return self._adjusted_decay_days(item, days)

    def forget_days(self, item: MemoryItem) -> float:
        days = self._adaptive.effective_forget_days(item) if self._adaptive else self._config.auto_forget_days
        return self._adjusted_decay_days(item, days)

    def _adjusted_decay_days(self, item: MemoryItem, base_days: float) -> float:
        """Strong emotions extend the days. Weak ones change nothing, so that nothing is forgotten early."""
        if self._emotion is None or not self._emotion.enabled or item.emotion is None:
            return base_days
        strong = item.emotion.intensity >= self._emotion.decay_boost_threshold
        return base_days / self._emotion.decay_boost_factor if strong else base_days
