"""`celestial fork`: a copy of the memory for an experiment."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("path", metavar="PATH", help=texts("arg.fork_path"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    report = memory.transfer.fork(args.path)
    if console.as_json:
        console.data({"path": report.path, "memories": report.memories})
    else:
        console.say(console.texts("say.forked", path=report.path, count=report.memories))
    return OK
