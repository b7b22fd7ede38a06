"""Merges two memories that say the same: whether they may merge, which one stays, and its merged fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.coordinate import Links, Validity
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Given, Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.sameness.values import spans_relative_time

_SAME_DAY = 12 * 3600.0  # seconds; "tomorrow" said within this time is the same tomorrow
_TIERS = list(Tier)


def preference(item: CelestialItem) -> tuple[bool, int, float, str]:
    """Sort key; the memory to keep comes first: protected, more recalled, older."""
    return not _is_kept(item), -item.recall_count, item.created_at, item.id


def mergeable(keeper: CelestialItem, other: CelestialItem) -> bool:
    """Whether `other` may be merged into `keeper`: protection, provenance and content must allow it."""
    return (
        keeper.id != other.id
        and keeper.owner == other.owner
        and keeper.state.in_orbit
        and other.state.in_orbit
        and not _is_kept(other)
        and not _is_sealed(keeper)
        and Trust.LOW not in (keeper.trust, other.trust)
        and keeper.is_claim is other.is_claim
        and _context(keeper) == _context(other)
        and keeper.validity.until is None
        and other.validity.until is None
        and keeper.id not in other.links.promoted_from
        and other.id not in keeper.links.promoted_from
        and _same_moment(keeper, other)
        and compare(keeper.content, other.content, _cosine(keeper, other)) is Sameness.SAME
    )


def merged(keeper: CelestialItem, other: CelestialItem) -> CelestialItem:
    """Returns the keeper with the other's recalls, mentions, links and tags, and the longer lifetime."""
    expiries = (keeper.expires_at, other.expires_at)
    more_important = keeper.importance_source != "given" and other.arbitrary_importance > keeper.arbitrary_importance
    return replace(
        keeper,
        recall_count=keeper.recall_count + other.recall_count,
        mention_count=keeper.mention_count + other.mention_count + 1,  # the other was one more mention
        influence_count=keeper.influence_count + other.influence_count,
        last_recalled_at=max(keeper.last_recalled_at, other.last_recalled_at),
        idle_since=max(keeper.idle_from, other.idle_from),
        arbitrary_importance=(other if more_important else keeper).arbitrary_importance,
        importance_source=(other if more_important else keeper).importance_source,
        tier=_longer_lived(keeper, other).tier,
        tier_reason=_longer_lived(keeper, other).tier_reason,
        expires_at=None if None in expiries else max(expiry for expiry in expiries if expiry is not None),
        state=State.ACTIVE if State.ACTIVE in (keeper.state, other.state) else keeper.state,
        state_since=None if State.ACTIVE in (keeper.state, other.state) else keeper.state_since,
        user_rating=max((item.user_rating for item in (keeper, other) if item.user_rating is not None), default=None),
        **_description(keeper, other),
        tags=_union(keeper.tags, other.tags),
        links=_linked(keeper, other),
        validity=Validity(since=min(_since(keeper), _since(other)), until=None)
        if keeper.validity.since is not None or other.validity.since is not None
        else keeper.validity,
    )


def _longer_lived(keeper: CelestialItem, other: CelestialItem) -> CelestialItem:
    return max(keeper, other, key=lambda item: (_TIERS.index(item.tier), item.is_lasting))


def _description(keeper: CelestialItem, other: CelestialItem) -> dict[str, Any]:
    """Returns category and keywords of a merged memory: those that a caller gave win over those that were read."""
    giving = [item for item in (keeper, other) if Given.KEYWORDS in item.given] or [keeper, other]
    naming = next((item for item in (keeper, other) if Given.CATEGORY in item.given), keeper)
    return {
        "keywords": _union(giving[0].keywords, giving[-1].keywords),
        "category": naming.category,
        "given": tuple(dict.fromkeys((*keeper.given, *other.given))),
    }


def retied(links: Links, gone: str, keeper: str) -> Links:
    """Returns a third memory's links with the keeper added wherever the merged memory (`gone`) is linked."""
    if gone in links.children:
        links = links.with_child(keeper)
    if gone in links.related:
        links = links.with_related(keeper)
    return replace(links, parent=keeper) if links.parent == gone else links


def _is_sealed(item: CelestialItem) -> bool:
    """Immutable or core: not even additions are allowed without the user's approval."""
    return item.protection in (Protection.IMMUTABLE, Protection.CORE) or item.tier is Tier.M0


def _is_kept(item: CelestialItem) -> bool:
    return item.protection is not Protection.NONE or item.tier is Tier.M0


def _context(item: CelestialItem) -> tuple[object, ...]:
    """The context of a text: the same words in another project are another fact."""
    return (
        item.space.project,
        item.space.domain,
        item.agent.persona_id,
        item.document.type,
        item.metadata.get("speaker"),
    )


def _same_moment(keeper: CelestialItem, other: CelestialItem) -> bool:
    near = abs(keeper.created_at - other.created_at) <= _SAME_DAY
    return near or not (spans_relative_time(keeper.content) or spans_relative_time(other.content))


def _cosine(keeper: CelestialItem, other: CelestialItem) -> float | None:
    if keeper.embedding is None or other.embedding is None:
        return None
    return similarity(keeper.embedding, other.embedding)


def _since(item: CelestialItem) -> float:
    return item.created_at if item.validity.since is None else item.validity.since


def _linked(keeper: CelestialItem, other: CelestialItem) -> Links:
    mine, theirs = keeper.links.without(other.id), other.links.without(keeper.id)
    return Links(
        parent=mine.parent or theirs.parent,
        children=_union(mine.children, theirs.children),
        related=_union(mine.related, theirs.related),
        promoted_from=_union(mine.promoted_from, theirs.promoted_from),
        island=mine.island or theirs.island,
    )


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
