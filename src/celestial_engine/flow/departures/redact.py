"""redact: find secrets that were stored before the guard knew them, and replace the memories that hold them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import uuid4

from celestial_engine.core.guard.guard import Guard, Note
from celestial_engine.core.guard.secrets import GuardAction, GuardPolicy, SecretKind
from celestial_engine.core.guard.stored_secret import SecretPlace, StoredSecret
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.placement import course_of, settle, stored_event, unseated
from celestial_engine.ports import ItemStore

_BATCH = 500


def redacting(policy: GuardPolicy) -> GuardPolicy:
    """Return the policy that redacts where this one redacts or blocks: what is stored already cannot be refused."""
    return GuardPolicy(
        **{
            kind.value: GuardAction.ALLOW if policy.action(kind) is GuardAction.ALLOW else GuardAction.REDACT
            for kind in SecretKind
        }
    )


def in_memories(memories: Iterable[CelestialItem], policy: GuardPolicy) -> Iterator[StoredSecret]:
    """Yield the secrets in memories; archived ones come with the text of their archive."""
    for item in memories:
        place = SecretPlace.ARCHIVE if item.state is State.ARCHIVED else SecretPlace.MEMORY
        if kinds := kinds_in(item, policy):
            yield StoredSecret(place, item.id, kinds)


def in_ledger(store: ItemStore, owner: Owner, policy: GuardPolicy) -> Iterator[StoredSecret]:
    """Yield the secrets in older versions of memories and in the entries themselves."""
    with store.read() as session:
        versions = session.ledger.versions_since(owner, 0)
    by_item: dict[str, tuple[str, ...]] = {}
    for _, version in versions:
        by_item[version.id] = (*by_item.get(version.id, ()), *kinds_in(version, policy))
    for item_id, kinds in by_item.items():
        if kinds:
            yield StoredSecret(SecretPlace.VERSION, item_id, tuple(dict.fromkeys(kinds)))
    yield from _in_entries(store, owner, policy)


def kinds_in(item: CelestialItem, policy: GuardPolicy) -> tuple[str, ...]:
    """Return the kinds of the secrets in a memory's texts."""
    guard = Guard(policy)
    guard.item(item)
    return tuple(dict.fromkeys(str(note[0]) for note in guard.notes))


def redact_memories(
    store: ItemStore,
    law: Law,
    owner: Owner,
    item_ids: Sequence[str],
    clean: Callable[[CelestialItem], tuple[CelestialItem, Sequence[Note]]],
    now: float,
) -> dict[str, str]:
    """Replace memories by redacted copies with new ids, and delete the originals with all their versions.

    Return old and new ids. A version is part of the ledger's chain as a digest alone, so that deleting the text of it
    leaves the chain whole; a new id keeps the entries of the old one true. Core memories stay: only their owner
    changes them, by a proposal.
    """
    renamed: dict[str, str] = {}
    with store.write(owner) as session:
        for item in session.items.get_many(owner, list(dict.fromkeys(item_ids))):
            if item.tier is Tier.M0 or item.protection is Protection.CORE:
                continue
            redacted, notes = clean(item)
            copy = replace(redacted, id=str(uuid4()), embedding=None)
            session.items.purge(owner, item.id)
            detail = {"reason": DepartureReason.MANUAL.value, "redacted_as": copy.id}
            session.ledger.record(Event(EventType.PURGED, owner, now, item.id, detail))
            placed = unseated(law, copy, now)
            session.items.add(placed, course_of(law, placed, now))
            session.ledger.record(stored_event(placed, now, redacted=list(notes)))
            renamed[item.id] = copy.id
        if renamed:
            settle(session, law, owner, now)
            session.orbits.settle_again(owner, now)
    return renamed


def _in_entries(store: ItemStore, owner: Owner, policy: GuardPolicy) -> Iterator[StoredSecret]:
    number = 0
    while True:
        with store.read() as session:
            entries = session.ledger.entries(owner, number, _BATCH)
        if not entries:
            return
        for entry in entries:
            guard = Guard(policy)
            for text in (entry.detail, entry.host):
                if text:
                    _read_json(guard, text)
            if guard.notes:
                yield StoredSecret(SecretPlace.LEDGER, str(entry.number), _kinds(guard.notes))
        number = entries[-1].number


def _read_json(guard: Guard, text: str) -> None:
    try:
        value = json.loads(text)
    except ValueError:
        guard.text(text)
        return
    if isinstance(value, Mapping):
        guard.metadata(dict(value))


def _kinds(notes: Sequence[Note]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(note[0]) for note in notes))
