"""Text as PostgreSQL takes it: NUL and lone surrogates are escaped, everything else stays readable."""

from __future__ import annotations

import re

# A noncharacter: valid UTF-8, in no real text. It is escaped itself, so that every text comes back as it was.
_ESCAPE = "\ufdd0"
_REFUSED = re.compile("[\0\ud800-\udfff\ufdd0]")
_ESCAPED = re.compile(_ESCAPE + "([0-9a-f]{4})")


def escaped(text: str) -> str:
    if text.isascii() and "\0" not in text:
        return text
    return _REFUSED.sub(lambda match: f"{_ESCAPE}{ord(match[0]):04x}", text)


def unescaped(text: str) -> str:
    if _ESCAPE not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
