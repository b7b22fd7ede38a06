"""Which fields of a memory travel together, and the memory that a merged state describes.

Not exchanged, because each device works them out for itself: zone, score, context, vector and the clocks that count
days with the owner. These begin when this device learns of something: the clock of the device that wrote it may be
wrong by years, or have stood still in a drawer, and no memory may leave because of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier, expiry
from celestial_engine.core.sync.duplicates import text_digest
from celestial_engine.core.sync.item_state import COUNTS, ItemState, Value
from celestial_engine.core.sync.registers import Register

CONTENT, READING, LINKS = "content", "reading", "links"
GROUPS: Mapping[str, tuple[str, ...]] = {
    CONTENT: ("content",),
    READING: (
        "category", "lifetime", "address", "keywords", "given", "resolution", "document", "emotion", "trust",
    ),
    "labels": ("metadata", "tags"),
    "importance": ("arbitrary_importance", "importance_source"),
    "rating": ("user_rating",),
    "validity": ("validity",),
    LINKS: ("links",),
    "origin": ("created_at", "source", "time", "space", "agent"),
}  # fmt: skip
_TIER = ("tier", "tier_reason", "protection")
_OF = "of"  # of a reading: the digest of the text that was read
_PLAIN_TIER = {"tier": Tier.M90.value, "protection": Protection.NONE.value}


def fields_of(item: CelestialItem) -> dict[str, Value]:
    """The groups of a memory, each as JSON values without defaults."""
    record = item.to_dict(sparse=True)
    record.setdefault("content", item.content)
    groups = {group: {name: record[name] for name in names if name in record} for group, names in GROUPS.items()}
    groups[READING][_OF] = text_digest(item.content)
    return groups


def tier_of(item: CelestialItem) -> Value:
    """The lifetime and protection, with the clock of today."""
    reason = None if item.tier_reason is None else item.tier_reason.value
    value: Value = {"tier": item.tier.value, "tier_reason": reason, "protection": item.protection.value}
    return {**value, "expires_at": item.expires_at}


def same_tier(first: Value, second: Value) -> bool:
    return all(first.get(name) == second.get(name) for name in _TIER)


def presence_of(item: CelestialItem) -> Value:
    """Whether a memory is kept, faded, inactive or on the cliff, with its clocks."""
    value: Value = {"state": item.state.value}
    if item.state.in_orbit and item.expires_at is not None:
        value["expires_at"] = item.expires_at  # a restore sets it anew
    if item.state_since is not None:
        value["since"] = item.state_since
    if item.departure is not None:
        departure = item.departure
        value |= {"reason": departure.reason.value, "left_at": departure.at, "purge_at": departure.purge_at}
    return value


def same_presence(first: Value, second: Value) -> bool:
    return first.get("state") == second.get("state") and first.get("reason") == second.get("reason")


def texts_in_force(state: ItemState) -> dict[str, Value]:
    """The value of each group."""
    chosen = {group: register.value for group, register in state.texts.items() if register.versions}
    reading = state.texts.get(READING, Register())
    if CONTENT in chosen:
        digest = text_digest(chosen[CONTENT]["content"])
        # The reading of another version of the text would describe what is no longer said.
        fitting = [version for version in reading.versions if version.value.get(_OF) == digest]
        newest = max(fitting, key=lambda version: version.age, default=None)
        if newest is not None:
            chosen[READING] = newest.value
    links = state.texts.get(LINKS, Register())
    if len(links.versions) > 1:
        chosen[LINKS] = _all_links(links)
    return chosen


def record_of(state: ItemState, present: CelestialItem | None, now: float) -> dict[str, Any]:
    """The record of the memory in force, over what this device has; its own clocks stay unless they were reset."""
    record: dict[str, Any] = {} if present is None else present.to_dict(sparse=True)
    for group, value in texts_in_force(state).items():
        for name in GROUPS.get(group, ()):
            record.pop(name, None)
        record |= {name: field for name, field in value.items() if name in GROUPS.get(group, ())}
    tier, presence = state.tier_in_force or _PLAIN_TIER, state.presence_in_force
    is_reset = present is None or not same_presence(presence, presence_of(present))
    if is_reset:
        record |= _presence_fields(presence, now)
    if present is None or not same_tier(tier, tier_of(present)):
        is_reset = True
        record |= {name: tier.get(name) for name in (*_TIER, "expires_at") if name in tier}
    if is_reset:
        record |= {"expires_at": _expiry_here(Tier(tier["tier"]), record.get("expires_at"), now)}
    record |= {name: state.count(name) for name in COUNTS}
    is_used = _was_used(state, present, now)
    if is_used:
        # A clock that is ahead by years must not keep a memory fresh for years.
        recalled = min(state.recalled_at, now)
        record["last_recalled_at"] = recalled if present is None else max(recalled, present.last_recalled_at)
    if is_used or is_reset:
        record["idle_since"] = now
    return record


def _was_used(state: ItemState, present: CelestialItem | None, now: float) -> bool:
    """Whether it was recalled elsewhere. The count tells it, whatever the clock said there."""
    if present is None or state.count("recall_count") > present.recall_count:
        return True
    return present.last_recalled_at < state.recalled_at <= now


def _expiry_here(tier: Tier, given: float | None, now: float) -> float | None:
    """When it expires by this device's clock: within its lifetime from now, and not before it was here."""
    latest = expiry(tier, now)
    if given is None or latest is None:
        return given
    return given if now < given <= latest else latest


def _presence_fields(presence: Value, now: float) -> dict[str, Any]:
    state = presence.get("state", State.ACTIVE.value)
    fields: dict[str, Any] = {"state": state, "state_since": None, "departure": None}
    if "since" in presence:
        fields["state_since"] = now
    if "expires_at" in presence:
        fields["expires_at"] = presence["expires_at"]
    if state == State.CLIFF.value:
        # The days on the cliff begin when this device learns of it: here nobody could restore it before.
        departure = Departure.begin(DepartureReason(presence["reason"]), now)
        left_at = min(presence.get("left_at", now), now)
        fields["departure"] = {"reason": departure.reason.value, "at": left_at, "purge_at": departure.purge_at}
    return fields


def _all_links(register: Register) -> Value:
    """The links of every version: what one device linked is not lost because another linked something else."""
    newest = max(register.versions, key=lambda version: version.age)
    merged: Value = dict(newest.value.get("links", {}))
    for version in register.versions:
        for name, value in version.value.get("links", {}).items():
            if isinstance(value, list):
                merged[name] = list(dict.fromkeys([*merged.get(name, []), *value]))
            else:
                merged.setdefault(name, value)
    return {"links": merged} if merged else {}
