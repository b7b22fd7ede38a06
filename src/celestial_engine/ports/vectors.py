"""Session group `vectors`: which embedder made the vectors, and which memories have none yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports.items import ItemKey


class MissingVector(NamedTuple):
    """A memory in orbit without a vector."""

    key: ItemKey
    text: str


class Vectors(Protocol):
    """Of all owners: a store has one embedder. Consistency: the state at the start of the session."""

    def embedder_name(self) -> str | None:
        """The embedder that made the stored vectors; None if none was ever adopted."""
        ...

    def dimension(self) -> int | None:
        """The length of the stored vectors; None if there are none."""
        ...

    def missing(self, after: ItemKey | None, limit: int) -> list[MissingVector]:
        """The next memories in orbit without a vector: owner by owner, each owner's in the order of keys.

        `after` continues behind a key of an earlier call, in any later session; None starts at the beginning.
        """
        ...

    def count_missing(self, after: ItemKey | None) -> int:
        """How many memories `missing` has left behind `after`."""
        ...


class VectorWriter(Vectors, Protocol):
    """Reads and writes; reads see what this session wrote."""

    def adopt_embedder(self, name: str) -> None:
        """Deletes all vectors and stores the embedder that makes new ones. Needs a session of all owners."""
        ...

    def put_missing(self, owner: Owner, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        """Stores vectors of this owner's memories that have none, as key, text and vector.

        A memory that is gone, out of orbit, reworded or embedded since is skipped.
        """
        ...
