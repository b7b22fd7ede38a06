"""Measures the rules of an older version on the test people, and writes before.json.

    git worktree add ../before fed200e
    python -m benchmarks.decide.before ../before

fed200e is the last version whose decisions came from patterns alone. Its code runs in a process of its own; the
turns, the script and the figures are those of today.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from training.corpus import LANGUAGES

from benchmarks.decide import observed
from benchmarks.decide.decisions import BEFORE, digest_of_test, figures, spoken
from benchmarks.decide.observed import Done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a worktree of the older version")
    checkout: Path = parser.parse_args().checkout.resolve()
    commit = _output("git", "-C", str(checkout), "rev-parse", "HEAD").strip()
    recorded = {
        "about": "Decisions by the rules of an older version on the test people of corpus/; see before.py.",
        "commit": commit,
        "test": digest_of_test(),
        "figures": {
            language: {name: round(value, 4) for name, value in figures(language, _done(checkout, language)).items()}
            for language in LANGUAGES
        },
    }
    BEFORE.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


def _done(checkout: Path, language: str) -> list[Done]:
    script = Path(observed.__file__)
    found = _output(sys.executable, str(script), given=json.dumps(spoken(language)), path=checkout / "src")
    return [Done(**one) for one in json.loads(found)]


def _output(*command: str, given: str = "", path: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path)} if path else None
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
