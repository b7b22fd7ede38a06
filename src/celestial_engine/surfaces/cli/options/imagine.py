"""The options of imagining."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts


def add_imagine_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--context", metavar="TEXT", help=texts("opt.context"))
    options.add_argument("--idle", metavar="MINUTES", help=texts("opt.idle"))
    options.add_argument("--past", action="store_true", help=texts("opt.past_imaginations"))
    options.add_argument("--liked", metavar="ID", help=texts("opt.liked"))
    options.add_argument("--disliked", metavar="ID", help=texts("opt.disliked"))
