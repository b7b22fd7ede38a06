"""docs/coordinates.md tells of every condition and method."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from celestial_engine import ItemFilter, MemoryStore

PAGE = Path(__file__).parents[2] / "docs" / "coordinates.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_every_condition_and_method_is_told():
    text = PAGE.read_text(encoding="utf-8")
    assert len(EXAMPLES) == 2
    for part in fields(ItemFilter):
        assert f"`{part.name}" in text, part.name
    for name in vars(MemoryStore):
        if not name.startswith("_") and name not in ("close", "memory", "add", "search"):
            assert f"`{name}`" in text, name
