"""What a terminal does to text: how wide it is drawn, and which characters must never reach it.

Memory text is untrusted: an escape sequence in it could recolour the screen, rename the window or hide
what was said. So nothing that is printed for people carries a control character.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import unicodedata

from celestial_engine.config.sources import process_environment

_JOINERS = "\u200c\u200d"  # invisible, but emoji and some scripts are spelt with them
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACES = re.compile(r"\s+")
# JSON escapes the old control characters itself; these it would let through to a terminal.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def neutralised(text: str) -> str:
    """The text with every control character replaced by a visible sign."""
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def one_line(text: str) -> str:
    """The text as one harmless line: every run of white space is one space."""
    return neutralised(_SPACES.sub(" ", text).strip())


def harmless_lines(text: str) -> list[str]:
    """The text's own lines, each harmless."""
    return [neutralised(line.removesuffix("\r").replace("\t", "    ")) for line in text.split("\n")]


def harmless_json(value: object, *, indent: int | None = None) -> str:
    """JSON that parses to exactly this value, and that a terminal can show."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def drawn_width(text: str) -> int:
    """How many terminal columns a text takes: Korean syllables and emoji take two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fitted(text: str, columns: int) -> str:
    """The text cut to so many columns, with an ellipsis where it was cut."""
    if drawn_width(text) <= columns:
        return text
    kept, used = [], 1  # the ellipsis takes one
    for char in text:
        used += _columns(char)
        if used > columns:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """The text filled up with spaces to so many columns."""
    filling = " " * (columns - drawn_width(text))
    return filling + text if right else text + filling


def bar(share: float, columns: int = 20, sign: str = "█") -> str:
    """A share from 0 to 1 as a bar; a small share is still one sign, a negligible one none."""
    return sign * max(round(min(share, 1.0) * columns), 1 if share >= 0.0005 else 0)


def terminal_columns() -> int | None:
    """The width of the terminal (or COLUMNS); None when output goes elsewhere, where nothing need be cut."""
    with contextlib.suppress(KeyError, ValueError):
        return int(process_environment()["COLUMNS"]) or None
    with contextlib.suppress(OSError):
        return os.get_terminal_size(1).columns or None  # shutil does the same but loads three compressors
    return None


def _visible(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)  # the pictures of the control characters: ␛ for escape
    if code == 0x7F:
        return "␡"
    if unicodedata.category(char) in _UNSAFE_CATEGORIES and char not in _JOINERS:
        return "\ufffd"
    return char


def _columns(char: str) -> int:
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    # Decomposed Hangul draws its vowels and final consonants into the first letter's cell.
    if "\u1160" <= char <= "\u11ff" or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 1
