"""The command that installs an extra, as it works from where the user is.

The package is on no index, so its name means nothing to `pip install`: a checkout is named by its folder, and without
one the packages that the extra asks for are named themselves. Loaded only when a hint is shown.
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
    return " ".join(["pip install", *(f'"{one}"' for one in _requirements(installed, extra))])


def _checkout(origin: dict[str, dict[str, bool]]) -> Path | None:
    """The folder that the package was installed from, if it is still there."""
    if "dir_info" not in origin:
        return None
    folder = Path(url2pathname(urlsplit(str(origin["url"])).path))
    return folder if (folder / "pyproject.toml").is_file() else None


def _requirements(installed: Distribution, extra: str) -> list[str]:
    """What the extra asks for, without the condition that it was asked for: other conditions stay."""
    condition = re.compile(rf"\s*(?:\band\s+)?\bextra\s*==\s*'{re.escape(extra)}'")
    found = []
    for requirement in installed.requires or ():
        package, _, marker = requirement.replace('"', "'").partition(";")
        if condition.search(marker):
            rest = condition.sub("", marker).strip()
            found.append(f"{package.strip()}; {rest}" if rest else package.strip())
    return found
