"""Every setting and who set it, and where the settings file is. No memory is opened."""

from __future__ import annotations

import argparse
import os
from argparse import Namespace
from typing import Any

from celestial_engine.config import without_password
from celestial_engine.config.file import file_path
from celestial_engine.config.foreign import Notice
from celestial_engine.config.settings import BY_KEY
from celestial_engine.config.sources import EffectiveSettings, SettingSource, Value, choose, process_environment
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, REFUSED, CommandError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import format as shape

_OPTIONS = {"db": "storage.path", "user": "owner.user", "agent": "owner.agent", "lang": "interface.language"}


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", choices=("show", "path"), help=texts("arg.config_action"))


def run(args: Namespace, console: Console) -> int:
    path = file_path(process_environment())
    if args.action == "show":
        return _show(args, console, path)
    if path is None:
        raise CommandError("config_none", REFUSED)
    if console.as_json:
        console.data({"path": path, "exists": os.path.exists(path)})
    else:
        console.verbatim(path)
    return OK


def _show(args: Namespace, console: Console, path: str | None) -> int:
    chosen = choose(process_environment())
    values = _with_options(chosen, args)
    if console.as_json:
        console.data({"file": path, "settings": [_record(value) for value in values]})
        return OK
    texts = console.texts
    rows = [[value.setting.key, _value_text(texts, value), _source(texts, value)] for value in values]
    console.say(*shape.table([texts("config.setting"), texts("config.value"), texts("config.source")], rows))
    if path is None:
        console.say("", texts("config.files_off"))
    else:
        console.say("", texts("config.file" if os.path.exists(path) else "config.no_file", path=path))
    return OK


def notice_line(texts: Texts, notice: Notice) -> str:
    """The line about a variable of another program."""
    if notice.key is not None:
        return texts("notice.read_as", variable=notice.variable, ours=BY_KEY[notice.key].variable)
    return texts("notice.no_meaning", variable=notice.variable, reason=notice.why(texts.language))


def _with_options(chosen: EffectiveSettings, args: Namespace) -> list[Value]:
    option_of = {key: option for option, key in _OPTIONS.items() if getattr(args, option) is not None}
    return [
        Value(value.setting, getattr(args, option_of[key]), SettingSource.OPTION, f"--{option_of[key]}")
        if key in option_of
        else value
        for key, value in chosen.values.items()
    ]


def _value_text(texts: Texts, value: Value) -> str:
    if value.text is None:
        return "-"
    return texts("config.hidden") if value.setting.secret else without_password(value.text)


def _source(texts: Texts, value: Value) -> str:
    source = texts.word("source.of", value.source.value)
    return source if value.by is None else f"{source} ({value.by})"


def _record(value: Value) -> dict[str, Any]:
    hidden = value.setting.secret and value.text is not None
    return {
        "key": value.setting.key,
        "value": "***" if hidden else value.text and without_password(value.text),
        "source": value.source.value,
        "by": value.by,
        "variable": value.setting.variable,
    }
