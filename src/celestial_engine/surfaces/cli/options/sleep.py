"""The options of sleep."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

# Written out, so that asking for help loads no engine; a test compares them with the engine's own.
DUTIES = (
    "supersede", "consolidate", "regenerate", "appraise", "promote-m90", "promote-m365", "nominate", "reflect",
    "expire", "fade", "retain", "checkpoint", "report", "rebalance", "tidy",
)  # fmt: skip
ACTIONS = ("status", "reports")


def add_sleep_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=ACTIONS, nargs="?", help=texts("arg.sleep_action"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))
    options.add_argument("--duty", choices=DUTIES, metavar="NAME", action="append", help=texts("opt.duty"))
    options.add_argument("--allow-large", action="store_true", help=texts("opt.allow_large"))
    options.add_argument("--force", action="store_true", help=texts("opt.force_sleep"))
    options.add_argument("--everybody", action="store_true", help=texts("opt.everybody"))
