"""From what was typed to the request of an operation."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from celestial_engine.core.codec import decode
from celestial_engine.errors import EmptyContentError
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.declared import Declared
from celestial_engine.surfaces.cli.failures import BAD_INPUT, CommandError, UsageError
from celestial_engine.surfaces.cli.options_from import switch_of
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.operations.fields import MemoryFilter
from celestial_engine.surfaces.request_fields import Field

FindId = Callable[[str], str]
_GLOBAL = ("db", "user", "agent", "project_memory", "json", "lang", "command", "action")


def chosen(offered: Sequence[Declared], args: Namespace) -> Declared:
    """The operation that the options and arguments ask for; an option that it does not take is refused."""
    one = next((one for one in offered if one.command.switch and _is_given(args, switch_of(one))), None)
    if one is None:
        more = [other for other in offered[1:] if other.command.switch is None and other.command.main]
        one = next((other for other in more if _is_given(args, other.command.main[0])), offered[0])
    known = {*_GLOBAL, *(field.path for field in one.fields), *offered[0].command.main, switch_of(one)}
    left = [path for path in vars(args) if path not in known and _is_given(args, path)]
    if left:
        names = ", ".join(_name_of(path, offered) for path in left)
        if one.command.switch is None:
            raise UsageError(f"unrecognized arguments: {names}")
        taken = ", ".join(one.option(field) for field in one.options) or "-"
        raise CommandError("not_with", BAD_INPUT, switch=one.command.switch, taken=taken, options=names)
    return one


def requests_from(
    one: Declared, offered: Sequence[Declared], args: Namespace, find_id: FindId, texts: Texts
) -> list[Any]:
    """The request; of an operation that runs for each of several things, one for each of them."""
    values = dict(one.command.values)
    for field in one.options:
        typed = getattr(args, field.path, None)
        if typed is not None:
            values[field.path] = _value(field, typed, find_id, texts, one.option(field))
    for place, path in enumerate(one.command.main):
        typed = _main(one, offered, args, place)
        if one.command.each:
            values_of_path = dict.fromkeys(_value(one.field(path), text, find_id, texts) for text in typed)
            return [_request(one, {**values, path: value}) for value in values_of_path]
        if typed is not None:
            values[path] = _value(one.field(path), typed, find_id, texts)
    return [_request(one, values)]


def _main(one: Declared, offered: Sequence[Declared], args: Namespace, place: int) -> Any:
    """What was typed for a main field: under its own name, by the switch, or as the usual one's."""
    usual, path = offered[0].command.main, one.command.main[place]
    if one.command.switch is not None:
        return getattr(args, usual[place] if usual else switch_of(one))
    typed = getattr(args, path)
    if one.command.joined and path == one.command.main[-1]:
        return " ".join(typed)
    return None if typed == [] else typed


def _request(one: Declared, values: dict[str, Any]) -> Any:
    """With the fields of a filter gathered; a filter of which nothing is given is none."""
    wanted = {path.partition(".")[2]: value for path, value in values.items() if "." in path}
    flat = {path: value for path, value in values.items() if "." not in path}
    return one.operation.request(**flat, **({"where": MemoryFilter(**wanted)} if wanted else {}))


def _value(field: Field, typed: Any, find_id: FindId, texts: Texts, option: str = "") -> Any:
    """One typed text, or several, as what the field holds."""
    if field.name == "history":
        return tuple(decode(field.kind, turn, "history") for turn in arguments.turns(typed, texts))
    if field.name == "scopes":
        from celestial_engine.core.access import scopes_of

        return tuple(scopes_of(typed))
    if field.many and isinstance(typed, str):  # the lines of a text
        lines = (line.removesuffix("\r") for line in arguments.given_text(typed, field.name, texts).split("\n"))
        filled_lines = tuple(line for line in lines if line.strip())
        if not filled_lines:
            raise EmptyContentError(field="content")
        return filled_lines
    if field.many:
        return tuple(dict.fromkeys(_single(field, text, find_id, texts, option) for text in typed))
    return _single(field, typed, find_id, texts, option)


def _single(field: Field, typed: Any, find_id: FindId, texts: Texts, option: str) -> Any:
    if field.kind is bool:
        return typed
    if field.names_memory:
        return find_id(typed)
    if field.kind is int:
        if field.name == "limit":
            return arguments.limit(typed)
        return arguments.whole_number(typed.removeprefix("#"), field.name, texts)
    if field.kind is float:
        return (
            arguments.importance(typed) if "importance" in field.name else arguments.number(typed, field.name, texts)
        )
    if field.kind is dict:
        return arguments.metadata(typed, texts)
    if field.kind is datetime:
        return arguments.moment(typed, option, texts, end_of_day=field.name in ("until", "end"))
    if isinstance(field.kind, type) and issubclass(field.kind, Enum):
        return field.kind(typed)
    if field.name == "session_id" and not typed:
        # An unset variable in a script must not quietly mean another conversation.
        raise CommandError("empty_option", BAD_INPUT, option=option)
    return typed if option else arguments.given_text(typed, field.name, texts)


def _is_given(args: Namespace, path: str) -> bool:
    return getattr(args, path, None) not in (None, False, [])


def _name_of(path: str, offered: Sequence[Declared]) -> str:
    """The option, or the value of an argument, as typed."""
    if path.startswith("switch "):
        return path.removeprefix("switch ")
    for one in offered:
        for field in one.options:
            if field.path == path:
                return one.option(field)
    return f"--{path.replace('_', '-')}"
