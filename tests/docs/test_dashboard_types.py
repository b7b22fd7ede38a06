"""The page knows the operations by types that are written from their declarations."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from celestial_engine.core.federation.messages import Rejection

DASHBOARD = Path(__file__).parents[2] / "dashboard"


def test_the_types_of_the_page_are_in_step():
    """dashboard/src/api/operations.ts is what the declarations say; `python dashboard/scripts/write_types.py` writes it."""
    spec = importlib.util.spec_from_file_location("write_types", DASHBOARD / "scripts" / "write_types.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DASHBOARD / "src" / "api" / "operations.ts").read_text(encoding="utf-8") == module.text()


def test_every_reason_to_refuse_a_message_has_words():
    """In both languages; a new reason would be shown by its name in the code."""
    words = (DASHBOARD / "src" / "views" / "federation" / "reasons.ts").read_text(encoding="utf-8")
    for reason in Rejection:
        assert words.count(f"    {reason.value}: ") == 2, reason
