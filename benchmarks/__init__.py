"""Speed, measured: `python -m benchmarks.spine`."""

import sys
from pathlib import Path

# The peer's wheel brings an old package of our name along. This checkout is what is measured.
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
