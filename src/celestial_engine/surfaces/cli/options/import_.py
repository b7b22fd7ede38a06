"""The options of import."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

# Written out, so that asking for help loads no importer; a test compares them with the importers' own.
IMPORT_FORMATS = (
    "auto", "celestial", "stellar-memory", "long-term-memory", "mem0", "mcp-memory", "basic-memory", "chatgpt",
    "claude", "jsonl", "csv",
)  # fmt: skip


def add_import_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("file", metavar="PATH", help=texts("arg.import_file"))
    options.add_argument("--from", dest="format", choices=IMPORT_FORMATS, default="auto", help=texts("opt.from"))
    options.add_argument("--map", metavar="MEANING=FIELD,...", help=texts("opt.map"))
    options.add_argument("--of", metavar="NAME", help=texts("opt.of"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.import_dry_run"))
