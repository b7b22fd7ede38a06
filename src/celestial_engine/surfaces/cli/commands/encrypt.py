"""Encrypt a database and its files in place, change its key, or decrypt it."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.backups import change_key
from celestial_engine.config import Environment, database_key
from celestial_engine.config.keys import resolve_key
from celestial_engine.errors import ConfigError, Reason
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--new-key-from", metavar="SOURCE", help=texts("opt.new_key_from"))
    options.add_argument("--off", action="store_true", help=texts("opt.encrypt_off"))


def run(args: Namespace, console: Console) -> int:
    if args.off and args.new_key_from:
        raise UsageError("unrecognized arguments: --new-key-from")
    env = Environment.read()
    path = args.db or env.db_path
    key = database_key(path, env)
    if key is None:
        raise ConfigError("storage.key", Reason.REQUIRED)
    if args.off:
        old, new = key, None
    elif args.new_key_from:
        old, new = key, resolve_key(f"{path} (new)", None, args.new_key_from)
    else:
        old, new = None, key
    databases, files = change_key(path, old=old, new=new)
    if console.as_json:
        console.data({"encrypted": new is not None, "databases": databases, "files": files})
    else:
        sentence = "say.decrypted" if new is None else "say.encrypted"
        console.say(console.texts(sentence, path=path, databases=databases, files=files))
        if args.new_key_from:
            console.say(console.texts("say.set_new_key", source=args.new_key_from))
    return OK
