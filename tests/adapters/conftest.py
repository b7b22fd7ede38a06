"""Each folder holds the tests of one adapter, and runs where its framework is installed.

In the development environment folders without their framework are left out. `CELESTIAL_ADAPTER=name`, as the sessions
of noxfile.py set it, runs the one folder of that name, and fails if its framework is missing.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory

# folder -> module that must be importable
FRAMEWORKS = {
    "agent_framework": "agent_framework",
    "anthropic": "anthropic",
    "dp_accounting": "dp_accounting",  # no adapter: what our own accountant must agree with
    "google_adk": "google.adk",
    "hermes": "hermes_cli",
    "langchain": "langchain",
    "langgraph": "langgraph",
    "llama_index": "llama_index.core",
    "long_term_memory": "aimemory",
    "model_libraries": "fastembed",  # no adapter: the libraries of providers/libraries.py
    "openai": "openai",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "ray": "ray",  # no adapter, but a framework that needs an environment of its own
    "stellar_memory": "stellar_memory",
    "stellar_shim": "pip",  # fetches what it tests against
}
HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "adapters.md"
EXAMPLES = HERE.parents[1] / "examples"
CHOSEN = os.environ.get("CELESTIAL_ADAPTER")


def installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing too
        return False


def missing(folder: str) -> str | None:
    """The missing framework of a folder, if any; folders that are not in the table need none."""
    module = FRAMEWORKS.get(folder)
    return None if module is None or installed(module) else module


def left_out() -> list[str]:
    folders = {path.parent.name for path in HERE.glob("*/test_*.py")}
    if CHOSEN is None:
        return sorted(name for name in folders if missing(name))
    if CHOSEN not in folders:
        raise pytest.UsageError(f"there are no tests in tests/adapters/{CHOSEN}")
    if missing(CHOSEN):
        raise pytest.UsageError(f"{missing(CHOSEN)} is not installed, but the tests of {CHOSEN} were asked for")
    return sorted(folders - {CHOSEN})


collect_ignore = left_out()


@pytest.fixture
def snippets():
    """The Python examples of a section of docs/adapters.md, by its heading."""

    def of(heading: str) -> list[str]:
        sections = re.split(r"^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
        (section,) = [part for part in sections if part.splitlines()[0].strip() == heading]
        return re.findall(r"^```python[^\n]*\n(.*?)^```", section, re.MULTILINE | re.DOTALL)

    return of


@pytest.fixture
def example(monkeypatch, capsys):
    """Run an example like a user, and return the printed lines."""

    def run(name: str) -> list[str]:
        monkeypatch.syspath_prepend(EXAMPLES)
        runpy.run_path(str(EXAMPLES / f"{name}_agent.py"), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture(scope="session")
def scripted():
    """examples/scripted_server.py: a fake model server on loopback, with scripted answers."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return import_module("scripted_server")
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.fixture
def threads_of(monkeypatch):
    """Record the threads in which these operations run: the event loop's thread must not be among them."""

    def watch(*operations: str) -> set[threading.Thread]:
        threads: set[threading.Thread] = set()
        for name in operations:
            plain = getattr(CelestialMemory, name)

            def watched(self, *args, plain=plain, **more):
                threads.add(threading.current_thread())
                return plain(self, *args, **more)

            monkeypatch.setattr(CelestialMemory, name, watched)
        return threads

    return watch
