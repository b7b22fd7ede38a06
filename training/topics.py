"""Trains the topics of `celestial_engine.understanding`: a short vector of what a text is about.

It is learned from people, whose questions point to their memories, and from lines and words about 240 aspects of a
life. `python -m training.topics` writes the file, which is the same for the same corpus, and measures it on people by
other writers. `--check` only compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding.features import BUCKETS, hashed
from celestial_engine.understanding.model import packed
from celestial_engine.understanding.topics import FILE
from training.corpus import LANGUAGES, ROOT
from training.people import Person, people
from training.spaces import HashedTexts, Labelled, Space, Told, fold_of, found_first, quantised

FOLDER = ROOT / "aspects"
TOPICS = Path(__file__).parents[1] / "src" / "celestial_engine" / "understanding" / FILE
KINDS = ("s", "c", "q")  # a statement, a change, a question
_SEED = 20_261_118
ROWS, DIMENSION = BUCKETS // 2, 64
_EPOCHS, _RATE, _DROPPED, _LINES_AT_ONCE = 6, 0.006, 0.3, 384
# Few steps make the file small and cost nothing that can be measured; the largest weights are cut to the last step.
_STEPS, _NOT_CUT = 4, 0.999
# The words of an aspect are read as lines of some words each, in several orders: a feature of one line is noise.
_WORDS = "w"
_WORDS_A_LINE, _ORDERS = 6, 3


class AspectLine(NamedTuple):
    """One line about one aspect of a life."""

    aspect: str
    kind: str
    text: str
    language: str


def aspects() -> list[str]:
    """Returns the names of the aspects, in the order of the inventory."""
    lines = (FOLDER / "inventory.tsv").read_text(encoding="utf-8").split("\n")
    return [line.split("\t")[0] for line in lines if line]


def lines(part: str) -> list[AspectLine]:
    """Returns the lines of a part (train, test); raises ValueError for one that does not have three columns."""
    found = list[AspectLine]()
    for language in LANGUAGES:
        for number, line in enumerate((FOLDER / language / f"{part}.tsv").read_text(encoding="utf-8").split("\n"), 1):
            columns = line.split("\t")
            if len(columns) == 3:
                found.append(AspectLine(columns[0], columns[1], columns[2], language))
            elif line:
                raise ValueError(f"{language}/{part}.tsv:{number}: {len(columns)} columns")
    return found


def words(language: str) -> dict[str, list[str]]:
    """Returns the words and phrases that people use for each aspect."""
    lines = (FOLDER / language / "words.tsv").read_text(encoding="utf-8").split("\n")
    return {line.split("\t")[0]: line.split("\t")[1].split(", ") for line in lines if line}


def lines_of_words() -> list[AspectLine]:
    """Returns the words as lines to train on."""
    order_of = Random(_SEED)
    found = list[AspectLine]()
    for language in LANGUAGES:
        for aspect, listed in words(language).items():
            for _ in range(_ORDERS):
                order_of.shuffle(listed)
                for start in range(0, len(listed), _WORDS_A_LINE):
                    text = " ".join(listed[start : start + _WORDS_A_LINE])
                    found.append(AspectLine(aspect, _WORDS, text, language))
    return found


def told_by(people: Iterable[Person]) -> list[Told]:
    return [
        Told(
            person,
            [_features(text) for text in person.memories],
            [_features(question.text) for question in person.questions],
        )
        for person in people
    ]


def _features(text: str) -> tuple[npt.NDArray[np.int64], int]:
    found = hashed(text)
    return np.unique(np.array(found.buckets, np.int64) % ROWS), len(found.checksums)


def trained_space(told: Sequence[Told], epochs: int = _EPOCHS) -> Space:
    """Returns the vectors and heads learned from these people, and from all lines and words about aspects."""
    random = np.random.Generator(np.random.PCG64(_SEED))
    names = aspects()
    written, listed = (
        [(_features(line.text), names.index(line.aspect)) for line in part] for part in _aspect_lines()
    )
    labelled = Labelled(written, listed, len(names), _LINES_AT_ONCE)
    space = Space(HashedTexts(ROWS, DIMENSION, random, _DROPPED), DIMENSION, random, len(names))
    space.train(told, random, epochs=epochs, rate=_RATE, labelled=labelled)
    return space


def _aspect_lines() -> tuple[list[AspectLine], list[AspectLine]]:
    return lines("train"), lines_of_words()


def file_of(space: Space) -> bytes:
    """Returns the bytes of the file: the table of the features, and the two heads."""
    table, step = quantised(space.encoder.table.values, _STEPS, _NOT_CUT)
    heads, matrices = space.packed_heads(space.values("bias") / np.float32(step))
    square = [DIMENSION, DIMENSION]
    header = {
        "heads": [],
        "tables": [[ROWS, DIMENSION], square, square],
        "corpus": corpus_digest(),
        "space": heads,
    }
    return packed(header, [table.tobytes(), *matrices])


def trained() -> bytes:
    return file_of(trained_space(told_by(_train_people())))


def trained_without(fold: int) -> bytes:
    """Returns a file that was not trained on the people of a fold, to learn how far it can be trusted."""
    left = [person for person in _train_people() if fold_of(person.language + person.number) != fold]
    return file_of(trained_space(told_by(left)))


def _train_people() -> list[Person]:
    return [person for language in LANGUAGES for person in people("train", language)]


def corpus_digest() -> str:
    """Returns a digest of the people, lines and words that the topics are trained on."""
    digest = sha256()
    listed = [FOLDER / language / name for language in LANGUAGES for name in ("train.tsv", "words.tsv")]
    told = sorted((ROOT / "people").glob("*/train/*.txt"))
    for path in (FOLDER / "inventory.tsv", *listed, *told):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file would change")
    arguments = parser.parse_args()
    space = trained_space(told_by(_train_people()))
    raw = file_of(space)
    if arguments.check:
        raise SystemExit(0 if TOPICS.read_bytes() == raw else "the topics are not those of this corpus: make train")
    TOPICS.write_bytes(raw)
    print(
        f"{TOPICS.name}: {len(raw):,} bytes; share of test people's questions whose answer is the likeliest memory:"
    )
    for language in LANGUAGES:
        print(f"  {language} {found_first(space, told_by(people('test', language))):.3f}")


if __name__ == "__main__":
    main()
