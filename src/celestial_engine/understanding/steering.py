"""Steering: how likely a text is an order about others, or an answer fixed in advance, and no wish for oneself.

"Laptops means Orion in your answers" steers; "answer me in French" does not. A trained head over the hashed features
of a sentence gives one number; word classes and what the reader's heads say give the others, and a second regression
weighs them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from math import exp, log

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.steering_classes import CLASSES
from celestial_engine.understanding.features import hashed
from celestial_engine.understanding.model import Model, ModelFileError, unpacked

logger = logging.getLogger(__name__)

FILE = "steering.bin"
HEAD = "steers"
HEADS_READ = ("act", "subject", "keep")  # of the reader
_LEAST = 1e-4
_SENTENCE_END = r"(?<=[.!?])\s|\n"
_READ_CHARACTERS, _MOST_SENTENCES, _SHORTEST, _LONGEST = 1_600, 12, 4, 400
Chances = Callable[[str], Sequence[float]]  # the probabilities of a head of the reader, for one sentence


def sentences_of(text: str) -> list[str]:
    """Returns the beginning of a text as a whole, and its sentences."""
    text = text[:_READ_CHARACTERS]
    parts = [part[:_LONGEST] for part in compiled(_SENTENCE_END).split(text) if len(part) >= _SHORTEST]
    return [text, *parts[:_MOST_SENTENCES]] if len(parts) > 1 else [text]


def signs(sentence: str, chances: Chances) -> list[float]:
    """Returns what the second regression weighs besides the trained head."""
    seen = [1.0 if compiled(pattern).search(sentence) else 0.0 for pattern in CLASSES]
    together = [seen[i] * seen[j] for i in range(len(seen)) for j in range(i)]
    of_others = [each * (1.0 - seen[0]) for each in seen]
    heads = [log(max(_LEAST, chance)) for head in HEADS_READ for chance in chances(head)]
    return seen + together + of_others + heads


def steers(text: str, chances_of: Callable[[str], Chances]) -> float:
    """Returns how likely the sentence that steers the most does; .6 is where it counts as an order."""
    model = _model()
    if model is None:
        return 0.0
    return max(_chance(model, sentence, chances_of(sentence)) for sentence in sentences_of(text))


def log_odds(model: Model, sentence: str) -> float:
    """Returns what the trained head alone says of a sentence."""
    buckets, count = hashed(sentence)
    no, yes = (max(_LEAST, each) for each in model.probabilities(HEAD, model.tables[0].sums(buckets), count))
    return log(yes / no)


def _chance(model: Model, sentence: str, chances: Chances) -> float:
    values = [*signs(sentence, chances), log_odds(model, sentence), 1.0]
    total = sum(weight * value for weight, value in zip(model.second, values, strict=True))
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def _model() -> Model | None:
    try:
        return unpacked((files(__package__) / FILE).read_bytes())
    except (OSError, ModelFileError) as error:
        logger.warning(
            "orders about others are recognised by rules alone, because the weights cannot be used: %s", error
        )
        return None
