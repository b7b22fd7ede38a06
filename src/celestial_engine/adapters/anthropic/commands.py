"""The commands of Claude's memory tool. Their answers are worded exactly as those of the SDK's own file tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import ToolError

from celestial_engine.adapters.anthropic.files import ROOT_NAME, Files, Node, Path, parse_path, walk
from celestial_engine.adapters.shared.memory_tools import error_for_model
from celestial_engine.adapters.shared.side_records import retry_on_conflict
from celestial_engine.errors import CelestialError, NotFoundError, WrongStateError

_MAX_LINES = 999_999
_NUMBER_WIDTH = len(str(_MAX_LINES))
_MAX_NAME_BYTES = 255
_FOLDER_SIZE = 4096  # the size of a folder on most file systems
_CONTEXT_LINES = 2  # lines before and after a change
_VIEW_LEVELS = 2


def view(files: Files, command: Any) -> str:
    path, node = _find_node(files, command)
    if not node.is_folder:
        return _numbered_file(path, node.text, getattr(command, "view_range", None))
    lines = [f"{_format_size(_FOLDER_SIZE)}\t{path}"]
    for relative, child in walk(files, node, _VIEW_LEVELS):
        size = _FOLDER_SIZE if child.is_folder else len(child.text.encode())
        lines.append(f"{_format_size(size)}\t{path}/{'/'.join(relative)}{'/' if child.is_folder else ''}")
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([header, *lines])


def create(files: Files, command: Any) -> str:
    path, names = _read_path_field(command, "path")
    taken = f"File {path} already exists"
    if not names or files.find(names) is not None:
        raise ToolError(taken)
    text = _text(command, "file_text")
    try:
        files.create(names, text)
    except FileExistsError:  # created concurrently
        raise ToolError(taken) from None
    return f"File created successfully at: {path}"


def str_replace(files: Files, command: Any) -> str:
    old, new = _text(command, "old_str"), _text(command, "new_str", default="")

    def replaced(path: str, text: str) -> tuple[str, str]:
        occurrences = _line_numbers_of(old, text)
        if not occurrences:
            raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        if text.count(old) > 1:
            lines = ", ".join(map(str, occurrences))
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        changed = text.replace(old, new)
        changed_lines, line = changed.split("\n"), occurrences[0]
        first = max(1, line - _CONTEXT_LINES)
        snippet = _numbered(changed_lines[first - 1 : line + _CONTEXT_LINES], first)
        header = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return changed, f"{header}\n{snippet}"

    return _edit(files, command, replaced)


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

    return _edit(files, command, inserted)


def delete(files: Files, command: Any) -> str:
    path, names = _read_path_field(command, "path")
    if not names:
        raise ToolError("Cannot delete the /memories directory itself")
    gone = f"The path {path} does not exist"
    node = files.find(names)
    if node is None:
        raise ToolError(gone)
    try:
        files.delete(node)
    except (NotFoundError, WrongStateError):
        raise ToolError(gone) from None
    return f"Successfully deleted {path}"


def rename(files: Files, command: Any) -> str:
    old_path, old = _read_path_field(command, "old_path")
    new_path, new = _read_path_field(command, "new_path")
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
    """Forget all files and folders except the root."""
    root = files.find(())
    for _name, node in files.children(root) if root is not None else ():
        files.delete(node)
    return "All memory cleared"


# -- shared by the commands -----------------------------------------------------------------------------


def _read_path_field(command: Any, field: str) -> tuple[str, Path]:
    path = getattr(command, field, None)
    if not isinstance(path, str) or not path.startswith(f"/{ROOT_NAME}"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    names = parse_path(path)
    if names is None:
        raise ToolError(f"Path {path} would escape /memories directory")
    for name in names:
        if "\0" in name or len(name.encode("utf-8", "surrogatepass")) > _MAX_NAME_BYTES:
            raise ToolError(f"The name {name[:50]!r} in the path is too long, or holds a zero byte.")
    return path, names


def _find_node(files: Files, command: Any) -> tuple[str, Node]:
    path, names = _read_path_field(command, "path")
    node = files.find(names)
    if node is None:
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
    return path, node


def _text(command: Any, field: str, default: str | None = None) -> str:
    text = getattr(command, field, None)
    text = default if text is None else text
    if not isinstance(text, str):
        raise ToolError(f"Invalid `{field}` parameter: it must be text.")
    return text


def _edit(files: Files, command: Any, change: Callable[[str, str], tuple[str, str]]) -> str:
    """Read, change and write a file; retried after a concurrent write."""

    def edited() -> str:
        path, node = _find_node(files, command)
        if node.is_folder:
            raise ToolError(f"The path {path} is not a file.")
        text, message = change(path, node.text)
        files.rewrite(_read_path_field(command, "path")[1], node, text)
        return message

    return retry_on_conflict(edited)


def _line_numbers_of(part: str, text: str) -> list[int]:
    """The numbers of the lines where `part` begins, including overlapping matches."""
    numbers, start = [], text.find(part)
    while start != -1:
        numbers.append(text.count("\n", 0, start) + 1)
        start = text.find(part, start + 1)
    return numbers


def _numbered_file(path: str, text: str, view_range: Any) -> str:
    lines, first = text.split("\n"), 1
    if len(lines) > _MAX_LINES:
        raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    if view_range:
        if not isinstance(view_range, list) or [type(line) for line in view_range] != [int, int]:
            raise ToolError(f"Invalid `view_range` parameter: {view_range}. It should be two line numbers.")
        first, last = max(1, view_range[0]), view_range[1]
        lines = lines[first - 1 : len(lines) if last == -1 else last]
    return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first)}"


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _format_size(count: int) -> str:
    """Format a size: 1536 is 1.5K."""
    power = min(3, max(0, count.bit_length() - 1) // 10)
    scaled = count / 1024**power
    return f"{int(scaled) if scaled == int(scaled) else f'{scaled:.1f}'}{'BKMG'[power]}"


COMMANDS = {act.__name__: act for act in (view, create, str_replace, insert, delete, rename)}


def execute(files: Files, command: Any) -> str:
    """Run the command that the model named."""
    name = getattr(command, "command", None)
    if not isinstance(name, str) or name not in COMMANDS:
        raise ToolError(f"Unknown command: {name}. There are {', '.join(COMMANDS)}.")
    return run_command(COMMANDS[name], files, command)


def run_command(act: Callable[[Files, Any], str], files: Files, command: Any) -> str:
    """Run a command; every error of the engine becomes a ToolError, which the runner returns to the model."""
    try:
        return act(files, command)
    except CelestialError as error:
        raise ToolError(error_for_model("the memory tool", error)) from error
    except NotADirectoryError as error:
        raise ToolError(f"The path {error} is not a directory.") from error
