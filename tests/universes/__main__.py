"""`python -m tests.universes --count 1000`: plays universes and says what happened in them."""

from __future__ import annotations

import argparse
import logging
import time

from tests.universes.runner import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--length", type=int, default=25, help="steps of a universe")
    parser.add_argument("--betrayed", action="store_true", help="the disk loses a write at the end")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    seeds = [options.seed] if options.seed is not None else range(options.first, options.first + options.count)
    began = time.process_time()
    done = run(seeds, options.length, betrayed=options.betrayed)
    print(
        f"{done.universes} universes, {done.steps} steps, {done.power_cuts} power cuts and kills, {done.faults} calls "
        f"that a fault failed, {done.memories} memories: every promise held, {done.noticed} lost writes noticed ({time.process_time() - began:.0f} s CPU)"
    )


if __name__ == "__main__":
    main()
