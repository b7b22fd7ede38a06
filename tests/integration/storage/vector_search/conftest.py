"""Fixtures: a store full of vectors, every scan method, and direct access to its file."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.search import scans
from celestial_engine.testing.conformance.crowd import fill

WAYS = ["standard library", *(name for name in ("numpy", "faiss") if find_spec(name))]


@pytest.fixture
def raw() -> Callable[[str], AbstractContextManager[sqlite3.Connection]]:
    """Open the database directly, without its store."""

    @contextmanager
    def opened(path: str) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(path)) as db, db:
            yield db

    return opened


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("filled") / "m.db"
    with closing(SqliteStore(str(made))) as store:
        fill(store)
        store.checkpoint()
    return made


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "m.db")


@pytest.fixture
def store(filled: Path, path: str) -> Iterator[SqliteStore]:
    shutil.copy(filled, path)
    opened = SqliteStore(path)
    yield opened
    opened.close()


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "standard library":
        monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(scans, "FAISS_FROM", 0 if request.param == "faiss" else sys.maxsize)
    return str(request.param)
