"""`python -m tests.security.fuzzing --minutes 60`: fuzzes every parser, guided by coverage.

It needs atheris (PyPI). Inputs that reach something new are added to a working corpus, and `--merge` keeps the smallest set
of them that reaches as much in `corpus/`, which the ordinary tests read.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from pathlib import Path

ENGINE = "celestial_engine"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="in total, the same for each parser")
    parser.add_argument("--work", type=Path, default=Path(".fuzzing"), help="the working corpus and what was found")
    parser.add_argument("--only", help="the name of one parser")
    parser.add_argument("--after", help="leave out the parsers up to this one")
    parser.add_argument("--merge", action="store_true", help="keep what reaches something new, and fuzz no further")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.in_process:
        _fuzz(options.in_process, rest)
        return
    from tests.security.fuzzing.parsers import CORPUS, PARSERS, slug

    names = [options.only] if options.only else list(PARSERS)
    names = names[names.index(options.after) + 1 :] if options.after else names
    executed = failed = 0
    for name in names:
        work = options.work / slug(name)
        found = options.work / "found" / slug(name)
        for folder in (work, found):
            folder.mkdir(parents=True, exist_ok=True)
        (CORPUS / slug(name)).mkdir(parents=True, exist_ok=True)
        for number, sample in enumerate(PARSERS[name].samples):
            (work / f"sample-{number}").write_bytes(sample)
        limits = ["-max_len=4096", "-timeout=20", "-rss_limit_mb=4096", f"-artifact_prefix={found}/"]
        if options.merge:
            limits += ["-merge=1", str(CORPUS / slug(name)), str(work)]
        else:
            seconds = max(1, round(options.minutes * 60 / len(names)))
            limits += [f"-max_total_time={seconds}", "-print_final_stats=1", str(work), str(CORPUS / slug(name))]
        command = [sys.executable, "-m", "tests.security.fuzzing", "--in-process", name, *limits]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        runs = re.search(r"number_of_executed_units: (\d+)", done.stderr)
        executed += int(runs[1]) if runs else 0
        failed += done.returncode != 0
        print(
            f"{name}: exit {done.returncode}, {runs[1] if runs else 'no'} inputs, {len(list(work.iterdir()))} kept",
            flush=True,
        )
        if done.returncode:
            (options.work / f"{slug(name)}.log").write_text(done.stdout + done.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes = (used.ru_utime + used.ru_stime) / 60
    print(f"{len(names)} parsers, {executed:,} inputs, {failed} failed, {minutes:.0f} minutes of CPU")
    raise SystemExit(failed > 0)


def _fuzz(name: str, rest: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=[ENGINE]):
        from tests.security.fuzzing.parsers import PARSERS, holds
    parser = PARSERS[name]
    atheris.Setup([sys.argv[0], *rest], lambda data: holds(parser, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
