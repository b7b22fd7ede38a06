"""Reads what a text says, with compact trained classifiers in plain Python. See docs/understanding.md."""

from __future__ import annotations

from celestial_engine.understanding.reader import Influence, Reader, default_reader

__all__ = ["Influence", "Reader", "default_reader"]
