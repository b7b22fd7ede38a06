"""Trains the weights of `celestial_engine.understanding`: `make train`. The same corpus gives the same bytes."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from celestial_engine.understanding import question
from celestial_engine.understanding.features import BUCKETS
from celestial_engine.understanding.model import packed
from training import public, questions, relations
from training.corpus import LABELS, ROOT, LabelledTurn, Pair, turns
from training.fit import Floats, calibrated, fit, logits_of, samples
from training.owners import Owners
from training.people import told_pairs

Steps = npt.NDArray[np.int8]

WEIGHTS = Path(__file__).parents[1] / "src" / "celestial_engine" / "understanding" / "weights.bin"
_SEED = 20_261_117
# The many attributes have fewer rows of their own: the file must stay small, and they need less detail.
_OWNED = ("act", "keep", "lifetime", "memory", "category", "subject")
_TABLES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (BUCKETS, _OWNED),  # where each bucket belongs to one feature
    (BUCKETS // 4, (question.HEAD,)),  # before the largest: a search unpacks no more than this
    (BUCKETS // 4, ("attribute", relations.HEAD)),
)
# How fast a head follows its turns, and how often it sees them: what shows in few words may be learned fast, and
# worth keeping wants many turns. Chosen on people of the training who were left out.
_PACE = {"keep": (0.25, 14), "memory": (0.12, 14)}
_OTHERS_PACE = (0.5, 20)
_STEPS = 16  # of a weight on each side of zero: 127 read no better, and make the file half as large again
# People who were made to note facts in few words, as nobody does all the time.
_TERSE_PEOPLE, _TERSE_COUNTS_AS = ("221", "253"), 0.6
_PUBLIC_COUNTS_AS = 0.2
# Most turns of a talk follow something that the assistant said, though the corpus writes it only where it is needed.
_FOLLOW_SOMETHING_SAID, _FOLLOW_A_QUESTION = 30, 15  # percent


def trained(
    train: Sequence[LabelledTurn],
    development: Sequence[LabelledTurn],
    told: Sequence[Pair],
    asked: Sequence[LabelledTurn],
) -> bytes:
    """Returns the bytes of the model file; `told`: pairs that show how statements relate; `asked`: questions."""
    train, development = amid_talk(train), amid_talk(development)
    folded = samples(train, trained=True), samples(development, trained=False)
    owners = Owners(train, _OWNED, BUCKETS)
    owned = owners.samples(train), owners.samples(development)
    change = relations.change_head(told, _TABLES[-1][0], seed=_SEED)
    # Heads with examples of their own.
    other_heads: dict[str, tuple[tuple[str, ...], relations.ChangeHead | questions.QuestionHead]] = {
        relations.HEAD: (relations.LABELS, change),
        question.HEAD: (question.LABELS, questions.question_head(asked, _TABLES[1][0], seed=_SEED)),
    }
    heads, tables = list[dict[str, object]](), list[bytes]()
    for table, (rows, names) in enumerate(_TABLES):
        columns = list[Steps]()
        data, held = owned if names == _OWNED else folded
        for name in names:
            if name in other_heads:
                labels, other = other_heads[name]
                steps, step = quantised(other.weights)
                scale, bias = other.scale, other.bias
            else:
                labels = LABELS[name]
                chosen = [i for i, turn in enumerate(train) if turn.labels[name] in labels]
                wanted = np.array([labels.index(train[i].labels[name]) for i in chosen])
                counts_as = np.array([_counts_as(train[i]) for i in chosen], np.float32)
                rate, epochs = _PACE.get(name, _OTHERS_PACE)
                fitted = fit(
                    [data[i] for i in chosen],
                    wanted,
                    counts_as,
                    len(labels),
                    rows,
                    seed=_SEED,
                    epochs=epochs,
                    rate=rate,
                )
                if len(labels) == 2:  # what speaks for one speaks as much against the other
                    fitted = np.asarray((fitted[:, 1:] - fitted[:, :1]) / 2, np.float32)
                steps, step = quantised(fitted)
                kept = [i for i, turn in enumerate(development) if turn.labels[name] in labels]
                logits = logits_of(np.vstack([steps, steps[:1]]) * np.float32(step), [held[i] for i in kept])
                logits = np.hstack([-logits, logits]) if len(labels) == 2 else logits
                scale, bias = calibrated(logits, np.array([labels.index(development[i].labels[name]) for i in kept]))
            heads.append(
                {
                    "name": name,
                    "labels": labels,
                    "table": table,
                    "first": sum(part.shape[1] for part in columns),
                    "columns": steps.shape[1],
                    "scale": round(scale * step, 9),
                    "bias": [round(float(value), 5) for value in bias],
                }
            )
            columns.append(steps)
        tables.append(np.concatenate(columns, axis=1).tobytes())
    header = {
        "heads": heads,
        "tables": [[rows, len(part) // rows] for (rows, _), part in zip(_TABLES, tables, strict=True)],
        "corpus": corpus_digest(),
    }
    return packed(header, tables, [owners.marks if names == _OWNED else b"" for _, names in _TABLES])


def amid_talk(turns: Sequence[LabelledTurn]) -> list[LabelledTurn]:
    """Lets some turns follow what the assistant said to somebody else, so that to follow something tells nothing."""
    said: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for turn in turns:
        if turn.previous:
            said[turn.language, turn.previous.endswith("?")].append(turn.previous)
    return [turn if turn.previous else turn._replace(previous=_said_before(turn, said)) for turn in turns]


def _said_before(turn: LabelledTurn, said: Mapping[tuple[str, bool], Sequence[str]]) -> str | None:
    place, chance = divmod(crc32(turn.text.encode()), 100)
    if chance >= _FOLLOW_A_QUESTION + _FOLLOW_SOMETHING_SAID:
        return None
    fitting = said[turn.language, chance < _FOLLOW_A_QUESTION]
    return fitting[place % len(fitting)] if fitting else None


def quantised(weights: Floats) -> tuple[Steps, float]:
    """Returns the weights in whole steps, without the constant's row, and what one step is worth."""
    step = float(np.abs(weights[:-1]).max()) / _STEPS
    steps = np.clip(np.rint(weights[:-1] / step), -_STEPS, _STEPS).astype(np.int8)
    return steps, step


