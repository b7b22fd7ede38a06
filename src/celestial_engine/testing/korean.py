"""Check that a Korean message is Korean. Names, options, paths and quoted input may be in Latin letters."""

from __future__ import annotations

import re

# Names that may stand next to another Latin word.
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
_IGNORED_PATTERNS = (
    r"`[^`]*`",  # commands and field names
    r"'(?:[^'\\]|\\.)*'",  # quoted input
    r'"(?:[^"\\]|\\.)*"',
    r"\([^()]*\)",  # messages of the system or a library, in brackets
    r"https?://\S+",
    r"(?<![\w.])/\S+",  # paths
    r"--?[a-z][\w-]*",  # options
    r"\b[A-Z]+_[A-Z_]+\b",  # variables
)


def foreign_words(said: str) -> list[str]:
    """Runs of two or more words in Latin letters."""
    for pattern in _IGNORED_PATTERNS:
        said = re.sub(pattern, "…", said)
    runs = re.findall(r"[A-Za-z]{2,}(?:[ ][A-Za-z]{2,})+", said)
    return [run for run in runs if not set(run.split()) <= NAMES]
