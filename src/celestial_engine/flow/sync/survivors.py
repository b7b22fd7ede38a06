"""survivors: keep one of the duplicates that devices merged away between them, before a batch is carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.device import Device
from celestial_engine.core.sync.duplicates import (
    ABSORBED,
    CIRCLE,
    SURVIVOR_TEXT,
    TEXT,
    Rescue,
    absorbed_by,
    absorbed_recalls,
    count_source,
    find_rescue,
    kept_value,
    merge_note,
    smaller_survivor,
    survivor_of,
    text_digest,
)
from celestial_engine.core.sync.item_state import COUNTS, ItemState, Value, is_forgotten
from celestial_engine.core.sync.memory_fields import CONTENT, texts_in_force
from celestial_engine.core.sync.registers import Register
from celestial_engine.flow.sync.happened import Happened
from celestial_engine.flow.sync.noted import captured, device_of, put_device, put_state, state_of
from celestial_engine.ports import Writer


def keep_survivors(
    session: Writer, owner: Owner, changed: Mapping[str, ItemState], before: Mapping[str, ItemState], now: float
) -> dict[str, ItemState]:
    """Write which duplicates stay; return the changed states with these.

    `before` are the states before they were joined; the memories themselves are still as they were before.
    """
    survivors = _Survivors(session, owner, changed, before, now)
    for item_id in survivors.merged_away():
        survivors.rescue(item_id)
    for item_id in survivors.in_circles():
        survivors.give_way(item_id)
    return survivors.changed


class _Survivors:
    def __init__(
        self,
        session: Writer,
        owner: Owner,
        changed: Mapping[str, ItemState],
        before: Mapping[str, ItemState],
        now: float,
    ) -> None:
        self._session, self._owner, self._before, self._now = session, owner, before, now
        self._states: dict[str, ItemState] = {}
        self.changed = dict(changed)

    def state(self, item_id: str) -> ItemState:
        if item_id in self.changed:
            return self.changed[item_id]
        if item_id not in self._states:
            self._states[item_id] = state_of(self._session.sync.records(self._owner, [item_id]).get(item_id))
        return self._states[item_id]

    def merged_away(self) -> list[str]:
        """The changed memories that were merged, and those that were merged into one that is forgotten now."""
        merged: dict[str, None] = {}
        queue = list(self.changed)
        while queue:
            item_id = queue.pop(0)
            state = self.state(item_id)
            if item_id in merged or not is_forgotten(state.presence_in_force):
                continue
            merged[item_id] = None
            queue += absorbed_by(state)
        return [item_id for item_id in merged if survivor_of(self._value(item_id)) is not None]

    def in_circles(self) -> list[str]:
        """The memories that were kept out of a circle, the last by id first."""
        members = {other for item_id in self.changed for other in self._value(item_id).get(CIRCLE, ())}
        return sorted(members, reverse=True)

    def rescue(self, item_id: str) -> None:
        rescue = self._edited(item_id) or find_rescue(item_id, self.state)
        for candidate in () if rescue is None else rescue.candidates:
            item = self._session.items.get(self._owner, candidate)
            if rescue is not None and item is not None:
                self._keep(item, rescue.circle)
                return

    def give_way(self, item_id: str) -> None:
        """Merge a memory into a smaller one of its circle that another device kept."""
        circle = self._value(item_id).get(CIRCLE, ())
        digests = {other: text_digest(text) for other in circle if (text := self._text(other)) is not None}
        survivor = smaller_survivor(item_id, self.state, digests)
        if survivor is None:
            return
        state, survivor_state = self.state(item_id), self.state(survivor)
        departure = Departure.begin(DepartureReason.MERGED, self._now)
        value: Value = {
            "state": State.CLIFF.value, "reason": departure.reason.value, "left_at": departure.at,
            "purge_at": departure.purge_at, ABSORBED: absorbed_recalls(state, self.state),
            **merge_note(survivor, self._text(item_id), self._text(survivor)),
        }  # fmt: skip
        self._write(item_id, state, value)
        if item_id not in absorbed_by(survivor_state):
            device = self._next_write()
            self._put(survivor, survivor_state.with_count(COUNTS[0], count_source(item_id), 0, 0), device)

    def _edited(self, item_id: str) -> Rescue | None:
        """The memory itself if it was edited, or the survivor that this device did not know as such."""
        value, text = self._value(item_id), self._text(item_id)
        if text is not None and value.get(TEXT) not in (None, text_digest(text)):
            return Rescue((item_id,))
        survivor, item = survivor_of(value), self._session.items.get(self._owner, item_id)
        if survivor is None or item is None or not item.state.in_orbit:
            return None
        absorbed = absorbed_by(self._before.get(survivor) or self.state(survivor))
        text = self._text(survivor)
        edited = text is not None and value.get(SURVIVOR_TEXT) not in (None, text_digest(text))
        return Rescue((item_id,)) if edited and item_id not in absorbed else None

    def _keep(self, item: CelestialItem, circle: tuple[str, ...]) -> None:
        state = self.state(item.id)
        device = self._next_write()
        texts = state.texts or _captured_texts(item, device, self._now)
        self._write(item.id, replace(state, texts=texts), kept_value(circle, item.content), device)

    def _write(self, item_id: str, state: ItemState, value: Value, device: Device | None = None) -> None:
        device = device or self._next_write()
        presence = state.presence.write(device.id, device.writes, self._now, value)
        self._put(item_id, replace(state, presence=presence), device)

    def _put(self, item_id: str, state: ItemState, device: Device) -> None:
        put_device(self._session, self._owner, put_state(self._session, self._owner, item_id, state, device))
        self.changed[item_id] = state

    def _next_write(self) -> Device:
        device = device_of(self._session, self._owner)
        if device is None:
            raise AssertionError("a device has an identity before it merges")
        return replace(device, writes=device.writes + 1)

    def _value(self, item_id: str) -> Value:
        return self.state(item_id).presence_in_force

    def _text(self, item_id: str) -> str | None:
        """The text in force; of a purged memory the one that this device still has."""
        texts = texts_in_force(self.state(item_id))
        if CONTENT in texts:
            return str(texts[CONTENT]["content"])
        item = self._session.items.get(self._owner, item_id)
        return None if item is None else item.content


def _captured_texts(item: CelestialItem, device: Device, now: float) -> Mapping[str, Register]:
    return captured(ItemState(), item, device.id, device.writes, Happened(0), now).texts
