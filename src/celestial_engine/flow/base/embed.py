"""embed: turn texts into checked vectors with the configured model; failures are reported, never hidden.

A memory is stored even without a vector: word search still finds it, and `reindex` embeds it later.
"""

from __future__ import annotations

import logging
import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.language import language_of
from celestial_engine.errors import EmbeddingError, Reason
from celestial_engine.ports import Embedder, ItemStore, Progress

if TYPE_CHECKING:
    from celestial_engine.core.sameness.succession import VectorScale

logger = logging.getLogger(__name__)

_BATCH = 32


class Embedding:
    """The embedder of one engine, or none. Vectors of different models or lengths are never mixed."""

    def __init__(self, embedder: Embedder | None, store: ItemStore) -> None:
        self._embedder = embedder
        self._store = store
        self._dimension: int | None = None
        self.in_use = False
        if embedder is None:
            return
        with store.read() as session:
            stored_name, self._dimension = session.vectors.embedder_name(), session.vectors.dimension()
        if stored_name is None:
            with store.write_whole_store() as writer:
                if writer.vectors.embedder_name() is None:  # another process may have set it first
                    writer.vectors.adopt_embedder(embedder.name)
        self.in_use = True
        self._check_in_use()

    def _check_in_use(self) -> bool:
        """Return whether the stored vectors come from this model; another process may have changed it."""
        if self._embedder is None:
            return False
        with self._store.read() as session:
            stored_name = session.vectors.embedder_name()
        if self.in_use and stored_name != self._embedder.name:
            logger.warning(
                "the vectors of %s were made by %s; %s is not mixed with them. `celestial reindex` rebuilds them.",
                self._store.path, stored_name, self._embedder.name,
            )  # fmt: skip
        self.in_use = stored_name == self._embedder.name
        return self.in_use

    @property
    def name(self) -> str | None:
        """The name of the model; None if there is none."""
        return None if self._embedder is None else self._embedder.name

    def missing(self, text: str) -> Reason:
        """Return why this query has no vector."""
        if self._embedder is None:
            return Reason.NO_EMBEDDER
        if not self.in_use:
            return Reason.EMBEDDER_DIFFERS
        return Reason.EMBEDDER_FAILED if self._supports_language_of(text) else Reason.EMBEDDER_LANGUAGE

    def _supports_language_of(self, text: str) -> bool:
        """Return whether the model supports the text's language.

        A model may list its `languages`; for other languages its ranking would only make word search worse.
        """
        languages = getattr(self._embedder, "languages", None)
        return languages is None or language_of(text).value in languages

    def passage(self, text: str) -> list[float] | None:
        """Return the vector of a memory, or None if there is no model or it failed."""
        return self.passages([text])[0]

    def passages(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return the vectors of many memories.

        A failed batch is retried one by one, so that one bad text does not spoil the others.
        """
        if self._embedder is None or not self._check_in_use():
            return [None] * len(texts)
        vectors: list[list[float] | None] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            try:
                vectors += self._checked(self._embedder.passages, batch)
            except EmbeddingError as error:
                if len(batch) > 1:
                    vectors += [self.passage(text) for text in batch]
                else:
                    logger.warning("going on without a vector: %s", error)
                    vectors.append(None)
        return vectors

    def embed_missing(self, owner: Owner, items: Sequence[CelestialItem]) -> None:
        """Embed stored memories that lack a vector because the model changed while they were archived."""
        unembedded = [item for item in items if item.embedding is None]
        for item, vector in zip(unembedded, self.passages([item.content for item in unembedded]), strict=True):
            if vector is not None:
                with self._store.write(owner, durable=False) as session:
                    session.vectors.put_missing(owner, [(session.items.key_of(owner, item.id), item.content, vector)])
                item.embedding = vector

    def query(self, text: str) -> list[float] | None:
        """Return the vector of a query, or None if no model supports it or the model failed."""
        if self._embedder is None or not self._supports_language_of(text) or not self._check_in_use():
            return None
        embed_query = self._embedder.query
        try:
            return self._checked(lambda texts: [embed_query(texts[0])], [text])[0]
        except EmbeddingError as error:
            logger.warning("going on without a vector: %s", error)
            return None

    def closeness(self, cosine: float) -> float:
        """C(m): how well a memory matches a query, 0 to 1 on this model's own scale."""
        return 0.0 if self._embedder is None else min(1.0, max(0.0, self._embedder.closeness(cosine)))

    @property
    def scale(self) -> VectorScale:
        """Return what it takes to compare two vectors of this model."""
        from celestial_engine.core.sameness.succession import VectorScale

        return VectorScale(self.name or "", self.closeness)

    def reindex(self, owner: Owner, now: float, progress: Progress | None = None) -> ReindexResult:
        """Embed every memory that has no vector from this model yet. Can be interrupted and called again."""
        if self._embedder is None:
            from celestial_engine.install_hints import install_command

            raise EmbeddingError(Reason.NO_EMBEDDER_TO_USE, install=install_command("embeddings"))
        self._dimension = None
        length = len(self._checked(self._embedder.passages, ["probe"])[0])  # fail here, before any vector is dropped
        with self._store.write_whole_store() as writer:
            stored_name, dimension = writer.vectors.embedder_name(), writer.vectors.dimension()
            # The same name with another length is another model too.
            if stored_name != self._embedder.name or dimension not in (None, length):
                writer.vectors.adopt_embedder(self._embedder.name)
        self.in_use = True
        embedded_count, failed, last = 0, 0, None
        while True:
            with self._store.read() as session:
                batch = session.vectors.missing(last, _BATCH)
                total = embedded_count + failed + session.vectors.count_missing(last)
            if not batch:
                return ReindexResult(embedded_count, failed)
            last = batch[-1].key
            vectors = self.passages([missing.text for missing in batch])
            ready: dict[Owner, list[tuple[int, str, list[float]]]] = {}
            for missing, vector in zip(batch, vectors, strict=True):
                if vector is not None:
                    ready.setdefault(missing.key.owner, []).append((missing.key.key, missing.text, vector))
            embedded = sum(map(len, ready.values()))
            for batch_owner, entries in ready.items():
                with self._store.write(batch_owner) as writer:
                    if writer.vectors.embedder_name() != self._embedder.name:
                        raise EmbeddingError(Reason.EMBEDDER_REPLACED)
                    writer.vectors.put_missing(batch_owner, entries)
            with self._store.write(owner) as writer:
                detail = {"embedder": self._embedder.name, "embedded": embedded}
                writer.ledger.record(Event(EventType.REINDEXED, owner, now, None, detail))
            embedded_count += embedded
            failed += len(batch) - embedded
            if progress is not None:
                progress(embedded_count + failed, total)

    def _checked(
        self, function: Callable[[Sequence[str]], Sequence[Sequence[float]]], texts: Sequence[str]
    ) -> list[list[float]]:
        try:
            # Check the 32-bit values that will be stored: some floats overflow or underflow.
            vectors = [array("f", map(float, vector)).tolist() for vector in function(texts)]
        except EmbeddingError:
            raise
        except Exception as error:
            raise EmbeddingError(Reason.SYSTEM_ERROR, cause=f"{type(error).__name__}: {error}") from error
        if len(vectors) != len(texts):
            raise EmbeddingError(Reason.VECTOR_COUNT, got=len(vectors), count=len(texts))
        for vector in vectors:
            if not vector or not math.isfinite(sum(map(abs, vector))) or not math.hypot(*vector):
                raise EmbeddingError(Reason.VECTOR_UNUSABLE)
            if self._dimension is None:
                self._dimension = len(vector)
            if len(vector) != self._dimension:
                raise EmbeddingError(Reason.VECTOR_LENGTH, got=len(vector), count=self._dimension)
        return vectors


@dataclass(frozen=True)
class ReindexResult:
    """How many memories were embedded, and how many failed."""

    embedded: int
    failed: int
