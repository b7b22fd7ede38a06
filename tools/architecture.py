"""Writes the drawings of docs/architecture.md and CONTRIBUTING.md from the source tree: `make docs`.

A drawing is a fenced block whose first line names it: "```text generated:tree". Everything outside such blocks is
written by hand. The sentences come from the docstrings of the folders, the arrows from tests/unit/test_boundaries.py.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "celestial_engine"
PAGES = (ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md")
DRAWING = re.compile(r"^```text generated:(\S+)\n.*?^```$", re.MULTILINE | re.DOTALL)
DEPTH = 2  # folders below a layer that are drawn: storage/sqlite/items, but not surfaces/cli/texts/en

# One call from the outside to the rows: the files that it passes, and what each of them does.
# "operation:NAME" stands for the file of surfaces/operations/ that declares the operation.
WALKS = {
    "store": (
        ("operation:memory_save", "declares route, tool and fields; asks the engine"),
        ("engine/writing.py", "checks the arguments; flow/turn/record.py redacts, evaluates and embeds"),
        ("flow/turn/store.py", "one transaction: numbers, links and places the record, writes the ledger event"),
        ("storage/sqlite/items/items.py", "INSERT of the record and its index rows"),
    ),
    "recall": (
        ("operation:memory_search", "declares route, tool and fields; asks the engine"),
        ("engine/asking.py", "embeds the question, searches, reinforces what is returned"),
        ("flow/turn/search.py", "collects candidates by words, vectors and graph, and ranks them"),
        ("storage/sqlite/items/search.py", "SELECT of the candidates"),
    ),
    "observe": (
        ("operation:turn_observe", "declares route, tool and fields; asks the engine"),
        ("engine/conversation.py", "decides, fetches, saves or counts; reports a problem instead of raising it"),
        ("flow/turn/decide.py", "reads the turn: save, skip or retrieve, and why"),
        ("storage/sqlite/items/lessons.py", "INSERT of the turn that a later reward is credited to"),
    ),
    "sleep": (
        ("operation:sleep_cycle_run", "declares route, tool and fields; asks the engine"),
        ("engine/schedule/night.py", "takes the lease, and does the duties that are due, in order"),
        ("flow/night/expire.py", "one duty: plans from small rows, then carries the plan out in batches"),
        ("storage/sqlite/items/night.py", "SELECT of the rows that a plan is made from"),
    ),
    "approve": (
        (
            "operation:proposal_approve",
            "declares route and tool; who approves must show the token of exactly this diff",
        ),
        ("engine/self_.py", "checks who speaks and through which channel"),
        ("flow/self/approve.py", "one transaction: checks token and diff, carries the change out"),
        (
            "storage/sqlite/items/self_state.py",
            "writes the decided proposal and, if the self changed, its new version",
        ),
    ),
}


@cache
def boundaries() -> ModuleType:
    """The rules as they are tested: which layer may import which."""
    spec = importlib.util.spec_from_file_location("boundaries", ROOT / "tests" / "unit" / "test_boundaries.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sentence(path: Path) -> str:
    """The first sentence of a file's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=[.!?])\s", text.splitlines()[0])[0] if text else ""


def floors() -> list[list[str]]:
    """The layers from the outside in: each may import only layers of lower floors.

    `__init__`, the public names of the package, stands on no floor: layers of several floors import from it.
    """
    allowed: dict[str, set[str]] = {
        layer: below - {"__init__"} for layer, below in boundaries().ALLOWED.items() if layer != "__init__"
    }

    @cache
    def height(layer: str) -> int:
        return 1 + max((height(below) for below in allowed[layer]), default=0)

    heights = {layer: height(layer) for layer in allowed}
    return [
        sorted(layer for layer in heights if heights[layer] == level) for level in range(max(heights.values()), 0, -1)
    ]


def house() -> str:
    """Every floor with its layers: the drawing of the whole."""
    found = floors()
    return "\n".join(f"{len(found) - place:>2} | {'   '.join(layers)}" for place, layers in enumerate(found))


def tree(depth: int = DEPTH) -> str:
    """The folders of the package, each with the first sentence of its docstring."""
    lines = ["src/celestial_engine/"]
    for layer in (layer for level in floors() for layer in level):
        folder, file = PACKAGE / layer, PACKAGE / f"{layer}.py"
        if folder.is_dir():
            lines += _folder(folder, 1, depth)
        elif layer != "__main__":
            lines.append(_line(file.name, 1, sentence(file)))
    return "\n".join(lines)


def _folder(folder: Path, level: int, depth: int) -> list[str]:
    lines = [_line(f"{folder.name}/", level, sentence(folder / "__init__.py"))]
    if level <= depth:
        for room in sorted(path.parent for path in folder.glob("*/__init__.py")):
            lines += _folder(room, level + 1, depth)
    return lines


def _line(name: str, level: int, text: str) -> str:
    return f"{'  ' * level + name:24} {text}".rstrip()


def layers() -> str:
    """Which layer may import which."""
    allowed: dict[str, set[str]] = boundaries().ALLOWED
    return "\n".join(
        f"{layer:16} -> {', '.join(sorted(allowed[layer])) or 'nothing'}" for level in floors() for layer in level
    )


def rooms() -> str:
    """Which room of a layer imports which others of the same layer, as the files do it now."""
    lines = []
    for layer in boundaries().LAYERS_WITH_ROOMS:
        lines.append(f"{layer}/")
        for room, imported in sorted(boundaries().rooms_of(layer).items()):
            lines.append(f"  {room:16} -> {', '.join(sorted(imported)) or 'none'}")
    return "\n".join(lines)


def walk(name: str) -> str:
    """The files that one call passes."""
    lines = []
    for place, text in WALKS[name]:
        file = declared_in(place.partition(":")[2]) if place.startswith("operation:") else place
        lines.append(f"{file:42} {text}")
    return "\n".join(lines)


def declared_in(operation: str) -> str:
    """The file of surfaces/operations/ that declares an operation."""
    folder = PACKAGE / "surfaces" / "operations"
    (found,) = [
        path
        for path in folder.glob("*.py")
        if re.search(rf'Operation\(\s*"{operation}"', path.read_text(encoding="utf-8"))
    ]
    return found.relative_to(PACKAGE).as_posix()


def drawing(name: str) -> str:
    if name.startswith("walk-"):
        return walk(name.removeprefix("walk-"))
    return {"house": house, "tree": tree, "layers": layers, "rooms": rooms}[name]()


def with_drawings(text: str) -> str:
    """A page with its drawings as the source tree has them now."""
    return DRAWING.sub(lambda found: f"```text generated:{found[1]}\n{drawing(found[1])}\n```", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_drawings(page.read_text(encoding="utf-8")), encoding="utf-8")
