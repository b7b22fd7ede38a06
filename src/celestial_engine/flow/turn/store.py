"""store and update: build the record, score it, place it, write it. One transaction each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.guard.guard import Note, trust_in
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import KEY_HOLDS_SECONDS, UsedKey, check_version, request_digest
from celestial_engine.core.text.perception import Perception
from celestial_engine.errors import (
    Action,
    InvalidItemError,
    KeyReusedError,
    NotFoundError,
    ProtectedError,
    Reason,
    Thing,
    WrongStateError,
)
from celestial_engine.flow.base.placement import course_of, get_changeable, only_owner, place, settle, state_name
from celestial_engine.flow.turn.record import with_token_count
from celestial_engine.ports import ItemKey, ItemStore, SessionSpan, Writer


def store(
    items_store: ItemStore,
    law: Law,
    item: CelestialItem,
    now: float,
    fallback_from: str | None = None,
    *,
    loosely: bool = False,
    redacted: Sequence[Note] = (),
    key: str | None = None,
) -> CelestialItem:
    """Write one new memory; `fallback_from` names an evaluator that failed to rate it.

    Linked memories must exist unless `loosely` is set: then they may come later or never. If the same request used
    this `key` before, the memory that it created is returned.
    """
    with items_store.write(item.owner) as session:
        if key is not None:
            digest, since = request_digest(item), now - KEY_HOLDS_SECONDS
            used = session.keys.get(item.owner, key, since)
            if used is not None and used.digest != digest:
                raise KeyReusedError(key=key)
            stored = None if used is None else session.items.get(item.owner, used.item_id)
            if stored is not None:
                return replace(stored, total_score=law.function.score(stored, now))
        if session.items.get(item.owner, item.id) is not None:
            raise InvalidItemError(Reason.ALREADY_THERE, thing=Thing.MEMORY, got=item.id)
        _set_session_position(session, item)
        _write_links(session, law, item, now, loosely=loosely)
        place(session, law, item, now)
        session.items.add(item, course_of(law, item, now))
        session.ledger.record(_stored_event(item, now, fallback_from=fallback_from, redacted=redacted))
        if key is not None:
            session.keys.put(item.owner, key, UsedKey(digest, item.id), now, since)
    return item


def store_many(
    items_store: ItemStore,
    law: Law,
    items: Sequence[CelestialItem],
    now: float,
    redacted: Mapping[str, Sequence[Note]],
) -> Sequence[CelestialItem]:
    """Write many memories, all or none. They start in the open zones; seats are assigned once at the end."""
    zones = law.function.zones
    added: dict[ItemKey, CelestialItem] = {}
    with items_store.write(only_owner(items)) as session:
        spans: dict[tuple[Owner, str | None], SessionSpan] = {}
        for item in items:
            spans[item.owner, item.time.session_id] = _set_session_position(
                session, item, spans.get((item.owner, item.time.session_id))
            )
            item.total_score = law.function.score(item, now)
            item.zone = max(zones.zone_of(item.total_score), zones.overflow_zone)
            added[ItemKey(item.owner, session.items.add(item, course_of(law, item, now)))] = item
        for owner in {item.owner for item in items}:
            for move in settle(session, law, owner, now):
                if (key := ItemKey(owner, move.key)) in added:
                    added[key].zone = move.to_zone
            session.orbits.settle_again(owner, now)  # assign seats after every course is up to date
        for item in items:
            session.ledger.record(_stored_event(item, now, redacted=redacted.get(item.id)))
    return items


def _set_session_position(session: Writer, item: CelestialItem, span: SessionSpan | None = None) -> SessionSpan:
    """Set its position in the session and the minutes since it began, unless the host gave them."""
    time = item.time
    if time.session_id is None:
        return SessionSpan(item.created_at, 0)
    span = span or session.items.session_span(item.owner, time.session_id) or SessionSpan(item.created_at, 0)
    sequence = span.last_sequence + 1 if time.sequence is None else time.sequence
    minutes = time.relative_time_minutes
    if minutes is None:
        minutes = round(max(0.0, item.created_at - span.started_at) / 60.0, 4)
    item.time = replace(time, sequence=sequence, relative_time_minutes=minutes)
    return span._replace(last_sequence=sequence)


def _write_links(session: Writer, law: Law, item: CelestialItem, now: float, *, loosely: bool) -> None:
    """Store each link on both sides."""
    links = item.links
    for other_id in dict.fromkeys((links.parent, *links.children, *links.related)):
        if other_id is None:
            continue
        if other_id == item.id:
            raise InvalidItemError(Reason.LINKED_TO_ITSELF, got=item.id)
        other = session.items.get(item.owner, other_id)
        if other is None:
            if loosely:
                continue
            raise NotFoundError(item_id=other_id)
        if other.state is State.ARCHIVED:
            continue  # an archive file is not rewritten
        tied = other.links
        if other_id == links.parent:
            tied = tied.with_child(item.id)
        if other_id in links.related:
            tied = tied.with_related(item.id)
        if other_id in links.children and tied.parent is None:
            tied = replace(tied, parent=item.id)
        if tied == other.links:
            continue
        other.links = tied
        if other.state.in_orbit:
            place(session, law, other, now, session.items.key_of(item.owner, other_id))
        session.items.rewrite(other, course_of(law, other, now))
        session.ledger.record(Event(EventType.UPDATED, item.owner, now, other_id, {"fields": ["links"]}))


@dataclass(frozen=True)
class ItemChange:
    """What an update sets; None leaves a field as it is."""

    content: str | None = None
    embedding: list[float] | None = None
    perceived: Perception | None = None
    importance: Evaluation | None = None
    metadata: dict[str, Any] | None = None
    emotion: EmotionCoordinate | None = None
    tags: tuple[str, ...] | None = None
    redacted: Sequence[Note] = ()

    def fields(self) -> list[str]:
        return [name for name in ("content", "importance", "metadata", "tags") if getattr(self, name) is not None]


def update(
    items_store: ItemStore,
    law: Law,
    owner: Owner,
    item_id: str,
    change: ItemChange,
    now: float,
    if_version: str | None = None,
) -> CelestialItem:
    """Change text, importance, metadata or tags. The recall history stays: it is the same memory."""
    with items_store.write(owner) as session:
        item = get_changeable(session, owner, item_id, Action.CHANGE)
        check_version(item, if_version)
        if change.content is not None:
            item.content, item.trust = change.content, trust_in(change.content)
            item.embedding = change.embedding
            item.document = with_token_count(replace(item.document, token_count=None), change.content)
            item.emotion = change.emotion or item.emotion
            if change.perceived is not None:
                item.category, item.keywords = change.perceived.category, change.perceived.keywords
                item.resolution = change.perceived.resolution
        judged = change.importance
        # An importance that a caller gave meanwhile outranks the judged one.
        if judged is not None and (judged.source == "given" or item.importance_source != "given"):
            item.arbitrary_importance = judged.score
            item.importance_source = judged.source
        if change.metadata is not None:
            item.metadata = change.metadata
        if change.tags is not None:
            item.tags = change.tags
        place(session, law, item, now, session.items.key_of(owner, item_id))
        session.items.rewrite(item, course_of(law, item, now))
        detail: dict[str, Any] = {"fields": change.fields()}
        if change.redacted:
            detail["redacted"] = list(change.redacted)
        session.ledger.record(Event(EventType.UPDATED, owner, now, item_id, detail))
    return item


def protect(
    items_store: ItemStore, law: Law, owner: Owner, item_id: str, *, pinned: bool, now: float
) -> CelestialItem:
    """Pin or unpin. Immutable and core memories are protected already and stay so."""
    with items_store.write(owner) as session:
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if not item.state.in_orbit:
            raise WrongStateError(
                item_id=item_id, state=state_name(item), action=Action.PIN if pinned else Action.UNPIN
            )
        if item.protection in (Protection.IMMUTABLE, Protection.CORE):
            if pinned:
                return item
            raise ProtectedError(item_id=item_id, protection=item.protection.value, action=Action.UNPIN)
        wanted = Protection.PINNED if pinned else Protection.NONE
        if item.protection is not wanted:
            item.protection = wanted
            if not pinned and item.expires_at is not None and item.expires_at <= now:
                item.expires_at = expiry(item.tier, now)  # otherwise it would expire the same night
            place(session, law, item, now, session.items.key_of(owner, item_id))
            session.items.rewrite(item, course_of(law, item, now))
            kind = EventType.PINNED if pinned else EventType.UNPINNED
            session.ledger.record(Event(kind, owner, now, item_id))
    return item


def _stored_event(item: CelestialItem, now: float, **more: Any) -> Event:
    detail = {
        "zone": item.zone,
        "tier": item.tier.value,
        "importance": item.arbitrary_importance,
        "importance_source": item.importance_source,
        **{name: value for name, value in more.items() if value},
    }
    return Event(EventType.STORED, item.owner, now, item.id, detail)
