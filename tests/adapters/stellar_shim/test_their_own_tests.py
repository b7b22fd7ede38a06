"""stellar-memory's own tests, run against the shim."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "docs" / "stellar-memory.md"


@pytest.fixture(scope="module")
def lists() -> ModuleType:
    spec = importlib.util.spec_from_file_location("not_applicable", HERE / "not_applicable.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def outcomes(stellar_source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What came of each test, by its name; in a process of its own, where `stellar_memory` is the shim."""
    folder = tmp_path_factory.mktemp("run")
    report = folder / "report.json"
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE),
        "SHIM_REPORT": str(report),
        "HOME": str(folder),
        "CELESTIAL_EMBEDDER": "none",
        "CELESTIAL_WORDS": "pairs",
        "CELESTIAL_CONFIG": "none",
    }
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-p", "shim_plugin", "-p", "no:cacheprovider", "-c", os.devnull,
            "--rootdir", stellar_source, "--continue-on-collection-errors", stellar_source / "tests",
        ],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout + done.stderr  # 1: tests failed; which ones is told below
    return dict(json.loads(report.read_text(encoding="utf-8")))


def test_every_applicable_test_of_theirs_passes(outcomes):
    failed = {name: outcome for name, outcome in outcomes.items() if outcome not in ("passed", "not applicable")}
    assert not failed


def test_every_test_of_theirs_is_either_run_or_listed(outcomes, lists, stellar_source):
    told = set(outcomes) | set(_in_files(stellar_source, lists.FILES))
    assert told == set(_in_files(stellar_source, [path.name for path in stellar_source.glob("tests/test_*.py")]))


def test_what_is_listed_exists(lists, stellar_source):
    missing = [name for name in lists.FILES if not (stellar_source / "tests" / name).exists()]
    names = set(_in_files(stellar_source, [path.name for path in stellar_source.glob("tests/test_*.py")]))
    missing += [
        listed
        for listed in lists.TESTS
        if not any(name == listed or name.startswith(f"{listed}::") for name in names)
    ]
    assert not missing


def test_every_reason_is_given_with_its_kind(lists):
    for reason in (*lists.FILES.values(), *lists.TESTS.values()):
        kind, _, told = reason.partition(": ")
        assert kind in lists.KINDS
        assert told.strip()


def test_the_documentation_tells_how_many_pass(outcomes, lists, stellar_source):
    counted = Counter(outcomes.values())
    whole = sum(1 for _ in _in_files(stellar_source, lists.FILES))
    applicable, rest = counted["passed"], counted["not applicable"] + whole
    told = DOCUMENT.read_text(encoding="utf-8")
    assert f"{applicable} pass, {rest} do not apply" in told
    assert all(f"`{name}`" in told for name in lists.FILES)
    kinds = Counter(_reason(name, lists).partition(": ")[0] for name in _left_out(outcomes, lists, stellar_source))
    assert sum(kinds.values()) == rest
    assert re.findall(r"^\| ([a-z ]+) \| (\d+) \|", told, re.MULTILINE) == [
        (kind, str(kinds[kind])) for kind in lists.KINDS
    ]


def _left_out(outcomes: dict[str, str], lists: ModuleType, source: Path) -> Iterator[str]:
    yield from (name for name, outcome in outcomes.items() if outcome == "not applicable")
    yield from _in_files(source, lists.FILES)


def _reason(name: str, lists: ModuleType) -> str:
    file = name.partition("::")[0]
    if file in lists.FILES:
        return str(lists.FILES[file])
    (reason,) = {told for listed, told in lists.TESTS.items() if name == listed or name.startswith(f"{listed}::")}
    return str(reason)


def _in_files(source: Path, names: list[str]) -> Iterator[str]:
    """The tests that a file holds, by reading it: whole files may not be importable here."""
    for name in names:
        tree = ast.parse((source / "tests" / name).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{name}::{node.name}"
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test_"):
                        yield f"{name}::{node.name}::{inner.name}"
