"""`python -m celestial_engine` is the `celestial` command."""

from celestial_engine.surfaces.cli import main

raise SystemExit(main())
