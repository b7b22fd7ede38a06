"""How far two labellers agree: `python -m training.agreement`. The second one labelled corpus/relabelled/."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from training.corpus import LABELS, LANGUAGES, NONE, ROOT, turns_in

Twice = tuple[str, str]


class Agreement(NamedTuple):
    """The share of turns with the same label, and Cohen's kappa, which leaves out agreement by chance."""

    turns: int
    share: float
    kappa: float


def labelled_twice(language: str) -> Iterator[dict[str, Twice]]:
    """Yields the labels of both for each turn; raises ValueError if a person's file has other turns by now."""
    text = (ROOT / "relabelled" / f"{language}.tsv").read_text(encoding="utf-8")
    for block in text.split("# ")[1:]:
        person, *lines = block.rstrip("\n").split("\n")
        first = [turn.labels for turn in turns_in(ROOT / language / f"{person}.tsv", language)]
        second = [dict(zip(LABELS, line.split("\t"), strict=True)) for line in lines]
        for one, other in zip(first, second, strict=True):
            yield {name: (one[name], other[name]) for name in LABELS}


def agreement(language: str, name: str) -> Agreement:
    """Returns the agreement on a label, over the turns to which both gave one."""
    found = [labels[name] for labels in labelled_twice(language)]
    return agreement_of([pair for pair in found if NONE not in pair])


def agreement_of(found: Sequence[Twice]) -> Agreement:
    share = sum(one == other for one, other in found) / len(found)
    ones, others = Counter(one for one, _ in found), Counter(other for _, other in found)
    by_chance = sum(ones[label] * others[label] for label in ones) / len(found) ** 2
    return Agreement(len(found), share, 1.0 if by_chance == 1 else (share - by_chance) / (1 - by_chance))


def main() -> None:
    print("| label | language | turns | agreement | kappa |\n|---|---|---|---|---|")
    for name in LABELS:
        for language in LANGUAGES:
            found = agreement(language, name)
            print(f"| {name} | {language} | {found.turns} | {found.share:.3f} | {found.kappa:.3f} |")


if __name__ == "__main__":
    main()
