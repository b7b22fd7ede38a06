"""An exchange with another device over HTTP: both sides of it.

Each request carries a token that both sides agreed on in the one before. So two databases with one id are noticed:
they cannot both know it.
"""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from celestial_engine.core.sync.bundle import unsealed
from celestial_engine.core.sync.device import Device
from celestial_engine.engine.parts import Parts
from celestial_engine.engine.sync.merging import capture, merge_contents, opened
from celestial_engine.engine.sync.report import SyncReport
from celestial_engine.errors import Reason, SyncError
from celestial_engine.flow.sync import publish as publishing

if TYPE_CHECKING:
    from celestial_engine.core.sync.bundle import Cipher
    from celestial_engine.ports.sync.places import RemoteDevice

_MOST_STATES = 200  # in one request
_MOST_BYTES = 2_000_000
_DEVICE = re.compile(r"[0-9a-f]{32}")


class Answer(NamedTuple):
    """This device, and the next bundle for the caller with its hash; None if there is nothing new."""

    device: str
    bundle: str | None = None
    hash: str | None = None


def exchange(parts: Parts, device: Device, remote: RemoteDevice, where: str, cipher: Cipher | None) -> SyncReport:
    """Sends everything that is new here and merges everything that is new there, a bundle each at a time."""
    peer = str(remote.status().get("device", ""))
    if peer in ("", device.id):
        raise SyncError(where, Reason.SYNC_TWO_DEVICES, device=device.id)
    capture(parts)
    report, received = SyncReport(), ""
    while True:
        outgoing = _next(parts, peer, cipher)
        previous, token = _offered_token(parts, peer)
        answer = remote.exchange(
            {
                "device": device.id, "previous": previous, "token": token, "received": received,
                "bundle": None if outgoing is None else base64.b64encode(outgoing.data).decode(),
            }
        )  # fmt: skip
        _agree(parts, peer, token)
        if outgoing is not None:
            publishing.confirm(parts.store, parts.owner, peer, outgoing, parts.now())
            report = report.with_sent(outgoing.count)
        received = str(answer.get("hash") or "")
        if answer.get("bundle"):
            contents = opened(parts, _decoded(answer["bundle"], where), cipher, where, plaintext=True)
            report = report.with_merged(merge_contents(parts, contents, peer))
        elif outgoing is None:
            return report


def answer(
    parts: Parts,
    device: Device,
    caller: str,
    bundle: str | None,
    previous: str,
    token: str,
    received: str,
    cipher: Cipher | None,
) -> Answer:
    """Merges what the caller sends. `received` is the hash of the bundle that it got last: not sent again."""
    where = f"device {caller[:40]!r}"  # repr: any text that was sent can be shown
    if not _DEVICE.fullmatch(caller):
        raise SyncError(where, Reason.SYNC_DAMAGED)
    if caller == device.id:
        raise SyncError(where, Reason.SYNC_TWO_DEVICES, device=device.id)
    contents = None if bundle is None else opened(parts, _decoded(bundle, where), cipher, where, plaintext=True)
    if contents is not None and contents.device != caller:
        raise SyncError(where, Reason.SYNC_DAMAGED)
    _check_token(parts, caller, previous, token)
    if received:
        with parts.store.read() as reader:
            begun = publishing.begun(reader, parts.owner, caller)
        if begun is not None and begun.hash == received:
            publishing.confirm(parts.store, parts.owner, caller, begun, parts.now())
    capture(parts)
    outgoing = _next(parts, caller, cipher)  # before merging: what comes just now is not sent back
    if contents is not None:
        merge_contents(parts, contents, caller)
    if outgoing is None:
        return Answer(device.id)
    return Answer(device.id, base64.b64encode(outgoing.data).decode(), outgoing.hash)


def _next(parts: Parts, peer: str, cipher: Cipher | None) -> publishing.Outgoing | None:
    with parts.store.read() as reader:
        begun = publishing.begun(reader, parts.owner, peer)
    try:
        if begun is not None:
            unsealed(begun.data, cipher, peer, allow_plain=cipher is None)
    except SyncError:  # the passphrase was another one, maybe mistyped
        publishing.drop_begun(parts.store, parts.owner, peer)
    return publishing.next_bundle(
        parts.store, parts.owner, peer, cipher, parts.now(), most=_MOST_STATES, most_bytes=_MOST_BYTES
    )


def _offered_token(parts: Parts, peer: str) -> tuple[str, str]:
    """Returns the token of the last exchange and a new one, noted before it is sent: a retry sends the same."""
    with parts.store.write(parts.owner) as session:
        target = publishing.target_of(session, parts.owner, peer)
        if not target.next_token:
            target = replace(target, next_token=secrets.token_hex(16))
            publishing.put_target(session, parts.owner, peer, target)
    return target.token, target.next_token


def _agree(parts: Parts, peer: str, token: str) -> None:
    with parts.store.write(parts.owner) as session:
        target = publishing.target_of(session, parts.owner, peer)
        publishing.put_target(session, parts.owner, peer, replace(target, token=token, next_token=""))


def _check_token(parts: Parts, caller: str, previous: str, token: str) -> None:
    with parts.store.write(parts.owner) as session:
        target = publishing.target_of(session, parts.owner, caller)
        if target.token and target.token not in (previous, token):
            raise SyncError(f"device {caller}", Reason.SYNC_FORKED, device=caller)
        publishing.put_target(session, parts.owner, caller, replace(target, token=token))


def _decoded(text: object, where: str) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError as error:
        raise SyncError(where, Reason.SYNC_DAMAGED) from error
