"""Memory that the engine adds to a process: `python -m benchmarks.footprint DATABASE` prints it as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HELD = 120  # Core and Inner when they are full
DIMENSIONS = 384


def resident_mb() -> float:
    """Resident memory of this process."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def main(path: str) -> None:
    before = resident_mb()
    from celestial_engine import CelestialMemory

    with CelestialMemory(path, rebalance_interval=None, embedder="none") as memory:
        held = memory.list(HELD)
        for number, item in enumerate(held):
            item.embedding = [float(number + place) for place in range(DIMENSIONS)]
        memory.search("meeting 회의")
        grown = resident_mb() - before
    print(json.dumps({"mb": grown, "items": len(held)}))


if __name__ == "__main__":
    main(sys.argv[1])
