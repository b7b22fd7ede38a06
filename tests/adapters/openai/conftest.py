from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="session")
def scripted():
    """examples/scripted_server.py: a model's server on loopback, with answers from a script."""
    spec = importlib.util.spec_from_file_location("scripted_server", EXAMPLES / "scripted_server.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
