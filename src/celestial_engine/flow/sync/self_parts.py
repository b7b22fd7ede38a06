"""The self on several devices: islands and beliefs change only by an approval, and it counts everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from celestial_engine.core.codec import decode, encode
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Channel, ProposalKind
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.core.sync.device import DEVICE, Device, from_bytes, to_bytes
from celestial_engine.core.sync.item_state import ItemState, packed, unpacked
from celestial_engine.core.sync.registers import Register
from celestial_engine.core.sync.state_checks import BELIEF, ISLAND, SELF
from celestial_engine.ports import Reader, SyncRecord, Writer


def capture_self(session: Writer, owner: Owner, now: float) -> int:
    """Note what was approved on this device; return 1 if something was."""
    note = session.sync.note(owner, DEVICE)
    if note is None:
        return 0
    device, before = from_bytes(Device, note), _self_state(session, owner)
    parts, versions = _parts(session, owner), session.self.versions(owner)
    approval = _approval(versions[0]) if versions else {}
    at = versions[0].at if versions else now
    texts = dict(before.texts)
    for name in {*parts, *texts}:
        register = texts.get(name, Register())
        present = parts.get(name)
        if (register.value or {}).get("part") != (None if present is None else present.part):
            value = {"part": None} if present is None else {"part": present.part, "whole": encode(present)}
            texts[name] = register.write(device.id, device.writes + 1, at, {**value, "approval": approval})
    if texts == dict(before.texts):
        return 0
    _put(session, owner, replace(before, texts=texts), replace(device, writes=device.writes + 1))
    return 1


def merge_self(session: Writer, owner: Owner, incoming: ItemState, origin: str, now: float) -> bool:
    """Join what was approved elsewhere and carry it out; the newer approval of a part is in force."""
    capture_self(session, owner, now)
    note = session.sync.note(owner, DEVICE)
    before = _self_state(session, owner)
    joined = before.join(incoming)
    if note is None or joined == before:
        return False
    _put(session, owner, joined, from_bytes(Device, note), origin)
    parts, changed, approval = _parts(session, owner), False, dict[str, Any]()
    for name, register in joined.texts.items():
        value = register.value or {}
        present = parts.get(name)
        if value.get("part") == (None if present is None else present.part):
            continue
        _set_part(session, owner, name, value, present)
        changed, approval = True, value.get("approval") or approval
    if changed:
        _record_version(session, owner, approval, origin, now)
    return changed


def _set_part(session: Writer, owner: Owner, name: str, value: dict[str, Any], present: Any) -> None:
    kind, part_id = name[: len(ISLAND)], name[len(ISLAND) :]
    part = value.get("part")
    if kind == ISLAND:
        if part is None:
            session.self.remove_island(owner, part_id)
        else:
            session.self.put_island(owner, (present or decode(Island, value["whole"])).with_part(part))
    elif part is None:
        session.self.remove_belief(owner, part_id)
    else:
        session.self.put_belief(owner, (present or decode(Belief, value["whole"])).with_part(part))


def _record_version(session: Writer, owner: Owner, approval: dict[str, Any], origin: str, now: float) -> None:
    versions = session.self.versions(owner)
    number = versions[0].version + 1 if versions else 1
    kind = ProposalKind(approval.get("kind", ProposalKind.SOUL_EDIT.value))
    channel, by = Channel(approval.get("channel", Channel.HOST.value)), str(approval.get("by", origin))
    proposal = str(approval.get("proposal", ""))
    islands, beliefs = tuple(session.self.islands(owner)), tuple(session.self.beliefs(owner))
    session.self.add_version(owner, SelfVersion(number, now, proposal, kind, by, channel, 0, 0, islands, beliefs))
    detail = {"version": number, "proposal": proposal, "what": kind.value, "who": by, "channel": channel.value,
              "device": origin}  # fmt: skip
    session.ledger.record(Event(EventType.SELF_CHANGED, owner, now, None, detail))


def _approval(version: SelfVersion) -> dict[str, str]:
    return {
        "by": version.by, "channel": version.channel.value, "kind": version.kind.value, "proposal": version.proposal,
    }  # fmt: skip


def _parts(session: Reader, owner: Owner) -> dict[str, Island | Belief]:
    islands = {ISLAND + island.id: island for island in session.self.islands(owner)}
    return {**islands, **{BELIEF + belief.id: belief for belief in session.self.beliefs(owner)}}


def _self_state(session: Reader, owner: Owner) -> ItemState:
    record = session.sync.records(owner, [SELF]).get(SELF)
    return ItemState() if record is None else unpacked(record.marks, record.texts)


def _put(session: Writer, owner: Owner, state: ItemState, device: Device, origin: str = "") -> None:
    device = replace(device, changes=device.changes + 1)
    marks, texts = packed(state.marks_json()) or b"", packed(state.texts_json())
    session.sync.put_record(owner, SyncRecord(SELF, marks, texts, device.changes, origin))
    session.sync.put_note(owner, DEVICE, to_bytes(device))
