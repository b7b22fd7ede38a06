"""The dashboard's types fit: what the server sends, what the pages expect."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

DASHBOARD = Path(__file__).parents[2] / "dashboard"


def test_the_compiler_finds_no_error():
    compiler = DASHBOARD / "node_modules" / "typescript" / "bin" / "tsc"
    node = shutil.which("node")
    if node is None or not compiler.is_file():
        pytest.skip("Node.js or the dashboard's packages are not there: `npm ci` in dashboard/ brings them")
    done = subprocess.run([node, compiler, "--noEmit"], cwd=DASHBOARD, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
