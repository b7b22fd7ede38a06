"""An exchange through a folder that some program copies between the devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.core.sync.bundle import Contents, bundle_hash, is_complete, read_header, unsealed
from celestial_engine.core.sync.device import Device, Seen, Target, from_bytes, seen_note, to_bytes
from celestial_engine.engine.parts import Parts
from celestial_engine.engine.sync.merging import capture, merge_contents, opened
from celestial_engine.engine.sync.report import SyncReport
from celestial_engine.errors import Reason, SyncError
from celestial_engine.flow.sync import capture as capturing
from celestial_engine.flow.sync import merge as merging
from celestial_engine.flow.sync import noted
from celestial_engine.flow.sync import publish as publishing

if TYPE_CHECKING:
    from celestial_engine.core.sync.bundle import Cipher
    from celestial_engine.ports import Progress
    from celestial_engine.ports.sync.places import BundleFile, SharedFolder

_OTHER_KEY = (Reason.SYNC_WRONG_KEY, Reason.SYNC_SEALED, Reason.SYNC_PLAIN)
_MOST_FILES = 64  # of one device in a folder; then everything goes into one


class FolderExchange:
    """One exchange of this owner with a folder: publish first, then read, then tidy up own bundles."""

    def __init__(
        self, parts: Parts, folder: SharedFolder, cipher: Cipher | None, *, plaintext: bool, progress: Progress | None
    ) -> None:
        self._parts, self._folder, self._cipher = parts, folder, cipher
        self._plaintext, self._progress = plaintext, progress

    def run(self, device: Device) -> SyncReport:
        self._check_own_files(device)
        problem, renewed = self._check_key(device.id)
        capture(self._parts)
        if problem is not None:
            return SyncReport().with_error(problem)
        report = self._publish(device, SyncReport(), snapshot=renewed)
        for files in self._files_of_others(device.id):
            report = self._read(files, report)
        self._tidy(device)
        return report

    def plan(self, device: Device | None) -> SyncReport:
        """What an exchange would send and read; nothing is written."""
        parts, report = self._parts, SyncReport(dry_run=True)
        with parts.store.read() as reader:
            unsent = capturing.count_unsent(reader, parts.owner, self._folder.id)
        own = "" if device is None else device.id
        problem, _ = self._check_key(own)
        if problem is not None:
            return report.with_error(problem)
        for files in self._files_of_others(own):
            report = self._read(files, report)
        return replace(report, sent_memories=unsent)

    # -- out ----------------------------------------------------------------------------------------

    def _publish(self, device: Device, report: SyncReport, *, snapshot: bool) -> SyncReport:
        target = self._target()
        lost = target.number > 0 and not any(file.number == target.number for file in self._own_files(device.id))
        snapshot = snapshot or lost
        while outgoing := self._next_bundle(snapshot=snapshot):
            self._write(device, outgoing)
            # One that was begun before comes first, and need not be the snapshot.
            report, snapshot = report.with_sent(outgoing.count), snapshot and not outgoing.snapshot
        return report

    def _next_bundle(self, *, snapshot: bool) -> publishing.Outgoing | None:
        parts = self._parts
        return publishing.next_bundle(
            parts.store, parts.owner, self._folder.id, self._cipher, parts.now(), snapshot=snapshot
        )

    def _write(self, device: Device, outgoing: publishing.Outgoing) -> None:
        parts = self._parts
        self._folder.write(device.id, outgoing.number, outgoing.hash, outgoing.data)
        publishing.confirm(parts.store, parts.owner, self._folder.id, outgoing, parts.now())

    def _tidy(self, device: Device) -> None:
        """Replaces the bundles of this device by one with everything, if older ones hold texts that were purged."""
        parts, target, files = self._parts, self._target(), self._own_files(device.id)
        with parts.store.read() as reader:
            purges = (noted.device_of(reader, parts.owner) or device).purges
        if files and (purges > target.purges or len(files) > _MOST_FILES):
            outgoing = self._next_bundle(snapshot=True)
            if outgoing is not None:
                self._write(device, outgoing)
        files = self._own_files(device.id)
        snapshots = [file.number for file in files if self._is_snapshot(file)] if len(files) > 1 else []
        for file in files:
            if snapshots and file.number < max(snapshots):
                self._folder.remove(file)

    def _check_own_files(self, device: Device) -> None:
        """Raises if the folder has bundles of this device that it did not write: then another database did."""
        parts, target = self._parts, self._target()
        with parts.store.read() as reader:
            begun = publishing.begun(reader, parts.owner, self._folder.id)
        for file in self._own_files(device.id):
            ours = begun is not None and (file.number, file.hash) == (begun.number, begun.hash[: len(file.hash)])
            fits = file.number < target.number or (file.number == target.number and target.hash.startswith(file.hash))
            if not ours and not fits:
                raise SyncError(file.path, Reason.SYNC_TWO_DEVICES, device=device.id)

    def _check_key(self, device: str) -> tuple[SyncError | None, bool]:
        """Returns why nothing may be written with this passphrase, and whether all has to be written again with it.

        A bundle with a mistyped passphrase would keep what comes after it from every other device. So the passphrase
        has to open what this device wrote last, or what another did. If nobody else is there, it is the new one.
        """
        renewed = False
        if own := self._own_files(device):
            problem = self._key_problem(own)
            if problem is None or problem.reason is Reason.SYNC_SEALED:  # what was encrypted stays so
                return problem, False
            renewed = problem.reason in _OTHER_KEY
        others = [self._key_problem(files) for files in self._files_of_others(device)]
        if None in others:
            return None, renewed
        return next((problem for problem in others if problem and problem.reason in _OTHER_KEY), None), renewed

    def _key_problem(self, files: list[BundleFile]) -> SyncError | None:
        """Returns why the newest of a device's bundles cannot be opened; None if this passphrase opens it."""
        newest = max(files, key=lambda file: file.number)
        try:
            unsealed(self._folder.read(newest), self._cipher, newest.path, allow_plain=self._plaintext)
        except SyncError as error:
            return error
        return None

    # -- in -----------------------------------------------------------------------------------------

    def _read(self, files: list[BundleFile], report: SyncReport) -> SyncReport:
        """Another device's trouble must not stop the exchange with the rest: it is reported."""
        try:
            for contents, position in self._new_bundles(files):
                report = report.with_merged(self._merged(contents, position, dry_run=report.dry_run))
        except SyncError as error:
            if error.reason is Reason.SYNC_INCOMPLETE:
                return report.with_waiting(str(error.own["path"]))
            return report.with_error(error)
        return report

    def _merged(self, contents: Contents, position: Seen, *, dry_run: bool) -> merging.Merged:
        if dry_run:
            return merging.count_news(self._parts.store, self._parts.owner, contents)
        merged = merge_contents(self._parts, contents, self._folder.id, self._progress)
        self._note_position(contents.device, position)
        return merged

    def _new_bundles(self, files: list[BundleFile]) -> Iterator[tuple[Contents, Seen]]:
        """Yields the bundles of one device that were not read yet, in order, from the newest full one."""
        position = self._read_position(files[0].device)
        _check_chain(files, position)
        new = [file for file in files if file.number > position.number]
        snapshots = [file.number for file in new if self._is_snapshot(file)]
        for file in (file for file in new if not snapshots or file.number >= snapshots[-1]):
            data = self._folder.read(file)
            header = read_header(data, file.path)
            if not is_complete(header, data):
                raise SyncError(file.path, Reason.SYNC_INCOMPLETE)
            digest = bundle_hash(data)
            if not digest.startswith(file.hash) or (header.device, header.number) != (file.device, file.number):
                raise SyncError(file.path, Reason.SYNC_DAMAGED)
            if not header.snapshot and file.number != position.number + 1:
                raise SyncError(f"{file.device}/{position.number + 1:08}", Reason.SYNC_INCOMPLETE)
            if not header.snapshot and header.previous != position.hash:
                raise SyncError(file.path, Reason.SYNC_FORKED, device=file.device)
            contents = opened(self._parts, data, self._cipher, file.path, plaintext=self._plaintext)
            position = Seen(file.number, digest)
            yield contents, position

    def _files_of_others(self, own: str) -> list[list[BundleFile]]:
        by_device: dict[str, list[BundleFile]] = {}
        for file in self._folder.files():
            by_device.setdefault(file.device, []).append(file)
        by_device.pop(own, None)
        return list(by_device.values())

    def _own_files(self, device: str) -> list[BundleFile]:
        return [file for file in self._folder.files() if file.device == device]

    def _is_snapshot(self, file: BundleFile) -> bool:
        try:
            data = self._folder.read(file)
            header = read_header(data, file.path)
        except SyncError:
            return False  # reported when its turn comes
        return header.snapshot and is_complete(header, data)

    def _target(self) -> Target:
        with self._parts.store.read() as reader:
            return publishing.target_of(reader, self._parts.owner, self._folder.id)

    def _read_position(self, device: str) -> Seen:
        with self._parts.store.read() as reader:
            note = reader.sync.note(self._parts.owner, seen_note(self._folder.id, device))
        return Seen() if note is None else from_bytes(Seen, note)

    def _note_position(self, device: str, position: Seen) -> None:
        with self._parts.store.write(self._parts.owner) as session:
            session.sync.put_note(self._parts.owner, seen_note(self._folder.id, device), to_bytes(position))


def _check_chain(files: list[BundleFile], position: Seen) -> None:
    """Raises if two different bundles have one number: then two databases use one id."""
    hashes = {position.number: position.hash} if position.number else {}
    for file in files:
        first_hash = hashes.setdefault(file.number, file.hash)
        if not first_hash.startswith(file.hash):
            raise SyncError(file.path, Reason.SYNC_FORKED, device=file.device)
