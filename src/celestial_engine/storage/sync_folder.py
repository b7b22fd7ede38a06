"""A folder shared between devices: one folder a device in it, bundles are written once and never changed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets

from celestial_engine.errors import Reason, StorageError, SyncError, os_problem
from celestial_engine.ports.sync.places import BundleFile
from celestial_engine.storage.archive import os_errors, sync_folder

_ABOUT = "celestial-sync.json"
_DEVICES = "devices"
_NAME = re.compile(r"(\d{8,})-([0-9a-f]{16})\.celestial")
_DEVICE = re.compile(r"[0-9a-f]{32}")
_MOST_FILE = 2 << 30


class SyncFolder:
    """The bundles of every device, under `devices/<id>/`."""

    def __init__(self, path: str, *, create: bool = True) -> None:
        self.path = os.path.abspath(path)
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise SyncError(path, Reason.SYNC_NOT_A_FOLDER)
        # A disk that is not connected must not be taken for a new folder: nothing would reach the other devices.
        parent = os.path.dirname(self.path)
        if not os.path.isdir(parent):
            raise SyncError(path, Reason.SYNC_NO_PARENT, parent=parent)
        self.id = self._identity(create)

    def files(self) -> list[BundleFile]:
        bundles = []
        root = os.path.join(self.path, _DEVICES)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for device in sorted(os.listdir(root)):
                if not _DEVICE.fullmatch(device):
                    continue
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    bundles += [
                        file for name in os.listdir(os.path.join(root, device)) for file in _file(device, name)
                    ]
        return sorted(bundles)

    def read(self, file: BundleFile) -> bytes:
        path = os.path.join(self.path, file.path)
        try:
            with open(path, "rb") as stream:
                if os.path.islink(path) or os.fstat(stream.fileno()).st_size > _MOST_FILE:
                    raise SyncError(file.path, Reason.SYNC_FOREIGN)
                return stream.read()
        except FileNotFoundError as error:  # its device has replaced it meanwhile
            raise SyncError(file.path, Reason.SYNC_INCOMPLETE) from error
        except OSError as error:
            raise StorageError(path, os_problem(error)) from error

    def write(self, device: str, number: int, digest: str, data: bytes) -> None:
        folder = os.path.join(self.path, _DEVICES, device)
        target = os.path.join(folder, f"{number:08}-{digest[:16]}.celestial")
        with os_errors(target):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if not os.path.exists(target):
                _write(target, data)

    def remove(self, file: BundleFile) -> None:
        path = os.path.join(self.path, file.path)
        with os_errors(path), contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def _identity(self, create: bool) -> str:
        path = os.path.join(self.path, _ABOUT)
        try:
            with os_errors(path), open(path, encoding="utf-8") as stream:
                about = json.loads(stream.read(4_096))
            if about["format"] != "celestial-sync-folder":
                raise ValueError(about["format"])
            return str(about["id"])
        except StorageError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
        except (ValueError, KeyError, TypeError) as error:
            raise SyncError(path, Reason.SYNC_FOREIGN) from error
        if not create:
            return ""
        identity = secrets.token_hex(16)
        with os_errors(path):
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            _write(path, json.dumps({"format": "celestial-sync-folder", "version": 1, "id": identity}).encode())
        return identity


def _file(device: str, name: str) -> list[BundleFile]:
    """The bundle with this name; nothing of a file that is no bundle, or that is still being copied."""
    match = _NAME.fullmatch(name)
    if match is None:
        return []
    return [BundleFile(device, int(match[1]), match[2], os.path.join(_DEVICES, device, name))]


def _write(target: str, data: bytes) -> None:
    unfinished = f"{target}.{secrets.token_hex(4)}.part"
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    sync_folder(os.path.dirname(target))
