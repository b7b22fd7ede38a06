"""Trains vectors of texts, and two heads that compare them: does a memory answer a question, and does a newer
statement end an older one?

A vector comes from the hashed features of a text, or from the vector that an embedder made of it. It is learned
together with the heads from the people of `corpus/people`: each question points to the memory that answers it, or to
none; each change points to the statement that it ended. The same corpus gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from training.people import Person

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Generator = np.random.Generator

FOLDS = 3
_PEOPLE_AT_ONCE = 2
_HEADS_RATE = 0.003
_LAST_RATE = 0.05  # of the first: the steps grow smaller
_FIRST_SCALE = 10.0  # of the cosine of two vectors
_UNANSWERED_COUNTS_AS = 0.5
_CHOICE_COUNTS_AS, _ENDS_COUNTS_AS, _ENDED_COUNTS_AS = 0.5, 10.0, 3.0
_LABEL_SCALE = 6.0
_HEAD_STEPS = 127
_TINY = 1e-9


class Encoder(Protocol):
    """Makes raw vectors of inputs, and learns from how they should move."""

    table: Moments

    def forward(self, inputs: Sequence[Any], *, learning: bool) -> tuple[Floats, Any]: ...
    def backward(self, gradient: Floats, kept: Any, rate: float) -> None: ...


class Moments:
    """Adam for one array: a step for each number, by its usual gradient."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)
        self._steps = 0

    def step(self, gradient: Floats, rate: float, rows: Ints | slice = slice(None)) -> None:
        """Moves the values; with `rows`, only those, as if the others had not been looked at."""
        self._steps += 1
        self._mean[rows] = mean = 0.9 * self._mean[rows] + 0.1 * gradient
        self._square[rows] = square = 0.999 * self._square[rows] + 0.001 * gradient * gradient
        grown = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
        self.values[rows] -= rate * (mean / (1 - 0.9**self._steps)) / grown


class HashedTexts:
    """Adds the rows of a text's features. Some are left out while it learns: no single one may decide."""

    def __init__(self, rows: int, dimension: int, random: Generator, dropped: float) -> None:
        self.table = Moments((random.standard_normal((rows, dimension)) * 0.05).astype(np.float32))
        self._random, self._dropped = random, dropped

    def forward(self, inputs: Sequence[tuple[Ints, int]], *, learning: bool) -> tuple[Floats, Any]:
        buckets = np.concatenate([each[0] for each in inputs])
        lengths = np.array([len(each[0]) for each in inputs])
        sizes = np.array([max(1, each[1]) for each in inputs], np.float32)
        if learning:
            kept = self._random.random(len(buckets)) >= self._dropped
            kept[np.cumsum(lengths) - lengths] = True  # a text is never empty
            lengths = np.add.reduceat(kept, np.cumsum(lengths) - lengths, dtype=np.int64)
            buckets, sizes = buckets[kept], sizes * np.float32(1 - self._dropped)
        share = (1 / np.sqrt(np.maximum(1, sizes)))[:, None]
        sums = np.add.reduceat(self.table.values[buckets], np.cumsum(lengths) - lengths, axis=0)
        return np.asarray(sums * share, np.float32), (buckets, lengths, share)

    def backward(self, gradient: Floats, kept: Any, rate: float) -> None:
        buckets, lengths, share = kept
        order = np.argsort(buckets, kind="stable")
        rows, first = np.unique(buckets[order], return_index=True)
        repeated = np.repeat(gradient * share, lengths, axis=0)
        self.table.step(np.add.reduceat(repeated[order], first, axis=0), rate, rows)


class Projected:
    """Projects the vectors of an embedder."""

    def __init__(self, inputs: int, dimension: int, random: Generator, dropped: float, decay: float) -> None:
        first = random.standard_normal((inputs, dimension)) / np.sqrt(inputs)
        self.table = Moments(first.astype(np.float32))
        self._random, self._dropped, self._decay = random, dropped, decay

    def forward(self, inputs: Sequence[Floats], *, learning: bool) -> tuple[Floats, Any]:
        values = np.stack(inputs)
        if learning:
            values = values * (self._random.random(values.shape) >= self._dropped) / (1 - self._dropped)
        values = values.astype(np.float32)
        return values @ self.table.values, values

    def backward(self, gradient: Floats, kept: Any, rate: float) -> None:
        self.table.step(kept.T @ gradient, rate)
        self.table.values *= np.float32(1 - rate * self._decay)


@dataclass(frozen=True)
class Told:
    """One person as inputs of an encoder, and what is wanted."""

    person: Person
    memories: Sequence[Any]
    questions: Sequence[Any]

    def answers(self) -> tuple[Floats, Floats]:
        """For each question the memories that answer it, or the last column for none; and how much it counts."""
        wanted = np.zeros((len(self.questions), len(self.memories) + 1), np.float32)
        counts = np.ones(len(self.questions), np.float32)
        for place, question in enumerate(self.person.questions):
            if question.is_answered:
                wanted[place, [*question.answers, *question.outdated]] = 1
            else:
                wanted[place, -1], counts[place] = 1, _UNANSWERED_COUNTS_AS
        return wanted, counts

    def ended(self) -> Floats:
        """A row for each memory: which earlier ones it ended."""
        wanted = np.zeros((len(self.memories), len(self.memories)), np.float32)
        for question in self.person.questions:
            for newer in question.answers:
                wanted[newer, [older for older in question.outdated if older < newer]] = 1
        return wanted


