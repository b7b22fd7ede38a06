"""Anthropic: tools, and the memory tool."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "AnthropicAdapter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from celestial_engine import adapters  # says which extra is missing, if one is

    return adapters.AnthropicAdapter
