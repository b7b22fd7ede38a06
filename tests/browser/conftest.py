"""A server with a life in its memory, a browser, and visits that fail by themselves when a page misbehaves."""

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
PATIENCE_MS = 60_000  # machines that test are busy; nothing waits that long where all is well
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
WIDE, NARROW = (1280, 800), (390, 844)
# Noted in the page itself, since nothing else sees every violation of the policy.
_NOTE_VIOLATIONS = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (told) =>
  window.__violations.push(`${told.violatedDirective} ${told.blockedURI} ${told.sample}`));
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each of these starts processes."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.slow)


# -- the browser ------------------------------------------------------------------------------------


def needed(reason: str | None) -> None:
    """Who has no browser is told so at the end; where everything must have run, it is a failure."""
    if reason is not None and (os.environ.get("CI") or os.environ.get("CELESTIAL_BROWSER") == "required"):
        pytest.fail(reason)
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One a module and no longer: while Playwright runs, nobody else in this process can run a loop."""
    needed(missing())
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


@dataclass
class Watch:
    """What must not happen on a page: errors, dialogs, violations of the policy, requests to anybody else."""

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def over(self, page: Any) -> None:
        page.on("console", lambda told: told.type in ("error", "warning") and self._complain(told.text))
        page.on("pageerror", lambda error: self._complain(f"uncaught: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def expects(self, *patterns: str) -> None:
        """Errors that belong to what is tested, as the browser's note of a refused request."""
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
    """A page that is watched, in the language and the theme of whoever visits."""

    def __init__(self, page: Any, served: Served, watch: Watch) -> None:
        self.page, self.served, self.watch = page, served, watch

    def go(self, place: str) -> Any:
        """To a view, by its address; waits until it shows something."""
        self.page.goto(f"{self.served.url}/#/{place}")
        return self.settled()

    def move(self, place: str) -> Any:
        """The same without loading the page anew."""
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
        """What is wider than the window, so that the page would have to be moved sideways."""
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
    """Opens a page of a server, signed in; whatever goes wrong on it fails the test at its end."""
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
    """A server on a memory that knows nothing yet, for this test alone."""
    with serving(tmp_path / "memory.db") as served:
        yield served


@dataclass(frozen=True)
class Life:
    """A server with two months of demo data, a self, proposals, nights and a conversation."""

    served: Served
    http: httpx.Client
    ids: dict[str, str]

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """Over REST, with a token: a second client beside the page."""
        sent = {"params": body} if method in ("GET", "DELETE") else {"json": body}
        answer = self.http.request(method, f"/v1{path}", **sent)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def remember(self, content: str, **more: Any) -> str:
        return str(self.ask("POST", "/memories", content=content, **more)["id"])


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Life]:
    """For a whole module; tests that change something make what they change themselves."""
    with (
        serving(tmp_path_factory.mktemp("life") / "memory.db") as served,
        httpx.Client(base_url=served.url, headers={"authorization": f"Bearer {served.token}"}, timeout=60) as http,
    ):
        one = Life(served, http, {})
        one.ask("POST", "/demo", language="en")
        one.ids.update(lived(served))
        yield one


def lived(served: Served) -> dict[str, str]:
    """What demo data does not have: a self that was approved, and proposals that wait."""
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
    """The source of axe-core, as the dashboard's own packages have it."""
    file = ROOT / "dashboard" / "node_modules" / "axe-core" / "axe.min.js"
    needed(None if file.is_file() else "axe-core is not there: `npm ci` in dashboard/ brings it")
    return file.read_text(encoding="utf-8")
