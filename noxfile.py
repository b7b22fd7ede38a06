"""One session per adapter, each in its own environment: the frameworks' pins conflict.

`nox` runs them all, `nox -s langchain` one. What is installed is pinned in requirements/adapters/; after installing
nothing needs a network. `make test-adapters` runs several of them side by side.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

import nox

# langchain-tests installs pytest-asyncio, which needs its mode and loop scope configured.
OPTIONS = {
    "langchain": ("-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"),
    # hermes-agent has a package named tools, as this repository has.
    "hermes": ("-o", "pythonpath=src"),
    # stellar-memory also installs a package named celestial_engine: put ours first.
    "stellar_memory_2": ("-o", "pythonpath=src"),
    "stellar_memory_3": ("-o", "pythonpath=src"),
}
# These frameworks need a newer Python than the engine; on an older one their sessions are skipped.
NEWER = {"google_adk": (3, 11), "hermes": (3, 11), "long_term_memory": (3, 11), "pydantic_ai": (3, 11)}
ROOT = Path(__file__).parent
LOCKS = sorted(ROOT.glob("requirements/adapters/*.txt"))
ADAPTERS = ROOT / "src" / "celestial_engine" / "adapters"
MYPY = ROOT / ".venv" / "bin" / "mypy"

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|venv"  # uv shares one cache between all sessions
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = True


def declare(lock: Path) -> None:
    folder = re.sub(r"_\d+$", "", lock.stem)  # several versions of one framework share their tests

    @nox.session(name=lock.stem)
    def session(session: nox.Session) -> None:
        """Check the types of this adapter and run its tests."""
        if sys.version_info < NEWER.get(lock.stem, (3,)):
            session.skip(f"{lock.stem} needs Python {'.'.join(map(str, NEWER[lock.stem]))}")
        # Locks are complete except for what requirements/overrides.txt leaves out.
        session.install("--quiet", "--no-deps", "--require-hashes", "-r", str(lock))
        session.install("--quiet", "--no-deps", "--no-build-isolation", "-e", ".")
        if (ADAPTERS / lock.stem).is_dir():
            check_types(session, f"celestial_engine.adapters.{lock.stem}")
        session.run(
            "pytest", "-q", f"tests/adapters/{folder}", *OPTIONS.get(lock.stem, ()), *session.posargs,
            env={"CELESTIAL_ADAPTER": folder},
        )  # fmt: skip


def check_types(session: nox.Session, package: str) -> None:
    """Run the development environment's mypy with the types of the session's framework.

    It starts from a copy of the cache that `make check` fills, so that only the framework is added. A copy,
    because parallel sessions must not write to one cache.
    """
    if not MYPY.exists():
        session.error(f"{MYPY} is missing: run `make test-adapters`, which installs it first")
    with tempfile.TemporaryDirectory() as folder:
        if (ROOT / ".mypy_cache").is_dir():
            shutil.copytree(ROOT / ".mypy_cache", folder, dirs_exist_ok=True)
        python = str(Path(session.bin) / "python")
        session.run(
            str(MYPY), "--python-executable", python, "--cache-dir", folder, "--package", package, external=True
        )


for lock in LOCKS:
    declare(lock)
