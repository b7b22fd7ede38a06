"""Check before a release that the tag, the version, the changelog and the name on the index fit together.

`python -m tools.release_check refs/tags/v1.2.3` prints what is wrong and fails; without a tag, only the name and the
changelog are checked. A name on the index that belongs to another project is never published to.
"""

from __future__ import annotations

import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NAME = "celestial-engine"
SUMMARY_BEGINS = "Long-term memory for AI agents"  # of pyproject.toml: how our own project is recognised
_INDEX = "https://pypi.org/pypi/{name}/json"
_TAG = re.compile(r"refs/tags/v(\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")

Project = dict[str, Any]


def problems(ref: str, version: str, changelog: str, lookup: Callable[[str], Project | None]) -> list[str]:
    """Everything that speaks against releasing."""
    found = []
    if ref.startswith("refs/tags/"):
        tag = _TAG.fullmatch(ref)
        if tag is None:
            found.append(f"{ref} is no tag of a version: name it v{version}.")
        elif tag.group(1) != version:
            found.append(f"The tag says {tag.group(1)}, the sources say {version}.")
        if f"\n## [{version}]" not in changelog:
            found.append(f"CHANGELOG.md has no section [{version}].")
    project = lookup(NAME)
    if project is not None:
        found += _name_problems(project, version)
    return found


def _name_problems(project: Project, version: str) -> list[str]:
    if not str(project["info"].get("summary") or "").startswith(SUMMARY_BEGINS):
        return [f"The name {NAME} belongs to another project on the index: choose another name."]
    if version in project.get("releases", {}):
        return [f"Version {version} is published already, and can never be replaced: choose the next one."]
    return []


def on_the_index(name: str) -> Project | None:
    """What the index knows of a name; None if it is free."""
    try:
        with urllib.request.urlopen(_INDEX.format(name=name), timeout=30) as answer:  # noqa: S310 - https, a constant
            project: Project = json.load(answer)
            return project
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def version_of_sources() -> str:
    text = (ROOT / "src" / "celestial_engine" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None, "hatchling reads the version there"
    return found.group(1)


def main() -> int:
    ref = sys.argv[1] if len(sys.argv) > 1 else ""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = problems(ref, version_of_sources(), changelog, on_the_index)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
