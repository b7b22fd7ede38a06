"""Baselines: search by words, and fusions with vectors, as a short script would do it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.recall.data import Question, Task
from benchmarks.recall.measure import LIMIT
from benchmarks.recall.vectors import CachedModel

Scores = Any  # a numpy array: one score per memory


class Fts5:
    """SQLite FTS5 with Porter stemming, OR of all words, bm25."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "fts5.db")
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'porter unicode61')")

    def store(self, task: Task) -> None:
        with self._db:
            self._db.executemany("INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate(task.texts))

    def find(self, question: Question) -> list[int]:
        return self.ranked(question.text, LIMIT)

    def ranked(self, question: str, limit: int) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        rows = self._db.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (words or '""', limit)
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        self._db.close()


class Bm25s:
    """The library bm25s, with its own tokenizer (English stop words, Snowball stems) or a given one."""

    def __init__(self, _folder: Path, words_of: Callable[[str], list[str]] | None = None) -> None:
        import bm25s

        self._retriever = bm25s.BM25()
        self._words_of = words_of or _english_words()
        self._size = 0
        self._known: set[str] = set()

    def store(self, task: Task) -> None:
        corpus = [self._words_of(text) for text in task.texts]
        self._size = len(corpus)
        self._known = {word for words in corpus for word in words}
        self._retriever.index(corpus, show_progress=False)

    def find(self, question: Question) -> list[int]:
        return _best(self.scores(question.text))

    def scores(self, question: str) -> Scores:
        words = [word for word in self._words_of(question) if word in self._known]
        if not words:
            import numpy as np

            return np.zeros(self._size, dtype=np.float32)
        return self._retriever.get_scores(words)

    def close(self) -> None:
        pass


def _english_words() -> Callable[[str], list[str]]:
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def words(text: str) -> list[str]:
        found: list[list[str]] = bm25s.tokenize(
            [text], stopwords="en", stemmer=stemmer, return_ids=False, show_progress=False
        )
        return found[0]

    return words


def kiwi(folder: Path) -> Bm25s:
    """BM25 over Kiwi's morphemes, without particles and endings."""
    return Bm25s(folder, _morphemes())


def _morphemes() -> Callable[[str], list[str]]:
    global _KIWI
    if _KIWI is None:  # its model takes seconds to load and half a gigabyte of memory
        from kiwipiepy import Kiwi

        _KIWI = Kiwi(num_workers=1)
    model = _KIWI

    def words(text: str) -> list[str]:
        return [
            token.form.lower() for token in model.tokenize(text) if not token.tag.startswith(("J", "E", "S"))
        ] or [token.form for token in model.tokenize(text)]

    return words


_KIWI: Any = None


class Vectors:
    """Exact vector search by a matrix product."""

    def __init__(self, _folder: Path, model: CachedModel) -> None:
        self._model = model
        self._matrix: Any = None

    def store(self, task: Task) -> None:
        import numpy as np

        self._matrix = np.array(self._model.passages(task.texts), dtype=np.float32)

    def find(self, question: Question) -> list[int]:
        return _best(self.scores(question.text))

    def scores(self, question: str) -> Scores:
        import numpy as np

        return self._matrix @ np.array(self._model.query(question), dtype=np.float32)

    def close(self) -> None:
        pass


class ReciprocalRanks:
    """Reciprocal rank fusion of FTS5 and vectors, 100 of each: the sum of 1 / (60 + rank)."""

    def __init__(self, folder: Path, model: CachedModel) -> None:
        self._words = Fts5(folder)
        self._vectors = Vectors(folder, model)

    def store(self, task: Task) -> None:
        self._words.store(task)
        self._vectors.store(task)

    def find(self, question: Question) -> list[int]:
        lists = (self._words.ranked(question.text, 100), _best(self._vectors.scores(question.text), 100))
        fused: dict[int, float] = {}
        for ranked in lists:
            for rank, number in enumerate(ranked, 1):
                fused[number] = fused.get(number, 0.0) + 1 / (60 + rank)
        return sorted(fused, key=lambda number: -fused[number])[:LIMIT]

    def close(self) -> None:
        self._words.close()


class Script:
    """Half bm25s, half vectors, both min-max scaled; for chats also neighbours and the named speaker."""

    _SPEAKER = re.compile(r"\[[^]]*\] ([^:]+):")

    def __init__(self, folder: Path, model: CachedModel, *, chat: bool = False) -> None:
        self._words = Bm25s(folder)
        self._vectors = Vectors(folder, model)
        self._chat = chat
        self._together: Any = None
        self._speakers: Mapping[str, Any] = {}

    def store(self, task: Task) -> None:
        import numpy as np

        self._words.store(task)
        self._vectors.store(task)
        sessions = np.array([memory.session for memory in task.memories])
        self._together = sessions[1:] == sessions[:-1]
        found = [self._SPEAKER.match(text) for text in task.texts]
        names = np.array([match.group(1) if match else "" for match in found])
        self._speakers = {name: names == name for name in set(names.tolist()) - {""}}

    def find(self, question: Question) -> list[int]:
        scores = 0.5 * _spread(self._words.scores(question.text)) + 0.5 * _spread(self._vectors.scores(question.text))
        return _best(self._as_chat(scores, question.text) if self._chat else scores)

    def _as_chat(self, scores: Scores, question: str) -> Scores:
        raised = scores.copy()
        raised[1:] += 0.2 * scores[:-1] * self._together
        raised[:-1] += 0.2 * scores[1:] * self._together
        for name, said in self._speakers.items():
            if name.lower() in question.lower():
                raised += 0.1 * said
        return raised

    def close(self) -> None:
        pass


def _spread(scores: Scores) -> Scores:
    span = scores.max() - scores.min()
    return (scores - scores.min()) / span if span > 0 else scores * 0


def _best(scores: Scores, limit: int = LIMIT) -> list[int]:
    import numpy as np

    order: Sequence[int] = np.argsort(-scores, kind="stable")[:limit].tolist()
    return list(order)