def _counts_as(turn: LabelledTurn) -> float:
    if turn.person == public.PERSON:
        return _PUBLIC_COUNTS_AS
    first, last = _TERSE_PEOPLE
    return _TERSE_COUNTS_AS if first <= turn.person <= last else 1.0


def corpus_digest() -> str:
    """Returns a digest of the turns, pairs and questions that the weights are trained on."""
    digest = sha256()
    turns_and_people = ("*/train/*.tsv", "*/development/*.tsv", "people/*/train/*.txt")
    pairs = ("pairs/*/train.tsv", "pairs/*/ordinary.tsv")
    for path in [path for pattern in (*turns_and_people, *pairs) for path in sorted(ROOT.glob(pattern))]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file would change")
    arguments = parser.parse_args()
    try:
        added = public.korean_acts(public.folder(), trained_on=True)
    except FileNotFoundError as missing:
        raise SystemExit(f"There is no {missing.filename}; CELESTIAL_BENCH_DATA names the data folder.") from None
    raw = trained(
        [*turns("train"), *added],
        turns("development"),
        [*relations.all_pairs("train", "ordinary"), *told_pairs("train")],
        questions.asked_questions(),
    )
    if arguments.check:
        raise SystemExit(0 if WEIGHTS.read_bytes() == raw else "the weights are not those of this corpus: make train")
    WEIGHTS.write_bytes(raw)
    print(f"{WEIGHTS.name}: {len(raw):,} bytes")


if __name__ == "__main__":
    main()
