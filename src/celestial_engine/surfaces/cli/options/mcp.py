"""The options of mcp."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "generic")


def add_mcp_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=("install",), nargs="?", help=texts("arg.mcp_action"))
    arguments.add_argument("client", choices=CLIENTS, nargs="?", help=texts("arg.mcp_client"))
    options.add_argument("--http", metavar="[HOST:]PORT", help=texts("opt.http"))
    options.add_argument("--file", metavar="FILE", help=texts("opt.mcp_file"))
    options.add_argument("--dry-run", action="store_true", help=texts("opt.dry_run"))
