"""embed: text to vector through the caller's function, checked. What fails is named, never hidden."""

from __future__ import annotations

import logging
import math

from celestial_engine.errors import EmbeddingError
from celestial_engine.ports import EmbedFunction

logger = logging.getLogger(__name__)


def embed(function: EmbedFunction, text: str) -> list[float]:
    """The vector of a text: finite numbers, not all zero."""
    try:
        vector = [float(value) for value in function(text)]
    except Exception as error:
        raise EmbeddingError(reason=f"{type(error).__name__}: {error}") from error
    if not vector or not all(map(math.isfinite, vector)) or not any(vector):
        raise EmbeddingError(reason="it gave an empty, zero or not finite vector")
    return vector


def embed_or_none(function: EmbedFunction | None, text: str) -> list[float] | None:
    """A memory is worth keeping without a vector: words still find it."""
    if function is None:
        return None
    try:
        return embed(function, text)
    except EmbeddingError as error:
        logger.warning("going on without a vector: %s", error)
        return None
