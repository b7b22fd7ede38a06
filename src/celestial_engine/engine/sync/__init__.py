"""`memory.sync`: several devices of one owner, each with its own database, exchange what happened since they met.

Through a folder that some program copies between them, or directly over HTTP. See docs/sync.md.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from celestial_engine.bootstrap import open_remote_device, open_sync_cipher, open_sync_folder
from celestial_engine.core.sync.device import PEERS, TARGETS, Device, Peer, from_bytes
from celestial_engine.engine.parts import Area
from celestial_engine.engine.sync import remote
from celestial_engine.engine.sync.folder import FolderExchange
from celestial_engine.engine.sync.report import Conflict, OtherDevice, SyncReport, SyncStatus
from celestial_engine.errors import Reason, SyncError
from celestial_engine.flow.sync import capture as capturing
from celestial_engine.flow.sync import noted
from celestial_engine.flow.sync import publish as publishing

if TYPE_CHECKING:
    from celestial_engine.core.sync.bundle import Cipher
    from celestial_engine.ports import Progress

__all__ = ["Conflict", "OtherDevice", "SyncArea", "SyncReport", "SyncStatus"]

_CLOCK_TOLERANCE_SECONDS = 86_400.0
_PAGE = 500


class SyncArea(Area):
    """One owner's memories on several devices."""

    def status(self, *, name: str | None = None) -> SyncStatus:
        """Describes this device and the others. With a name, this device is called so from now on."""
        parts, device = self._parts, self._device(name)
        with parts.store.read() as reader:
            peers = reader.sync.notes(parts.owner, PEERS)
            targets = [note.removeprefix(TARGETS) for note in reader.sync.notes(parts.owner, TARGETS)]
            unsent = {target: capturing.count_unsent(reader, parts.owner, target) for target in targets}
        others = tuple(
            _other(note.removeprefix(PEERS), from_bytes(Peer, packed), parts.now()) for note, packed in peers.items()
        )
        return SyncStatus(device.id, device.name, others, unsent, tuple(self._conflicts()))

    def with_folder(
        self,
        path: str,
        *,
        passphrase: str | None = None,
        plaintext: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Writes what is new here into the folder, and merges what other devices wrote there.

        Bundles are encrypted with the passphrase; without one it is refused unless `plaintext` says otherwise. With
        `dry_run` nothing is written, neither there nor here.
        """
        cipher = _cipher(passphrase)
        if cipher is None and not plaintext:
            raise SyncError(path, Reason.SYNC_NO_KEY)
        folder = open_sync_folder(path, create=not dry_run)
        exchange = FolderExchange(self._parts, folder, cipher, plaintext=plaintext, progress=progress)
        if not dry_run:
            return exchange.run(self._device(None))
        with self._parts.store.read() as reader:
            return exchange.plan(noted.device_of(reader, self._parts.owner))

    def with_device(
        self, url: str, token: str, *, passphrase: str | None = None, plaintext: bool = False
    ) -> SyncReport:
        """Exchanges everything that is new with a device that runs `celestial serve`, in both directions.

        Without https it needs a passphrase, which the other device must have in CELESTIAL_SYNC_PASSPHRASE.
        """
        other, private = open_remote_device(url, token)
        if not private and passphrase is None and not plaintext:
            raise SyncError(url, Reason.SYNC_NOT_PRIVATE)
        return remote.exchange(self._parts, self._device(None), other, url, _cipher(passphrase))

    def answer(
        self,
        device: str,
        bundle: str | None,
        *,
        previous: str = "",
        token: str = "",
        received: str = "",
        passphrase: str | None = None,
    ) -> remote.Answer:
        """The other side of `with_device`, for servers: merges what the caller sends and returns what is new here."""
        own = self._device(None)
        return remote.answer(self._parts, own, device, bundle, previous, token, received, _cipher(passphrase))

    def new_device(self) -> SyncStatus:
        """Gives this database a new identity: after it was copied, or restored from a backup."""
        publishing.renew_device(self._parts.store, self._parts.owner, self._parts.now(), platform.node())
        return self.status()

    def _device(self, name: str | None) -> Device:
        parts = self._parts
        return publishing.ensure_device(parts.store, parts.owner, parts.now(), name, platform.node())

    def _conflicts(self) -> list[Conflict]:
        parts, conflicts, after = self._parts, list[Conflict](), None
        while True:
            with parts.store.read() as reader:
                page = reader.sync.page(parts.owner, after, _PAGE)
            if not page:
                return conflicts
            after = page[-1].item_id
            for record in page:
                state = noted.state_of(record)
                if record.item_id and state.conflicts:
                    text = str(state.texts["content"].value["content"])
                    others = tuple((one.device, str(one.value["content"])) for one in state.conflicts)
                    conflicts.append(Conflict(record.item_id, text, others))


def _cipher(passphrase: str | None) -> Cipher | None:
    return None if passphrase is None else open_sync_cipher(passphrase)


def _other(device: str, peer: Peer, now: float) -> OtherDevice:
    # What a clock that is behind wrote looks like an old bundle: only a time in the future shows a wrong clock. So it
    # is told only while the time that the other told is still ahead; later, a clock that was set right since, here or
    # there, cannot be told from one that is wrong.
    ahead = min(peer.ahead, peer.at + peer.ahead - now)
    return OtherDevice(device, peer.name, peer.at, ahead if ahead > _CLOCK_TOLERANCE_SECONDS else None)
