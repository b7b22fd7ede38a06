"""What both ways of exchanging share: capture what changed here, open a bundle, merge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.sync.bundle import Contents, unpack
from celestial_engine.engine.parts import Parts
from celestial_engine.errors import Reason, SyncError
from celestial_engine.flow.departures import retain as retaining
from celestial_engine.flow.sync import capture as capturing
from celestial_engine.flow.sync import merge as merging
from celestial_engine.flow.turn.be_present import be_present

if TYPE_CHECKING:
    from celestial_engine.core.sync.bundle import Cipher
    from celestial_engine.flow.sync.merge import Merged
    from celestial_engine.ports import Progress


def capture(parts: Parts) -> None:
    """Notes in the records what changed on this device."""

    def read_archived(item_ids: Sequence[str]) -> dict[str, CelestialItem]:
        items: dict[str, CelestialItem] = {}
        for item_id in item_ids:
            if item_id not in items:  # neighbours are usually in the same file, which is read once
                contents = retaining.contents_of(parts.store, parts.owner, item_id)
                items |= {memory.item.id: memory.item for memory in (contents.memories if contents else ())}
        return items

    capturing.capture(parts.store, parts.owner, parts.now(), read_archived)


def opened(parts: Parts, data: bytes, cipher: Cipher | None, where: str, *, plaintext: bool) -> Contents:
    """Returns what a bundle says; raises SyncError if it cannot be read, or is another owner's."""
    contents = unpack(data, cipher, where, allow_plain=plaintext)
    if contents.owner != parts.owner:
        raise SyncError(where, Reason.SYNC_OTHER_OWNER, got=str(contents.owner), owner=str(parts.owner))
    return contents


def merge_contents(parts: Parts, contents: Contents, origin: str, progress: Progress | None = None) -> Merged:
    law, now = parts.law(), parts.now()
    # First: the clocks of memories that come now begin today, and no missed day is added to them.
    _be_present_elsewhere(parts, contents.last_active, now)
    return merging.merge(
        parts.store, law, parts.owner, contents, origin, now, parts.recorder.embed,
        lambda item_id: retaining.bring_back(parts.store, law, parts.owner, item_id, now), progress,
    )  # fmt: skip


def _be_present_elsewhere(parts: Parts, active: float | None, now: float) -> None:
    """Notes that the owner was active on another device: days with the owner count on every device.

    On a new device their days begin now, whatever the clock of the other says.
    """
    with parts.store.read() as reader:
        last = reader.presence.last_active(parts.owner)
    if active is None or active > now:
        return
    if last is None or active > last:
        be_present(parts.store, parts.law, parts.owner, now if last is None else active, new_owner=True)
