"""Fixtures: a server with demo data, a browser, and page visits that fail on page errors."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # the benchmarks are not installed with the engine

from benchmarks.browser import Served, launched, missing, serving

from celestial_engine.core.record.coordinate import SpaceCoordinate
from celestial_engine.core.record.lifetimes import Tier

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
PATIENCE_MS = 60_000  # test machines are busy; a successful test never waits that long
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
WIDE, NARROW = (1280, 800), (390, 844)
# Recorded in the page itself: nothing else sees every violation of the content security policy.
_NOTE_VIOLATIONS = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all browser tests as slow: they start processes."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.slow)


# -- the browser ------------------------------------------------------------------------------------


def needed(reason: str | None) -> None:
    """Skip without a browser, with a note at the end; fail where all tests must run."""
    if reason is not None and (os.environ.get("CI") or os.environ.get("CELESTIAL_BROWSER") == "required"):
        pytest.fail(reason)
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser per module: while Playwright runs, no other event loop can run in this process."""
    needed(missing())
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


@dataclass
class Watch:
    """Records what must not happen on a page: errors, dialogs, policy violations, requests to other hosts."""

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def over(self, page: Any) -> None:
        page.on("console", lambda message: message.type in ("error", "warning") and self._complain(message.text))
        page.on("pageerror", lambda error: self._complain(f"uncaught: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def expects(self, *patterns: str) -> None:
        """Allow errors that the test expects, such as the browser's message for a refused request."""
        self.expected.extend(patterns)

    def _complain(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self.expected):
            self.complaints.append(text)

    def _dialog(self, dialog: Any) -> None:
        self._complain(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        target = urlsplit(request.url)
        if target.scheme not in ("data", "blob") and target.hostname not in LOOPBACK:
            self._complain(f"a request to {request.url}")


class Visit:
    """A monitored page, with a language and a theme."""

    def __init__(self, page: Any, served: Served, watch: Watch) -> None:
        self.page, self.served, self.watch = page, served, watch

    def go(self, place: str) -> Any:
        """Open a view by its address, and wait until it is shown."""
        self.page.goto(f"{self.served.url}/#/{place}")
        return self.settled()

    def move(self, place: str) -> Any:
        """The same without reloading the page."""
        self.page.evaluate("place => { location.hash = `#/${place}`; }", place)
        return self.settled()

    def settled(self) -> Any:
        self.page.wait_for_function(
            """() => document.querySelector("main h1")
              && !document.querySelector("main .skeleton, main [aria-busy=true]")"""
        )
        return self.page

    def get(self, testid: str) -> Any:
        return self.page.get_by_test_id(testid)

    def toast(self, text: str | re.Pattern[str]) -> Any:
        toasts = self.page.locator(".toast").filter(has_text=text)
        toasts.last.wait_for()
        return toasts.last

    def overflow(self) -> list[str]:
        """Elements wider than the window, which would cause horizontal scrolling."""
        return self.page.evaluate(
            """() => {
              const wide = document.documentElement.clientWidth;
              if (document.documentElement.scrollWidth <= wide) return [];
              const clipped = (each) => { for (let up = each.parentElement; up; up = up.parentElement)
                if (getComputedStyle(up).overflowX !== "visible") return true; return false; };
              return [`page ${document.documentElement.scrollWidth}`, ...[...document.querySelectorAll("body *")]
                .filter((each) => each.getBoundingClientRect().right > wide + 1 && !clipped(each))
                .map((each) => `${each.tagName}.${each.getAttribute("class")} ${each.textContent.slice(0, 40)}`)];
            }"""
        )

    def screenshot(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def check(self) -> None:
        """Fails if anything went wrong so far."""
        violations = [] if self.page.is_closed() else self.page.evaluate("window.__violations ?? []")
        complaints = self.watch.complaints + violations
        assert not complaints, "\n".join([*complaints, "the server:", self.served.log[-4000:]])


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """Open a page of a server, signed in; any error on it fails the test at the end."""
    visits: list[Visit] = []

    def open_page(
        served: Served, place: str | None = "orbits", *, language: str = "en", theme: str = "dark",
        size: tuple[int, int] = WIDE, moving: bool = False, signed_in: bool = True, **options: Any,
    ) -> Visit:  # fmt: skip
        context = browser.new_context(
            locale={"en": "en-GB", "ko": "ko-KR"}[language],
            color_scheme=theme,
            reduced_motion="no-preference" if moving else "reduce",
            viewport={"width": size[0], "height": size[1]},
            timezone_id="Asia/Seoul",
            **options,
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(_NOTE_VIOLATIONS)
        if signed_in:
            context.add_cookies([served.cookie()])
        visit = Visit(context.new_page(), served, Watch())
        visit.watch.over(visit.page)
        visits.append(visit)
        if place is not None:
            visit.go(place)
        return visit

    yield open_page
    try:
        for visit in visits:
            visit.check()
    finally:
        for visit in visits:
            visit.page.context.close()


# -- servers ----------------------------------------------------------------------------------------


@pytest.fixture
def empty(tmp_path: Path, browser: Any) -> Iterator[Served]:
    """A server on an empty database, for one test."""
    with serving(tmp_path / "memory.db") as served:
        yield served


@dataclass(frozen=True)
class Life:
    """A server with two months of demo data, a self, proposals, nights and a conversation."""

    served: Served
    http: httpx.Client
    ids: dict[str, str]

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """Call REST with a token: a second client besides the page."""
        sent = {"params": body} if method in ("GET", "DELETE") else {"json": body}
        answer = self.http.request(method, f"/v1{path}", **sent)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def remember(self, content: str, **more: Any) -> str:
        return str(self.ask("POST", "/memories", content=content, **more)["id"])


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Life]:
    """One per module; tests that change data create it themselves."""
    with (
        serving(tmp_path_factory.mktemp("life") / "memory.db") as served,
        httpx.Client(base_url=served.url, headers={"authorization": f"Bearer {served.token}"}, timeout=60) as http,
    ):
        life = Life(served, http, {})
        life.ask("POST", "/demo", language="en")
        life.ids.update(lived(served))
        yield life


def lived(served: Served) -> dict[str, str]:
    """Add what the demo data lacks: an approved self, and pending proposals."""
    with served.memory() as memory:

        def approved(proposal: Any) -> Any:
            return memory.self.approve(proposal.id, memory.self.approval_token(proposal.id), by="Mina", channel="cli")

        cores = [
            memory.store(text, 0.9, tier=Tier.M365, tags=["self"], space=SpaceCoordinate(project="companion")).id
            for text in (
                "Mina gave me the name Star on our first evening.",
                "Mina said it is fine to make mistakes, as long as I tell her.",
                "민지와 나는 매일 저녁 함께 웃는다.",
            )
        ]
        for core in cores:
            approved(memory.self.propose.core(core, by="Mina"))
        island = approved(
            memory.self.propose.island("Friendship", cores, emoji="🤝", description="Why I am here", by="Mina")
        )
        approved(memory.self.propose.island("Honesty", cores[:1], emoji="🪞", by="Mina"))
        island_id = memory.self.islands()[0].id
        approved(memory.self.propose.belief("Being honest keeps us close", cores[:2], island=island_id, by="Mina"))
        candidate = memory.store("We planted a lemon tree together.", tier=Tier.M365, importance=0.8)
        waiting = memory.self.propose.core(candidate.id, by="agent")
        change = memory.self.propose.core_change(cores[1], "Mina said that mistakes are how we learn.", by="agent")
        memory.self.reject(memory.self.propose.core_deletion(cores[2], by="agent").id, by="Mina")
        memory.observe("I moved to Busan last week and I love the sea.")
        memory.imagination.imagine()
        memory.sleep()
        last = memory.store("The second key hangs behind the blue door.", importance=0.7, related=cores[:1])
        return {
            "core": cores[0], "island": island_id, "founded": island.id, "waiting": waiting.id, "change": change.id,
            "candidate": candidate.id, "memory": last.id,
        }  # fmt: skip


@pytest.fixture
def expect(browser: Any) -> Any:
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    return expect


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core from the dashboard's packages."""
    file = ROOT / "dashboard" / "node_modules" / "axe-core" / "axe.min.js"
    needed(None if file.is_file() else "axe-core is not there: `npm ci` in dashboard/ brings it")
    return file.read_text(encoding="utf-8")
