"""Fixtures: the command line, run in this process or in a separate one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.views import Memory, memory_view


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The path of the database that commands use."""
    return str(tmp_path / "m.db")


@pytest.fixture
def plain_english(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The same output on every machine."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("CELESTIAL_DB", path)


@pytest.fixture
def usual_embedder(plain_english: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default database path."""
    monkeypatch.delenv("CELESTIAL_EMBEDDER")


@pytest.fixture
def cli(
    plain_english: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Run a command in this process, which is faster."""

    def run(*argv: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(argv)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run


@pytest.fixture
def celestial(cli: Callable[..., Answer]) -> Callable[..., str]:
    """Run a command that must exit with this code; returns its output, or its errors."""

    def run(*argv: str, code: int = 0) -> str:
        answer = cli(*argv)
        assert answer.code == code, answer
        return answer.err if code else answer.out

    return run


@pytest.fixture
def process(plain_english: None) -> Callable[..., Answer]:
    """Run the real command in a process."""

    def run(*argv: str, stdin: bytes = b"", **env: str) -> Answer:
        command = [sys.executable, "-m", "celestial_engine", *argv]
        done = subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **env}, timeout=60)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def stored(cli: Callable[..., Answer]) -> Callable[..., str]:
    """Store a text and return its id."""
    return lambda text, *options: cli("store", text, *options, "--json").data["id"]


@pytest.fixture
def mina() -> tuple[str, ...]:
    return (
        "Mina drinks tea in the evening",
        "Mina is allergic to peanuts",
        "Mina does not eat satay",
        "Satay is made with peanuts",
    )


@pytest.fixture
def ids(mina: tuple[str, ...], path: str) -> list[str]:
    """Four memories of Mina and what she eats."""
    with CelestialMemory(path, rebalance_interval=None) as memory:
        return [memory.store(text).id for text in mina]


@pytest.fixture
def a_memory(memory: CelestialMemory) -> Callable[[str], Memory]:
    """A memory as operations answer with it."""
    return lambda text: memory_view(Caller(memory, memory.owner, "test"), memory.store(text))
