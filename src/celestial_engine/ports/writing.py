"""What a transaction can change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from celestial_engine.ports.imagining import PatternWriting
from celestial_engine.ports.learning import LessonWriting
from celestial_engine.ports.reading import Reader
from celestial_engine.ports.selfhood import SelfWriting

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import PackedVersion
    from celestial_engine.core.orbit.memory_function import Course
    from celestial_engine.core.orbit.zones import Move
    from celestial_engine.core.record.events import Event
    from celestial_engine.core.record.item import CelestialItem
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.record.versions import UsedKey


class Writer(Reader, LessonWriting, PatternWriting, SelfWriting, Protocol):
    """One transaction."""

    def add(self, item: CelestialItem, course: Course) -> int:
        """A new memory; gives its key. Its vector and its words are stored with it."""
        ...

    def key_of(self, owner: Owner, item_id: str) -> int: ...
    def id_of(self, key: int) -> str: ...
    def rewrite(self, item: CelestialItem, course: Course) -> None:
        """Everything of an existing memory, words and vector included.

        What it was before becomes the version of the event that is recorded next about it.
        """
        ...

    def reinforce(self, key: int, now: float, context: float, zone: int, course: Course) -> None:
        """One more recall, counted in the store so that no other process's count is lost."""
        ...

    def mention(self, key: int) -> None:
        """Said once more, counted in the store as recalls are."""
        ...

    def set_courses(self, courses: Iterable[tuple[int, int, Course]]) -> None:
        """Many at once: key, zone, course."""
        ...

    def move(self, moves: Iterable[Move]) -> None: ...
    def settle_again(self, owner: Owner, at: float | None) -> None:
        """When this owner's bounded zones next need new seats (None: not before something changes)."""
        ...

    def purge(self, owner: Owner, item_id: str) -> None:
        """Text, words, vector and versions, gone, and the links of those that it was tied to."""
        ...

    def use_key(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        """Keeps what a request with this key asked for; keys from before that moment are forgotten."""
        ...

    def begin_archive(self, file: str, owner: Owner, session_id: str | None, now: float) -> None:
        """A file that is about to be written: whatever happens then, it is known."""
        ...

    def shelve(self, owner: Owner, item_ids: Sequence[str], file: str) -> None:
        """These memories lie in that file from now on, which is whole; who leaves it again marks it as changed."""
        ...

    def drop_archive(self, file: str) -> None:
        """A file that is no more; nobody lies in it."""
        ...

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        """What the ledger keeps of a memory's past leaves the store, for the archive."""
        ...

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None: ...

    def record(self, event: Event) -> int:
        """Writes the event as the next entry of the chain; gives its number."""
        ...

    def adopt_embedder(self, name: str) -> None:
        """From now on vectors are of this model; those of another are gone."""
        ...

    def set_vectors(self, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        """Key, text and vector for memories that have none; those changed or gone meanwhile are passed over."""
        ...

    def adopt_law(self, law: str) -> None:
        """Another law: every memory in orbit is due for a new course."""
        ...
