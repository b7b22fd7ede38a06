"""Benchmarks: `python -m benchmarks.spine`."""

import sys
from pathlib import Path

# The peer's wheel contains an old package of our name: put this checkout first.
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
