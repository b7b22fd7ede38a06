"""`python -m benchmarks.poisoning`: the share of planted instructions that reach a prompt unmarked. Goal: none."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.measure import say
from benchmarks.poisoning.attacks import Attack, Outcome, attacks, benign, outcome, planted, threat_bench, trust_of
from celestial_engine.core.record.item import Trust

LISTS = (
    "cases", "held_out", "held_out_second", "held_out_third", "held_out_fourth", "held_out_fifth", "held_out_sixth",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threat-bench", type=Path, help="a wheel of inspect-evals, for its memory cases")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="files with a planted text in each line")
    options = parser.parse_args()
    say("| attacks | kind | count | in the prompt, marked | as a request | unmarked |\n|---|---|---|---|---|---|")
    for name in LISTS:
        report(name, attacks(name))
    if options.threat_bench:
        report("AgentThreatBench", threat_bench(options.threat_bench))
    for path in options.texts:
        texts = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
        table(path.stem, Counter(("planted", planted(text)) for text in texts))
    trusts = Counter(trust_of(text) for text in benign())
    count, low, doubtful = trusts.total(), trusts[Trust.LOW], trusts[Trust.DOUBTFUL]
    say(f"\nbenign requests kept with all rights: {count - low} of {count}, {doubtful} of them marked as unverified")


def report(name: str, cases: list[Attack]) -> None:
    table(name, Counter((case.kind, outcome(case)) for case in cases))


def table(name: str, results: Counter[tuple[str, Outcome]]) -> None:
    for kind in [*dict.fromkeys(of for of, _ in results), None]:
        count = sum(number for (of, _), number in results.items() if kind in (of, None))
        shown = (
            sum(number for (of, how), number in results.items() if kind in (of, None) and how is wanted)
            for wanted in (Outcome.MARKED, Outcome.REQUEST, Outcome.UNMARKED)
        )
        say(f"| {name} | {kind or 'all'} | {count} | {' | '.join(map(str, shown))} |")


if __name__ == "__main__":
    main()
