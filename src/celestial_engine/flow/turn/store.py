"""store and update: build the record, score it, place it, write it. One transaction each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.guard.guard import Note
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.item import Category, CelestialItem, Given
from celestial_engine.core.record.lifetimes import Tier, TierReason, expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import ReadBy, Reading
from celestial_engine.core.record.versions import KEY_HOLDS_SECONDS, UsedKey, check_version, request_digest
from celestial_engine.core.sameness.succession import NO_SCALE, VectorScale
from celestial_engine.errors import (
    Action,
    InvalidItemError,
    KeyReusedError,
    NotFoundError,
    ProtectedError,
    Reason,
    Thing,
)
from celestial_engine.flow.base.placement import (
    add,
    course_of,
    get_changeable,
    get_in_orbit,
    place_again,
    rewrite,
    settle,
    stored_event,
    unseated,
)
from celestial_engine.flow.base.succession import replaced_by, succeed
from celestial_engine.flow.turn.record import Rewording, with_importance, with_longer_life, with_token_count
from celestial_engine.ports import ItemStore, SessionSpan, Writer


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
    read_by: ReadBy | None = None,
    reading: Reading | None = None,
    scale: VectorScale = NO_SCALE,
    before: Callable[[Writer, CelestialItem], None] | None = None,
) -> CelestialItem:
    """Write one new memory; `fallback_from` names an evaluator that failed to rate it, `read_by` what read its text.

    Linked memories must exist unless `loosely` is set: then they may come later or never. If the same request used
    this `key` before, the memory that it created is returned. With what was read in it (`reading`), it ends the
    validity of older statements that it makes outdated; `scale` is that of its vector. `before` is called in
    the same transaction, and may refuse it by raising.
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
        item, _ = _in_session(session, item)
        if before is not None:
            before(session, item)
        _write_links(session, law, item, now, loosely=loosely)
        if reading is not None:
            item = succeed(session, law, item, replaced_by(session, item, reading, scale), now)
        by_model = read_by.value if read_by is ReadBy.LANGUAGE_MODEL else None
        item = add(session, law, item, now, fallback_from=fallback_from, redacted=redacted, read_by=by_model)
        if key is not None:
            session.keys.put(item.owner, key, UsedKey(digest, item.id), now, since)
    return item


def store_many(
    items_store: ItemStore,
    law: Law,
    items: Sequence[CelestialItem],
    now: float,
    redacted: Mapping[str, Sequence[Note]],
) -> list[CelestialItem]:
    """Write many memories of one owner, all or none.

    They start in the open zones; seats are assigned once at the end.
    """
    owner = items[0].owner
    with items_store.write(owner) as session:
        spans: dict[str | None, SessionSpan] = {}
        new: list[CelestialItem] = []
        for item in items:
            group = item.time.session_id
            item, spans[group] = _in_session(session, unseated(law, item, now), spans.get(group))
            new.append(item)
        keys = session.items.add_many([(item, course_of(law, item, now)) for item in new])
        added = dict(zip(keys, new, strict=True))
        for move in settle(session, law, owner, now):
            if move.key in added:
                added[move.key] = replace(added[move.key], zone=move.to_zone)
        session.orbits.settle_again(owner, now)  # assign seats after every course is up to date
        for item in added.values():
            session.ledger.record(stored_event(item, now, redacted=redacted.get(item.id)))
    return list(added.values())


def _in_session(
    session: Writer, item: CelestialItem, span: SessionSpan | None = None
) -> tuple[CelestialItem, SessionSpan]:
    """Return it with its position in the session and the minutes since it began, unless the host gave them."""
    time = item.time
    if time.session_id is None:
        return item, SessionSpan(item.created_at, 0)
    span = span or session.items.session_span(item.owner, time.session_id) or SessionSpan(item.created_at, 0)
    sequence = span.last_sequence + 1 if time.sequence is None else time.sequence
    minutes = time.relative_time_minutes
    if minutes is None:
        minutes = round(max(0.0, item.created_at - span.started_at) / 60.0, 4)
    time = replace(time, sequence=sequence, relative_time_minutes=minutes)
    return replace(item, time=time), span._replace(last_sequence=sequence)


