"""Changes to the settings of other programs: computed first, so that they can be shown before anything is written."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.failures import BAD_INPUT, STORAGE, CommandError

NAME = "celestial"
_BEGIN, _END = "# >>> celestial", "# <<< celestial"
_WAS = "# was: "
_BLOCK = re.compile(rf"^[ ]*{_BEGIN}\n.*?^[ ]*{_END}\n", re.M | re.S)


class Edit(NamedTuple):
    """One file before and after; `without` takes out of a later text what this edit put in."""

    file: Path
    before: bytes | None  # None: the file does not exist
    after: bytes
    without: Callable[[str], str | None]  # None: nothing else is left

    def difference(self) -> list[str]:
        old = "" if self.before is None else self.before.decode("utf-8", "replace")
        name = str(self.file)
        return [*difflib.unified_diff(old.splitlines(), self.after.decode().splitlines(), name, name, lineterm="")]


def bytes_of(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError("unreadable_file", STORAGE, path=file, reason=os_problem(error)) from None


def whole_file(file: Path, text: str) -> Edit:
    """A file that is ours alone."""
    return Edit(file, bytes_of(file), text.encode(), lambda _: None)


def json_entries(file: Path, entries: Mapping[tuple[str, ...], Any], header: Mapping[str, Any] | None = None) -> Edit:
    """Puts values under paths of keys; lists are extended, and everything else in the file stays.

    `header` is what the file must begin with; it is set only where it is missing, and goes only with the file.
    """
    before = bytes_of(file)
    tree = parsed_json(file, _text(file, before))
    changed = {**(header or {}), **tree}
    for path, value in entries.items():
        changed = _without_value(file, changed, path, value)
        changed = _with_value(file, changed, path, value)

    def without(text: str) -> str | None:
        left = parsed_json(file, text)
        for path, value in entries.items():
            left = _without_value(file, left, path, value)
        return _json(left) if left.keys() - (header or {}).keys() else None

    after = before if before is not None and changed == tree else _json(changed).encode()
    return Edit(file, before, after, without)


def text_block(file: Path, block: str, below: str | None = None) -> Edit:
    """Puts marked lines at the end of a file, or right below a line that opens their section."""
    return edited_text(file, lambda text: with_block(without_blocks(text), block, below))


def check_toml(edit: Edit) -> None:
    """Raises if a TOML file could not be read after the edit: its program would not start any more."""
    if edit.file.suffix != ".toml":
        return
    try:
        reader = import_module("tomllib")
    except ModuleNotFoundError:  # Python 3.10
        return
    try:
        reader.loads(edit.after.decode())
    except ValueError as error:
        raise CommandError("not_toml", BAD_INPUT, path=edit.file, reason=str(error)) from None


def with_block(text: str, block: str, below: str | None = None) -> str:
    indent = block[: len(block) - len(block.lstrip(" "))]
    marked = f"{indent}{_BEGIN}\n{block}{indent}{_END}\n"
    opening = None if below is None else re.search(rf"^{re.escape(below)}[ ]*(?:#.*)?\n", text, re.M)
    if opening is not None:
        return text[: opening.end()] + marked + text[opening.end() :]
    gap = "" if not text or text.endswith("\n") else "\n"
    section = "" if below is None else f"{below}\n"
    # The line that opens the section goes with the block: without it the block has no place.
    lines = f"{_BEGIN}\n{section}{block}{_END}\n" if section else marked
    return text + gap + lines


def yaml_choice(text: str, section: str, key: str, value: str) -> str:
    """A text where `section` holds this choice alone; what was chosen before becomes a comment inside the marks."""
    opening = re.search(rf"^{re.escape(section)}[ ]*(?:#.*)?\n", text, re.M)
    if opening is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{_BEGIN}\n{section}\n  {key}: {value}\n{_END}\n"
    body = re.match(r"(?:[ ]+.*\n|[ ]*#.*\n|\n)*", text[opening.end() :])
    inside = "" if body is None else body.group()
    chosen = re.search(rf"^([ ]+){re.escape(key)}:.*\n", inside, re.M)
    indent = _indent_of(inside)
    was = "" if chosen is None else f"{indent}{_WAS}{chosen.group()}"
    block = f"{indent}{_BEGIN}\n{was}{indent}{key}: {value}\n{indent}{_END}\n"
    at = opening.end() + (0 if chosen is None else chosen.start())
    return text[:at] + block + text[opening.end() + (0 if chosen is None else chosen.end()) :]


def without_blocks(text: str) -> str:
    """The text without what is between our marks; what a choice replaced is back in its place."""

    def left(block: re.Match[str]) -> str:
        was = re.search(rf"^[ ]*{_WAS}(.*\n)", block.group(), re.M)
        return "" if was is None else was.group(1)

    return _BLOCK.sub(left, text)


def edited_text(file: Path, *changes: Callable[[str], str]) -> Edit:
    """Several changes of one text file; taking them out removes what is between our marks."""
    before = bytes_of(file)
    text = _text(file, before)
    for change in changes:
        text = change(text)
    return Edit(file, before, text.encode(), lambda later: without_blocks(later) or None)


def _indent_of(lines: str) -> str:
    first = re.search(r"^([ ]+)[^\s#]", lines, re.M)
    return "  " if first is None else first.group(1)


def parsed_json(file: Path, text: str) -> dict[str, Any]:
    try:
        tree = json.loads(text) if text.strip() else {}
    except ValueError as error:  # comments, for one: what we cannot write back we do not touch
        raise CommandError("not_json", BAD_INPUT, path=file, reason=str(error)) from None
    if not isinstance(tree, dict):
        raise CommandError("not_settings", BAD_INPUT, path=file, name="{}")
    return tree


def _text(file: Path, content: bytes | None) -> str:
    try:
        return "" if content is None else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError("unreadable_file", STORAGE, path=file, reason=str(error)) from None


def _json(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def _with_value(file: Path, tree: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        if not isinstance(value, list):
            return value
        return [*(tree or []), *value]
    tree = {} if tree is None else tree
    if not isinstance(tree, dict):
        raise CommandError("not_settings", BAD_INPUT, path=file, name=path[0])
    return {**tree, path[0]: _with_value(file, tree.get(path[0]), path[1:], value)}


def _without_value(file: Path, tree: Any, path: Sequence[str], value: Any) -> Any:
    """Takes the value out, and the objects and lists that are empty without it."""
    if not path:
        if isinstance(value, str) and tree != value:  # somebody has chosen otherwise since
            return tree
        both_lists = isinstance(tree, list) and isinstance(value, list)
        return [one for one in tree if not _is_ours(one)] if both_lists else None
    if tree is None:
        return None
    if not isinstance(tree, dict):
        raise CommandError("not_settings", BAD_INPUT, path=file, name=path[0])
    if path[0] not in tree:
        return tree
    inner = _without_value(file, tree[path[0]], path[1:], value)
    rest = {name: part for name, part in tree.items() if name != path[0]}
    return rest if not inner else {name: inner if name == path[0] else part for name, part in tree.items()}


def _is_ours(hook: object) -> bool:
    """Whether an entry of a list of hooks runs this program's hook."""
    return re.search(r"celestial_engine.* hook |celestial hook ", json.dumps(hook)) is not None
