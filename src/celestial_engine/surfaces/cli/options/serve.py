"""The options of whoever serves, and of tokens."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

HOST, PORT = "127.0.0.1", "8484"
TOKEN_ACTIONS = ("create", "list", "revoke")


def add_serve_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--host", metavar="ADDRESS", default=HOST, help=texts("opt.host", default=HOST))
    options.add_argument("--port", metavar="N", default=PORT, help=texts("opt.port", default=PORT))
    options.add_argument("--no-mcp", action="store_true", help=texts("opt.no_mcp"))
    options.add_argument("--allow-host", metavar="NAME", action="append", default=[], help=texts("opt.allow_host"))
    options.add_argument("--allow-origin", metavar="URL", action="append", default=[], help=texts("opt.allow_origin"))


def add_dashboard_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--open", action="store_true", help=texts("opt.open"))
    options.add_argument("--url", metavar="URL", help=texts("opt.url"))


def add_token_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=TOKEN_ACTIONS, help=texts("arg.token_action"))
    arguments.add_argument("which", metavar="NAME|ID", nargs="?", help=texts("arg.token_which"))
    options.add_argument("--scopes", metavar="LIST", default="read,write", help=texts("opt.scopes"))
