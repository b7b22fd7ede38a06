"""The dashboard in a browser: weight, first paint, first picture, frames a second. `python -m benchmarks.dashboard`.

The browser draws without a graphics card, and shares the cores with the server: a desktop is quicker.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks import report
from benchmarks.browser import OPTIONS, Served, launched, missing, serving
from benchmarks.data import Corpus
from benchmarks.measure import Fact, Figure, Limit, Timing, say, shown
from celestial_engine import CelestialMemory

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

SIZES, RUNS = (1_000, 10_000), 5
FIRST_PICTURE = Limit(2_000.0, "p50")  # milliseconds
COMPLETE = "() => !document.querySelector('main .skeleton, main [aria-busy=true]')"
# Milliseconds until the frame of the page is painted, and until Today stands there with its first figures.
FIRST_PAINT = {10_000: Limit(1_000.0, "p50"), 100_000: Limit(2_000.0, "p50")}
INITIAL = 120_000 / 1024  # KB of 1,024 bytes: the files of the first view, compressed
SMOOTH = Limit(1_000 / 50, "p50")  # per frame: 50 frames a second
WINDOW = (1280, 800)
STEPS = 60
DRAWN = "() => performance.getEntriesByName('first-picture').length > 0"
# Milliseconds between the frames in which the picture was drawn.
RECORD = """() => {
  window.__times = [];
  let [drawn, last] = [window.__frames, performance.now()];
  const frame = (now) => {
    if (window.__frames > drawn) {
      window.__times.push((now - last) / (window.__frames - drawn));
      [drawn, last] = [window.__frames, now];
    }
    window.__recording = requestAnimationFrame(frame);
  };
  frame(performance.now());
}"""
# The same between frames of a page that draws nothing but an empty canvas.
NOTHING = """() => new Promise((done) => {
  const times = [];
  let last = performance.now();
  const frame = (now) => {
    times.push(now - last);
    last = now;
    if (times.length < 60) requestAnimationFrame(frame);
    else done(times.slice(1));
  };
  requestAnimationFrame(frame);
})"""
RECORDED = "() => { cancelAnimationFrame(window.__recording); return window.__times; }"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dashboard", description="Measures the dashboard.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="MEMORIES")
    parser.add_argument("--runs", type=int, default=RUNS, help="how many times the page is opened")
    parser.add_argument("--today", action="store_true", help="open Today alone, and no orbits")
    parser.add_argument("--databases", type=Path, help="where the databases are kept for the next run")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    options = parser.parse_args(arguments)
    reason = missing()
    if reason is not None:
        raise SystemExit(reason)
    from playwright.sync_api import sync_playwright

    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launched(playwright)
        nothing = Path(folder) / "empty.db"
        with CelestialMemory(nothing, **OPTIONS), serving(nothing) as served:
            empty = first_paint(browser, served, 0, options.runs)
            figures += empty
        for size in options.sizes:
            path = (options.databases or Path(folder)) / f"{size}.db"
            if not path.exists():
                fill(path, size)
            with serving(path) as served:
                figures += first_paint(browser, served, size, options.runs, empty)
                if options.today:
                    continue
                if size == options.sizes[0]:
                    figures += weight(browser, served, size)
                figures += pictures(browser, served, size, options.runs)
        browser.close()
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    report.write_json(options.output / "dashboard.json", {"figures": report.as_json(figures)})


def fill(path: Path, size: int) -> None:
    say(f"{size:,} memories ...")
    texts = [memory.text for memory in Corpus().memories(size)]
    pages = [texts[at : at + 500] for at in range(0, size, 500)]
    with CelestialMemory(path, **OPTIONS) as memory:
        for page in shown(pages, "pages of 500", len(pages)):
            memory.store_many(page)


def first_paint(browser: Browser, served: Served, size: int, runs: int, empty: Sequence[Figure] = ()) -> list[Figure]:
    """Open Today with an empty cache: first paint, until its figures stand there, and until nothing is awaited."""
    paints, views, wholes, busy = [], [], [], []
    for _ in range(runs + 1):
        with visited(browser, served, "today") as (page, inside):
            page.wait_for_selector("[data-testid=today-figures], [data-testid=first-run]", timeout=120_000)
            views.append(page.evaluate("performance.now()"))
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            page.wait_for_function(COMPLETE, timeout=120_000)
            wholes.append(page.evaluate("performance.now()"))
            busy.append(busy_ms(inside))
    figures = []
    steps = {"Today: first paint": paints, "Today: its first figures": views, "Today: everything is there": wholes}
    for name, times in steps.items():
        before = next((one for one in empty if isinstance(one, Timing) and one.name == name), None)
        note = "" if before is None else f"{median(times[1:]) / before.p50:.2f} times an empty memory"
        limit = FIRST_PAINT.get(size) if times is not wholes else None
        figures.append(Timing(name, size, times[1:], busy[1:], limit, note))
    told = ", ".join(f"{median(times[1:]):,.0f} ms" for times in steps.values())
    say(f"  Today at {size:,}: painted, first figures, everything after {told}")
    return [*figures]


@contextmanager
def opened(browser: Browser, served: Served) -> Iterator[tuple[Page, CDPSession]]:
    """Load the orbits in a browser with an empty cache, until the first picture is drawn."""
    with visited(browser, served, "orbits") as (page, inside):
        page.wait_for_function(DRAWN, timeout=120_000)
        yield page, inside


@contextmanager
def visited(browser: Browser, served: Served, place: str) -> Iterator[tuple[Page, CDPSession]]:
    """Go to a view in a browser with an empty cache."""
    context = browser.new_context(viewport={"width": WINDOW[0], "height": WINDOW[1]}, locale="en-GB")
    context.add_cookies([served.cookie()])  # type: ignore[list-item]
    page = context.new_page()
    inside = context.new_cdp_session(page)
    inside.send("Performance.enable")
    page.goto(f"{served.url}/#/{place}", wait_until="commit")
    yield page, inside
    context.close()


def busy_ms(inside: CDPSession) -> float:
    """The CPU time of the page's main thread, in milliseconds."""
    metrics: Any = inside.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def weight(browser: Browser, served: Served, size: int) -> list[Figure]:
    """Bytes transferred for Today, until the first picture of orbits, per asset, and what the first chart adds."""
    bytes_of = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
      .map((each) => [each.name, each.transferSize])"""

    def assets(page: Page) -> dict[str, float]:
        sent = {urlsplit(name).path: size / 1024 for name, size in page.evaluate(bytes_of)}
        return {path: kilobytes for path, kilobytes in sent.items() if not path.startswith(("/v1", "/dashboard"))}

    with visited(browser, served, "today") as (page, _):
        page.wait_for_selector("[data-testid=today-figures]", timeout=120_000)
        page.wait_for_function(COMPLETE, timeout=120_000)
        today = assets(page)
        everything = sum(sent / 1024 for _, sent in page.evaluate(bytes_of))
    with opened(browser, served) as (page, _):
        first = assets(page)
        page.evaluate("() => { location.hash = '#/insight'; }")
        page.wait_for_selector("main canvas", timeout=120_000)
        later = {path: each for path, each in assets(page).items() if path not in first}
    named = [Fact(path, size, each, "KB") for path, each in sorted(first.items(), key=lambda asset: -asset[1])]
    return [
        Fact("Today, the files of the page", size, sum(today.values()), "KB", INITIAL, f"{len(today)} files"),
        Fact("Today, with every answer it waits for", size, everything, "KB"),
        Fact("the page until its first picture", size, sum(first.values()), "KB", note=f"{len(first)} files"),
        *named,
        Fact("what the first chart adds", size, sum(later.values()), "KB", note=f"{len(later)} files"),
    ]


def empty_canvas(browser: Browser) -> float:
    """Milliseconds between two frames of an empty canvas: what this machine could give just now."""
    page = browser.new_page()
    page.set_content(f"<canvas width={WINDOW[0]} height={WINDOW[1]}></canvas>")
    frames: list[float] = page.evaluate(NOTHING)
    page.close()
    return median(frames)


def pictures(browser: Browser, served: Served, size: int, runs: int) -> list[Figure]:
    times, busy = [], []
    for _ in range(runs + 1):
        with opened(browser, served) as (page, inside):
            times.append(page.evaluate("performance.getEntriesByName('first-picture')[0].startTime"))
            busy.append(busy_ms(inside))
    say(f"  first picture {median(times[1:]):,.0f} ms")
    figures: list[Figure] = [Timing("opened until the first picture", size, times[1:], busy[1:], FIRST_PICTURE)]
    with opened(browser, served) as (page, inside):
        for name, doing in {"zoom": zoom, "drag": drag, "time slider": slide}.items():
            doing(page, 3)  # warm-up: loads what is needed
            page.evaluate(RECORD)
            before = busy_ms(inside)
            doing(page, STEPS)
            frames = page.evaluate(RECORDED)
            each = (busy_ms(inside) - before) / max(1, len(frames))
            rate = f"{1000 * len(frames) / sum(frames):.0f} frames a second"
            note = f"{rate}, {median(frames) / empty_canvas(browser):.2f} times an empty canvas"
            figures.append(Timing(f"a frame while interacting: {name}", size, frames, (each,), SMOOTH, note))
    return figures


def _stage(page: Page) -> tuple[float, float]:
    box = page.get_by_test_id("orbits-stage").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def zoom(page: Page, steps: int) -> None:
    page.mouse.move(*_stage(page))
    for step in range(steps):
        page.mouse.wheel(0, -40 if step < steps / 2 else 40)
        _frame(page)


def drag(page: Page, steps: int) -> None:
    x, y = _stage(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(steps):
        page.mouse.move(x + 3 * step, y + step)
        _frame(page)
    page.mouse.up()


def slide(page: Page, steps: int) -> None:
    slider = page.get_by_test_id("orbits-time")
    slider.focus()
    for _ in range(steps):
        page.keyboard.press("ArrowLeft")
        _frame(page)
    page.wait_for_selector("[data-testid=orbits-timebar]:not([aria-busy=true])")


def _frame(page: Page) -> None:
    """Move no faster than a hand: one step per frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")


if __name__ == "__main__":
    main()
