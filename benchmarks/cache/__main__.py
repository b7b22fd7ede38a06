"""`python -m benchmarks.cache`: replays the traces and compares the memory function. See docs/benchmarks.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from statistics import fmean

from benchmarks.cache import report
from benchmarks.cache.policies import FUNCTIONS, SHIPPED, broken_claims, policies, variations
from benchmarks.cache.replay import clairvoyant, gain, mean_share, ranks, seated
from benchmarks.cache.report import CAPACITIES, CLAIRVOYANT, JUDGED, Gain, Result
from benchmarks.cache.traces import SETS, Recall, Trace, traces_of
from benchmarks.measure import on_one_core, say
from benchmarks.recall.data import data_folder
from benchmarks.report import write_json

SEED = 6


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    begun = time.monotonic()
    on_one_core()
    try:
        results = _measured(options.sets, data_folder(), options.seed)
    except FileNotFoundError as missing:
        say(f"There is no {missing.filename}; CELESTIAL_BENCH_DATA names the data folder. See docs/benchmarks.md.")
        return 2
    broken = {name: broken_claims(function) for name, function in FUNCTIONS.items()}
    _judged(results, broken)
    _write(options.output, results, broken, options.seed)
    say(f"{time.monotonic() - begun:.0f} s; figures: {options.output / 'cache.json'}")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cache", description="Judges the memory function.")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), metavar="SET", help=", ".join(SETS))
    parser.add_argument("--seed", type=int, default=SEED, help="of what is made up")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where plot and JSON go")
    return parser.parse_args(arguments)


def _measured(names: Sequence[str], folder: Path, seed: int) -> list[Result]:
    results = []
    recall = Recall()
    for name in names:
        kind = SETS[name]
        timed = list(kind.load(folder, seed))
        print(f"\n{kind.title}: {'natural' if kind.natural else 'MADE UP'}. Not from the data: {kind.made_up}")
        for recalled, found_by in (("needed", None), ("found", recall)):
            if found_by is not None and all(len(asked) == 1 for _, asked in timed):
                continue  # with a single question its recall cannot influence anything
            result = measure(kind.title, recalled, traces_of(timed, found_by), seed)
            results.append(result)
            print(
                f"\n{result.questions} questions, {result.memories:,} memories; each recalls what "
                f"{'it needs' if found_by is None else 'our recall by words returns'}\n{report.table(result)}\n"
                f"by bounds and slots {result.seated.needed:.3f} of the needed lie in Core, Inner and Outer, "
                f"and {result.seated.everything:.3f} of everything",
                flush=True,
            )
    return results


def measure(title: str, recalled: str, traces: Sequence[Trace], seed: int = SEED) -> Result:
    """Run all policies and all variations of the memory function on the same traces."""
    others, ours = policies(seed), variations()
    found = ranks(traces, others | ours)
    shares = {name: {each: mean_share(found[name], each) for each in CAPACITIES} for name in others}
    shares[CLAIRVOYANT] = {each: fmean(clairvoyant(traces, each)) for each in CAPACITIES}
    return Result(
        title,
        recalled,
        len(found[SHIPPED]),
        sum(len(trace.stored_at) for trace in traces),
        shares,
        seated(traces, FUNCTIONS[SHIPPED]),
        {
            name: {each: Gain(*gain(found[name], found[SHIPPED], each)) for each in JUDGED}
            for name in [*ours, *others]
        },
    )


def _judged(results: Sequence[Result], broken: dict[str, list[str]]) -> None:
    print("\nVariations of the memory function: more (or less) of the needed than as shipped, ± its standard error")
    for place, result in enumerate(results, 1):
        print(f"  {place}: {result.title}, {result.recalled}")
    for capacity in JUDGED:
        print(f"\n{report.gain_table(results, broken, capacity)}")
    print("\nClaims of the design that a variation breaks")
    for name, claims in broken.items():
        print(f"  {name}: {'; '.join(claims) or 'none'}")


def _write(folder: Path, results: Sequence[Result], broken: dict[str, list[str]], seed: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_json(
        folder / "cache.json",
        {
            "measured_at": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "python": sys.version.split()[0],
            "seed": seed,
            "shares": "of the needed memories within so many slots (below 1: a part of the corpus) before a question",
            "broken_claims": broken,
            "results": [report.as_json(result) for result in results],
        },
    )
    try:
        report.plot(folder / "cache.png", [result for result in results if result.recalled == "needed"])
    except ImportError:
        say("no plot: matplotlib is not installed here")


if __name__ == "__main__":
    raise SystemExit(main())
