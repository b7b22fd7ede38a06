"""Steering: how likely a text is an order about others, or an answer fixed in advance, and no wish for oneself.

"Laptops means Orion in your answers" steers; "answer me in French" does not. A trained head over the hashed features
of a sentence gives one number; word classes and what the reader's heads say give the others, and a second regression
weighs them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
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
_WORDS_CACHED = 16_384
_BEFORE_MORE = frozenset({"no", "from", "as", "keep"})  # begin what CLASSES have of several words
Chances = Callable[[str], Sequence[float]]  # the probabilities of a head of the reader, for one sentence


def sentences_of(text: str) -> list[str]:
    """Returns the beginning of a text as a whole, and its sentences."""
    text = text[:_READ_CHARACTERS]
    parts = [part[:_LONGEST] for part in compiled(_SENTENCE_END).split(text) if len(part) >= _SHORTEST]
    return [text, *parts[:_MOST_SENTENCES]] if len(parts) > 1 else [text]


def classes_in(sentence: str) -> list[int]:
    """Returns the places in CLASSES of those that occur in a sentence."""
    if sentence.isascii():
        parts = set(compiled(r"\w+|[\"']").findall(sentence))
        if _BEFORE_MORE.isdisjoint(map(str.lower, parts)):
            return sorted(set().union(*map(_classes_of_word, parts)))
    return [place for place, pattern in enumerate(CLASSES) if compiled(pattern).search(sentence)]


@lru_cache(maxsize=_WORDS_CACHED)  # twelve patterns take ten times as long as looking words up
def _classes_of_word(word: str) -> tuple[int, ...]:
    return tuple(place for place, pattern in enumerate(CLASSES) if compiled(pattern).search(word))


def signs(sentence: str, chances: Chances) -> list[float]:
    """Returns what the second regression weighs besides the trained head."""
    found = classes_in(sentence)
    seen = [1.0 if place in found else 0.0 for place in range(len(CLASSES))]
    together = [seen[i] * seen[j] for i in range(len(seen)) for j in range(i)]
    of_others = [each * (1.0 - seen[0]) for each in seen]
    return seen + together + of_others + _heads(chances)


def _heads(chances: Chances) -> list[float]:
    return [log(max(_LEAST, chance)) for head in HEADS_READ for chance in chances(head)]


def steers(text: str, chances_of: Callable[[str], Chances]) -> float:
    """Returns how likely the sentence that steers the most does; .6 is where it counts as an order."""
    model = _model()
    if model is None:
        return 0.0
    return max(_chance(model, sentence, chances_of(sentence)) for sentence in sentences_of(text))


def log_odds(model: Model, sentence: str) -> float:
    """Returns what the trained head alone says of a sentence."""
    text, table = hashed(sentence), model.tables[0]
    sums = table.sums(table.rows_of(text))
    no, yes = (max(_LEAST, each) for each in model.probabilities(HEAD, sums, len(text.checksums)))
    return log(yes / no)


def _chance(model: Model, sentence: str, chances: Chances) -> float:
    values = [*_heads(chances), log_odds(model, sentence), 1.0]
    weights = [*_weights_of(model, classes_in(sentence)), *map(float.__mul__, model.second[-len(values) :], values)]
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, sum(weights)))))


def _weights_of(model: Model, found: Sequence[int]) -> Iterator[float]:
    """Yields the weights of the signs that are 1, in the order of `signs`; the others are 0 and add nothing."""
    pairs, others = len(CLASSES), len(CLASSES) * (len(CLASSES) + 1) // 2
    yield from (model.second[place] for place in found)
    yield from (model.second[pairs + i * (i - 1) // 2 + j] for i in found for j in found if j < i)
    if 0 not in found:
        yield from (model.second[others + place] for place in found)


@lru_cache(maxsize=1)
def _model() -> Model | None:
    try:
        return unpacked((files(__package__) / FILE).read_bytes())
    except (OSError, ModelFileError) as error:
        logger.warning(
            "orders about others are recognised by rules alone, because the weights cannot be used: %s", error
        )
        return None
