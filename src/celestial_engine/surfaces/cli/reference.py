"""The tables of options in docs/cli.md: `python -m celestial_engine.surfaces.cli.reference docs/cli.md`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from celestial_engine.surfaces.cli.declared import Declared, declared
from celestial_engine.surfaces.cli.index import COMMANDS, by_hand
from celestial_engine.surfaces.cli.options_from import about_of, help_of, metavar_of
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_HEAD = "| option | meaning |\n|---|---|\n"
_TABLE = re.compile(r"\| option \| meaning \|\n\|---\|---\|\n(?:\|.*\n)+\n?")
_SECTION = re.compile(r"(^### `celestial (\w+)[^\n]*\n)(.*?)(?=^##|\Z)", re.M | re.S)


def with_tables(document: str) -> str:
    """The document with the options of every declared command as they are declared."""
    return _SECTION.sub(lambda found: found[1] + _with_table(found[2], found[3]), document)


def _with_table(command: str, section: str) -> str:
    if command not in COMMANDS or by_hand(command):
        return section
    rows = list(_rows(command))
    table = _HEAD + "\n".join(rows) + "\n\n" if rows else ""
    found = _TABLE.search(section)
    place = section.index("```console") if found is None else found.start()
    rest = section[place:] if found is None else section[found.end() :]
    return section[:place] + table + _TABLE.sub("", rest)


def _rows(command: str) -> Iterator[str]:
    texts = Texts("en")
    actions: dict[tuple[str, str], list[str]] = {}
    for name, offered in declared(command).items():
        for one in offered:
            for row in _options(one, texts, takes_value=not offered[0].command.main):
                actions.setdefault(row, []).append(name.partition(" ")[2])
    for (option, about), names in actions.items():
        named = ", ".join(f"`{name}`" for name in names if name)
        yield f"| `{option}` | {f'of {named}: ' if named else ''}{about} |"


def _options(one: Declared, texts: Texts, *, takes_value: bool) -> Iterator[tuple[str, str]]:
    if one.command.switch is not None:
        value = f" {metavar_of(one.field(one.command.main[0]))}" if one.command.main and takes_value else ""
        yield one.command.switch + value, about_of(one, f"{one.command.name} {one.command.switch}", texts)
    for field in one.options:
        value = "" if field.kind is bool else f" {metavar_of(field)}"
        choices = "; one of " + ", ".join(f"`{choice}`" for choice in field.choices) if field.choices else ""
        yield one.option(field) + value, help_of(field, texts).replace("%%", "%") + choices


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
