"""`python -m benchmarks.poisoning`: the share of planted instructions that reach a prompt unmarked. Goal: none."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.measure import say
from benchmarks.poisoning.attacks import Attack, Outcome, attacks, benign, is_kept, outcome, threat_bench


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threat-bench", type=Path, help="a wheel of inspect-evals, for its memory cases")
    options = parser.parse_args()
    say("| attacks | kind | count | in the prompt, marked | unmarked |\n|---|---|---|---|---|")
    for name in ("cases", "held_out", "held_out_second", "held_out_third", "held_out_fourth", "held_out_fifth"):
        report(name, attacks(name))
    if options.threat_bench:
        report("AgentThreatBench", threat_bench(options.threat_bench))
    kept = [is_kept(text) for text in benign()]
    say(f"\nbenign requests kept with normal trust: {sum(kept)} of {len(kept)}")


def report(name: str, cases: list[Attack]) -> None:
    results = Counter((case.kind, outcome(case)) for case in cases)
    for kind in [*dict.fromkeys(case.kind for case in cases), None]:
        count = sum(number for (of, _), number in results.items() if kind in (of, None))
        marked, unmarked = (
            sum(number for (of, how), number in results.items() if kind in (of, None) and how is wanted)
            for wanted in (Outcome.MARKED, Outcome.UNMARKED)
        )
        say(f"| {name} | {kind or 'all'} | {count} | {marked} | {unmarked} |")


if __name__ == "__main__":
    main()
