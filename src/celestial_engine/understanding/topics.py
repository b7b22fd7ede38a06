"""Topics: which aspects of a life a text is about, so that a question finds what shares no word with it.

"Which pills am I on?" and "I take ramipril and a statin" have no word in common; both are about medication.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from heapq import nlargest
from importlib.resources import files

from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.model import Model, ModelFileError, unpacked
from celestial_engine.understanding.rules import is_foreign

logger = logging.getLogger(__name__)

FILE = "topics.bin"
HEAD = "topic"
_MOST_TOPICS, _LEAST_PROBABILITY = 24, 0.001
_READ_CHARACTERS = 1_000
_TEXTS_CACHED = 4_096  # the memories of an owner are compared with every question


def same_topic(first: str, second: str) -> float:
    """Returns how likely two texts are about the same topic."""
    one, other = _topics_of(first[:_READ_CHARACTERS]), _topics_of(second[:_READ_CHARACTERS])
    return sum(chance * other[topic] for topic, chance in one.items() if topic in other)


@lru_cache(maxsize=_TEXTS_CACHED)
def _topics_of(text: str) -> Mapping[int, float]:
    """Returns the likeliest topics of a text, by number, with their probabilities."""
    model = _model()
    if model is None or is_foreign(text):
        return {}
    buckets, count = hashed(text)
    chances = model.probabilities(HEAD, model.tables[0].sums(buckets), count)
    best = nlargest(_MOST_TOPICS, range(len(chances)), key=chances.__getitem__)
    return {topic: chances[topic] for topic in best if chances[topic] >= _LEAST_PROBABILITY}


@lru_cache(maxsize=1)
def _model() -> Model | None:
    try:
        return unpacked((files(__package__) / FILE).read_bytes())
    except (OSError, ModelFileError) as error:
        logger.warning("memories are found by words alone, because the trained topics cannot be used: %s", error)
        return None