def _write_links(session: Writer, law: Law, item: CelestialItem, now: float, *, loosely: bool) -> None:
    """Store each link on both sides."""
    links = item.links
    for other_id in dict.fromkeys((links.parent, *links.children, *links.related)):
        if other_id is None:
            continue
        if other_id == item.id:
            raise InvalidItemError(Reason.LINKED_TO_ITSELF, got=item.id)
        other = session.items.get(item.owner, other_id)
        if other is None and not loosely:
            raise NotFoundError(item_id=other_id)
        if other is None or other.state is State.ARCHIVED:
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
        write = place_again if other.state.in_orbit else rewrite
        write(session, law, replace(other, links=tied), now)
        session.ledger.record(Event(EventType.UPDATED, item.owner, now, other_id, {"fields": ["links"]}))


@dataclass(frozen=True)
class ItemChange:
    """What an update sets; None leaves a field as it is."""

    content: Rewording | None = None
    importance: Evaluation | None = None
    metadata: dict[str, Any] | None = None
    tags: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None  # () has them read from the text again
    category: Category | None = None
    tier: Tier | None = None  # begins its full time again
    read_keywords: tuple[str, ...] = ()  # of the text, for empty keywords
    redacted: Sequence[Note] = ()

    def fields(self) -> list[str]:
        names = ("content", "importance", "metadata", "tags", "keywords", "category", "tier")
        return [name for name in names if getattr(self, name) is not None]

    def applied_to(self, item: CelestialItem) -> CelestialItem:
        if self.content is not None:
            item = self.content.applied_to(item)
            item = replace(item, document=with_token_count(item.document, item.content))
        if self.importance is not None:
            item = with_importance(item, self.importance)
        if self.keywords == ():
            still = tuple(name for name in item.given if name is not Given.KEYWORDS)
            item = replace(item, keywords=self.read_keywords, given=still)
        return replace(
            item.with_given(self.category, self.keywords or ()),
            metadata=item.metadata if self.metadata is None else self.metadata,
            tags=item.tags if self.tags is None else self.tags,
        )


def update(
    items_store: ItemStore,
    law: Law,
    owner: Owner,
    item_id: str,
    change: ItemChange,
    now: float,
    if_version: str | None = None,
) -> CelestialItem:
    """Change what the caller gives. The recall history stays: it is the same memory."""
    with items_store.write(owner) as session:
        item = get_changeable(session, owner, item_id, Action.CHANGE)
        check_version(item, if_version)
        changed = change.applied_to(item)
        if change.content is not None:
            changed = with_longer_life(changed, now)
        if change.tier is not None:
            changed = replace(
                changed, tier=change.tier, tier_reason=TierReason.GIVEN, expires_at=expiry(change.tier, now)
            )
        item = place_again(session, law, changed, now)
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
        item = get_in_orbit(session, owner, item_id, Action.PIN if pinned else Action.UNPIN)
        if item.protection in (Protection.IMMUTABLE, Protection.CORE):
            if pinned:
                return item
            raise ProtectedError(item_id=item_id, protection=item.protection.value, action=Action.UNPIN)
        wanted = Protection.PINNED if pinned else Protection.NONE
        if item.protection is not wanted:
            item = replace(item, protection=wanted)
            if not pinned and item.expires_at is not None and item.expires_at <= now:
                item = replace(item, expires_at=expiry(item.tier, now))  # otherwise it would expire the same night
            item = place_again(session, law, item, now)
            kind = EventType.PINNED if pinned else EventType.UNPINNED
            session.ledger.record(Event(kind, owner, now, item_id))
    return item
