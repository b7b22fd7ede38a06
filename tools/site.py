"""Prepare the pages of the documentation site: docs/, both READMEs, the changelog, and a reference from docstrings.

`python -m tools.site FOLDER` writes them. Links between pages are kept; links to files that are not on the site,
such as sources, become plain text. `make site` builds the site from the folder with Zensical.
"""

from __future__ import annotations

import inspect
import posixpath
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Files outside docs/ that are pages too, and where.
OTHER_PAGES = {
    "README.md": "index.md",
    "README.ko.md": "ko/index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
_IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")
# The classes that people use.
REFERENCE = (
    "CelestialMemory", "AsyncCelestialMemory", "Settings", "CelestialItem", "ItemFilter", "Observed", "Decision",
    "Composition", "Profile", "Evaluation", "Event", "CelestialError",
)  # fmt: skip


def pages() -> dict[str, str]:
    """Path in the repository -> path on the site."""
    found = {f"docs/{page.relative_to(ROOT / 'docs').as_posix()}" for page in (ROOT / "docs").rglob("*.md")}
    return {**{name: name.removeprefix("docs/") for name in sorted(found)}, **OTHER_PAGES}


def page_text(name: str, on_site: dict[str, str]) -> str:
    """One page, with its links as they are on the site."""

    def target(link: str) -> str | None:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
        place = on_site.get(path) or (path.removeprefix("docs/") if path.startswith("docs/images/") else None)
        return None if place is None else posixpath.relpath(place, posixpath.dirname(on_site[name]) or ".")

    def link(match: re.Match[str]) -> str:
        place = target(match[2])
        return match[1] if place is None else f"[{match[1]}]({place}{match[3] or ''})"

    def image(match: re.Match[str]) -> str:
        place = target(match[2])
        return match[0] if place is None else f"![{match[1]}]({place})"

    return _IMAGE.sub(image, _LINK.sub(link, (ROOT / name).read_text(encoding="utf-8")))


def reference_text() -> str:
    """Classes with their methods, signatures and docstrings, as Python sees them at run time.

    Verbs of the engine are functions that the class takes over, which tools that only read the sources do not find.
    """
    import celestial_engine
    from celestial_engine.engine.parts import Area

    parts = ["# Reference\n\nFrom the docstrings of the package. All operations: [operations](operations.md)."]
    parts += [_class_text(name, getattr(celestial_engine, name)) for name in REFERENCE]
    with celestial_engine.CelestialMemory(":memory:", rebalance_interval=None) as memory:
        areas = {name: getattr(memory, name) for name in dir(memory) if not name.startswith("_")}
    parts += [_class_text(f"memory.{name}", type(area)) for name, area in areas.items() if isinstance(area, Area)]
    return "\n\n".join(parts) + "\n"


def _class_text(title: str, kind: type) -> str:
    parts = [f"## {title}", _docstring(kind)]
    for name, value in inspect.getmembers(kind, inspect.isroutine):
        if not name.startswith("_") and value.__doc__ and not inspect.ismethoddescriptor(value):
            signature = re.sub(r"^\(self(?:: '[^']*')?(?:, )?", "(", str(inspect.signature(value))).replace("'", "")
            parts += [f"### {title}.{name}", f"```text\n{name}{signature}\n```", _docstring(value)]
    return "\n\n".join(part for part in parts if part)


def _docstring(value: object) -> str:
    """With examples in blocks, so that they are not read as Markdown."""
    text = inspect.getdoc(value) or ""
    return re.sub(r"^>>> (?:.|\n(?!\n))*", lambda match: f"```pycon\n{match[0]}\n```", text, flags=re.MULTILINE)


def write_pages(folder: Path) -> None:
    on_site = pages()
    for name, place in on_site.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page_text(name, on_site), encoding="utf-8")
    (folder / "reference.md").write_text(reference_text(), encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "images", folder / "images", dirs_exist_ok=True)


if __name__ == "__main__":
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    write_pages(Path(sys.argv[1]))
