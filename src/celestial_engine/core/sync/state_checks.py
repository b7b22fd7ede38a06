"""Checks of what another device tells about a memory, before any of it is believed.

A bundle that nobody changed may still be nonsense: written by a program with a bug, or without encryption by anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.core.checks import LAST_SECOND, MOST_COUNTED, check_id, check_text
from celestial_engine.core.codec import decode, encode
from celestial_engine.core.keeping.record_checks import check_record
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier, TierReason
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Channel, ProposalKind
from celestial_engine.core.sync.item_state import ItemState, Value
from celestial_engine.core.sync.memory_fields import CONTENT, GROUPS
from celestial_engine.core.sync.registers import Version

SELF = ""  # no memory has an empty id
ISLAND, BELIEF = "island:", "belief:"
_MOMENTS = ("expires_at", "since")
_KINDS = {ISLAND: Island, BELIEF: Belief}


def check_state(item_id: str, state: ItemState) -> None:
    """Raises InvalidInputError, KeyError, TypeError, ValueError or AttributeError if it makes no sense."""
    check_id(item_id)
    _check_moment(state.recalled_at)
    for entries in state.counts.values():
        if any(abs(number) > MOST_COUNTED for entry in entries.values() for number in entry):
            raise ValueError("a count that nobody reaches")
    for version in (*state.presence.versions, *state.tier.versions, *_versions(state)):
        _check_moment(version.at)
        if not isinstance(version.value, dict):
            raise TypeError("a version is an object")
    for version in state.presence.versions:
        _check_presence(version.value)
    for version in state.tier.versions:
        _check_tier(version.value)
    if item_id == SELF:
        _check_self(state)
    else:
        _check_memory(item_id, state)


def _versions(state: ItemState) -> Iterator[Version]:
    for register in state.texts.values():
        yield from register.versions


def _check_presence(value: Value) -> None:
    if State(value.get("state", State.ACTIVE.value)) is State.ARCHIVED:
        raise ValueError("each device has archive files of its own")
    if value.get("state") == State.CLIFF.value or "reason" in value:
        DepartureReason(value["reason"])
    for name in _MOMENTS:
        if value.get(name) is not None:
            _check_moment(value[name])
    _check_moment(value.get("left_at", 0.0))
    for name in ("into", "of", "into_of"):
        check_id(value.get(name, ""))
    for name in ("absorbed", "circle"):
        others = value.get(name, [])
        if not isinstance(others, (dict, list) if name == "absorbed" else list):  # a list, before recalls were noted
            raise TypeError("ids of memories")
        for other in others:
            check_id(other)
        for number in others.values() if isinstance(others, dict) else ():
            _check_count(number)
    _check_count(value.get("recalls", 0))


def _check_tier(value: Value) -> None:
    Tier(value["tier"])
    Protection(value["protection"])
    if value.get("tier_reason") is not None:
        TierReason(value["tier_reason"])
    if value.get("expires_at") is not None:
        _check_moment(value["expires_at"])


def _check_memory(item_id: str, state: ItemState) -> None:
    """Checks every version of every group: each may come into force, also on a device that has the other groups."""
    versions = {group: register.versions for group, register in state.texts.items()}
    if not all(versions.values()):
        raise ValueError("a group that says nothing")
    stand_in = {} if CONTENT in versions else {"content": "elsewhere", "created_at": 0.0}
    for number in range(max(map(len, versions.values()), default=1)):
        record = {"id": item_id, "last_recalled_at": 0.0, **stand_in}
        for group, ones in versions.items():  # no field is in two groups
            value = ones[min(number, len(ones) - 1)].value
            for name in GROUPS[group]:
                record.pop(name, None)
            record |= {name: value[name] for name in GROUPS[group] if name in value}
        check_text(record["content"], "content")
        check_record(CelestialItem.from_dict(record))


def _check_self(state: ItemState) -> None:
    for name, register in state.texts.items():
        kind = _KINDS[name[: len(ISLAND)]]
        for version in register.versions:
            approval = version.value.get("approval") or {}
            ProposalKind(approval.get("kind", ProposalKind.SOUL_EDIT.value))
            Channel(approval.get("channel", Channel.HOST.value))
            for text in (name, str(approval.get("by", "")), str(approval.get("proposal", ""))):
                check_id(text)
            if version.value["part"] is not None:
                _check_part(kind, version.value)


def _check_part(kind: type[Island] | type[Belief], value: dict[str, Any]) -> None:
    whole = decode(kind, value["whole"]).with_part(value["part"])
    for text in _texts(encode(decode(kind, encode(whole)))):
        check_id(text)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        _check_moment(value)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _texts(entry)
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _texts(entry)


def _check_moment(seconds: object) -> None:
    # "not <" refuses what is not a number too
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not abs(seconds) < LAST_SECOND:
        raise ValueError("not a moment")


def _check_count(number: object) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_COUNTED:
        raise ValueError("not a count")