@dataclass(frozen=True)
class Labelled:
    """Inputs with the number of a label, in two groups that are drawn from alike."""

    first: Sequence[tuple[Any, int]]
    second: Sequence[tuple[Any, int]]
    labels: int
    drawn: int  # of each group, at every step


class Space:
    """Vectors of one encoder, and the heads over them."""

    def __init__(self, encoder: Encoder, dimension: int, random: Generator, labels: int = 0) -> None:
        self.encoder = encoder
        start = np.eye(dimension, dtype=np.float32) * np.float32(_FIRST_SCALE)
        zeros = np.zeros(dimension, np.float32)
        values: dict[str, Floats] = {
            "bias": zeros.copy(),
            "answers": start.copy(),
            "nothing": zeros.copy(),
            "nothing constant": np.array([2.0], np.float32),
            "ends": start.copy(),
            "changes": zeros.copy(),
            "changes constant": np.array([-4.0], np.float32),
            "labels": (random.standard_normal((labels, dimension)) * 0.3).astype(np.float32),
        }
        self._moments = {name: Moments(each) for name, each in values.items()}

    def values(self, name: str) -> Floats:
        return self._moments[name].values

    def vectors(self, inputs: Sequence[Any]) -> Floats:
        return self._forward(inputs, learning=False)[0]

    def train(
        self,
        people: Sequence[Told],
        random: Generator,
        *,
        epochs: int,
        rate: float,
        labelled: Labelled | None = None,
    ) -> None:
        wanted = [(*each.answers(), each.ended()) for each in people]
        steps, step = epochs * -(-len(people) // _PEOPLE_AT_ONCE), 0
        for _ in range(epochs):
            order = random.permutation(len(people))
            for start in range(0, len(order), _PEOPLE_AT_ONCE):
                share = 1 - (1 - _LAST_RATE) * step / steps
                step += 1
                gradients = {name: np.zeros_like(each.values) for name, each in self._moments.items()}
                chosen = order[start : start + _PEOPLE_AT_ONCE]
                inputs = [each for i in chosen for each in (*people[i].memories, *people[i].questions)]

                def towards_people(
                    vectors: Floats, chosen: Ints = chosen, gradients: dict[str, Floats] = gradients
                ) -> Floats:
                    moves, first = np.zeros_like(vectors), 0
                    for i in chosen:
                        last = first + len(people[i].memories) + len(people[i].questions)
                        count = len(people[i].memories)
                        part = slice(first, last)
                        moves[part] = self._gradient_of(vectors[part], count, wanted[i], gradients)
                        first = last
                    return moves

                self._learn(inputs, towards_people, gradients, rate * share)
                if labelled is not None:
                    self._learn_labels(labelled, random, gradients, rate * share)
                for name, moments in self._moments.items():
                    moments.step(gradients[name], _HEADS_RATE * share)

    def _forward(self, inputs: Sequence[Any], *, learning: bool) -> tuple[Floats, Floats, Any]:
        raw, kept = self.encoder.forward(inputs, learning=learning)
        raw = raw + self.values("bias")
        lengths = np.sqrt((raw * raw).sum(1, keepdims=True)) + np.float32(1e-6)
        return raw / lengths, lengths, kept

    def _learn(
        self, inputs: Sequence[Any], moves: Callable[[Floats], Floats], gradients: dict[str, Floats], rate: float
    ) -> None:
        vectors, lengths, kept = self._forward(inputs, learning=True)
        wanted = moves(vectors)
        raw = ((wanted - vectors * (vectors * wanted).sum(1, keepdims=True)) / lengths).astype(np.float32)
        gradients["bias"] += raw.sum(0)
        self.encoder.backward(raw, kept, rate)

    def _learn_labels(self, labelled: Labelled, random: Generator, gradients: dict[str, Floats], rate: float) -> None:
        groups = (labelled.first, labelled.second)
        drawn = [group[i] for group in groups for i in random.integers(0, len(group), labelled.drawn)]
        wanted = np.array([label for _, label in drawn])

        def towards_labels(vectors: Floats) -> Floats:
            labels = self.values("labels")
            error = _softmax(np.float32(_LABEL_SCALE) * vectors @ labels.T)
            error[np.arange(len(wanted)), wanted] -= 1
            error *= np.float32(_LABEL_SCALE / len(wanted))
            gradients["labels"] += error.T @ vectors
            moved: Floats = error @ labels
            return moved

        self._learn([each for each, _ in drawn], towards_labels, gradients, rate)

    def _gradient_of(
        self, vectors: Floats, count: int, wanted: tuple[Floats, Floats, Floats], gradients: dict[str, Floats]
    ) -> Floats:
        """Returns how the vectors of one person should move: `count` memories, then the questions."""
        answers, counts, ended = wanted
        memories, questions = vectors[:count], vectors[count:]
        moves = np.zeros_like(vectors)
        if len(questions):
            asked = questions @ self.values("answers")
            nothing = questions @ self.values("nothing") + self.values("nothing constant")
            error = _towards(np.concatenate([asked @ memories.T, nothing[:, None]], axis=1), answers)
            error *= (counts / len(questions))[:, None]
            of_memories, of_nothing = error[:, :-1], error[:, -1]
            moved = of_memories @ memories
            gradients["answers"] += questions.T @ moved
            gradients["nothing"] += questions.T @ of_nothing
            gradients["nothing constant"] += of_nothing.sum()
            moves[count:] += moved @ self.values("answers").T + of_nothing[:, None] * self.values("nothing")
            moves[:count] += of_memories.T @ asked
        if ended.any():
            newer = memories @ self.values("ends")
            odds = newer @ memories.T
            changes = memories @ self.values("changes") + self.values("changes constant")
            earlier = np.tril(np.ones_like(odds), -1)
            weights = earlier * np.where(ended > 0, _ENDED_COUNTS_AS, 1.0).astype(np.float32) / earlier.sum()
            of_pairs = (_sigmoid(odds + changes[:, None]) - ended) * weights * np.float32(_ENDS_COUNTS_AS)
            of_changes = of_pairs.sum(1)
            rows = np.flatnonzero(ended.any(1))
            for row in rows:  # which of the earlier ones: a choice
                of_pairs[row, :row] += _towards(odds[row : row + 1, :row], ended[row : row + 1, :row])[
                    0
                ] * np.float32(_CHOICE_COUNTS_AS / len(rows))
            moved = of_pairs @ memories
            gradients["ends"] += memories.T @ moved
            gradients["changes"] += memories.T @ of_changes
            gradients["changes constant"] += of_changes.sum()
            moves[:count] += moved @ self.values("ends").T + of_pairs.T @ newer
            moves[:count] += of_changes[:, None] * self.values("changes")
        return moves

    def answer_chances(self, memories: Floats, questions: Floats) -> Floats:
        """Returns for each question how likely each memory answers it, and last how likely none does."""
        nothing = questions @ self.values("nothing") + self.values("nothing constant")
        raw = np.concatenate([questions @ self.values("answers") @ memories.T, nothing[:, None]], axis=1)
        return _softmax(raw)

    def packed_heads(self, bias: Floats) -> tuple[dict[str, Any], list[bytes]]:
        """Returns the small values, and the two matrices in whole steps; `bias` in steps of the encoder's table."""
        matrices, steps = list[bytes](), dict[str, float]()
        for name in ("answers", "ends"):
            matrix = self.values(name)
            steps[name] = float(np.abs(matrix).max()) / _HEAD_STEPS
            matrices.append(np.rint(matrix / steps[name]).astype(np.int8).tobytes())
        header: dict[str, Any] = {name: round(value, 9) for name, value in steps.items()}
        header["bias"] = [round(float(value), 3) for value in bias]
        for name in ("nothing", "changes"):
            header[name] = [round(float(value), 4) for value in self.values(name)]
            header[f"{name} constant"] = round(float(self.values(f"{name} constant")[0]), 4)
        return header, matrices


def quantised(values: Floats, steps: int, not_cut: float) -> tuple[npt.NDArray[np.int8], float]:
    """Returns the values in whole steps and what one is worth; the largest are cut to the last step."""
    step = float(np.quantile(np.abs(values), not_cut)) / steps
    return np.clip(np.rint(values / step), -steps, steps).astype(np.int8), step


def fold_of(name: str) -> int:
    """Returns the part of the train people that somebody belongs to; a space of this fold was not trained on them."""
    return crc32(name.encode()) % FOLDS


def found_first(space: Space, people: Sequence[Told]) -> float:
    """Returns the share of answered questions whose answer is the likeliest memory; what is outdated is left out."""
    right = list[bool]()
    for each in people:
        chances = space.answer_chances(space.vectors(each.memories), space.vectors(each.questions))[:, :-1]
        for row, question in zip(chances, each.person.questions, strict=True):
            if question.is_answered:
                row[list(question.outdated)] = -1
                right.append(int(row.argmax()) in question.answers)
    return sum(right) / max(1, len(right))


def _towards(raw: Floats, wanted: Floats) -> Floats:
    """Returns the gradient of choosing any of the wanted columns."""
    chances = _softmax(raw)
    right = chances * wanted
    moved: Floats = chances - right / np.maximum(right.sum(1, keepdims=True), _TINY)
    return moved


def _softmax(raw: Floats) -> Floats:
    grown = np.exp(raw - raw.max(1, keepdims=True))
    chances: Floats = grown / grown.sum(1, keepdims=True)
    return chances


def _sigmoid(raw: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(raw, -30, 30))), np.float32)
