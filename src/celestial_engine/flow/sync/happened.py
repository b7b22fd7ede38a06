"""happened: what the ledger tells about the memories that changed on this device since it was last asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.item_state import COUNTS
from celestial_engine.core.sync.memory_fields import CONTENT, GROUPS, READING
from celestial_engine.ports import Reader

_PAGE = 5_000
_USES = (EventType.RECALLED, EventType.MENTIONED, EventType.INFLUENCED, EventType.MOVED, EventType.REWARDED)
# Entries that do not name the memories that they changed.
_WHOLESALE = (EventType.BACKUP_RESTORED, EventType.LAW_CHANGED)
_MERGED_COUNTS = ("recalls", "mentions", "influences")


@dataclass
class Happened:
    """Ids of the memories that changed, when their fields were edited, which were merged and which left."""

    until: int
    everything: bool = False  # some change does not name its memories: look at all
    touched: dict[str, float] = field(default_factory=dict)  # when it was last changed, other than by use
    edited: dict[tuple[str, str], float] = field(default_factory=dict)  # by memory and group of fields
    merged_into: dict[str, str] = field(default_factory=dict)
    merged_counts: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)  # by keeper, duplicate, field
    left: dict[str, tuple[str, float]] = field(default_factory=dict)  # why and when it went over the cliff
    purged: dict[str, tuple[str, float]] = field(default_factory=dict)

    def changed_at(self, item_id: str, group: str, otherwise: float) -> float:
        return self.edited.get((item_id, group)) or self.touched.get(item_id) or otherwise


def happened_since(session: Reader, owner: Owner, number: int) -> Happened:
    """Read the entries behind `number`; -1 means that nothing was ever read."""
    happened = Happened(max(number, 0), everything=number < 0)
    while page := session.ledger.events_since(owner, happened.until, limit=_PAGE):
        for event in page:
            _read(happened, event)
        happened.until = page[-1].number or happened.until
        if len(page) < _PAGE:
            break
    return happened


def _read(happened: Happened, event: Event) -> None:
    if event.type in _WHOLESALE or (event.type is EventType.APPRAISED and event.item_id is None):
        happened.everything = True
    for other in event.memory_refs:
        happened.touched.setdefault(other, 0.0)
    item_id = event.item_id
    if item_id is None:
        return
    happened.touched[item_id] = happened.touched.get(item_id, 0.0) if event.type in _USES else event.at
    match event.type:
        case EventType.STORED:
            happened.edited |= {(item_id, group): event.at for group in GROUPS}
        case EventType.UPDATED:
            _read_edit(happened, item_id, event)
        case EventType.FORGOTTEN:
            happened.left[item_id] = (str(event.detail.get("reason", "manual")), event.at)
        case EventType.PURGED:
            happened.purged[item_id] = (str(event.detail.get("reason") or "manual"), event.at)
        case EventType.MERGED:
            merged_id = str(event.detail["from"])
            happened.merged_into[merged_id] = item_id
            counts = {name: int(event.detail.get(key, 0)) for name, key in zip(COUNTS, _MERGED_COUNTS, strict=True)}
            happened.merged_counts.setdefault(item_id, {})[merged_id] = counts
        case _:
            pass


def _read_edit(happened: Happened, item_id: str, event: Event) -> None:
    fields = {str(name) for name in event.detail.get("fields", ())}
    for group, names in GROUPS.items():
        if fields.intersection(names) or (group == READING and CONTENT in fields):
            happened.edited[item_id, group] = event.at
