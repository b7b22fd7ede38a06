"""noted: how the records of this device follow its memories. Shared by the stages that capture and merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.device import DEVICE, Device, from_bytes, to_bytes
from celestial_engine.core.sync.item_state import COUNTS, ItemState, packed, unpacked
from celestial_engine.core.sync.memory_fields import (
    fields_of,
    presence_of,
    same_presence,
    same_tier,
    texts_in_force,
    tier_of,
)
from celestial_engine.core.sync.registers import Register
from celestial_engine.flow.sync.happened import Happened
from celestial_engine.ports import Reader, SyncRecord, Writer

_MERGED_FROM = "from:"


def device_of(session: Reader, owner: Owner) -> Device | None:
    note = session.sync.note(owner, DEVICE)
    return None if note is None else from_bytes(Device, note)


def put_device(session: Writer, owner: Owner, device: Device) -> None:
    session.sync.put_note(owner, DEVICE, to_bytes(device))


def capture_items(
    session: Writer,
    owner: Owner,
    item_ids: Sequence[str],
    happened: Happened,
    now: float,
    whole: Mapping[str, CelestialItem] | None = None,
) -> int:
    """Note the changes of these memories, as they are in this transaction. `whole` are archived ones, with texts."""
    device, records = device_of(session, owner), session.sync.records(owner, item_ids)
    if device is None:
        return 0
    changed = 0
    for item in session.items.get_many(owner, item_ids):
        before = state_of(records.get(item.id))
        if item.state is State.ARCHIVED:
            if before.texts or whole is None or item.id not in whole:
                continue  # only moved into a file here
            item = replace(whole[item.id], owner=owner, state=State.ACTIVE)
        state = captured(before, item, device.id, device.writes + 1, happened, now)
        if state != before:
            device = put_state(session, owner, item.id, state, replace(device, writes=device.writes + 1))
            changed += 1
    if changed:
        put_device(session, owner, device)
    return changed


def captured(
    before: ItemState, item: CelestialItem, device: str, count: int, happened: Happened, now: float
) -> ItemState:
    """Return the state with what this device changed since."""
    state, in_force = before, texts_in_force(before)
    texts = dict(before.texts)
    for group, value in fields_of(item).items():
        if in_force.get(group) != value:
            at = happened.changed_at(item.id, group, now if before.texts else item.created_at)
            texts[group] = texts.get(group, Register()).write(device, count, at, value)
    at = happened.touched.get(item.id) or (now if before.texts else item.created_at)
    state = replace(state, texts=texts) if texts != before.texts else state
    if not same_tier(tier_of(item), before.tier_in_force):
        state = replace(state, tier=state.tier.write(device, count, at, tier_of(item)))
    presence = _presence(item, happened)
    if not same_presence(presence, before.presence_in_force):
        state = replace(state, presence=state.presence.write(device, count, at, presence))
    return _counted(state, item, device, count, happened)


def _presence(item: CelestialItem, happened: Happened) -> dict[str, object]:
    value = presence_of(item)
    into = happened.merged_into.get(item.id)
    return value if into is None or "reason" not in value else {**value, "into": into}


def _counted(state: ItemState, item: CelestialItem, device: str, count: int, happened: Happened) -> ItemState:
    for gone, counts in happened.merged_counts.get(item.id, {}).items():
        for name, number in counts.items():
            # Under the name of the duplicate: two devices that merge the same pair count it once.
            source = _MERGED_FROM + gone
            if number > state.counts.get(name, {}).get(source, (0, 0))[1]:
                state = state.with_count(name, source, number, number)
    for name in COUNTS:
        total = sum(number for _, number in state.counts.get(name, {}).values())
        more = int(getattr(item, name)) - total
        if more:
            own = state.counts.get(name, {}).get(device, (0, 0))[1]
            state = state.with_count(name, device, count, own + more)
    if item.last_recalled_at > state.recalled_at:
        state = replace(state, recalled_at=item.last_recalled_at)
    return state


def capture_purged(session: Writer, owner: Owner, happened: Happened) -> int:
    """Note which memories were purged here: their records keep ids and numbers, and no text."""
    device, changed = device_of(session, owner), 0
    ids = list(happened.purged)
    kept = {item.id for item in session.items.get_many(owner, ids)}
    records = session.sync.records(owner, ids)
    for item_id, (reason, at) in happened.purged.items():
        before = state_of(records.get(item_id))
        if device is None or item_id in kept or before.is_purged:
            continue
        last = before.presence.value or {}
        reason, left_at = happened.left.get(item_id, (last.get("reason", reason), last.get("left_at", at)))
        value = {"state": State.PURGED.value, "reason": reason, "left_at": left_at}
        into = happened.merged_into.get(item_id, last.get("into"))
        presence = before.presence.write(
            device.id, device.writes + 1, at, value if into is None else {**value, "into": into}
        )
        state = replace(before, presence=presence, texts={})
        device = replace(device, writes=device.writes + 1, purges=device.purges + 1)
        device = put_state(session, owner, item_id, state, device)
        changed += 1
    if device is not None and changed:
        put_device(session, owner, device)
    return changed


def state_of(record: SyncRecord | None) -> ItemState:
    return ItemState() if record is None else unpacked(record.marks, record.texts)


def put_state(
    session: Writer, owner: Owner, item_id: str, state: ItemState, device: Device, origin: str = ""
) -> Device:
    """Write the record; return the device with its next change number."""
    device = replace(device, changes=device.changes + 1)
    marks, texts = packed(state.marks_json()) or b"", packed(state.texts_json())
    session.sync.put_record(owner, SyncRecord(item_id, marks, texts, device.changes, origin))
    return device
