"""The pictures of the documentation: `python -m benchmarks.screenshots` lives sixty days and photographs every view.

Nothing is set by hand: turns are observed day by day, questions recall, nights are slept.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.browser import OPTIONS, launched, serving
from benchmarks.years.life import Sentence, sentences
from celestial_engine import CelestialMemory
from celestial_engine.testing.fakes import FakeClock

DAYS = 60
_A_DAY = (4, 8)
_SIZE = {"width": 1280, "height": 800}
_FAMILY = {
    "en": (
        (2, "My sister Sora lives in Lisbon."), (5, "Sora works as a nurse at the harbour clinic."),
        (9, "My boss is Daniel and he hates meetings."), (14, "We adopted a cat called Plum."),
        (21, "Sora is allergic to walnuts."), (33, "Daniel wants a report every Friday."),
        (41, "My sister Sora moved to Porto."), (52, "Plum has to take her tablets in the evening."),
    ),
    "ko": (
        (2, "내 여동생 소라는 리스본에 살아."), (5, "소라는 항구 병원에서 간호사로 일해."),
        (9, "우리 팀장 이름은 민수야."), (14, "우리 고양이 이름은 두부야."), (21, "소라는 호두 알레르기가 있어."),
        (41, "내 여동생 소라는 포르투로 이사했어."),
        (52, "두부는 저녁마다 약을 먹어야 해."),
    ),
}  # fmt: skip
_ASKED = {"en": "Where does Sora live?", "ko": "소라는 어디 살아?"}
_PERSON = {"en": "sora", "ko": "소라"}


def turns_of(language: str, day: int, chance: random.Random, told: Sequence[Sentence]) -> Iterator[str]:
    """What somebody says in one day: news, small things, and a question about what they said before."""
    yield from (text for when, text in _FAMILY[language] if when == day)
    for sentence in chance.sample(list(told), chance.randint(*_A_DAY)):
        yield sentence.text
    if day > 3:
        yield chance.choice([_ASKED[language], *(one.text for one in told if one.kind == "question")])


def live(path: Path, language: str) -> None:
    """Sixty days until now, each with a night."""
    clock, chance = FakeClock(time.time() - DAYS * 86_400), random.Random(f"screenshots {language}")
    own = [one for one in sentences(language) if one.address not in ("unknown",)]
    addresses = chance.sample(sorted({one.address for one in own} - {"passing", "still"}), 9)
    told = [one for one in own if one.address in (*addresses, "passing", "still")]
    with CelestialMemory(path, clock=clock, **OPTIONS) as memory:
        for day in range(DAYS):
            history: list[Any] = []
            for text in turns_of(language, day, chance, told):
                clock.advance(minutes=chance.randint(5, 90))
                seen = memory.observe(text, history[-6:], session_id=f"day-{day + 1:02}")
                history.append(seen.turn or text)
            _wait_until(clock, DAYS - day - 1)
            memory.sleep()
        found_self(memory)


def found_self(memory: CelestialMemory) -> None:
    """What the owner does in the end: two core memories, an island on them, and a proposal that still waits."""
    told = [item for item in memory.list(limit=500) if item.content in {text for _, text in _FAMILY["en"]}]
    if len(told) < 3:
        return

    def approve(proposal: Any) -> None:
        memory.self.approve(proposal.id, memory.self.approval_token(proposal.id), by="owner", channel="cli")

    for item in told[:2]:
        approve(memory.self.propose.core(item.id, by="owner"))
    # A sign that ordinary fonts have too: without an emoji font there would be an empty box.
    approve(memory.self.propose.island("Family", [item.id for item in told[:2]], emoji="♥", by="owner"))
    memory.self.propose.core(told[2].id, by="agent")


def _wait_until(clock: FakeClock, days_ago: int) -> None:
    """The night ends a whole number of days before now."""
    clock.advance(seconds=max(0.0, time.time() - days_ago * 86_400 - 30.0 - clock.now))


def shoot(path: Path, language: str, theme: str, places: dict[str, str], folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    with serving(path) as served, sync_playwright() as playwright:
        browser = launched(playwright)
        for name, place in places.items():
            context = browser.new_context(
                locale={"en": "en-GB", "ko": "ko-KR"}[language], color_scheme=theme, reduced_motion="reduce",
                viewport=_SIZE, timezone_id="Asia/Seoul",
            )  # fmt: skip
            context.add_cookies([served.cookie()])
            page = context.new_page()
            page.goto(f"{served.url}/#/{place}")
            page.wait_for_function(
                "() => document.querySelector('main h1') && !document.querySelector('main .skeleton')"
            )
            page.wait_for_timeout(1500)  # until pictures stand still
            page.screenshot(path=folder / f"{name}.png")
            context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs", "images"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for language in ("en", "ko"):
            path = Path(folder) / f"{language}.db"
            live(path, language)
            if language == "en":
                asked = f"ask?q={quote(_ASKED['en'])}"
                with CelestialMemory(path, **OPTIONS) as memory:
                    moved = next(item.id for item in memory.list(limit=500) if "Porto" in item.content)
                places = {
                    "today": "today", "memories": "memories?sort=importance", "people": f"people/{_PERSON['en']}",
                    "relations": "people/relations", "conversations": "conversations", "ask": asked,
                    "orbits": "orbits", "cliff": "cliff", "approvals": "approvals",
                    "self": "self", "personas": "personas", "federation": "federation",
                    "settings": "settings/options", "memory": f"memory/{moved}",
                }  # fmt: skip
                shoot(path, "en", "dark", places, out)
            else:
                shoot(path, "ko", "light", {"orbits-ko": "orbits"}, out)


if __name__ == "__main__":
    main()
