"""A pytest plugin: `import stellar_memory` gives the shim, and what does not apply to it is left out.

It runs inside the pytest that runs stellar-memory's own tests, and writes what came of each to SHIM_REPORT.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from not_applicable import ABSENT_MODULES, ABSENT_NAMES, FILES, TESTS

from celestial_engine.compat import stellar


class AbsentModule(ModuleType):
    """Can be imported from, so that the other tests of a file can run; nothing in it can be used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        return absent(name)


def absent(name: str) -> type:
    class Absent:
        def __init__(self, *_: object, **__: object) -> None:
            raise NotImplementedError(f"{name} is not in the shim: list the test in not_applicable.py")

    return Absent


def pytest_configure(config: pytest.Config) -> None:
    stellar.stand_in()
    for name in ABSENT_MODULES:
        sys.modules[f"stellar_memory.{name}"] = AbsentModule(f"stellar_memory.{name}")
    for module, names in ABSENT_NAMES.items():
        for name in names:
            setattr(sys.modules[f"stellar_memory.{module}"], name, absent(name))
    config.stash[OUTCOMES] = {}


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if collection_path.name in FILES else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if is_listed(name_of(item.nodeid))]
    config.stash[OUTCOMES].update({name_of(item.nodeid): "not applicable" for item in left_out})
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    outcomes = item.config.stash[OUTCOMES]
    name = name_of(item.nodeid)
    if report.outcome != "passed" or (report.when == "call" and name not in outcomes):
        outcomes[name] = report.outcome if report.outcome != "failed" else f"failed: {report.longrepr}"
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    Path(os.environ["SHIM_REPORT"]).write_text(json.dumps(session.config.stash[OUTCOMES]), encoding="utf-8")


def name_of(nodeid: str) -> str:
    """file.py::Class::test, whatever the folder is called."""
    return nodeid.rsplit("/", 1)[-1]


def is_listed(name: str) -> bool:
    """By itself, or with its class."""
    return any(name == listed or name.startswith(f"{listed}::") for listed in TESTS)


OUTCOMES = pytest.StashKey[dict[str, str]]()
