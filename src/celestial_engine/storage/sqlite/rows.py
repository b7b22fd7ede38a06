"""Convert memories to rows and back."""

from __future__ import annotations

import json
import sqlite3
from array import array
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    Document,
    EmotionCoordinate,
    Links,
    Resolution,
    SpaceCoordinate,
    TimeCoordinate,
    Validity,
)
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import Category, CelestialItem, Given, Trust
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.ranking import Candidate
from celestial_engine.core.retrieval.text_traits import TRAIT_RULES, text_traits
from celestial_engine.core.text.words import with_tags
from celestial_engine.errors import CelestialError, Problem, Reason, problem

E = TypeVar("E", bound=Enum)

# Labels are stored as their position.
_LIFETIMES, _SUBJECTS, _ATTRIBUTES = tuple(Lifetime), tuple(Subject), tuple(Attribute)

ITEM_COLUMNS = (
    "items.seq, id, state, zone, tier, protection, created_at, last_recalled_at, idle_since, recall_count, "
    "mention_count, arbitrary_importance, importance_source, context_score, expires_at, state_since, departed_for, "
    "departed_at, purge_at, lifetime, subject, attribute, value, content, metadata, facets, embedding"
)
# As written with the memory: what `ranking_columns` returns.
RANKING_COLUMNS = (
    "traits_by, session_id, category, resolutions, links, superseded_by, speaker, said_at, begins, kinds"
)
# In the order of `Candidate`, and the facets if its columns are not up to date.
_COUNTED_COLUMNS = "id, seq, recall_count, last_recalled_at, arbitrary_importance, context_score, created_at, content"
TRAITS_READ = f"traits_by = {TRAIT_RULES}"
TRAITS_OF_CANDIDATE = f"{_COUNTED_COLUMNS}, {RANKING_COLUMNS.removeprefix('traits_by, ')}"
CANDIDATE_COLUMNS = f"{TRAITS_OF_CANDIDATE}, CASE WHEN {TRAITS_READ} THEN NULL ELSE facets END"
ITEM_TABLES = "items JOIN texts USING (seq) LEFT JOIN vectors USING (seq)"

# Facets without a column of their own, stored as one sparse JSON object. Filtered ones have an index.
_FACETS: dict[str, Any] = {
    "resolution": Resolution,
    "document": Document,
    "time": TimeCoordinate,
    "space": SpaceCoordinate,
    "agent": AgentCoordinate,
    "emotion": EmotionCoordinate,
    "links": Links,
    "validity": Validity,
}
_PLAIN = (
    "tier_reason",
    "influence_count",
    "user_rating",
    "category",
    "keywords",
    "given",
    "tags",
    "source",
    "trust",
    *_FACETS,
)
_BARE = CelestialItem(id="", content="", created_at=0.0, last_recalled_at=0.0)
_DEFAULTS = {name: getattr(_BARE, name) for name in _PLAIN}


def label_names(subject: int | None, attribute: int | None) -> tuple[str | None, str | None]:
    """The names of a stored subject and attribute."""
    if subject is None or attribute is None:
        return None, None
    return _SUBJECTS[subject].value, _ATTRIBUTES[attribute].value


def facets_json(item: CelestialItem, *, short: bool = False) -> str:
    """Returns the facets; if `short`, a gist that begins the text, as most do, is only its length."""
    values = ((name, getattr(item, name)) for name in _PLAIN)
    facets = {name: encode(value, sparse=True) for name, value in values if value != _DEFAULTS[name]}
    gist = item.resolution.gist
    if short and gist is not None and item.content.startswith(gist):
        facets["resolution"]["gist"] = len(gist)
    return to_json(facets)


def facets_written_out(content: str, facets: str) -> str:
    """Returns the facets of a row with nothing shortened, whichever version or store wrote it."""
    rest: dict[str, Any] = json.loads(facets)
    return to_json(rest) if _write_out_gist(rest, content) else facets


def _write_out_gist(facets: dict[str, Any], content: str) -> bool:
    resolution = facets.get("resolution")
    if not isinstance(resolution, dict) or type(resolution.get("gist")) is not int:
        return False
    resolution["gist"] = content[: resolution["gist"]]
    return True


def indexed_text(content: str, facets: str) -> str:
    """Returns the text that is indexed for word search: content and tags."""
    return with_tags(content, json.loads(facets).get("tags", ()) if '"tags"' in facets else ())


