"""Text to search words, the same way for what is stored and what is asked.

Korean particles stick to nouns, so Hangul is cut into pairs of syllables: 커피를 -> 커피, 피를, and a
question for 커피 finds it. The first syllable of a word is indexed too (집에서 -> 집). Chinese and
Japanese characters are paired alike. Other scripts are cut into words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from celestial_engine.lang import en, ko

# Bump it whenever the words of a text change: a database made by another version is indexed anew.
ANALYSER = "pairs-1"

_MOST_QUERY_WORDS = 48
_MOST_WORD_CHARACTERS = 64
_PAIRED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3"
_RUN = re.compile(rf"(?P<paired>[{_PAIRED}]+)|(?P<word>[^\W_{_PAIRED}]+)|(?P<sign>[^\w\s])")
_STOP_WORDS = en.STOP_WORDS | ko.STOP_WORDS


def index_words(text: str) -> list[str]:
    """The words a text is found by."""
    words: list[str] = []
    for kind, run in _runs(text):
        if kind == "paired":
            words.extend(_pairs(run))
            if len(run) > 1:
                words.append(run[0])
        elif kind == "word":
            words.append(run[:_MOST_WORD_CHARACTERS])
        elif unicodedata.category(run) in ("So", "Sk"):  # emoji are words too
            words.append(f"sign{ord(run):x}")
    return words


def query_words(text: str) -> list[str]:
    """The words of a question: each once, without stop words unless there is nothing else."""
    words: dict[str, None] = {}
    for kind, run in _runs(text):
        if kind == "paired":
            words.update(dict.fromkeys(_pairs(run)))
        elif kind == "word":
            words[run[:_MOST_WORD_CHARACTERS]] = None
        elif unicodedata.category(run) in ("So", "Sk"):
            words[f"sign{ord(run):x}"] = None
    telling = [word for word in words if word not in _STOP_WORDS]
    return (telling or list(words))[:_MOST_QUERY_WORDS]


def _runs(text: str) -> Iterator[tuple[str, str]]:
    # NFKC joins decomposed Hangul and folds full-width forms.
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        yield match.lastgroup or "", match.group()


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
