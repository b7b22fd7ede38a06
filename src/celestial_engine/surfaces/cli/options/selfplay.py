"""The options of selfplay."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

# Written out, so that asking for help loads no engine; a test compares them with the engine's own.
PLAYERS = ("engineer", "diarist", "planner", "reserved", "keeper", "crowd")
TURNS, SEED = 5_000, 7


def add_selfplay_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--turns", metavar="N", default=str(TURNS), help=texts("opt.turns", default=TURNS))
    options.add_argument("--seed", metavar="N", default=str(SEED), help=texts("opt.seed", default=SEED))
    options.add_argument("--player", choices=PLAYERS, metavar="NAME", help=texts("opt.player"))
    options.add_argument("--out", metavar="DIR", help=texts("opt.out"))
    options.add_argument("--keep", action="store_true", help=texts("opt.keep"))
