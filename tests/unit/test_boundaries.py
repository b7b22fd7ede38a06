"""The tree shows the architecture: which layer may import which, and no cycles between the rooms of a layer."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

import celestial_engine

ROOT = Path(celestial_engine.__file__).parent
PACKAGE = "celestial_engine"

# layer -> the layers it may import, besides itself. Files at the top of the package are layers of their own.
ALLOWED = {
    "install_hints": set(),
    "errors": set(),
    "lang": set(),
    "core": {"errors", "lang"},
    "ports": {"core", "errors"},
    "config": {"core", "errors"},
    "understanding": {"core", "lang"},
    "flow": {"core", "understanding", "ports", "errors", "install_hints"},
    "storage": {"core", "ports", "errors", "install_hints"},
    "providers": {"core", "ports", "errors", "install_hints"},
    "bootstrap": {"core", "config", "errors", "install_hints", "ports", "providers", "storage"},
    "personas": {"core", "ports", "errors", "bootstrap"},
    # names of the original design
    "memory_function": {"core"},
    "zones": {"core"},
    "models": {"core", "flow"},
    "importance": {"core", "flow"},
    "zone_manager": {"compat"},
    "rebalancer": {"compat"},
    "engine": {
        "bootstrap",
        "config",
        "core",
        "errors",
        "flow",
        "install_hints",
        "personas",
        "ports",
        "understanding",
    },
    "client": {"core", "errors", "surfaces"},
    "async_memory": {"core", "engine", "errors"},
    "backups": {"core", "ports", "flow", "config", "bootstrap"},
    "moves": {"core", "ports", "flow", "config", "bootstrap", "errors"},
    "exporters": {"core", "engine", "errors"},
    "importers": {"core", "engine", "errors"},
    "surfaces": {
        "engine",
        "backups",
        "moves",
        "core",
        "errors",
        "config",
        "exporters",
        "importers",
        "install_hints",
        "personas",
        "__init__",
    },
    "compat": {
        "__init__",
        "bootstrap",
        "config",
        "core",
        "engine",
        "errors",
        "flow",
        "install_hints",
        "lang",
        "ports",
        "storage",
    },
    "adapters": {"async_memory", "engine", "core", "errors", "install_hints", "surfaces", "__init__"},
    "testing": {"core", "ports", "errors", "storage"},
    "__init__": {
        "async_memory",
        "backups",
        "core",
        "engine",
        "errors",
        "flow",
        "compat",
        "config",
        "personas",
        "storage",
    },
    "__main__": {"surfaces"},
}
# Layers whose folders are rooms: rooms import each other without cycles.
LAYERS_WITH_ROOMS = (
    "core", "flow", "engine", "lang", "storage", "storage/sqlite", "storage/postgres", "adapters", "testing", "surfaces",
)  # fmt: skip
# What the pure core must not touch. item.py may ask for the time: create() makes a memory of now.
IMPURE = {"os", "sqlite3", "logging", "threading", "socket", "subprocess", "pathlib", "random", "time"}
CLOCK_ALLOWED = {"core/record/item.py"}
# A folder with more files than this wants rooms.
MOST_FILES = 20
STILL_LARGE: set[str] = set()

# Surfaces that only an extra brings: nobody else imports them, unless asked to serve.
EXTRAS = {
    "adapters/agent_framework": {"agent_framework", "pydantic"},
    "adapters/anthropic": {"anthropic", "pydantic"},
    "adapters/google_adk": {"google"},
    "adapters/hermes": {"agent"},
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
    "storage/postgres/": {"psycopg", "psycopg_pool"},
    "storage/sqlite/encrypted.py": {"sqlcipher3"},
    "storage/vault.py": {"cryptography"},
    "surfaces/wire.py": {"pydantic"},
    "surfaces/tracing.py": {"opentelemetry"},
    "surfaces/mcp/": {"anyio", "mcp", "mcp_types"},
    "surfaces/mcp/http.py": {"starlette", "uvicorn"},
    "engine/schedule/night_ray.py": {"ray"},
    "providers/gossip.py": {"cryptography"},
    "providers/sync.py": {"cryptography"},
    "surfaces/gossip/serving.py": {"uvicorn"},
    "surfaces/dashboard/": {"anyio", "fastapi", "starlette"},
    "surfaces/http/": {"fastapi", "starlette", "uvicorn"},
    "surfaces/rest/": {
        "anyio",
        "fastapi",
        "mcp",
        "prometheus_client",
        "pydantic",
        "starlette",
        "uvicorn",
    },
}

FILES = sorted(ROOT.rglob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def imports_of(path: Path) -> frozenset[str]:
    """The dotted names that a file imports, each `from` import also with the name that it takes."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def layers_imported(path: Path) -> set[str]:
    layers = set()
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != PACKAGE:
            continue
        if len(parts) == 1:
            layers.add("__init__")
        elif (ROOT / parts[1]).is_dir() or (ROOT / f"{parts[1]}.py").exists():
            layers.add(parts[1])
    return layers


