"""The commands of Claude's memory tool. What they say is, word for word, what the SDK's own tool says of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import ToolError

from celestial_engine.adapters.anthropic.files import ROOT_NAME, Files, Node, Path, read_path, walk
from celestial_engine.adapters.shared.memory_tools import told_to_model
from celestial_engine.adapters.shared.side_records import again
from celestial_engine.errors import CelestialError, NotFoundError, WrongStateError

_MOST_LINES = 999_999
_NUMBER_WIDTH = len(str(_MOST_LINES))
_MOST_NAME_BYTES = 255
_FOLDER_SIZE = 4096  # what a folder has on most disks
_SHOWN_AROUND = 2  # lines before and after a change
_LEVELS = 2


def view(files: Files, command: Any) -> str:
    path, node = _found(files, command)
    if not node.is_folder:
        return _numbered_file(path, node.text, getattr(command, "view_range", None))
    lines = [f"{_size(_FOLDER_SIZE)}\t{path}"]
    for inner, found in walk(files, node, _LEVELS):
        size = _FOLDER_SIZE if found.is_folder else len(found.text.encode())
        lines.append(f"{_size(size)}\t{path}/{'/'.join(inner)}{'/' if found.is_folder else ''}")
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, *lines])


def create(files: Files, command: Any) -> str:
    path, place = _place(command, "path")
    taken = f"File {path} already exists"
    if not place or files.find(place) is not None:
        raise ToolError(taken)
    text = _text(command, "file_text")
    try:
        files.create(place, text)
    except FileExistsError:  # somebody else was faster
        raise ToolError(taken) from None
    return f"File created successfully at: {path}"


def str_replace(files: Files, command: Any) -> str:
    old, new = _text(command, "old_str"), _text(command, "new_str", default="")

    def replaced(path: str, text: str) -> tuple[str, str]:
        occurrences = _lines_of(old, text)
        if not occurrences:
            raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        if text.count(old) > 1:
            lines = ", ".join(map(str, occurrences))
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        changed = text.replace(old, new)
        lines_now, line = changed.split("\n"), occurrences[0]
        first = max(1, line - _SHOWN_AROUND)
        snippet = _numbered(lines_now[first - 1 : line + _SHOWN_AROUND], first)
        told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return changed, f"{told}\n{snippet}"

    return _edited(files, command, replaced)


def insert(files: Files, command: Any) -> str:
    line, added = getattr(command, "insert_line", None), _text(command, "insert_text")
    if isinstance(line, bool) or not isinstance(line, int):
        raise ToolError(f"Invalid `insert_line` parameter: {line}. It should be a whole number.")

    def inserted(path: str, text: str) -> tuple[str, str]:
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
            )
        changed = "\n".join([*lines[:line], added.rstrip("\n"), *lines[line:]])
        changed = changed if changed.endswith("\n") else f"{changed}\n"
        return changed, f"The file {path} has been edited."

    return _edited(files, command, inserted)


def delete(files: Files, command: Any) -> str:
    path, place = _place(command, "path")
    if not place:
        raise ToolError("Cannot delete the /memories directory itself")
    gone = f"The path {path} does not exist"
    node = files.find(place)
    if node is None:
        raise ToolError(gone)
    try:
        files.delete(node)
    except (NotFoundError, WrongStateError):
        raise ToolError(gone) from None
    return f"Successfully deleted {path}"


def rename(files: Files, command: Any) -> str:
    old_path, old = _place(command, "old_path")
    new_path, new = _place(command, "new_path")
    if not old:
        raise ToolError("Cannot rename the /memories directory itself")
    taken = f"The destination {new_path} already exists"
    if files.find(new) is not None:
        raise ToolError(taken)
    if files.find(old) is None:
        raise ToolError(f"The path {old_path} does not exist")
    if new[: len(old)] == old:
        raise ToolError(f"The path {old_path} cannot be moved into itself")
    try:
        files.rename(old, new)
    except FileExistsError:
        raise ToolError(taken) from None
    except NotFoundError:
        raise ToolError(f"The path {old_path} does not exist") from None
    return f"Successfully renamed {old_path} to {new_path}"


def clear(files: Files, _: Any) -> str:
    """Everything over the cliff; the root stays."""
    root = files.find(())
    for _name, node in files.children(root) if root is not None else ():
        files.delete(node)
    return "All memory cleared"


# -- what they have in common ---------------------------------------------------------------------------


def _place(command: Any, field: str) -> tuple[str, Path]:
    path = getattr(command, field, None)
    if not isinstance(path, str) or not path.startswith(f"/{ROOT_NAME}"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    place = read_path(path)
    if place is None:
        raise ToolError(f"Path {path} would escape /memories directory")
    for name in place:
        if "\0" in name or len(name.encode("utf-8", "surrogatepass")) > _MOST_NAME_BYTES:
            raise ToolError(f"The name {name[:50]!r} in the path is too long, or holds a zero byte.")
    return path, place


def _found(files: Files, command: Any) -> tuple[str, Node]:
    path, place = _place(command, "path")
    node = files.find(place)
    if node is None:
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
    return path, node


def _text(command: Any, field: str, default: str | None = None) -> str:
    text = getattr(command, field, None)
    text = default if text is None else text
    if not isinstance(text, str):
        raise ToolError(f"Invalid `{field}` parameter: it must be text.")
    return text


def _edited(files: Files, command: Any, change: Callable[[str, str], tuple[str, str]]) -> str:
    """Reads, changes and writes a file; anew if somebody else wrote meanwhile."""

    def edited() -> str:
        path, node = _found(files, command)
        if node.is_folder:
            raise ToolError(f"The path {path} is not a file.")
        text, told = change(path, node.text)
        files.rewrite(_place(command, "path")[1], node, text)
        return told

    return again(edited)


def _lines_of(part: str, text: str) -> list[int]:
    """The numbers of the lines where this begins, overlapping ones too."""
    found, start = [], text.find(part)
    while start != -1:
        found.append(text.count("\n", 0, start) + 1)
        start = text.find(part, start + 1)
    return found


def _numbered_file(path: str, text: str, view_range: Any) -> str:
    lines, first = text.split("\n"), 1
    if len(lines) > _MOST_LINES:
        raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    if view_range:
        if not isinstance(view_range, list) or [type(line) for line in view_range] != [int, int]:
            raise ToolError(f"Invalid `view_range` parameter: {view_range}. It should be two line numbers.")
        first, last = max(1, view_range[0]), view_range[1]
        lines = lines[first - 1 : len(lines) if last == -1 else last]
    return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first)}"


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _size(count: int) -> str:
    """1536 is 1.5K."""
    power = min(3, max(0, count.bit_length() - 1) // 10)
    scaled = count / 1024**power
    return f"{int(scaled) if scaled == int(scaled) else f'{scaled:.1f}'}{'BKMG'[power]}"


COMMANDS = {act.__name__: act for act in (view, create, str_replace, insert, delete, rename)}


def execute(files: Files, command: Any) -> str:
    """The command that is asked for."""
    name = getattr(command, "command", None)
    if not isinstance(name, str) or name not in COMMANDS:
        raise ToolError(f"Unknown command: {name}. There are {', '.join(COMMANDS)}.")
    return carried_out(COMMANDS[name], files, command)


def carried_out(act: Callable[[Files, Any], str], files: Files, command: Any) -> str:
    """A model's mistakes, and what the memory refuses, as the one error that the runner hands back to the model."""
    try:
        return act(files, command)
    except CelestialError as error:
        raise ToolError(told_to_model("the memory tool", error)) from error
    except NotADirectoryError as error:
        raise ToolError(f"The path {error} is not a directory.") from error
