"""The story told: lived on a database of its own, and written down day by day beside it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, CommandError
from celestial_engine.surfaces.cli.story import phrases
from celestial_engine.surfaces.cli.story.living import BEGINS, Clock, Life
from celestial_engine.surfaces.cli.story.script import Day, days

DATABASE, PAGE, SOUL, KEY_DAY = "story.db", "story.md", "SOUL.md", "SOUL-day-{:02}.md"
# Who works at night sleeps by day.
_SETTINGS = ImaginationSettings(enabled=True, quiet=QuietHours(9, 13), time_zone="+09:00")


def tell(out: str, console: Console) -> int:
    """Lives the sixty days and writes what happened to the folder."""
    folder = Path(out).expanduser()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError("story_folder", BAD_INPUT, path=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    begun, script, clock = time.process_time(), days(), Clock()
    database = folder / DATABASE
    with CelestialMemory(
        database,
        clock=clock,
        rebalance_interval=None,
        embedder="none",
        language_model="none",
        user_id=LOCAL_OWNER.user_id,
        agent_id=LOCAL_OWNER.agent_id,
        settings=Settings(storage=StorageSettings(words="pairs", durability="normal"), imagination=_SETTINGS),
    ) as memory:
        life, chapters = Life(memory, clock), list[str]()
        try:
            for day in script:
                console.progress(console.texts("story.day", day=day.number, days=script[-1].number))
                chapters.append(_chapter(day, life.live(day)))
        finally:
            console.progress("")
        memory.self.write_soul(str(folder / SOUL))
        told = _numbers(life)
    pages = {KEY_DAY.format(day): soul for day, soul in life.souls.items()}
    for name, soul in pages.items():
        _write(folder / name, soul)
    _write(folder / PAGE, _book(chapters, told, pages))
    told |= {"folder": str(folder), "seconds": round(time.process_time() - begun, 1)}
    if console.as_json:
        console.data(told)
        return OK
    texts = console.texts
    fields = {name: told[name] for name in ("islands", "beliefs", "memories", "seconds")}
    console.say(texts("story.done", **fields))
    console.say(texts("story.read", path=str(folder / PAGE)), texts("story.look", path=str(database)))
    return OK


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


def _book(chapters: Iterable[str], told: dict[str, Any], pages: Iterable[str]) -> str:
    chain = phrases.CHAIN_HOLDS if told["verified"] else phrases.CHAIN_BROKEN
    links = ", ".join(f"[{page}]({page})" for page in pages)
    parts = [phrases.TITLE, phrases.OPENING, *chapters, phrases.END, phrases.NUMBERS.format(**told, chain=chain),
             phrases.CLOSING.format(pages=links)]  # fmt: skip
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
