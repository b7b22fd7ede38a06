"""Topics and heads that were not trained on a person: on those who trained them they look better than they are.

What is fitted to their answers for the train people has to see the answers that a stranger would get. The files are
trained once for a corpus, which takes some minutes, and kept in `.bench-cache/`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from celestial_engine.understanding.embedded import EmbeddedHeads
from celestial_engine.understanding.model import unpacked
from celestial_engine.understanding.topics import Topics
from training import embedded, topics
from training.spaces import fold_of
from training.vectors import EMBEDDER, Vectors

_KEPT = Path(__file__).parents[1] / ".bench-cache"


def topics_without(name: str) -> Topics:
    """Returns topics that this person (language and number) did not train; "": nobody has to be left out."""
    return _topics(fold_of(name) if name else None)


def heads_without(name: str) -> EmbeddedHeads:
    """Returns heads over an embedder's vectors that this person did not train."""
    return _heads(fold_of(name) if name else None)


@cache
def _topics(fold: int | None) -> Topics:
    if fold is None:
        return Topics(topics.TOPICS.read_bytes())
    name = f"topics-{topics.corpus_digest()[:12]}-{fold}.bin"
    return Topics(_kept(name, lambda: topics.trained_without(fold)))


@cache
def _heads(fold: int | None) -> EmbeddedHeads:
    if fold is None:
        return EmbeddedHeads(unpacked(embedded.FILE.read_bytes()), np)
    name = f"{EMBEDDER}-{embedded.corpus_digest()[:12]}-{fold}.bin"
    return EmbeddedHeads(unpacked(_kept(name, lambda: embedded.trained_without(fold, Vectors()))), np)


def _kept(name: str, train: Callable[[], bytes]) -> bytes:
    path = _KEPT / name
    if not path.exists():
        raw = train()
        _KEPT.mkdir(exist_ok=True)
        path.write_bytes(raw)
    return path.read_bytes()
