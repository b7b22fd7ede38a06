"""Core memories from the command line: who waits, and the user's word."""

from __future__ import annotations

import time
from argparse import Namespace

from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import answers, render
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.terminal import one_line


def approve(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if not args.ids:
        waiting = memory.nominations()
        return answers.show(
            console, waiting, render.memory_table(console.texts, waiting, time.time()), "approve.nobody"
        )
    ids = [memory.find_id(item_id) for item_id in args.ids]
    items = [memory.approve_core(item_id, by="celestial approve") for item_id in ids]
    lines = [console.texts("approve.done", content=one_line(item.content)) for item in items]
    return answers.show(console, items, lines, "approve.nobody")
