"""The tree shows the architecture: who may import whom."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import celestial_engine

ROOT = Path(celestial_engine.__file__).parent
PACKAGE = "celestial_engine"

# room -> the rooms it may import, besides itself. Files at the top of the package are rooms of their own.
ALLOWED = {
    "errors": set(),
    "lang": set(),
    "core": {"errors", "lang"},
    "ports": {"core"},
    "config": {"core", "errors"},
    "flow": {"core", "ports", "errors"},
    "storage": {"core", "ports", "errors"},
    "providers": {"core", "ports", "errors"},
    "bootstrap": {"core", "config", "errors", "ports", "providers", "storage"},
    "memory_function": {"core"},
    "zone_manager": {"core", "errors", "ports", "flow", "config", "bootstrap"},
    "zone_storage": {"core", "ports", "flow", "zone_manager"},
    "rebalancer": {"core", "flow", "zone_manager"},
    "facade": {"core", "ports", "errors", "flow", "zone_manager"},
    "engine": {"core", "ports", "errors", "flow", "facade", "config", "bootstrap", "rebalancer", "zone_manager"},
    "async_memory": {"core", "engine", "errors", "ports"},
    "memory_store": {"core", "engine"},
    "backups": {"core", "ports", "flow", "config", "bootstrap"},
    "resonance_ledger": {"core", "ports", "engine"},
    "importers": {"core", "engine", "errors"},
    "surfaces": {"engine", "backups", "core", "errors", "config", "importers", "__init__"},
    "compat": {"core", "engine", "errors", "ports"},
    "adapters": {"async_memory", "engine", "core", "errors", "surfaces", "__init__"},
    "testing": {"core", "ports", "errors"},
    "__init__": {
        "async_memory",
        "backups",
        "core",
        "engine",
        "errors",
        "flow",
        "memory_store",
        "rebalancer",
        "resonance_ledger",
        "zone_manager",
        "zone_storage",
    },
    "__main__": {"surfaces"},
}
# What the pure core must not touch. item.py may ask for the time: create() makes a memory of now.
IMPURE = {"os", "sqlite3", "logging", "threading", "socket", "subprocess", "pathlib", "random", "time"}
CLOCK_ALLOWED = {"core/item.py"}

# Surfaces that only an extra brings: nobody else imports them, unless asked to serve.
EXTRAS = {
    "adapters/agent_framework": {"agent_framework", "pydantic"},
    "adapters/anthropic": {"anthropic", "pydantic"},
    "adapters/google_adk": {"google"},
    "adapters/langchain": {
        "langchain",
        "langchain_classic",
        "langchain_core",
        "langgraph",
        "pydantic",
        "typing_extensions",
    },
    "adapters/langgraph": {"langgraph"},
    "adapters/llama_index": {"llama_index", "pydantic"},
    "adapters/openai": {"agents", "openai", "pydantic"},
    "adapters/pydantic_ai": {"pydantic", "pydantic_ai"},
    "surfaces/wire.py": {"pydantic"},
    "surfaces/mcp/": {"anyio", "mcp", "mcp_types"},
    "surfaces/mcp/http.py": {"starlette", "uvicorn"},
    "surfaces/dashboard/": {"anyio", "fastapi", "starlette"},
    "surfaces/rest/": {
        "anyio",
        "fastapi",
        "mcp",
        "opentelemetry",
        "prometheus_client",
        "pydantic",
        "starlette",
        "uvicorn",
    },
}

FILES = sorted(ROOT.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def rooms_imported(path: Path) -> set[str]:
    rooms = set()
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != PACKAGE:
            continue
        if len(parts) == 1:
            rooms.add("__init__")
        elif (ROOT / parts[1]).is_dir() or (ROOT / f"{parts[1]}.py").exists():
            rooms.add(parts[1])
    return rooms


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    room = room_of(path)
    allowed = ALLOWED[room] | {room}
    found = rooms_imported(path)
    assert found <= allowed, f"{room} must not import {sorted(found - allowed)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_mandatory_dependencies(path):
    """Everything outside the package comes with Python, but for the surfaces that are extras."""
    outside = {name.split(".")[0] for name in imports_of(path)} - {PACKAGE}
    place = path.relative_to(ROOT).as_posix()
    extras = {name for part, names in EXTRAS.items() if place.startswith(part) for name in names}
    assert outside <= set(sys.stdlib_module_names) | extras


@pytest.mark.parametrize("path", sorted((ROOT / "core").glob("*.py")), ids=lambda path: path.name)
def test_the_core_is_pure(path):
    impure = IMPURE & imports_of(path)
    if str(path.relative_to(ROOT)) in CLOCK_ALLOWED:
        impure -= {"time"}
    assert not impure


def test_stages_do_not_import_each_other():
    """They share the ground they stand on, nothing else."""
    ground = {"orbit", "ask", "gather", "inbox", "draft", "tend", "batches"}
    stages = {path.stem for path in (ROOT / "flow").glob("*.py")} - {"__init__"} - ground
    for path in (ROOT / "flow").glob("*.py"):
        imported = {name.split(".")[2] for name in imports_of(path) if name.startswith(f"{PACKAGE}.flow.")}
        assert not imported & (stages - {path.stem}), path.name


def test_only_the_configuration_reads_the_environment():
    readers = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    }
    assert readers <= {"config/sources.py"}


def test_files_are_short():
    """A file that grows past 400 lines is two ideas."""
    long = [path.name for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > 400]
    assert not long
