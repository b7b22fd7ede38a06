"""Store, update, pin, rate, forget and restore: methods of CelestialMemory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import (
    check_choice,
    check_id,
    check_ids,
    check_importance,
    check_keywords,
    check_metadata,
    check_tags,
    check_text,
)
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Coordinate,
    Document,
    EmotionCoordinate,
    Links,
    SpaceCoordinate,
    TimeCoordinate,
)
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.importance import GIVEN, Evaluation
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.engine import reading
from celestial_engine.engine.departures import forget_archived, restore_archived
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.flow.departures import forget as departure
from celestial_engine.flow.turn import rate as rating
from celestial_engine.flow.turn import recall
from celestial_engine.flow.turn import store as writing
from celestial_engine.flow.turn.record import NewMemory, log_redactions

if TYPE_CHECKING:
    from celestial_engine.engine.memory import CelestialMemory


def store(
    self: CelestialMemory,
    content: str,
    importance: float | None = None,
    metadata: dict[str, Any] | None = None,
    *,
    source: Source = Source.USER,
    tier: Tier | None = None,
    pinned: bool = False,
    immutable: bool = False,
    tags: Iterable[str] = (),
    keywords: Iterable[str] | None = None,
    category: Category | None = None,
    session_id: str | None = None,
    space: SpaceCoordinate | None = None,
    agent: AgentCoordinate | None = None,
    emotion: EmotionCoordinate | None = None,
    document: Document | None = None,
    parent: str | None = None,
    related: Iterable[str] = (),
    bqi: bool = False,
    idempotency_key: str | None = None,
) -> CelestialItem:
    """Stores a text as a memory. Without an importance it is rated; without an emotion it is detected.

    Keywords (at most 32) and a category that are given stay as they are; otherwise they are read from the text.
    `space`, `agent` and `document` say where, by whom and for which prompt it was said; `parent` and `related` are
    ids of memories that it follows or belongs to. With `bqi` the prompt is read as a coordinate. Repeated within a
    day with the same `idempotency_key`, it is stored once.
    """
    from celestial_engine.core.record.versions import check_key

    parts, now, key = self.parts, self.parts.now(), check_key(idempotency_key)
    coordinate = Coordinate(
        TimeCoordinate(parts.session_id if session_id is None else session_id),
        space or SpaceCoordinate(),
        agent or AgentCoordinate(),
        emotion,
        document or Document(),
        Links(parent, related=check_ids(related, "related")),
    )
    protection = Protection.IMMUTABLE if immutable else Protection.PINNED if pinned else Protection.NONE
    new = NewMemory(
        content, source, tier, importance, metadata, tags, coordinate, protection, bqi, keywords, category
    )
    record = parts.recorder.record(new, parts.owner, now)
    parts.be_present(new_owner=True)
    item = writing.store(
        parts.store, parts.law(), record.item, now, record.fallback_from, redacted=record.redacted, key=key,
        read_by=record.read_by, reading=record.reading, scale=parts.embedding.scale,
    )  # fmt: skip
    parts.retention.session_used(item, parts)
    return item


def store_many(
    self: CelestialMemory,
    contents: Iterable[str],
    importance: float | None = None,
    *,
    source: Source = Source.IMPORT,
    session_id: str | None = None,
) -> list[CelestialItem]:
    """Stores many texts in one transaction: all of them or, on any error, none."""
    parts, now = self.parts, self.parts.now()
    where = Coordinate(TimeCoordinate(parts.session_id if session_id is None else session_id))
    news = (NewMemory(content, source, importance=importance, coordinate=where) for content in contents)
    records = parts.recorder.record_many(news, parts.owner, now)
    items = [record.item for record in records]
    if items:
        parts.be_present(new_owner=True)
        redacted = {record.item.id: record.redacted for record in records}
        items = writing.store_many(parts.store, parts.law(), items, now, redacted)
        parts.retention.session_used(items[0], parts)  # they all have the same session
    return items


def update(
    self: CelestialMemory,
    item_id: str,
    content: str | None = None,
    importance: float | None = None,
    metadata: dict[str, Any] | None = None,
    *,
    tags: Iterable[str] | None = None,
    keywords: Iterable[str] | None = None,
    category: Category | None = None,
    tier: Tier | None = None,
    if_version: str | None = None,
) -> CelestialItem:
    """Changes a memory's text, importance, metadata, tags, keywords, category or tier.

    A new text is rated again unless its importance was given, and given keywords and a given category stay; empty
    keywords are read from the text again. A tier begins its full time again. With `if_version`, only if the memory
    still has that version.
    """
    from celestial_engine.core.record.versions import check_version

    parts, guard = self.parts, Guard(self.parts.guard)
    judged = None if importance is None else Evaluation(check_importance(importance), GIVEN)
    reworded = None
    if content is not None:
        content = guard.text(check_text(content))
        reworded = parts.recorder.reword(content, reading.get(self, item_id), importance=judged)
    words = None if keywords is None else guard.keywords(check_keywords(keywords))
    read: tuple[str, ...] = ()
    if words == ():
        text = reading.get(self, item_id).content if content is None else content
        read = (reworded.perceived if reworded else parts.recorder.perceiver.perceive(text)).keywords
    change = writing.ItemChange(
        reworded,
        importance=judged if reworded is None else reworded.importance,
        metadata=None if metadata is None else guard.metadata(check_metadata(metadata)),
        tags=None if tags is None else guard.tags(check_tags(tags)),
        keywords=words,
        read_keywords=read,
        category=None if category is None else check_choice(Category, category, "category"),
        tier=None if tier is None else _given_tier(tier),
        redacted=guard.notes,
    )
    log_redactions(guard)
    if not change.fields():
        item = reading.get(self, item_id)
        check_version(item, if_version)
        return item
    parts.be_present()
    with parts.recording_refusals(item_id):
        return writing.update(
            parts.store, parts.law(), parts.owner, check_id(item_id), change, parts.now(), if_version
        )


def _given_tier(tier: Tier) -> Tier:
    tier = check_choice(Tier, tier, "tier")
    if tier is Tier.M0:
        raise InvalidInputError("tier", Reason.CORE_NOT_GIVEN)
    return tier


def pin(self: CelestialMemory, item_id: str) -> CelestialItem:
    """Protects a memory from automatic forgetting."""
    return _protect(self, item_id, pinned=True)


def unpin(self: CelestialMemory, item_id: str) -> CelestialItem:
    """Lets a pinned memory age again."""
    return _protect(self, item_id, pinned=False)


def rate(self: CelestialMemory, item_id: str, stars: int) -> CelestialItem:
    """Stores the user's 1 to 5 stars. They change the importance, unless that was given."""
    parts, stars = self.parts, rating.check_stars(stars)
    parts.be_present()
    judged = parts.recorder.judge(replace(reading.get(self, check_id(item_id)), user_rating=stars))
    return rating.rate(parts.store, parts.law(), parts.owner, item_id, stars, judged, parts.now())


