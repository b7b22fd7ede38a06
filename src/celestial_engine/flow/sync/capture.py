"""capture: bring the records of this device up to date with its memories, before other devices receive them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.device import Target, from_bytes, target_note
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.sync.happened import Happened, happened_since
from celestial_engine.flow.sync.noted import capture_items, capture_purged, device_of, put_device
from celestial_engine.flow.sync.self_parts import capture_self
from celestial_engine.ports import ItemStore, Reader

_PAGE = 200
ReadArchived = Callable[[Sequence[str]], Mapping[str, CelestialItem]]


def capture(store: ItemStore, owner: Owner, now: float, read_archived: ReadArchived) -> int:
    """Note every change of this device in its records; return how many records changed.

    The device has an identity already; `read_archived` returns archived memories with their texts. Works in short
    transactions: stopped in between, the next call goes on.
    """
    with store.read() as reader:
        device = device_of(reader, owner)
        if device is None:
            return 0
        happened = happened_since(reader, owner, device.scanned)
        if happened.until == device.scanned:
            return 0
    changed = 0
    for item_ids in _item_ids(store, owner, happened):
        whole = read_archived(_archived_ids(store, owner, item_ids))
        with store.write(owner) as session:
            changed += capture_items(session, owner, item_ids, happened, now, whole)
    with store.write(owner) as session:
        changed += capture_purged(session, owner, happened)
        changed += capture_self(session, owner, now)
        device = device_of(session, owner) or device
        put_device(session, owner, replace(device, scanned=max(device.scanned, happened.until)))
    return changed


def _item_ids(store: ItemStore, owner: Owner, happened: Happened) -> Iterator[list[str]]:
    """Yield the ids of memories that may have changed, in batches."""
    if not happened.everything:
        yield from ([*part] for part in in_batches(list(happened.touched)))
        return
    key = -1
    while True:
        with store.read() as reader:
            page = reader.items.page(owner, key, _PAGE)
        if not page:
            return
        key = page[-1][0]
        yield [item.id for _, item in page]


def count_unsent(session: Reader, owner: Owner, target: str) -> int:
    """Return about how many memories this target does not know yet, captured or not."""
    device = device_of(session, owner)
    happened = happened_since(session, owner, -1 if device is None else device.scanned)
    if device is None or happened.everything:
        return sum(session.items.state_counts(owner).values())
    note = session.sync.note(owner, target_note(target))
    after = 0 if note is None else from_bytes(Target, note).published
    unsent = {*happened.touched, *happened.purged}
    while page := session.sync.changed(owner, after, _PAGE):
        unsent |= {record.item_id for record in page if record.origin != target}
        after = page[-1].changed
    return len(unsent)


def _archived_ids(store: ItemStore, owner: Owner, item_ids: Sequence[str]) -> list[str]:
    with store.read() as reader:
        return [item.id for item in reader.items.get_many(owner, item_ids) if item.state is State.ARCHIVED]
