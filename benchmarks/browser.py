"""A real server and a real browser, for the dashboard's benchmark and tests.

`python -m benchmarks.browser` installs the browser where that is possible.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, build_opener

from celestial_engine import CelestialMemory, Settings, StorageSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHOSEN = "CELESTIAL_CHROMIUM"
OPTIONS: dict[str, Any] = {
    "embedder": "none",
    "rebalance_interval": None,
    "settings": Settings(StorageSettings("normal", words="pairs")),
}
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
_ELSEWHERE = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
# Containers have little shared memory and no graphics card.
_ARGUMENTS = ("--disable-dev-shm-usage", "--disable-gpu")


def chromium() -> str | None:
    """The path of the browser: CELESTIAL_CHROMIUM, else the first one installed."""
    chosen = os.environ.get(CHOSEN)
    if chosen:
        return shutil.which(chosen)
    paths = (shutil.which(name) for name in (*_NAMES, *_ELSEWHERE))
    return next((path for path in paths if path is not None), None)


def missing() -> str | None:
    """The reason why the dashboard cannot be opened in a browser; None if it can."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed: `pip install -r requirements/dev.txt`"
    if chromium() is None:
        return f"no Chromium or Chrome here: install one, or name it in {CHOSEN}"
    if not (built_into() / "index.html").is_file():
        return "the dashboard has not been built: `make dashboard`"
    return None


def built_into() -> Path:
    """The folder from which the server reads the pages."""
    from celestial_engine.surfaces.dashboard.pages import BUILT

    return BUILT


def install() -> None:
    """Install Chromium and a Korean font with apt, if they are missing."""
    wanted = [] if chromium() else ["chromium"]
    if shutil.which("fc-list") is None or not subprocess.run(["fc-list", ":lang=ko"], capture_output=True).stdout:
        wanted.append("fonts-noto-cjk")
    may = shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0
    if not wanted or not may:
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *wanted]):
        if subprocess.run(["apt-get", *arguments], env=quiet, stdout=subprocess.DEVNULL).returncode:
            print(f"apt-get could not install {' '.join(wanted)}; the tests tell what does not run", file=sys.stderr)
            return


def launched(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium(), args=list(_ARGUMENTS))


@dataclass(frozen=True)
class Served:
    """`celestial serve` in a separate process."""

    process: subprocess.Popen[str]
    path: Path
    url: str
    token: str | None
    link: str

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    @property
    def log(self) -> str:
        """The warnings and errors it logged."""
        return self.path.with_suffix(".log").read_text(encoding="utf-8")

    def memory(self) -> CelestialMemory:
        """The same database, opened in this process."""
        return CelestialMemory(self.path, **OPTIONS)

    def cookie(self) -> dict[str, Any]:
        """A session cookie, as a browser stores it."""
        with self.memory() as memory:
            link = f"{self.url}/login?key={memory.access.login_key()}"
        answer = _never_led_on().open(link)
        name, _, value = answer.headers["set-cookie"].split(";")[0].partition("=")
        return {"name": name, "value": value, "url": self.url, "httpOnly": True, "sameSite": "Strict"}

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)


@contextmanager
def serving(path: Path, port: int = 0, **environment: str) -> Iterator[Served]:
    """Start a server on a database; it ends with the block, if it is still running."""
    served = started(path, port, **environment)
    try:
        yield served
    finally:
        served.process.kill()
        served.process.communicate()


def started(path: Path, port: int = 0, **environment: str) -> Served:
    command = [sys.executable, "-m", "celestial_engine", "serve", "--json", "--no-mcp", "--lang", "en"]
    command += ["--db", str(path), "--port", str(port)]
    settings = {"CELESTIAL_EMBEDDER": "none", "CELESTIAL_WORDS": "pairs", **environment}
    outside = {name: value for name, value in os.environ.items() if not name.startswith("CELESTIAL_")}
    with path.with_suffix(".log").open("a") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**outside, "HOME": str(path.parent), **settings},
        )
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or lines[-1].rstrip() != "}":
        lines.append(process.stdout.readline())
        if not lines[-1]:
            raise RuntimeError(f"the server ended with {process.wait()}: {path.with_suffix('.log').read_text()}")
    started = json.loads("".join(lines))
    return Served(process, path, started["url"], started["token"], started["dashboard"])


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None

    def http_error_303(self, _request: Any, answer: Any, *_: Any) -> Any:
        return answer


def _never_led_on() -> OpenerDirector:
    return build_opener(_Stay)


if __name__ == "__main__":
    install()