def rooms_of(layer: str) -> dict[str, set[str]]:
    """Every room of a layer with the rooms of the same layer that it imports."""
    folder = ROOT / layer
    depth = len(layer.split("/"))
    rooms: dict[str, set[str]] = {path.name: set() for path in folder.iterdir() if (path / "__init__.py").exists()}
    for room, imported in rooms.items():
        for path in (folder / room).rglob("*.py"):
            for name in imports_of(path):
                parts = name.split(".")
                if parts[: depth + 1] == [PACKAGE, *layer.split("/")] and len(parts) > depth + 1:
                    imported.update({parts[depth + 1]} & set(rooms) - {room})
    return rooms


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of one cycle; empty if there is none."""
    done: set[str] = set()

    def walk(node: str, way: list[str]) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node not in done:
            for following in sorted(graph[node]):
                if found := walk(following, [*way, node]):
                    return found
            done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    layer = layer_of(path)
    allowed = ALLOWED[layer] | {layer}
    found = layers_imported(path)
    assert found <= allowed, f"{layer} must not import {sorted(found - allowed)}"


@pytest.mark.parametrize("layer", LAYERS_WITH_ROOMS)
def test_rooms_have_no_cycles(layer):
    rooms = rooms_of(layer)
    assert rooms
    assert not cycle_in(rooms)


def test_a_cycle_would_be_found():
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert not cycle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()})


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_mandatory_dependencies(path):
    """Everything outside the package comes with Python, but for the surfaces that are extras."""
    outside = {name.split(".")[0] for name in imports_of(path)} - {PACKAGE}
    place = path.relative_to(ROOT).as_posix()
    extras = {name for part, names in EXTRAS.items() if place.startswith(part) for name in names}
    assert outside <= set(sys.stdlib_module_names) | extras


@pytest.mark.parametrize(
    "path", sorted((ROOT / "core").rglob("*.py")), ids=lambda path: path.relative_to(ROOT / "core").as_posix()
)
def test_the_core_is_pure(path):
    impure = IMPURE & imports_of(path)
    if path.relative_to(ROOT).as_posix() in CLOCK_ALLOWED:
        impure -= {"time"}
    assert not impure


def test_stages_do_not_import_each_other():
    """They share what is in `base` and, for the self, how proposals are made, for several devices, how changes are noted."""
    shared = {"turn/record.py", "turn/evaluate.py", "self/inbox.py", "self/draft.py", "self/tend.py", "lazy.py"}
    shared |= {"sync/happened.py", "sync/noted.py", "sync/self_parts.py", "sync/survivors.py"}
    stages = {
        ".".join((PACKAGE, "flow", *path.relative_to(ROOT / "flow").with_suffix("").parts))
        for path in (ROOT / "flow").rglob("*.py")
        if path.stem != "__init__"
        and path.parent.name != "base"
        and path.relative_to(ROOT / "flow").as_posix() not in shared
    }
    for path in (ROOT / "flow").rglob("*.py"):
        own = ".".join((PACKAGE, "flow", *path.relative_to(ROOT / "flow").with_suffix("").parts))
        assert not imports_of(path) & (stages - {own}), path.name


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


def test_folders_are_small():
    """A folder of more than twenty files does not show what belongs together."""
    folders = {path.parent for path in FILES}
    large = {
        folder.relative_to(ROOT).as_posix()
        for folder in folders
        if sum(1 for path in folder.glob("*.py") if path.stem != "__init__") > MOST_FILES
    }
    assert large <= STILL_LARGE
