"""cross_encode: let a model that reads a question and a text together order the best hits."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

from celestial_engine.core.retrieval.cross_encoding import PART, CrossEncoder, ordered_by_both
from celestial_engine.core.retrieval.ranking import Evidence
from celestial_engine.core.retrieval.search_result import Stage
from celestial_engine.errors import Reason

logger = logging.getLogger(__name__)

_MOST_CHARACTERS = 2_000


def cross_encoded(
    cross_encoder: CrossEncoder, question: str, ranked: Sequence[Evidence], most: int
) -> tuple[list[Evidence], Stage]:
    """Order the first `most` with the model's help; if it fails, the ranking stays and the stage says so."""
    best = list(ranked[:most])
    texts = [evidence.candidate.content[:_MOST_CHARACTERS] for evidence in best]
    try:
        scores = [float(score) for score in cross_encoder.scores(question, texts)] if texts else []
        if len(scores) != len(best) or not all(map(math.isfinite, scores)):
            raise ValueError(f"{len(best)} finite scores were expected")
    except Exception as error:  # noqa: BLE001 - any error of somebody else's model; the ranking is an answer without it
        logger.warning("going on without the cross-encoder %s: %s", cross_encoder.name, error)
        return list(ranked), Stage(PART, skipped=Reason.CROSS_ENCODER_FAILED)
    return [*ordered_by_both(best, scores), *ranked[most:]], Stage(PART, len(best))
