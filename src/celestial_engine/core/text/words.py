"""Text to search words, the same way for what is stored and what is asked.

Korean particles stick to nouns, so Hangul is cut into pairs of syllables: 커피를 -> 커피, 피를, and a
question for 커피 finds it. The first syllable of a word is indexed too (집에서 -> 집). Chinese and
Japanese characters are paired alike. Other scripts are cut into words, English ones to their stems.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import words as ko

# Bump it whenever the words of a text change: a database made by another version is indexed anew.
ANALYSER = "pairs-and-stems-1"


class Analyser(Protocol):
    """Makes words of texts. `name` says how: an index holds the words of one analyser alone."""

    @property
    def name(self) -> str: ...
    def index_words(self, text: str) -> list[str]: ...
    def query_words(self, text: str) -> list[str]: ...
    def quick_words(self, text: str) -> list[str]:
        """Those of the index words that are made at once; the index is asked for the others."""
        ...


class PairsAndStems:
    """The analyser that needs nothing: pairs of syllables for Korean, stems for English."""

    name = ANALYSER

    def index_words(self, text: str) -> list[str]:
        return index_words(text)

    def query_words(self, text: str) -> list[str]:
        return query_words(text)

    def quick_words(self, text: str) -> list[str]:
        return index_words(text)


_MOST_QUERY_WORDS = 48
_FROM_THE_START = 16  # of a long question; the rest from its end, where it asks
_MOST_CACHED_CHARACTERS = 32
_MOST_WORD_CHARACTERS = 64
_PAIRED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3"
# Patterns as text: `re` compiles each once, and none for a command that needs no words.
_RUN = rf"(?P<paired>[{_PAIRED}]+)|(?P<word>[^\W_{_PAIRED}]+)|(?P<sign>[^\w\s])"
_KNOWN_EVERYWHERE = r"[a-z0-9가-힣ぁ-ゖァ-ヺ一-鿋]+"
_STOP_WORDS = en.STOP_WORDS | ko.STOP_WORDS


def index_words(text: str) -> list[str]:
    """The words a text is found by."""
    if text.isascii() and "^" not in text and "`" not in text:  # the two signs of ASCII that are words
        return [_stemmed(word[:_MOST_WORD_CHARACTERS]) for word in compiled("[a-z0-9]+").findall(text.lower())]
    words: list[str] = []
    for kind, run in _runs(text):
        words += _words(kind, run, True)
    return words


def with_tags(text: str, tags: Iterable[str]) -> str:
    """What a memory is found by: its text, and its tags."""
    return "\n".join([text, *tags])


def query_words(text: str) -> list[str]:
    """The words of a question: each once, without stop words unless there is nothing else."""
    telling: dict[str, None] = {}
    others: dict[str, None] = {}
    for kind, run in _runs(text):
        for word in _words(kind, run, False):
            said = run if kind == "word" else word
            (others if said in _STOP_WORDS else telling)[word] = None
    return bounded(list(telling or others))


def bounded(words: list[str]) -> list[str]:
    """Not more words than a question may cost: those it begins with, and those it ends with."""
    if len(words) <= _MOST_QUERY_WORDS:
        return words
    return words[:_FROM_THE_START] + words[_FROM_THE_START - _MOST_QUERY_WORDS :]


def _runs(text: str) -> Iterator[tuple[str, str]]:
    # NFKC joins decomposed Hangul and folds full-width forms.
    for paired, word, sign in compiled(_RUN).findall(unicodedata.normalize("NFKC", text).casefold()):
        if word:
            yield "word", word
        else:
            yield ("paired", paired) if paired else ("sign", sign)


def _words(kind: str, run: str, with_first: bool) -> tuple[str, ...]:
    # A megabyte without a blank is a run too, and nothing to keep.
    made = _words_of_run if len(run) <= _MOST_CACHED_CHARACTERS else _words_of_run.__wrapped__
    return made(kind, run, with_first)


@lru_cache(maxsize=65_536)  # people repeat themselves
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
    """Stores know fewer letters than Python does; what they may not know is spelt out in ASCII."""
    return word if compiled(_KNOWN_EVERYWHERE).fullmatch(word) else f"u{word.encode().hex()}"
