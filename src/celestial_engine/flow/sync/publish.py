"""publish: pack what a folder or another device does not know yet.

A bundle is noted in the database before it is written anywhere. So a process that is killed in between writes the
same bundle again, and never two different ones with one number.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import uuid4

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sync.bundle import Cipher, Contents, Header, bundle_hash, pack, read_header
from celestial_engine.core.sync.device import Device, Target, from_bytes, pending_note, target_note, to_bytes
from celestial_engine.core.sync.item_state import unpacked
from celestial_engine.flow.sync.noted import device_of, put_device
from celestial_engine.ports import ItemStore, Reader, SyncRecord, Writer

MOST_STATES = 2_000  # in one bundle
_SALT, _NONCE = 16, 12


@dataclass(frozen=True)
class Outgoing:
    """A bundle to send, and up to which change the receiver knows everything once it has it."""

    data: bytes
    number: int
    hash: str
    published: int
    count: int
    snapshot: bool = False


def ensure_device(store: ItemStore, owner: Owner, now: float, name: str | None, machine: str) -> Device:
    """Return this device; give it an identity if it has none. Without a name it is called after its machine."""
    with store.read() as reader:
        device = device_of(reader, owner)
    if device is not None and (name is None or name == device.name):
        return device
    with store.write(owner) as session:
        device = device_of(session, owner)
        if device is None:
            device = Device(uuid4().hex, name or machine, now, secrets.token_hex(_SALT))
        else:
            device = replace(device, name=name or device.name)
        put_device(session, owner, device)
    return device


def renew_device(store: ItemStore, owner: Owner, now: float, machine: str) -> Device:
    """Give this database a new identity: what it wrote so far stays another device's, and is read as such."""
    with store.write(owner) as session:
        old = device_of(session, owner)
        name = machine if old is None else old.name
        changes, purges = (0, 0) if old is None else (old.changes, old.purges)
        device = Device(uuid4().hex, name, now, secrets.token_hex(_SALT), changes=changes, purges=purges)
        for note in (*session.sync.notes(owner, target_note("")), *session.sync.notes(owner, pending_note(""))):
            session.sync.drop_note(owner, note)
        put_device(session, owner, device)
    return device


def target_of(session: Reader, owner: Owner, target: str) -> Target:
    note = session.sync.note(owner, target_note(target))
    return Target() if note is None else from_bytes(Target, note)


def put_target(session: Writer, owner: Owner, name: str, target: Target) -> None:
    session.sync.put_note(owner, target_note(name), to_bytes(target))


def next_bundle(
    store: ItemStore,
    owner: Owner,
    target: str,
    cipher: Cipher | None,
    now: float,
    *,
    snapshot: bool = False,
    most: int = MOST_STATES,
    most_bytes: int | None = None,
) -> Outgoing | None:
    """Return the next bundle for this target, the one that was begun before if there is one; None: it knows all.

    A bundle of more than `most_bytes` holds fewer memories, but at least one.
    """
    with store.write(owner) as session:
        started = begun(session, owner, target)
        if started is not None:
            return started
        device, state = device_of(session, owner), target_of(session, owner, target)
        if device is None or (state.published >= device.changes and not snapshot):
            return None
        records, until = (
            _everything(session, owner, device) if snapshot else _news(session, owner, state, target, most)
        )
        if not records and not snapshot:
            put_target(session, owner, target, replace(state, published=until))
            return None
        header = Header(
            device.id, state.number + 1, state.hash, snapshot, salt=bytes.fromhex(device.salt),
            nonce=secrets.token_bytes(_NONCE),
        )  # fmt: skip
        data = pack(header, _contents(session, owner, device, records, now), cipher)
        while most_bytes is not None and len(data) > most_bytes and len(records) > 1:
            records = records[: max(1, len(records) // 4)]
            until = records[-1].changed
            header = replace(header, nonce=secrets.token_bytes(_NONCE))
            data = pack(header, _contents(session, owner, device, records, now), cipher)
        outgoing = Outgoing(data, header.number, bundle_hash(data), until, len(records), snapshot)
        session.sync.put_note(owner, pending_note(target), _pending(outgoing))
    return outgoing


def confirm(store: ItemStore, owner: Owner, target: str, sent: Outgoing, now: float) -> None:
    """Note that the target has this bundle."""
    with store.write(owner) as session:
        state, device = target_of(session, owner, target), device_of(session, owner)
        if sent.number != state.number + 1:
            return  # another process on this database has confirmed it, and maybe gone on
        purges = device.purges if sent.snapshot and device is not None else state.purges
        put_target(
            session, owner, target,
            replace(state, published=max(state.published, sent.published), number=sent.number, hash=sent.hash,
                    at=now, purges=purges),
        )  # fmt: skip
        session.sync.drop_note(owner, pending_note(target))


def drop_begun(store: ItemStore, owner: Owner, target: str) -> None:
    """Forget the bundle that was packed for this target: the next one holds the same, packed again."""
    with store.write(owner) as session:
        session.sync.drop_note(owner, pending_note(target))


def _news(session: Reader, owner: Owner, state: Target, target: str, most: int) -> tuple[list[SyncRecord], int]:
    until = state.published
    while page := session.sync.changed(owner, until, most):
        until = page[-1].changed
        records = [record for record in page if record.origin != target]
        if records:
            return records, until
    return [], until


def _everything(session: Reader, owner: Owner, device: Device) -> tuple[list[SyncRecord], int]:
    return list(_all(session, owner)), device.changes


def _all(session: Reader, owner: Owner) -> Iterator[SyncRecord]:
    after = None
    while page := session.sync.page(owner, after, MOST_STATES):
        yield from page
        after = page[-1].item_id


def _contents(session: Reader, owner: Owner, device: Device, records: list[SyncRecord], now: float) -> Contents:
    states = tuple((record.item_id, unpacked(record.marks, record.texts)) for record in records)
    return Contents(owner, device.id, device.name, now, session.presence.last_active(owner), states)


def _pending(outgoing: Outgoing) -> bytes:
    head = {"published": outgoing.published, "count": outgoing.count}
    return json.dumps(head).encode() + b"\n" + outgoing.data


def begun(session: Reader, owner: Owner, target: str) -> Outgoing | None:
    """Return the bundle that was packed for this target and not confirmed yet."""
    note = session.sync.note(owner, pending_note(target))
    if note is None:
        return None
    line, _, data = note.partition(b"\n")
    head, header = json.loads(line), read_header(data, "")
    return Outgoing(
        data, header.number, bundle_hash(data), int(head["published"]), int(head["count"]), header.snapshot
    )
