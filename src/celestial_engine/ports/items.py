"""Session group `items`: memories as records, and the counters in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from celestial_engine.core.record.owner import Owner

if TYPE_CHECKING:
    from celestial_engine.core.orbit.memory_function import Course
    from celestial_engine.core.paging import PagePosition
    from celestial_engine.core.record.forgetting import State
    from celestial_engine.core.record.item import Category, CelestialItem
    from celestial_engine.core.record.item_filter import ItemFilter
    from celestial_engine.core.record.labels import Attribute, Subject


class ItemKey(NamedTuple):
    """The store's own key of a memory. The number means nothing without the owner.

    Within an owner keys are above 0 and rise in the order of storing.
    """

    owner: Owner
    key: int


class SessionSpan(NamedTuple):
    """When a session began, and the sequence number of its last memory."""

    started_at: float
    last_sequence: int


class LastingFact(NamedTuple):
    """A memory that stays true for a year or more, by its address; it may have been superseded."""

    subject: Subject
    attribute: Attribute
    item_id: str


class Recalled(NamedTuple):
    """A memory that was recalled: how close the question was to it, its zone and its course from now on."""

    key: int
    context: float
    zone: int
    course: Course


class Items(Protocol):
    """Records of one owner at a time; another owner's memory is never returned.

    Consistency: the state at the start of the session. Returned items are copies: changing one writes nothing.
    """

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None:
        """One memory in any state; None if the owner has none with this id."""
        ...

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        """These memories in the order of `item_ids`; missing ones are left out."""
        ...

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]:
        """Ids that begin with `prefix`, in alphabetical order."""
        ...

    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        """The chosen memories by `created_at`, newest first, then by key, highest first.

        `before` continues behind that position; it may name a memory that is gone.
        """
        ...

    def lasting(self, owner: Owner, each: int) -> list[LastingFact]:
        """The lasting memories in orbit that have an address: of each address the newest, at most `each`.

        Newest first within an address, as in `newest`; addresses in any order; superseded memories included. The
        cost must not grow with the number of memories.
        """
        ...

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        """The owner's next memories behind the key `after`, in any state, in the order of keys.

        With their keys; -1 starts at the beginning.
        """
        ...

    def key_of(self, owner: Owner, item_id: str) -> int:
        """The key of a memory; raises NotFoundError if the owner has none with this id."""
        ...

    def keys_of(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, int]:
        """The keys of these memories by id; what the owner does not have is left out."""
        ...

    def id_of(self, owner: Owner, key: int) -> str:
        """The id of a memory; raises KeyError if the owner has none with this key."""
        ...

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None:
        """The span of a session, over memories in every state; None if no memory belongs to it."""
        ...

    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        """The ids of the sessions that the chosen memories belong to, in alphabetical order."""
        ...

    def state_counts(self, owner: Owner) -> dict[State, int]:
        """How many memories are in each state; a state that no memory is in has no entry."""
        ...

    def category_counts(self, owner: Owner) -> dict[Category, int]:
        """How many memories in orbit have each category; a category without memories has no entry."""
        ...


class ItemWriter(Items, Protocol):
    """Reads and writes; reads, counts and searches of this session see what it wrote."""

    def add(self, item: CelestialItem, course: Course) -> int:
        """Inserts a memory with its words, vector, relations and course; returns its key.

        The caller has checked that the owner has no memory with this id.
        """
        ...

    def add_many(self, items: Sequence[tuple[CelestialItem, Course]]) -> list[int]:
        """Inserts memories as `add` does, one after the other, and returns their keys; faster for many."""
        ...

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        """Replaces every field of an existing memory, with its words, vector and relations; the key stays.

        The previous state is kept as the version of the next event about it; of several changes before one event, the
        first. Raises NotFoundError if there is none.
        """
        ...

    def reinforce(self, owner: Owner, now: float, recalled: Sequence[Recalled]) -> None:
        """Adds one to the recall count of each in the store, so that no other writer's count is lost.

        Sets the time of recall, the context score, the zone and the course. Ignores keys without a memory.
        """
        ...

    def mention(self, owner: Owner, item_id: str) -> None:
        """Adds one to the mention count in the store; does nothing if there is no such memory."""
        ...

    def purge(self, owner: Owner, item_id: str) -> None:
        """Deletes a memory and every copy of its text: words, vector, relations, versions, turns and request keys.

        Also removes it from the links of other memories, from the self and from its archive. Its ledger events
        stay. Raises NotFoundError if there is none.
        """
        ...
