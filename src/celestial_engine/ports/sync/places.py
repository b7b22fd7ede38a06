"""Where devices exchange bundles: a shared folder, or another device that answers."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class BundleFile(NamedTuple):
    """A bundle in a folder, by its name."""

    device: str
    number: int
    hash: str  # the beginning of it
    path: str


class SharedFolder(Protocol):
    """A folder that some other program copies between devices."""

    @property
    def id(self) -> str:
        """Written into the folder, so that another folder at the same path is not taken for it."""
        ...

    def files(self) -> list[BundleFile]:
        """The bundles of all devices, by device and number."""
        ...

    def read(self, file: BundleFile) -> bytes:
        """Raises SyncError with SYNC_INCOMPLETE if the file is gone."""
        ...

    def write(self, device: str, number: int, digest: str, data: bytes) -> None:
        """Writes the file; it is complete and on disk when it has its name. An existing one is left as it is."""
        ...

    def remove(self, file: BundleFile) -> None:
        """Deletes a bundle; nothing happens if it is gone."""
        ...


class RemoteDevice(Protocol):
    """Another device, over HTTP."""

    def status(self) -> dict[str, Any]: ...
    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Sends JSON values and returns the answer; raises SyncError."""
        ...
