"""Files and folders on memories: a file is a memory of the owner, a folder a record on a shelf that names them.

A file can be recalled like any memory: its author deliberately wrote down what should be known later. Folders are
mere structure, and answer no question. An entry whose memory was forgotten is not there; once restored it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from celestial_engine.adapters.shared.side_records import CALM, again, side_records_of
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

SHELF = "folders"
ROOT_NAME = "memories"
FILE_TAG = "memory-file"
_ROOT_TAG = "memory-root"
_BLANK = "(a file with nothing in it)"  # a memory says something: white space alone lies in the metadata


class Node(NamedTuple):
    """What lies at a path."""

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
        found: list[dict[str, str]] = self.item.metadata.get("entries", [])
        return found


class Files:
    """The files of one owner. Changes by others, in other processes too, are seen and never overwritten."""

    def __init__(self, memory: CelestialMemory, user_id: str | None = None, agent_id: str | None = None) -> None:
        self._memory = memory.of(user_id, agent_id)
        self._folders = side_records_of(self._memory, SHELF)

    def find(self, path: Path) -> Node | None:
        """What lies there, if anything does; () is the root."""
        node: Node | None = Node(self._root(), is_folder=True)
        for name in path:
            node = self._entry(node, name) if node is not None and node.is_folder else None
        return node

    def children(self, folder: Node) -> list[tuple[str, Node]]:
        """By name. Entries of what is purged are dropped on the way: nothing else would ever do it."""
        found = [(entry, self._named(entry)) for entry in folder.entries]
        purged = [entry for entry, node in found if node is None]
        if purged:
            with suppress(VersionError, WrongStateError):
                self._change(folder.item.id, lambda entries: [one for one in entries if one not in purged])
        here = [(entry["name"], node) for entry, node in found if node is not None and node.is_here]
        return sorted(here, key=lambda child: child[0])

    def create(self, path: Path, text: str) -> None:
        """A new file, and the folders it needs; FileExistsError if something is there."""
        parent = self._folder(path[:-1])
        item = self._memory.store(
            _content(text),
            metadata=_metadata(path, text),
            source=Source.USER,
            tier=Tier.M365,
            pinned=True,
            tags=(FILE_TAG,),
        )
        try:
            if item.metadata.get("path") != _written(path):
                raise InvalidInputError("path", Reason.SECRET_IN_NAME)
            self._link(parent.item.id, {"name": path[-1], "file": item.id})
        except BaseException:
            self._memory.forget(item.id)
            raise

    def rewrite(self, path: Path, node: Node, text: str) -> None:
        """VersionError if it is no longer as it was read."""
        self._memory.update(
            node.item.id,
            _content(text),
            metadata={**_others(node.item.metadata), **_metadata(path, text)},
            if_version=version_of(node.item),
        )

    def delete(self, node: Node) -> None:
        """Over the cliff with all that lies below; files first, so that one that may not go keeps its folder."""
        if not node.is_folder:
            self._memory.forget(node.item.id)
            return
        for _, child in self.children(node):
            with suppress(NotFoundError, WrongStateError):  # somebody else was faster
                self.delete(child)
        self._folders.forget(node.item.id)

    def rename(self, old: Path, new: Path) -> None:
        """The memory stays the same one; for a moment it may be at both places. FileExistsError if one is taken."""
        node = self.find(old)
        source = self.find(old[:-1])
        if node is None or source is None:
            raise NotFoundError(item_id=_written(old))
        parent = self._folder(new[:-1])
        kind = "folder" if node.is_folder else "file"
        if parent.item.id != source.item.id:
            self._link(parent.item.id, {"name": new[-1], kind: node.item.id})
            self._change(source.item.id, lambda entries: [one for one in entries if one["name"] != old[-1]])
        else:
            entry = {"name": new[-1], kind: node.item.id}
            self._link(parent.item.id, entry, instead_of=old[-1])
        self._tell_paths(new, node)

    def _tell_paths(self, path: Path, node: Node) -> None:
        """Every file below says where it lies now; it can be found without, but people read it."""
        if node.is_folder:
            for name, child in self.children(node):
                self._tell_paths((*path, name), child)
            return
        metadata = {**node.item.metadata, "path": _written(path)}
        with suppress(CelestialError):
            self._memory.update(node.item.id, metadata=metadata)

    # -- folders ----------------------------------------------------------------------------------------

    def _root(self) -> CelestialItem:
        found = self._folders.list(1, where=ItemFilter(tags=(_ROOT_TAG,)))
        if found:
            return found[0]
        # Two that make it at once make the same one.
        root = self._new_folder((), tags=(_ROOT_TAG,), idempotency_key=_ROOT_TAG)
        return root if root.state.in_orbit else self._folders.restore(root.id)

    def _folder(self, path: Path) -> Node:
        """The folder at this path, made if need be; NotADirectoryError if a file is in the way."""
        node = Node(self._root(), is_folder=True)
        for depth, name in enumerate(path, start=1):
            inner = self._entry(node, name)
            if inner is None:
                made = self._new_folder(path[:depth])
                try:
                    self._link(node.item.id, {"name": name, "folder": made.id})
                    inner = Node(made, is_folder=True)
                except FileExistsError:  # somebody else made one just now
                    self._folders.forget(made.id)
                    inner = self._entry(Node(self._folders.get(node.item.id), is_folder=True), name)
            if inner is None or not inner.is_folder:
                raise NotADirectoryError(_written(path[:depth]))
            node = inner
        return node

    def _new_folder(self, path: Path, **more: Any) -> CelestialItem:
        item = self._folders.store(
            f"Folder {_written(path)}",
            0.0,
            {"path": _written(path), "entries": []},
            tier=Tier.M365,
            pinned=True,
            emotion=CALM,
            **more,
        )
        if item.metadata.get("path") != _written(path):
            self._folders.forget(item.id)
            raise InvalidInputError("path", Reason.SECRET_IN_NAME)
        return item

    def _link(self, folder_id: str, entry: dict[str, str], instead_of: str | None = None) -> None:
        """Names a memory in a folder; FileExistsError if something else has that name."""

        def linked(entries: list[dict[str, str]]) -> list[dict[str, str]]:
            named = next((one for one in entries if one["name"] == entry["name"]), None)
            if named is not None and self._at(named) is not None:
                raise FileExistsError(entry["name"])
            return [one for one in entries if one["name"] not in (entry["name"], instead_of)] + [entry]

        self._change(folder_id, linked)

    def _change(self, folder_id: str, change: Callable[[list[dict[str, str]]], Sequence[dict[str, str]]]) -> None:
        def changed() -> None:
            folder = Node(self._folders.get(folder_id), is_folder=True)
            metadata = {**folder.item.metadata, "entries": list(change(folder.entries))}
            written = self._folders.update(folder_id, metadata=metadata, if_version=version_of(folder.item))
            if written.metadata != metadata:  # the guard took something out: nobody would find it again
                self._folders.update(folder_id, metadata=folder.item.metadata)
                raise InvalidInputError("path", Reason.SECRET_IN_NAME)

        again(changed)

    def _entry(self, folder: Node, name: str) -> Node | None:
        entry = next((one for one in folder.entries if one["name"] == name), None)
        return None if entry is None else self._at(entry)

    def _at(self, entry: dict[str, str]) -> Node | None:
        node = self._named(entry)
        return node if node is not None and node.is_here else None

    def _named(self, entry: dict[str, str]) -> Node | None:
        """What an entry names, in orbit or forgotten; None if it is purged."""
        try:
            if "folder" in entry:
                return Node(self._folders.get(entry["folder"]), is_folder=True)
            return Node(self._memory.get(entry["file"]), is_folder=False)
        except NotFoundError:
            return None


def read_path(path: object) -> Path | None:
    """The names on the way to it from /memories; None if it leads out of there, by whatever way."""
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
    """What lies in a folder and so many levels below it, by name; hidden ones, with a dot, are left out."""
    for name, node in files.children(folder):
        if name.startswith("."):
            continue
        yield (*above, name), node
        if node.is_folder and depth > 1:
            yield from walk(files, node, depth - 1, (*above, name))


def _written(path: Path) -> str:
    return "/".join(("", ROOT_NAME, *path))


def _content(text: str) -> str:
    return text if text.strip() else _BLANK


def _metadata(path: Path, text: str) -> dict[str, Any]:
    place = {"path": _written(path)}
    return place if text.strip() else {**place, "blank": text}


def _others(metadata: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key != "blank"}