class UnreadableRowError(Exception):
    """A row that no version of this program wrote."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def cause_of(error: Exception) -> object:
    return error if isinstance(error, CelestialError) else str(error)


def item_from(row: tuple[Any, ...], owner: Owner) -> CelestialItem:
    try:
        return _item_from(row, owner)
    except (ValueError, TypeError, IndexError, CelestialError) as error:
        raise UnreadableRowError(problem(None, Reason.ITEM_UNREADABLE, got=row[1], cause=cause_of(error))) from error


def _item_from(row: tuple[Any, ...], owner: Owner) -> CelestialItem:
    (_, item_id, state, zone, tier, protection, created, recalled, idle, recalls, mentions, importance, source,
     context, expires, state_since, reason, departed, purge, lifetime, subject, attribute, value, content,
     metadata, facets, embedding) = row  # fmt: skip
    rest: dict[str, Any] = json.loads(facets) if facets != "{}" else {}
    rest.pop("state_since", None)  # a column since; rows of earlier versions have it here as well
    _write_out_gist(rest, content)
    for name, kind in _FACETS.items():
        if name in rest:
            rest[name] = decode(kind, rest[name], name)
    if "category" in rest:
        rest["category"] = Category(rest["category"])
    if "source" in rest:
        rest["source"] = Source(rest["source"])
    if "tier_reason" in rest:
        rest["tier_reason"] = TierReason(rest["tier_reason"])
    if "trust" in rest:
        rest["trust"] = Trust(rest["trust"])
    for name in ("keywords", "tags"):
        rest[name] = tuple(rest.get(name, ()))
    if "given" in rest:
        rest["given"] = tuple(map(Given, rest["given"]))
    return CelestialItem(
        id=item_id,
        content=content,
        created_at=created,
        last_recalled_at=recalled,
        recall_count=recalls,
        arbitrary_importance=importance,
        zone=zone,
        metadata=json.loads(metadata),
        embedding=None if embedding is None else vector_from(embedding),
        importance_source=source,
        context_score=context,
        tier=Tier(tier),
        expires_at=expires,
        state=State(state),
        protection=Protection(protection),
        departure=departure_from(reason, departed, purge),
        state_since=state_since,
        idle_since=idle,
        mention_count=mentions,
        lifetime=None if lifetime is None else _LIFETIMES[lifetime],
        address=None if subject is None else Address(_SUBJECTS[subject], _ATTRIBUTES[attribute], value),
        owner=owner,
        **rest,
    )


def ranking_columns(item: CelestialItem) -> tuple[Any, ...]:
    """Returns the values of RANKING_COLUMNS."""
    resolution = item.resolution
    return (
        TRAIT_RULES, item.time.session_id, None if item.category is None else item.category.value,
        1 + (resolution.gist is not None) + bool(resolution.triples), item.links.count, item.validity.superseded_by,
        *text_traits(item.content),
    )  # fmt: skip


def candidate_from(row: tuple[Any, ...]) -> Candidate:
    """Converts a row of CANDIDATE_COLUMNS; in an older database, what its columns lack is read now."""
    facets = row[-1]
    if facets is None:
        return Candidate._make(row[:-1])
    try:
        return Candidate(*row[:8], *ranking_values(row[7], facets)[1:])
    except (ValueError, AttributeError) as error:
        raise UnreadableRowError(problem(None, Reason.ITEM_UNREADABLE, got=row[0], cause=cause_of(error))) from error


def ranking_values(content: str, facets: str) -> tuple[Any, ...]:
    """Returns the values of RANKING_COLUMNS of a stored memory."""
    rest = json.loads(facets) if facets != "{}" else {}
    links = rest.get("links", {})
    category = None if "category" not in rest else enum_value(Category, rest["category"]).value
    return (
        TRAIT_RULES, rest.get("time", {}).get("session_id"), category, 1 + len(rest.get("resolution", {})),
        len(links.get("children", ())) + len(links.get("related", ())) + ("parent" in links),
        rest.get("validity", {}).get("superseded_by"), *text_traits(content),
    )  # fmt: skip


def departure_from(reason: str | None, at: float, purge_at: float) -> Departure | None:
    return None if reason is None else Departure(enum_value(DepartureReason, reason), at, purge_at)


def enum_value(kind: type[E], value: object) -> E:
    try:
        member: E = _members(kind)[value]
    except (KeyError, TypeError):
        raise UnreadableRowError(problem(None, Reason.WRONG_VALUE, expected=kind.__name__, got=value)) from None
    return member


@lru_cache(maxsize=32)
def _members(kind: Any) -> dict[object, Any]:
    """Returns a lookup table: three times as fast as `kind(value)`, called ten thousand times per rebalance."""
    return {member.value: member for member in kind}


def reading_columns(item: CelestialItem) -> tuple[int | None, int | None, int | None, str | None]:
    lifetime = None if item.lifetime is None else _LIFETIMES.index(item.lifetime)
    if item.address is None:
        return lifetime, None, None, None
    address = item.address
    return lifetime, _SUBJECTS.index(address.subject), _ATTRIBUTES.index(address.attribute), address.value


def departure_columns(departure: Departure | None) -> tuple[str | None, float | None, float | None]:
    if departure is None:
        return (None, None, None)
    return (departure.reason.value, departure.at, departure.purge_at)


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fill_state_since(connection: sqlite3.Connection) -> None:
    """Copies `state_since` from the facets, where earlier versions had it, into its column."""
    rows = connection.execute(
        "SELECT seq, facets FROM items JOIN texts USING (seq) WHERE state IN ('faded', 'inactive')"
    ).fetchall()
    connection.executemany(
        "UPDATE items SET state_since = ? WHERE seq = ?",
        [(json.loads(facets).get("state_since"), seq) for seq, facets in rows],
    )


def vector_blob(vector: list[float]) -> bytes:
    return array("f", vector).tobytes()


def vector_from(blob: bytes) -> list[float]:
    return array("f", blob).tolist()
