"""`celestial doctor`: checks the database, its files, the clock, the disk and the models; mends what it can."""

from __future__ import annotations

from celestial_engine.surfaces.cli.commands.doctor.checks import add_options, run

__all__ = ["add_options", "run"]
