"""Files and folders stored as memories: a file is a memory of the owner, a folder is a side record with its entries.

A file can be recalled like any memory: its author wrote it to be known later. Folders are only structure and are
never recalled. An entry whose memory was forgotten is hidden until the memory is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from celestial_engine.adapters.shared.side_records import NEUTRAL_EMOTION, retry_on_conflict, side_records_of
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import (
    CelestialError,
    InvalidInputError,
    NotFoundError,
    Reason,
    VersionError,
    WrongStateError,
)

Path = tuple[str, ...]

SIDE_RECORDS_NAME = "folders"
ROOT_NAME = "memories"
FILE_TAG = "memory-file"
_ROOT_TAG = "memory-root"
_BLANK = "(a file with nothing in it)"  # content must not be blank: white space is kept in the metadata


class Node(NamedTuple):
    """A file or folder: the item that stores it."""

    item: CelestialItem
    is_folder: bool

    @property
    def is_here(self) -> bool:
        return self.item.state.in_orbit

    @property
    def text(self) -> str:
        blank = self.item.metadata.get("blank")
        return blank if isinstance(blank, str) and self.item.content == _BLANK else self.item.content

    @property
    def entries(self) -> list[dict[str, str]]:
        listed: list[dict[str, str]] = self.item.metadata.get("entries", [])
        return listed


class Files:
    """The files of one owner. Concurrent changes, also by other processes, are seen and never overwritten."""

    def __init__(self, memory: CelestialMemory, user_id: str | None = None, agent_id: str | None = None) -> None:
        self._memory = memory.of(user_id, agent_id)
        self._folders = side_records_of(self._memory, SIDE_RECORDS_NAME)

    def find(self, path: Path) -> Node | None:
        """The file or folder at a path, or None; () is the root."""
        node: Node | None = Node(self._root(), is_folder=True)
        for name in path:
            node = self._entry(node, name) if node is not None and node.is_folder else None
        return node

    def children(self, folder: Node) -> list[tuple[str, Node]]:
        """The entries of a folder, sorted by name. Also removes entries of purged items: nothing else does."""
        nodes = [(entry, self._node_of(entry)) for entry in folder.entries]
        purged = [entry for entry, node in nodes if node is None]
        if purged:
            with suppress(VersionError, WrongStateError):
                self._change(folder.item.id, lambda entries: [entry for entry in entries if entry not in purged])
        visible = [(entry["name"], node) for entry, node in nodes if node is not None and node.is_here]
        return sorted(visible, key=lambda child: child[0])

    def create(self, path: Path, text: str) -> None:
        """Create a file and its missing folders; raises FileExistsError if the path is taken."""
        parent = self._get_or_create_folder(path[:-1])
        item = self._memory.store(
            _content(text),
            metadata=_metadata(path, text),
            source=Source.USER,
            tier=Tier.M365,
            pinned=True,
            tags=(FILE_TAG,),
        )
        try:
            if item.metadata.get("path") != _path_text(path):
                raise InvalidInputError("path", Reason.SECRET_IN_NAME)
            self._link(parent.item.id, {"name": path[-1], "file": item.id})
        except BaseException:
            self._memory.forget(item.id)
            raise

    def rewrite(self, path: Path, node: Node, text: str) -> None:
        """Replace a file's text; raises VersionError if it changed since it was read."""
        self._memory.update(
            node.item.id,
            _content(text),
            metadata={**_without_blank(node.item.metadata), **_metadata(path, text)},
            if_version=version_of(node.item),
        )

    def delete(self, node: Node) -> None:
        """Forget a file, or a folder with its content. Files first: one that cannot go keeps its folder."""
        if not node.is_folder:
            self._memory.forget(node.item.id)
            return
        for _, child in self.children(node):
            with suppress(NotFoundError, WrongStateError):  # already deleted concurrently
                self.delete(child)
        self._folders.forget(node.item.id)

    def rename(self, old: Path, new: Path) -> None:
        """Move a file or folder; raises FileExistsError if `new` is taken. For a moment it may be at both paths."""
        node = self.find(old)
        source = self.find(old[:-1])
        if node is None or source is None:
            raise NotFoundError(item_id=_path_text(old))
        parent = self._get_or_create_folder(new[:-1])
        kind = "folder" if node.is_folder else "file"
        if parent.item.id != source.item.id:
            self._link(parent.item.id, {"name": new[-1], kind: node.item.id})
            self._change(source.item.id, lambda entries: [entry for entry in entries if entry["name"] != old[-1]])
        else:
            entry = {"name": new[-1], kind: node.item.id}
            self._link(parent.item.id, entry, instead_of=old[-1])
        self._update_paths(new, node)

    def _update_paths(self, path: Path, node: Node) -> None:
        """Update the path in the metadata of every file below. It is only for people: lookup does not use it."""
        if node.is_folder:
            for name, child in self.children(node):
                self._update_paths((*path, name), child)
            return
        metadata = {**node.item.metadata, "path": _path_text(path)}
        with suppress(CelestialError):
            self._memory.update(node.item.id, metadata=metadata)

    # -- folders ----------------------------------------------------------------------------------------

    def _root(self) -> CelestialItem:
        roots = self._folders.list(1, where=ItemFilter(tags=(_ROOT_TAG,)))
        if roots:
            return roots[0]
        # The idempotency key makes concurrent calls create the same root.
        root = self._new_folder((), tags=(_ROOT_TAG,), idempotency_key=_ROOT_TAG)
        return root if root.state.in_orbit else self._folders.restore(root.id)

    def _get_or_create_folder(self, path: Path) -> Node:
        """Get or create the folder at a path; raises NotADirectoryError if a file is in the way."""
        node = Node(self._root(), is_folder=True)
        for depth, name in enumerate(path, start=1):
            inner = self._entry(node, name)
            if inner is None:
                folder = self._new_folder(path[:depth])
                try:
                    self._link(node.item.id, {"name": name, "folder": folder.id})
                    inner = Node(folder, is_folder=True)
                except FileExistsError:  # created concurrently
                    self._folders.forget(folder.id)
                    inner = self._entry(Node(self._folders.get(node.item.id), is_folder=True), name)
            if inner is None or not inner.is_folder:
                raise NotADirectoryError(_path_text(path[:depth]))
            node = inner
        return node

    def _new_folder(self, path: Path, **more: Any) -> CelestialItem:
        item = self._folders.store(
            f"Folder {_path_text(path)}",
            0.0,
            {"path": _path_text(path), "entries": []},
            tier=Tier.M365,
            pinned=True,
            emotion=NEUTRAL_EMOTION,
            **more,
        )
        if item.metadata.get("path") != _path_text(path):
            self._folders.forget(item.id)
            raise InvalidInputError("path", Reason.SECRET_IN_NAME)
        return item

    def _link(self, folder_id: str, entry: dict[str, str], instead_of: str | None = None) -> None:
        """Add an entry to a folder; raises FileExistsError if the name is taken."""

        def linked(entries: list[dict[str, str]]) -> list[dict[str, str]]:
            existing = next((other for other in entries if other["name"] == entry["name"]), None)
            if existing is not None and self._visible_node(existing) is not None:
                raise FileExistsError(entry["name"])
            return [other for other in entries if other["name"] not in (entry["name"], instead_of)] + [entry]

        self._change(folder_id, linked)

    def _change(self, folder_id: str, change: Callable[[list[dict[str, str]]], Sequence[dict[str, str]]]) -> None:
        def changed() -> None:
            folder = Node(self._folders.get(folder_id), is_folder=True)
            metadata = {**folder.item.metadata, "entries": list(change(folder.entries))}
            written = self._folders.update(folder_id, metadata=metadata, if_version=version_of(folder.item))
            if written.metadata != metadata:  # the secret guard redacted a name: the file could not be found again
                self._folders.update(folder_id, metadata=folder.item.metadata)
                raise InvalidInputError("path", Reason.SECRET_IN_NAME)

        retry_on_conflict(changed)

    def _entry(self, folder: Node, name: str) -> Node | None:
        entry = next((candidate for candidate in folder.entries if candidate["name"] == name), None)
        return None if entry is None else self._visible_node(entry)

    def _visible_node(self, entry: dict[str, str]) -> Node | None:
        node = self._node_of(entry)
        return node if node is not None and node.is_here else None

    def _node_of(self, entry: dict[str, str]) -> Node | None:
        """The node of an entry, in orbit or forgotten; None if it is purged."""
        try:
            if "folder" in entry:
                return Node(self._folders.get(entry["folder"]), is_folder=True)
            return Node(self._memory.get(entry["file"]), is_folder=False)
        except NotFoundError:
            return None


def parse_path(path: object) -> Path | None:
    """The names of a path below /memories; None if the path escapes it."""
    if not isinstance(path, str) or not path.startswith(f"/{ROOT_NAME}"):
        return None
    steps = [ROOT_NAME]
    for step in path[len(ROOT_NAME) + 1 :].split("/"):
        if step == ".." and not steps:
            return None
        if step == "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return tuple(steps[1:]) if steps[:1] == [ROOT_NAME] else None


def walk(files: Files, folder: Node, depth: int, above: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Yield the content of a folder, `depth` levels deep, sorted by name, without hidden (dot) names."""
    for name, node in files.children(folder):
        if name.startswith("."):
            continue
        yield (*above, name), node
        if node.is_folder and depth > 1:
            yield from walk(files, node, depth - 1, (*above, name))


def _path_text(path: Path) -> str:
    return "/".join(("", ROOT_NAME, *path))


def _content(text: str) -> str:
    return text if text.strip() else _BLANK


def _metadata(path: Path, text: str) -> dict[str, Any]:
    metadata = {"path": _path_text(path)}
    return metadata if text.strip() else {**metadata, "blank": text}


def _without_blank(metadata: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key != "blank"}
