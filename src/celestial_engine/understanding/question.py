"""What a question alone gives away about whether a memory can answer it.

Nobody tells what the blacking of the boat cost; many tell where it is moored.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from celestial_engine.core.record.reading import QuestionReading

HEAD = "question"
LABELS = ("told", "untold", "general")
_LEAST = 0.002  # probabilities below it count as it


def question_reading(needs_memory: float, chances: Sequence[float]) -> QuestionReading:
    """Returns the reading as log odds; `chances` are the probabilities of LABELS."""
    told, untold, general = chances
    return QuestionReading(
        needs_memory=log_odds(needs_memory, 1.0 - needs_memory),
        told=log_odds(told, untold),
        general=log_odds(general, told + untold),
    )


def log_odds(chance: float, against: float) -> float:
    return log(max(_LEAST, chance) / max(_LEAST, against))
