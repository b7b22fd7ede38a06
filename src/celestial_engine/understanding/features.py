"""Turns a text into hashed features: parts of words, words, neighbours, endings, length, punctuation.

The hash is CRC-32 of the feature's name, so that it is the same on every machine and needs no dictionary.
Changing anything here makes the trained weights worthless: raise `VERSION` and run `make train`.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

VERSION = 1
BUCKETS = 1 << 16

_HEAD, _TAIL = 1_200, 400  # characters that are read of a long text
_MOST_WORDS = 250
_MOST_CLAUSES = 40
_FEW_WORDS = 6
_LONGEST_WORD = 40
_WORDS_CACHED = 16_384  # some 300 bytes each
_TEXTS_CACHED = 32
_LENGTHS, _KOREAN_LENGTHS = (2, 3, 4, 5), (2, 3, 4)  # of parts of words
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\w\s]+|_+")
_REPEATED = re.compile(r"(.)\1{2,}", re.DOTALL)
_DIGIT = re.compile(r"\d")
_CLAUSE_END = re.compile(r"[.!?,;:…~\n]+")
_TRAILING = " .!~ㅋㅎㅠㅜ^;"
_MARKS = "?!.,~"


class HashedText(NamedTuple):
    """The hashes of a text's features, and the buckets that they fall into, each once."""

    checksums: tuple[int, ...]
    buckets: tuple[int, ...]


def hashed(text: str, previous: str | None = None) -> HashedText:
    """Returns the hashes of a text's features; `previous` is what was said before."""
    return recently_hashed(text, previous)


@lru_cache(maxsize=_TEXTS_CACHED)  # several models read the same text, and its sentences
def recently_hashed(text: str, previous: str | None) -> HashedText:
    names, words = _names_around(text, previous)
    pairs = _pairs(words)
    if len(words) <= _FEW_WORDS:
        names += ["s" + pair for pair in pairs]
    sums = set(_checksums(pairs + names))
    buckets = {each % BUCKETS for each in sums}
    parts = list(map(_hashed_word, set(words)))
    if len(words) <= _FEW_WORDS:
        parts += map(_hashed_short_word, set(words))
    sums.update(*[part.sums for part in parts])
    buckets.update(*[part.buckets for part in parts])
    return HashedText(tuple(sums), tuple(buckets))


def names_of(text: str, previous: str | None = None) -> Iterator[str]:
    """Yields the names of the features, with repetitions."""
    names, words = _names_around(text, previous)
    for name in [name for word in words for name in _names_in(word)] + _pairs(words):
        yield name
        if len(words) <= _FEW_WORDS:  # the same words mean something else in "blood type B" than within a story
            yield "s" + name
    yield from names


def _checksums(names: list[str]) -> list[int]:
    """Returns the hashes of feature names. They also tell names apart: two of one text hardly ever share 32 bits."""
    return [crc32(name.encode("utf-8", "surrogatepass")) for name in names]


class _HashedWord(NamedTuple):
    """The hashes of the names in a word, and their buckets. Arrays take a fifth of the room of tuples."""

    sums: array[int]
    buckets: array[int]


# Most words of a text are in other texts too.
@lru_cache(maxsize=_WORDS_CACHED)
def _hashed_word(word: str) -> _HashedWord:
    return _with_buckets(_checksums_in(word, ""))


@lru_cache(maxsize=_WORDS_CACHED // 8)
def _hashed_short_word(word: str) -> _HashedWord:
    return _with_buckets(_checksums_in(word, "s"))


def _with_buckets(sums: list[int]) -> _HashedWord:
    return _HashedWord(array("I", sums), array("H", [each % BUCKETS for each in sums]))


def _checksums_in(word: str, prefix: str) -> list[int]:
    """Returns the hashes of the names in a word. A hash goes on from the prefix; ASCII is encoded once."""
    if not word.isascii() or not word[0].isalnum():
        return _checksums([prefix + name for name in _names_in(word)])
    start, edged = crc32(f"{prefix}c:".encode()), f"^{word[:_LONGEST_WORD]}$".encode()
    return [
        crc32(f"{prefix}w:{word}".encode()),
        *[
            crc32(edged[place : place + length], start)
            for length in _LENGTHS
            for place in range(len(edged) - length + 1)
        ],
    ]


def _names_around(text: str, previous: str | None) -> tuple[list[str], list[str]]:
    """Returns the features of a text besides those of its words and pairs, and its words."""
    text = text if len(text) <= _HEAD + _TAIL else text[:_HEAD] + " " + text[-_TAIL:]
    plain = _plain(text)
    words = _WORD.findall(plain)[:_MOST_WORDS]
    names = _edges(words)
    ending = plain.rstrip(_TRAILING)
    names += ["e:" + ending[-length:] for length in range(1, 6)]
    for clause in _CLAUSE_END.split(plain)[:_MOST_CLAUSES]:
        spoken = clause.split()
        if spoken:
            first, last = spoken[0], spoken[-1]
            names += ["g:" + first, "g:" + " ".join(spoken[:2]), "g:" + " ".join(spoken[:3])]
            names += ["k:" + last[-2:], "k:" + last[-3:]]
    names += [f"n:{min(12, len(text) // 8)}", f"n:w{min(12, len(words))}"]
    names += [f"p:{mark}" for mark in _MARKS if mark in text]
    if text.rstrip().endswith("?"):
        names.append("p:end?")
    if previous is not None:
        asked = "?" if previous.rstrip().endswith("?") else "."
        names += ["a:" + asked, *(f"a:{asked}{word}" for word in words[:1])]
    return names, words


def _pairs(words: list[str]) -> list[str]:
    return [f"b:{first} {second}" for first, second in zip(["<", *words], [*words, ">"], strict=True)]


def _names_in(word: str) -> list[str]:
    """Returns a word and its character n-grams; Korean syllables carry more, so shorter ones tell something."""
    names = ["w:" + word]
    if not word[0].isalnum():
        return names
    word = word[:_LONGEST_WORD]
    korean = any("가" <= char <= "힣" for char in word)
    edged = f"^{word}$"
    if korean:
        names += ["c:" + char for char in word]
    for length in _KOREAN_LENGTHS if korean else _LENGTHS:
        names += ["c:" + edged[start : start + length] for start in range(len(edged) - length + 1)]
    return names


def _edges(words: list[str]) -> list[str]:
    names = ["h:" + word for word in words[:5]]
    names += [f"f:{place} {word}" for place, word in enumerate(words[:3])]
    names += [f"l:{place} {word}" for place, word in enumerate(reversed(words[-3:]))]
    if words:
        names += ["f:01 " + " ".join(words[:2]), "f:02 " + " ".join(words[:3]), "l:01 " + " ".join(words[-2:])]
    return names


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    return _DIGIT.sub("0", _REPEATED.sub(r"\1\1", plain))
