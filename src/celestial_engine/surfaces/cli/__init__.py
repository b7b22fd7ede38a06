"""The `celestial` command. Nothing is imported before it is needed: a command line must start at once."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # as typing says it, without loading typing
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code."""
    # Starting creates tens of thousands of objects that all stay: looking for garbage among them finds none.
    gc.set_threshold(50_000, *gc.get_threshold()[1:])
    try:
        from celestial_engine.surfaces.cli.run import run

        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return 130