def forget(self: CelestialMemory, item_id: str, *, if_version: str | None = None) -> CelestialItem:
    """Sends a memory over the cliff, where it can be restored for seven days; also from an archive."""
    from celestial_engine.core.record.versions import check_version

    parts = self.parts
    parts.be_present()
    if not reading.in_archive(parts, item_id):
        with parts.recording_refusals(item_id):
            return departure.forget(
                parts.store, parts.law(), parts.owner, check_id(item_id), parts.now(), if_version=if_version
            )
    # An archive is never rewritten, so the version cannot change meanwhile.
    check_version(reading.get(self, item_id), if_version)
    forget_archived(parts, item_id)
    return reading.get(self, item_id)


def restore(self: CelestialMemory, item_id: str) -> CelestialItem:
    """Restores a forgotten or archived memory, with the full time of its tier."""
    parts = self.parts
    parts.be_present()
    if reading.in_archive(parts, item_id):
        restore_archived(parts, item_id)
        return reading.get(self, item_id)
    item = departure.restore(parts.store, parts.law(), parts.owner, check_id(item_id), parts.now())
    parts.embedding.embed_missing(parts.owner, [item])  # the model may have changed while it was away
    return item


def remind(self: CelestialMemory, item_id: str) -> CelestialItem:
    """Recalls one memory by id: counted, fresh, and active again if it had faded or was inactive."""
    parts = self.parts
    parts.be_present()
    return recall.remind(parts.store, parts.law(), parts.owner, check_id(item_id), parts.now())


def _protect(self: CelestialMemory, item_id: str, *, pinned: bool) -> CelestialItem:
    parts = self.parts
    parts.be_present()
    with parts.recording_refusals(item_id):
        return writing.protect(
            parts.store, parts.law(), parts.owner, check_id(item_id), pinned=pinned, now=parts.now()
        )
