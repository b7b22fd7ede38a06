"""Import a chat export of a gigabyte, killed with SIGKILL in the middle and run again: nothing twice, nothing lost.

Run it with `make large-import` (ARGS="--megabytes 20" for a minute). Reports CPU and wall time and the most memory of
each run of `celestial import`, and how much of the file each run had to do again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celestial_engine import CelestialMemory

_MESSAGES = 20  # of a conversation, half of them the user's
_TELLING = (
    "My colleague {name} moved to {place}.",
    "I work at a bakery in {place}.",
    "Our dog is called {name}.",
    "My sister {name} is allergic to peanuts.",
    "I prefer the early train to {place}.",
)
_ASKING = ("How do I sort a list of {place}?", "Thanks, {name}!", "What is the weather in {place} like?")
_SYLLABLES = ("ba", "ko", "mi", "ra", "su", "te", "vo", "na", "li", "du", "pe", "ga")


@dataclass(frozen=True)
class Run:
    """One run of the command: how it ended, what it cost, and its report if it came to its end."""

    ended: str
    cpu_seconds: float
    seconds: float
    peak_megabytes: float
    memories: int
    report: dict[str, Any]


def write_export(path: Path, megabytes: float, answer_words: int, seed: int = 7) -> int:
    """Write ChatGPT's data export, a conversation at a time; returns the number of the user's messages."""
    dice, written, conversations = random.Random(seed), 0, 0
    # Answers are cut from one long text: to draw every word would take longer than the import.
    words = [_name(dice).lower() for _ in range(5_000)] * 10
    dice.shuffle(words)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[")
        while written < megabytes * 1e6:
            text = json.dumps(_conversation(conversations, dice, words, answer_words))
            file.write((",\n" if conversations else "") + text)
            written += len(text)
            conversations += 1
        file.write("]")
    return conversations * _MESSAGES // 2


def _conversation(number: int, dice: random.Random, words: list[str], answer_words: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    parent = None
    for position in range(_MESSAGES):
        asks = position % 2 == 0
        if asks:
            text = dice.choice(_TELLING + _ASKING).format(name=_name(dice), place=_name(dice))
        else:
            start = dice.randrange(len(words))
            text = " ".join(words[start : start + answer_words] + words[: max(0, start + answer_words - len(words))])
        message_id = f"{number}-{position}"
        message = {
            "id": message_id,
            "author": {"role": "user" if asks else "assistant"},
            "create_time": 1.7e9 + number * 3600 + position * 60,
            "content": {"content_type": "text", "parts": [text]},
        }
        mapping[message_id] = {"id": message_id, "parent": parent, "children": [], "message": message}
        parent = message_id
    return {"conversation_id": f"conversation-{number:08}", "mapping": mapping, "current_node": parent}


def _name(dice: random.Random) -> str:
    return "".join(dice.choices(_SYLLABLES, k=dice.randint(2, 4))).capitalize()


def run_import(source: Path, database: Path, kill_at: int | None) -> Run:
    """Run `celestial import`; it is killed when the database holds `kill_at` memories."""
    environment = {**os.environ, "CELESTIAL_EMBEDDER": "none", "CELESTIAL_CONFIG": "none", "CELESTIAL_SLEEP": "off"}
    command = [sys.executable, "-m", "celestial_engine", "import", str(source), "--db", str(database), "--json"]
    began = time.monotonic()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if kill_at is not None:
            while not _ended(process.pid) and _stored(database) < kill_at:
                time.sleep(0.2)
            process.kill()
        told = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    killed = process.returncode == -signal.SIGKILL
    if process.returncode and not killed:
        raise SystemExit(f"the import ended with {process.returncode}")
    return Run(
        "killed" if killed else "done",
        used.ru_utime + used.ru_stime,
        time.monotonic() - began,
        used.ru_maxrss / 1024,
        _stored(database),
        {} if killed else json.loads(told),
    )


def _ended(pid: int) -> bool:
    """Whether a process has ended; what it used can still be asked for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _stored(database: Path) -> int:
    if not database.exists():
        return 0
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM items").fetchone()[0])
        except sqlite3.OperationalError:  # it is being created
            return 0


def runs(source: Path, database: Path, user_messages: int, kills: int) -> Iterator[Run]:
    for kill in range(1, kills + 1):
        # A third of the messages or more is kept: the last kill comes before the middle.
        yield run_import(source, database, user_messages * kill // (6 * kills))
    yield run_import(source, database, None)
    yield run_import(source, database, None)


def doubles(database: Path) -> tuple[int, int]:
    """Memories, and how many of them came from a message that another one came from; the ledger is verified."""
    with CelestialMemory(str(database), embedder="none", rebalance_interval=None) as memory:
        seen: set[str] = set()
        count = 0
        for record in memory.transfer.export():
            count += 1
            seen.add(json.dumps(record["metadata"]["imported"].get("id"), sort_keys=True))
        if not memory.ledger.verify().ok:
            raise SystemExit("the ledger does not verify")
    return count, count - len(seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--answer-words", type=int, default=2000, help="words of an answer of the assistant")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--folder", default=None, help="where the files go (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        source, database = Path(folder) / "conversations.json", Path(folder) / "memory.db"
        asked = write_export(source, options.megabytes, options.answer_words)
        print(f"{source.stat().st_size / 1e6:.0f} MB, {asked} messages of the user\n")
        print("| run | ended | CPU s | wall s | most memory MB | memories after | added | known | passed over |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for number, run in enumerate(runs(source, database, asked, options.kills), 1):
            told = (
                run.report.get("added", ""),
                run.report.get("known", ""),
                sum(run.report.get("skipped", {}).values()),
            )
            print(
                f"| {number} | {run.ended} | {run.cpu_seconds:.0f} | {run.seconds:.0f} | {run.peak_megabytes:.0f} "
                f"| {run.memories} | {told[0]} | {told[1]} | {told[2] or ''} |",
                flush=True,
            )
        count, twice = doubles(database)
        print(
            f"\n{count} memories, {twice} of them twice; {database.stat().st_size / 1e6:.0f} MB; the ledger verifies."
        )


if __name__ == "__main__":
    main()
