"""stellar-memory's source, fetched once, only if these tests were requested."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Fetching needs a network, so only `nox -s stellar_shim` does it.
collect_ignore_glob = [] if os.environ.get("CELESTIAL_ADAPTER") == "stellar_shim" else ["test_*.py"]


@pytest.fixture(scope="session")
def stellar_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the source distribution, pinned by its hash; pip's cache avoids a second download."""
    folder = tmp_path_factory.mktemp("stellar")
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
            "--require-hashes", "--requirement", HERE / "stellar-memory.txt", "--dest", folder,
        ],
        check=True,
    )  # fmt: skip
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(folder, filter="data")
        else:
            packed.extractall(folder)
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source
