"""Counts what the corpus holds: `python -m training.counts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from training.corpus import LABELS, LANGUAGES, PARTS, YES, LabelledTurn, pairs, turns


def main() -> None:
    read = {(language, part): turns(part, language) for language in LANGUAGES for part in PARTS}
    print("| language | part | people | turns | worth keeping | need memory |\n|---|---|---|---|---|---|")
    for (language, part), found in read.items():
        people = len({turn.person for turn in found})
        kept, needing = (_share(found, name) for name in ("keep", "memory"))
        print(f"| {language} | {part} | {people} | {len(found):,} | {kept:.0%} | {needing:.0%} |")
    for name in LABELS:
        counts = Counter(turn.labels[name] for found in read.values() for turn in found)
        told = ", ".join(f"{label} {counts[label]:,}" for label in LABELS[name])
        print(f"\n{name}: {told}")
    for language in LANGUAGES:
        train, test = (len(pairs(part, language)) for part in ("train", "test"))
        print(f"\npairs {language}: {train:,} train, {test:,} test")


def _share(found: Sequence[LabelledTurn], name: str) -> float:
    return sum(turn.labels[name] == YES for turn in found) / len(found) if found else 0.0


if __name__ == "__main__":
    main()
