"""`python -m benchmarks.guard`: generated sentences, every published token format, everyday forms, innocent lines."""

from __future__ import annotations

import argparse
import os
import random
import time
from pathlib import Path

from benchmarks.guard import generated
from benchmarks.guard.everyday import forms, missed
from benchmarks.guard.innocent import innocent_lines
from benchmarks.guard.samples import sample
from benchmarks.measure import say
from celestial_engine.core.guard.secrets import redact_secrets
from celestial_engine.core.guard.tokens import token_formats

LISTS = (
    "development", "held_out", "second_held_out", "situations", "situations_held_out", "in_passing",
    "in_passing_held_out", "wider", "wider_held_out",
)  # fmt: skip
FRAMES = ("{}", "use {} for the build", "export X={}", "이거 써 {} 알겠지", "my key: {}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--secrets", type=int, default=2000)
    parser.add_argument("--innocent", type=int, default=5000)
    parser.add_argument("--misses", type=int, default=0, help="show so many of what went wrong")
    parser.add_argument("--data", default=os.environ.get("CELESTIAL_DATA", "data"), help="folder of the public sets")
    options = parser.parse_args()
    generated.report(options.seed, options.secrets, options.innocent, options.misses)
    published_formats(options.seed)
    everyday_forms(options.misses)
    false_alarms(Path(options.data), options.seed, options.misses)


def published_formats(seed: int) -> None:
    """Recall on values made from the table, bare and in sentences."""
    rng = random.Random(seed)
    cases = [
        (f"{row.near} api key {{}}" if row.near else frame, sample(row, rng))
        for row in token_formats()
        for frame in FRAMES
    ]
    lost = sum(value in redact_secrets(frame.format(value)).text for frame, value in cases)
    vendors = len({row.vendor for row in token_formats()})
    say(
        f"\n{vendors} vendors, {len(token_formats())} formats, {len(cases)} texts: recall {1 - lost / len(cases):.4f}"
    )


def everyday_forms(show: int) -> None:
    for name in LISTS:
        total, lost = forms(name), missed(name)
        say(f"everyday forms, {name}: {len(total)}, recall {1 - len(lost) / len(total):.4f}")
        if not name.endswith("held_out"):  # the others stay unseen
            for form in lost[:show]:
                say(f"  {form.text!r}")


def false_alarms(data: Path, seed: int, show: int) -> None:
    say("\n| innocent lines | count | false alarms | CPU µs a text |\n|---|---|---|---|")
    count = alarms = 0
    for name, lines in innocent_lines(data, seed).items():
        for line in lines[:500]:
            redact_secrets(line)  # compiles the patterns
        began = time.process_time()
        wrong = [line for line in lines if redact_secrets(line).redacted]
        each = (time.process_time() - began) / max(1, len(lines)) * 1e6
        say(f"| {name} | {len(lines)} | {len(wrong)} | {each:.0f} |")
        for line in wrong[:show]:
            say(f"  {line!r} -> {redact_secrets(line).text!r}")
        count, alarms = count + len(lines), alarms + len(wrong)
    say(f"| all | {count} | {alarms} ({alarms / max(1, count):.3%}) | |")


if __name__ == "__main__":
    main()
