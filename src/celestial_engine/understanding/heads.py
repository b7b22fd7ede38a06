"""Heads over two vectors: does a memory answer a question, and does a newer statement end an older one?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from celestial_engine.understanding.model import Model, ModelFileError

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Heads:
    """Two matrices that turn the vector of a question, or of a newer statement, towards what it is compared with.

    Beside each a row that tells how likely the question has no answer, or the statement tells a change.
    """

    bias: Vector
    answers: tuple[Vector, ...]  # by column
    nothing: Vector
    nothing_constant: float
    ends: tuple[Vector, ...]
    changes: Vector
    changes_constant: float

    @classmethod
    def of(cls, model: Model) -> Heads:
        """Reads the heads of a model file; raises ModelFileError if it has none."""
        space = model.space
        try:
            answers, ends = (
                tuple(
                    tuple(table.weight(row, column) * float(space[name]) for row in range(table.rows))
                    for column in range(table.columns)
                )
                for name, table in (("answers", model.tables[1]), ("ends", model.tables[2]))
            )
            return cls(
                _vector(space["bias"]), answers, _vector(space["nothing"]), float(space["nothing constant"]),
                ends, _vector(space["changes"]), float(space["changes constant"]),
            )  # fmt: skip
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ModelFileError("a file without heads over vectors") from error

    def answer_chances(self, question: Vector, memories: Sequence[Vector]) -> list[float]:
        """Returns how likely each memory answers, if at most one of them does."""
        turned = [_dot(column, question) for column in self.answers]
        raw = [_dot(turned, memory) for memory in memories]
        nothing = _dot(self.nothing, question) + self.nothing_constant
        highest = max(nothing, *raw) if raw else nothing
        grown = [exp(value - highest) for value in raw]
        whole = sum(grown) + exp(nothing - highest)
        return [value / whole for value in grown]

    def ends_of(self, newer: Vector) -> Callable[[Vector], float]:
        """Returns a function that tells the log odds that the newer statement ends what an older one tells."""
        turned = [_dot(column, newer) for column in self.ends]
        change = _dot(self.changes, newer)
        return lambda older: _dot(turned, older) + change + self.changes_constant


def normalised(values: Sequence[float]) -> Vector:
    length = sqrt(_dot(values, values)) or 1.0
    return tuple(value / length for value in values)


def _vector(values: Sequence[float]) -> Vector:
    return tuple(float(value) for value in values)


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(map(float.__mul__, first, second))
