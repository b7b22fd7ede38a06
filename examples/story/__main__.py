"""A self that grows in sixty days, told in Korean: `python -m examples.story DIR`.

The days are lived on a database of their own; what happened is written down day by day beside it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from examples.story import phrases
from examples.story.living import BEGINS, Clock, Life
from examples.story.script import Day, days

from celestial_engine import CelestialMemory
from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours
from celestial_engine.core.record.owner import LOCAL_OWNER

DATABASE, PAGE, SOUL, KEY_DAY = "story.db", "story.md", "SOUL.md", "SOUL-day-{:02}.md"
# Who works at night sleeps by day.
_SETTINGS = ImaginationSettings(enabled=True, quiet=QuietHours(9, 13), time_zone="+09:00")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.story", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder that is empty or not there yet")
    folder: Path = parser.parse_args(argv).folder.expanduser()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        parser.error(f"{folder} is not empty. Name a folder that is empty or not there yet.")
    begun = time.process_time()
    numbers = tell(folder)
    seconds = time.process_time() - begun
    print("The story is told: {islands} islands, {beliefs} beliefs, {memories} memories".format(**numbers), end=" ")
    print(f"in {seconds:.1f} s.\nRead {folder / PAGE} first, then SOUL.md beside it. Look around with:")
    print(f"celestial --db {folder / DATABASE} history --limit 50")


def tell(folder: Path) -> dict[str, Any]:
    """Live the sixty days and write what happened to the folder; returns the figures of the last page."""
    folder.mkdir(parents=True, exist_ok=True)
    script, clock = days(), Clock()
    with CelestialMemory(
        folder / DATABASE,
        clock=clock,
        rebalance_interval=None,
        embedder="none",
        language_model="none",
        user_id=LOCAL_OWNER.user_id,
        agent_id=LOCAL_OWNER.agent_id,
        settings=Settings(storage=StorageSettings(words="pairs", durability="normal"), imagination=_SETTINGS),
    ) as memory:
        life, chapters = Life(memory, clock), list[str]()
        for day in script:
            print(f"\rday {day.number} of {len(script)}", end="", file=sys.stderr, flush=True)
            chapters.append(_chapter(day, life.live(day)))
        print(file=sys.stderr)
        memory.self.write_soul(str(folder / SOUL))
        numbers = _numbers(life)
    pages = {KEY_DAY.format(day): soul for day, soul in life.souls.items()}
    for name, soul in pages.items():
        _write(folder / name, soul)
    _write(folder / PAGE, _book(chapters, numbers, pages))
    return numbers


def _chapter(day: Day, told: Iterable[str]) -> str:
    date = BEGINS + timedelta(days=day.number - 1)
    heading = phrases.DAY.format(
        number=day.number, month=date.month, day=date.day, weekday=phrases.WEEKDAYS[date.weekday()],
        at=f"{day.at:%H:%M}", title=day.title,
    )  # fmt: skip
    lines = [heading, ""]
    for line in told:
        # A list stays together; everything else is a paragraph of its own.
        if not line.startswith("- ") or not lines[-2].startswith("- "):
            lines += [line, ""]
        else:
            lines[-1:] = [line, ""]
    return "\n".join(lines)


def _numbers(life: Life) -> dict[str, Any]:
    memory = life.memory
    verified = memory.ledger.verify()
    return {
        "turns": life.turns,
        "kept": life.kept,
        "memories": memory.stats()["total"],
        "core": memory.stats()["tiers"]["M0"],
        "islands": len(memory.self.islands()),
        "beliefs": len(memory.self.beliefs()),
        "versions": len(memory.self.versions()),
        "imagined": life.imagined,
        "faded": life.faded,
        "purged": life.purged,
        "entries": verified.entries,
        "verified": verified.ok,
    }


def _book(chapters: Iterable[str], numbers: dict[str, Any], pages: Iterable[str]) -> str:
    chain = phrases.CHAIN_HOLDS if numbers["verified"] else phrases.CHAIN_BROKEN
    links = ", ".join(f"[{page}]({page})" for page in pages)
    parts = [phrases.TITLE, phrases.OPENING, *chapters, phrases.END, phrases.NUMBERS.format(**numbers, chain=chain),
             phrases.CLOSING.format(pages=links)]  # fmt: skip
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
