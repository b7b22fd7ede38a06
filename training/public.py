"""Public data that adds to the corpus: 3i4K's Korean utterances without punctuation, for the act of a turn only.

The texts are not in this repository; NOTICE names their source. CELESTIAL_BENCH_DATA names the folder that has them.
"""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

from training.corpus import LABELS, NONE, LabelledTurn

_FILE = Path("turns") / "3i4k_train_val.tsv"
_ACTS = {
    "1": "statement",
    "2": "question",
    "3": "request",
}  # fragments and rhetorical questions have no label of ours
_TRAINED_ON = 6_000
PERSON = "3i4k"


def folder() -> Path:
    return Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data"))


def korean_acts(data: Path, *, trained_on: bool) -> list[LabelledTurn]:
    """Returns the utterances that are trained on, or all the others; raises FileNotFoundError without the data."""
    rows = [line.split("\t") for line in (data / _FILE).read_text(encoding="utf-8").split("\n") if line]
    labelled = sorted(
        {(text, _ACTS[label]) for label, text in rows if label in _ACTS},
        key=lambda pair: (crc32(pair[0].encode()), pair),
    )
    chosen = labelled[:_TRAINED_ON] if trained_on else labelled[_TRAINED_ON:]
    return [
        LabelledTurn(text, {name: act if name == "act" else NONE for name in LABELS}, None, None, PERSON, "ko")
        for text, act in chosen
    ]
