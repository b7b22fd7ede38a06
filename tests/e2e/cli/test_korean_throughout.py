"""Every command refuses bad arguments in Korean, driven from the parser: a new command is tried as well."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.testing.korean import foreign_words

BAD = ("nonsense", "", "-1", "99999999999999", "[]")
# What would wait for visitors if it were asked for nothing wrong.
_WAITING = {"serve": ("--port",), "mcp": ("--port",), "dashboard": ("--url",), "demo": ()}


def commands() -> dict[str, argparse.ArgumentParser]:
    parser = build_parser(Texts("ko"))
    (found,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found.choices)


@pytest.mark.parametrize("name", sorted(commands()))
def test_refusals_are_korean(
    name: str, cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files of the names that they are given
    cli("store", "I live in Busan", "--immutable")
    for argv in bad_arguments(name, commands()[name]):
        answer = cli(name, *argv, "--lang", "ko")
        if answer.code:
            assert re.search("[가-힣]", answer.err), (argv, answer.err)
        assert foreign_words(answer.err) == [], (argv, answer.err)


def bad_arguments(name: str, parser: argparse.ArgumentParser) -> Iterator[list[str]]:
    """Every argument and option with every bad value, what else is needed with one that may be."""
    actions = [action for action in parser._actions if action.nargs != 0]
    positional = [action for action in actions if not action.option_strings]
    for bad in BAD:
        for wrong in positional if name not in _WAITING else ():
            yield [bad if action is wrong else _sample(action) for action in positional]
        for action in actions:
            option = next((one for one in action.option_strings if one.startswith("--")), None)
            if option is not None and option in _WAITING.get(name, (option,)):
                yield [*map(_sample, positional), f"{option}={bad}"]
    if name not in _WAITING:
        yield []
    yield ["--nonsense"]


def _sample(action: argparse.Action) -> str:
    return str(next(iter(action.choices))) if action.choices else "x"
