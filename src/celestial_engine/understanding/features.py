"""Turns a text into hashed features: parts of words, words, neighbours, endings, length, punctuation.

The hash is CRC-32 of the feature's name, so that it is the same on every machine and needs no dictionary.
Changing anything here makes the trained weights worthless: raise `VERSION` and run `make train`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from zlib import crc32

VERSION = 1
BUCKETS = 1 << 16

_HEAD, _TAIL = 1_200, 400  # characters that are read of a long text
_MOST_WORDS = 250
_MOST_CLAUSES = 40
_FEW_WORDS = 6
_LONGEST_WORD = 40
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\w\s]+|_+")
_REPEATED = re.compile(r"(.)\1{2,}", re.DOTALL)
_DIGIT = re.compile(r"\d")
_CLAUSE_END = re.compile(r"[.!?,;:…~\n]+")
_TRAILING = " .!~ㅋㅎㅠㅜ^;"
_MARKS = "?!.,~"


def hashed(text: str, previous: str | None = None) -> tuple[list[int], int]:
    """Returns the buckets of a text, ascending, and how many features it has; `previous` is what was said before."""
    names = set(names_of(text, previous))
    return sorted({crc32(name.encode("utf-8", "surrogatepass")) % BUCKETS for name in names}), len(names)


def names_of(text: str, previous: str | None = None) -> Iterator[str]:
    """Yields the names of the features, with repetitions."""
    text = text if len(text) <= _HEAD + _TAIL else text[:_HEAD] + " " + text[-_TAIL:]
    plain = _plain(text)
    words = _WORD.findall(plain)[:_MOST_WORDS]
    for name in _content(words):
        yield name
        if len(words) <= _FEW_WORDS:  # the same words mean something else in "blood type B" than within a story
            yield "s" + name
    yield from _edges(words)
    ending = plain.rstrip(_TRAILING)
    for length in range(1, 6):
        yield "e:" + ending[-length:]
    for clause in _CLAUSE_END.split(plain)[:_MOST_CLAUSES]:
        spoken = clause.split()
        if spoken:
            yield from ("g:" + " ".join(spoken[:count]) for count in (1, 2, 3))
            yield "k:" + spoken[-1][-2:]
            yield "k:" + spoken[-1][-3:]
    yield f"n:{min(12, len(text) // 8)}"
    yield f"n:w{min(12, len(words))}"
    yield from (f"p:{mark}" for mark in _MARKS if mark in text)
    if text.rstrip().endswith("?"):
        yield "p:end?"
    if previous is not None:
        asked = "?" if previous.rstrip().endswith("?") else "."
        yield "a:" + asked
        yield from (f"a:{asked}{word}" for word in words[:1])


def _content(words: list[str]) -> Iterator[str]:
    for word in words:
        yield "w:" + word
        if word[0].isalnum():
            yield from _parts_of(word[:_LONGEST_WORD])
    for first, second in zip(["<", *words], [*words, ">"], strict=True):
        yield f"b:{first} {second}"


def _parts_of(word: str) -> Iterator[str]:
    """Yields the character n-grams of a word; Korean syllables carry more, so shorter ones tell something."""
    korean = any("가" <= char <= "힣" for char in word)
    edged = f"^{word}$"
    if korean:
        yield from ("c:" + char for char in word)
    for length in (2, 3, 4) if korean else (2, 3, 4, 5):
        for start in range(len(edged) - length + 1):
            yield "c:" + edged[start : start + length]


def _edges(words: list[str]) -> Iterator[str]:
    yield from ("h:" + word for word in words[:5])
    for place, word in enumerate(words[:3]):
        yield f"f:{place} {word}"
    for place, word in enumerate(reversed(words[-3:])):
        yield f"l:{place} {word}"
    if words:
        yield "f:01 " + " ".join(words[:2])
        yield "f:02 " + " ".join(words[:3])
        yield "l:01 " + " ".join(words[-2:])


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    return _DIGIT.sub("0", _REPEATED.sub(r"\1\1", plain))
