"""Claude Code itself, out of the wheel of `claude-agent-sdk` that carries it (160 MB: too much for everybody's environment)."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def download(folder: Path) -> Path:
    """Returns the program; skips the test where it cannot be had. `CLAUDE_BINARY` names one that is there."""
    given = os.environ.get("CLAUDE_BINARY")
    if given:
        return Path(given)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*pip, "-d", str(folder), "claude-agent-sdk"], capture_output=True, text=True)
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        pytest.skip(f"claude-agent-sdk cannot be had here: {done.stderr.strip()[-200:]}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        name = next((name for name in wheel.namelist() if name.startswith("claude_agent_sdk/_bundled/claude")), None)
        if name is None:
            pytest.skip("the wheel of claude-agent-sdk carries no program here")
        program = Path(wheel.extract(name, folder))
    wheels[0].unlink()
    program.chmod(0o755)
    return program
