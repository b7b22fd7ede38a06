"""The command that installs an extra, for the user's installation.

The package is on no index, so `pip install` does not know its name. A checkout is named by its folder; without one,
the extra's requirements are listed. Imported only when a hint is shown.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "celestial-engine"


def install_command(extra: str) -> str:
    """`pip install -e "/home/mina/celestial[server]"`, or `pip install "fastapi<1,>=0.162" ...`."""
    try:
        installed = distribution(NAME)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return f'pip install "{Path(__file__).parents[2]}[{extra}]"'
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    checkout = _checkout(origin)
    if checkout is not None:
        editable = "-e " if origin["dir_info"].get("editable") else ""
        return f'pip install {editable}"{checkout}[{extra}]"'
    return " ".join(["pip install", *(f'"{requirement}"' for requirement in _requirements(installed, extra))])


def _checkout(origin: dict[str, dict[str, bool]]) -> Path | None:
    """Returns the folder that the package was installed from, if it still exists."""
    if "dir_info" not in origin:
        return None
    folder = Path(url2pathname(urlsplit(str(origin["url"])).path))
    return folder if (folder / "pyproject.toml").is_file() else None


def _requirements(installed: Distribution, extra: str) -> list[str]:
    """Returns the extra's requirements without the `extra` condition; other conditions stay."""
    condition = re.compile(rf"\s*(?:\band\s+)?\bextra\s*==\s*'{re.escape(extra)}'")
    requirements = []
    for requirement in installed.requires or ():
        package, _, marker = requirement.replace('"', "'").partition(";")
        if condition.search(marker):
            other_conditions = condition.sub("", marker).strip()
            requirements.append(f"{package.strip()}; {other_conditions}" if other_conditions else package.strip())
    return requirements
