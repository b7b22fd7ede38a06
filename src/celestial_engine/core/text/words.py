"""Tokenises text into search words, the same way for indexing and for queries.

Korean particles attach to nouns, so Hangul is cut into pairs of syllables: 커피를 -> 커피, 피를, and a
query for 커피 finds it. The first syllable of a word is indexed too (집에서 -> 집). Chinese and
Japanese characters are paired as well. Other scripts are cut into words, and English words are stemmed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import words as ko

# Change it whenever the words of a text change: a database of another version is indexed again.
ANALYSER = "pairs-and-stems-1"


class Analyser(Protocol):
    """Tokenises texts. An index holds the words of only one analyser, identified by `name`."""

    @property
    def name(self) -> str: ...
    def index_words(self, text: str) -> list[str]: ...
    def query_words(self, text: str) -> list[str]: ...
    def quick_words(self, text: str) -> list[str]:
        """Returns the index words that are fast to compute; the others are read from the index."""
        ...


class PairsAndStems:
    """The analyser without dependencies: pairs of syllables for Korean, stems for English."""

    name = ANALYSER

    def index_words(self, text: str) -> list[str]:
        return index_words(text)

    def query_words(self, text: str) -> list[str]:
        return query_words(text)

    def quick_words(self, text: str) -> list[str]:
        return list(recent_index_words(text))


_MOST_QUERY_WORDS = 48
_FROM_THE_START = 16  # words from the start of a long query; the rest from its end, where the question is
_MOST_CACHED_CHARACTERS = 32
_MOST_RECENT_CHARACTERS = 4_000
_MOST_WORD_CHARACTERS = 64
_PAIRED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3"
# Patterns are text, compiled once and only when needed.
_RUN = rf"(?P<paired>[{_PAIRED}]+)|(?P<word>[^\W_{_PAIRED}]+)|(?P<sign>[^\w\s])"
_PORTABLE = r"[a-z0-9가-힣ぁ-ゖァ-ヺ一-鿋]+"
_ASCII_WORD = rf"([a-z0-9]{{1,{_MOST_WORD_CHARACTERS}}})[a-z0-9]*"
_STOP_WORDS = en.STOP_WORDS | ko.STOP_WORDS


def index_words(text: str) -> list[str]:
    """Returns the words to index a text by."""
    if text.isascii() and "^" not in text and "`" not in text:  # the two ASCII symbols that are words
        return list(map(_stemmed, compiled(_ASCII_WORD).findall(text.lower())))
    words: list[str] = []
    for kind, run in _runs(text):
        words += _words(kind, run, True)
    return words


def recent_index_words(text: str) -> Sequence[str]:
    """Returns the words to index a text by. Those of recent short ones are kept: a search needs its best texts twice,
    and statements that are stored one after the other are compared with the same older ones."""
    return _recent_index_words(text) if len(text) <= _MOST_RECENT_CHARACTERS else index_words(text)


@lru_cache(maxsize=1_024)  # some 600 bytes each
def _recent_index_words(text: str) -> tuple[str, ...]:
    return tuple(index_words(text))


def with_tags(text: str, tags: Iterable[str]) -> str:
    """Returns the text to index for a memory: its text and its tags."""
    return "\n".join([text, *tags])


def query_words(text: str) -> list[str]:
    """Returns the unique words of a query, without stop words unless there is nothing else."""
    content_words: dict[str, None] = {}
    stop_words: dict[str, None] = {}
    for kind, run in _runs(text):
        for word in _words(kind, run, False):
            written = run if kind == "word" else word
            ignored = written in _STOP_WORDS or (kind == "paired" and _only_asks(run))
            (stop_words if ignored else content_words)[word] = None
    return bounded(list(content_words or stop_words))


@lru_cache(maxsize=16_384)
def _only_asks(run: str) -> bool:
    """Whether a Korean word only asks: 어디야, 뭐였지."""
    return compiled(ko.QUESTION_WORDS).fullmatch(run) is not None


def bounded(words: list[str]) -> list[str]:
    """Limits the number of words of a query: keeps the first and the last ones."""
    if len(words) <= _MOST_QUERY_WORDS:
        return words
    return words[:_FROM_THE_START] + words[_FROM_THE_START - _MOST_QUERY_WORDS :]


def _runs(text: str) -> Iterator[tuple[str, str]]:
    if text.isascii():  # a short pattern, and no sign but the two that are words
        for word, sign in compiled(r"([a-z0-9]+)|([\^`])").findall(text.lower()):
            yield ("word", word) if word else ("sign", sign)
        return
    # NFKC joins decomposed Hangul and folds full-width forms.
    for paired, word, sign in compiled(_RUN).findall(unicodedata.normalize("NFKC", text).casefold()):
        if word:
            yield "word", word
        else:
            yield ("paired", paired) if paired else ("sign", sign)


def _words(kind: str, run: str, with_first: bool) -> tuple[str, ...]:
    # Long runs (a megabyte without a space) are not cached.
    tokenise = _words_of_run if len(run) <= _MOST_CACHED_CHARACTERS else _words_of_run.__wrapped__
    return tokenise(kind, run, with_first)


@lru_cache(maxsize=65_536)  # words repeat often
def _words_of_run(kind: str, run: str, with_first: bool) -> tuple[str, ...]:
    if kind == "paired" and len(run) > 1:
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        return tuple(map(_plain, [*pairs, run[0]] if with_first else pairs))
    if kind == "sign" and unicodedata.category(run) not in ("So", "Sk"):  # emoji are words, commas are not
        return ()
    return (_plain(_stemmed(run[:_MOST_WORD_CHARACTERS])),)


@lru_cache(maxsize=65_536)
def _stemmed(word: str) -> str:
    return stem(word)


def _plain(word: str) -> str:
    """Encodes words with characters that a store's tokeniser may not know as ASCII."""
    return word if compiled(_PORTABLE).fullmatch(word) else f"u{word.encode().hex()}"
