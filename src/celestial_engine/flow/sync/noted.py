"""noted: how the records of this device follow its memories. Shared by the stages that capture and merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from celestial_engine.core.record.forgetting import DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.device import DEVICE, Device, from_bytes, to_bytes
from celestial_engine.core.sync.duplicates import (
    ABSORBED,
    INTO,
    MERGE_NOTE,
    StateOf,
    absorbed_recalls,
    count_source,
    merge_note,
)
from celestial_engine.core.sync.item_state import COUNTS, RECALLS, ItemState, Value, is_forgotten, packed, unpacked
from celestial_engine.core.sync.memory_fields import (
    CONTENT,
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
        text = _text_of(session, owner, happened.merged_into.get(item.id))
        state = captured(before, item, device.id, device.writes + 1, happened, now, text, _known(session, owner))
        if state != before:
            device = put_state(session, owner, item.id, state, replace(device, writes=device.writes + 1))
            changed += 1
    if changed:
        put_device(session, owner, device)
    return changed


def captured(
    before: ItemState,
    item: CelestialItem,
    device: str,
    count: int,
    happened: Happened,
    now: float,
    survivor_text: str | None = None,
    known: StateOf = lambda item_id: ItemState(),
) -> ItemState:
    """Return the state with what this device changed since.

    `survivor_text`: of what it was merged into; `known`: the states of memories that were merged into it.
    """
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
    state = _counted(state, item, device, count, happened)
    presence = presence_of(item)
    into = happened.merged_into.get(item.id) if is_forgotten(presence) else None
    last = before.presence_in_force
    if not same_presence(presence, last) or (into is not None and into != last.get(INTO)):
        if is_forgotten(presence):
            presence |= {ABSORBED: absorbed_recalls(state, known), RECALLS: state.count("recall_count")}
        if into is not None:
            presence |= merge_note(into, item.content, survivor_text)
        state = replace(state, presence=state.presence.write(device, count, at, presence))
    return state


def _counted(state: ItemState, item: CelestialItem, device: str, count: int, happened: Happened) -> ItemState:
    for merged_id, counts in happened.merged_counts.get(item.id, {}).items():
        for name, number in counts.items():
            source = count_source(merged_id)
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
    remaining = {item.id for item in session.items.get_many(owner, ids)}
    records = session.sync.records(owner, ids)
    for item_id, (_, at) in happened.purged.items():
        before = state_of(records.get(item_id))
        if device is None or item_id in remaining or before.is_purged:
            continue
        value = _purged_value(session, owner, item_id, before, happened)
        presence = before.presence.write(device.id, device.writes + 1, at, value)
        state = replace(before, presence=presence, texts={})
        device = replace(device, writes=device.writes + 1, purges=device.purges + 1)
        device = put_state(session, owner, item_id, state, device)
        changed += 1
    if device is not None and changed:
        put_device(session, owner, device)
    return changed


def _purged_value(session: Reader, owner: Owner, item_id: str, before: ItemState, happened: Happened) -> Value:
    last, (reason, at) = before.presence_in_force, happened.purged[item_id]
    left, left_at = happened.left.get(item_id, (last.get("reason", reason), last.get("left_at", at)))
    recalls = last[RECALLS] if RECALLS in last else before.count("recall_count")
    value: Value = {"state": State.PURGED.value, "reason": left, "left_at": left_at}
    absorbed = last.get(ABSORBED)
    absorbed = absorbed_recalls(before, _known(session, owner)) | (absorbed if isinstance(absorbed, dict) else {})
    value |= {ABSORBED: absorbed, RECALLS: recalls}
    if left != DepartureReason.MERGED.value:
        return value
    if reason == DepartureReason.MANUAL.value:
        return {**value, "reason": reason}  # erased on the cliff: the user wanted it gone, merged or not
    into = happened.merged_into.get(item_id)
    if into is None:
        return {**value, **{name: last[name] for name in MERGE_NOTE if name in last}}
    content = texts_in_force(before).get(CONTENT, {}).get("content")
    return {**value, **merge_note(into, content, _text_of(session, owner, into))}


def _text_of(session: Reader, owner: Owner, item_id: str | None) -> str | None:
    item = None if item_id is None else session.items.get(owner, item_id)
    return None if item is None else item.content


def _known(session: Reader, owner: Owner) -> StateOf:
    return lambda item_id: state_of(session.sync.records(owner, [item_id]).get(item_id))


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
