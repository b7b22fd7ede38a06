"""The arguments and options of a declared command, made of the requests of its operations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from celestial_engine.surfaces.cli.declared import Declared
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.request_fields import Field

_WIDEST_CHOICES = 30
_METAVARS = {
    "content": "TEXT", "query": "QUESTION", "statement": "TEXT", "text": "TEXT", "proposal": "ID", "which": "ID",
    "founders": "ID", "supports": "ID", "turn_id": "TURN", "session_id": "ID", "persona_id": "ID", "history": "FILE",
    "persona_name": "NAME", "role": "NAME", "backend": "NAME", "project": "NAME", "domain": "NAME", "name": "NAME",
    "idempotency_key": "KEY", "duties": "DUTY", "emoji": "SIGN", "description": "TEXT", "context": "TEXT",
    "path": "FILE", "files": "FILE", "head": "NUMBER:HASH", "scopes": "LIST", "prompt": "TEXT", "summary": "TEXT",
    "question": "QUESTION", "registry": "NAME", "resume": "SESSION",
}  # fmt: skip

Groups = tuple[argparse._ArgumentGroup, argparse._ArgumentGroup]


def add_options_from(offered: Sequence[Declared], groups: Groups, texts: Texts) -> None:
    """Of every operation that the command may run, each option once."""
    arguments, options = groups
    usual, added = offered[0], set[str]()
    for one in offered:
        if one.command.switch is None:
            _add_main(one, arguments, texts, needed=one is usual)
        else:
            _add_switch(one, options, texts, takes_value=bool(one.command.main) and not usual.command.main)
        for field in one.options:
            option = one.option(field)
            if option not in added:
                added.add(option)
                options.add_argument(option, dest=field.path, help=help_of(field, texts), **_shape(field))


def about_of(one: Declared, key: str, texts: Texts) -> str:
    """The summary of an operation as a line of a list."""
    summary = one.operation.summary
    line = summary[:1].lower() + summary[1:].removesuffix(".") if not summary[:2].isupper() else summary
    return texts.about(key, line)


def switch_of(one: Declared) -> str:
    """Where the parser keeps whether this operation was chosen."""
    return f"switch {one.command.switch}"


def _add_main(one: Declared, arguments: argparse._ArgumentGroup, texts: Texts, *, needed: bool) -> None:
    for path in one.command.main:
        field = one.field(path)
        last = path == one.command.main[-1]
        count: str | None = None
        if one.command.each or field.many or (one.command.joined and last):
            count = "+" if field.required and needed else "*"
        elif not (field.required and needed):
            count = "?"
        more: dict[str, Any] = {} if count is None else {"nargs": count}
        arguments.add_argument(path, metavar=metavar_of(field), help=help_of(field, texts), **more)


def _add_switch(one: Declared, options: argparse._ArgumentGroup, texts: Texts, *, takes_value: bool) -> None:
    name = one.command.switch or ""
    about = about_of(one, f"{one.command.name} {name}", texts)
    if takes_value:
        metavar = metavar_of(one.field(one.command.main[0]))
        options.add_argument(name, dest=switch_of(one), metavar=metavar, help=about)
    else:
        options.add_argument(name, dest=switch_of(one), action="store_true", help=about)


def _shape(field: Field) -> dict[str, Any]:
    if field.kind is bool:
        return {"action": "store_const", "const": field.default is not True}
    shape: dict[str, Any] = {"metavar": metavar_of(field)}
    if field.many and field.kind is not list and field.name not in ("scopes", "history"):
        shape["action"] = "append"
    if field.choices and field.name != "scopes":
        shape["choices"] = field.choices
        if len(",".join(field.choices)) <= _WIDEST_CHOICES:
            del shape["metavar"]
    return shape


def metavar_of(field: Field) -> str:
    """What stands for the value of an option in help texts."""
    if field.names_memory:
        return "ID"
    if field.name in _METAVARS:
        return _METAVARS[field.name]
    if field.kind is dict:
        return "JSON"
    if field.kind is datetime:
        return "MOMENT"
    least, most = field.about.least, field.about.most
    if least is not None and most is not None and most <= 5:
        return f"{least:g}..{most:g}"
    if field.kind in (int, float):
        return "MINUTES" if field.name.endswith("minutes") else "N"
    return field.name.removesuffix("_id").removesuffix("s").upper().replace("_", "-")


def help_of(field: Field, texts: Texts) -> str:
    """What a field is about, and what it is unless given."""
    text = texts.about(field.about.text)
    if field.many and field.path not in ("history", "scopes"):
        text = texts("opt.several", help=text)
    default = getattr(field.default, "value", field.default)
    if isinstance(default, (int, float, str)) and not isinstance(default, bool) and default != "":
        text = texts("opt.default", help=text, default=default)
    return text.replace("%", "%%")
