"""Is a Korean message Korean? Names, options, paths and what somebody typed may be in Latin letters."""

from __future__ import annotations

import re

# Names that are two words, or stand beside another name.
NAMES = frozenset(
    {
        "Content",
        "celestial",
        "hook",
        "Type",
        "Celestial",
        "SQLite",
        "JSON",
        "MiB",
        "GiB",
        "UTF",
        "HTTP",
        "Kiwi",
        "DD",
        "HH",
        "MM",
    }
)
_LEFT_OUT = (
    r"`[^`]*`",  # commands and names of fields
    r"'(?:[^'\\]|\\.)*'",  # what was typed
    r'"(?:[^"\\]|\\.)*"',
    r"\([^()]*\)",  # the words of the system or of a library, in brackets
    r"https?://\S+",
    r"(?<![\w.])/\S+",  # paths
    r"--?[a-z][\w-]*",  # options
    r"\b[A-Z]+_[A-Z_]+\b",  # variables
)


def foreign_words(said: str) -> list[str]:
    """Runs of two or more words in Latin letters."""
    for pattern in _LEFT_OUT:
        said = re.sub(pattern, "…", said)
    runs = re.findall(r"[A-Za-z]{2,}(?:[ ][A-Za-z]{2,})+", said)
    return [run for run in runs if not set(run.split()) <= NAMES]
