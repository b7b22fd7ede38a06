"""Chooses which feature owns each bucket of a table: of those that fall into it, the one that tells most.

Two million features share 65,536 buckets. Where all of them add to the same weights, a rare word says what thirty
others said; with owners, it says nothing, and what tells something is not disturbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.features import names_of
from celestial_engine.understanding.model import MARKS
from training.corpus import LABELS, LabelledTurn
from training.fit import Ints, Sample

_LEAST_TURNS = 2  # a feature of a single turn is noise


class Owners:
    """The owner of each bucket: the checksum of a feature, or -1."""

    def __init__(self, turns: Sequence[LabelledTurn], heads: Sequence[str], rows: int) -> None:
        self._rows = rows
        self._owners: Ints = np.full(rows, -1, np.int64)
        features, occurs = np.unique(np.concatenate([_checksums(turn) for turn in turns]), return_inverse=True)
        best_first = np.argsort(-_told_about(turns, heads, occurs, len(features)), kind="stable")
        _, best = np.unique(features[best_first] % rows, return_index=True)
        owners = features[best_first[best]]
        self._owners[owners % rows] = owners
        self._marks: Ints = np.where(self._owners < 0, 0, self._owners // rows % MARKS)

    @property
    def marks(self) -> bytes:
        return self._marks.astype(np.uint8).tobytes()

    def samples(self, turns: Sequence[LabelledTurn]) -> list[Sample]:
        """Returns the features of turns that weigh something, as the reader finds them: by their marks."""
        found = list[Sample]()
        for turn in turns:
            checksums = _checksums(turn)
            rows = checksums % self._rows
            owned = (self._owners[rows] >= 0) & (self._marks[rows] == checksums // self._rows % MARKS)
            found.append(Sample(np.unique(rows[owned]), len(checksums)))
        return found


def _checksums(turn: LabelledTurn) -> Ints:
    return np.array(sorted({crc32(name.encode()) for name in names_of(turn.text, turn.previous)}), np.int64)


def _told_about(
    turns: Sequence[LabelledTurn], heads: Sequence[str], occurs: Ints, features: int
) -> npt.NDArray[np.float64]:
    """Returns how much each feature tells about the labels of all heads: the sum of their chi-squares."""
    in_turn = np.repeat(np.arange(len(turns)), [len(_checksums(turn)) for turn in turns])
    told = np.zeros(features)
    for head in heads:
        labels = LABELS[head]
        wanted = np.array([labels.index(turn.labels[head]) if turn.labels[head] in labels else -1 for turn in turns])
        labelled = wanted[in_turn] >= 0
        feature, label = occurs[labelled], wanted[in_turn][labelled]
        often = np.bincount(feature, minlength=features)
        shares = np.bincount(wanted[wanted >= 0], minlength=len(labels)) / (wanted >= 0).sum()
        for place, share in enumerate(shares):
            seen, expected = np.bincount(feature[label == place], minlength=features), often * share
            surprise = np.maximum(0.0, np.abs(seen - expected) - 0.5) ** 2 / np.maximum(expected, 0.5)
            told += surprise / (len(labels) - 1)
    told[np.bincount(occurs, minlength=features) < _LEAST_TURNS] = 0.0
    return told
