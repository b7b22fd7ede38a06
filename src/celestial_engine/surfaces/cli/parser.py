"""The command line: its commands, and the options that all of them take."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NoReturn

from celestial_engine import __version__
from celestial_engine.surfaces.cli.failures import UsageError
from celestial_engine.surfaces.cli.index import COMMANDS, by_hand
from celestial_engine.surfaces.cli.terminal import terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES, Texts

Groups = tuple[argparse._ArgumentGroup, argparse._ArgumentGroup]


def build_parser(texts: Texts, only: str | None = None, *, bare: bool = False) -> argparse.ArgumentParser:
    """The whole command line, explained in the language of `texts`; of `only` one command, if there is such a one.

    `bare` leaves the options of the commands out: what a list of commands needs, and no more.
    """
    return _Builder(texts, [only] if only in COMMANDS else list(COMMANDS), bare=bare).parser


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class _Builder:
    """Adds the commands one by one; global options are taken before and after each."""

    def __init__(self, texts: Texts, names: Iterable[str], *, bare: bool) -> None:
        self._texts = texts
        prefix = texts("help.usage")

        class Formatter(argparse.RawDescriptionHelpFormatter):
            def __init__(self, prog: str) -> None:
                super().__init__(prog, width=(terminal_columns() or 80) - 2)  # argparse would import shutil

            def add_usage(
                self,
                usage: str | None,
                actions: Iterable[argparse.Action],
                groups: Iterable[argparse._MutuallyExclusiveGroup],
                prefix: str | None = prefix,
            ) -> None:
                super().add_usage(usage, actions, groups, prefix)

        self._how: dict[str, Any] = {"formatter_class": Formatter, "add_help": False, "allow_abbrev": False}
        self.parser = _Parser(
            prog="celestial", description=texts("help.about"), epilog=texts("help.epilog"), **self._how
        )
        commands = self.parser.add_subparsers(
            title=texts("help.commands"), dest="command", metavar=texts("help.command")
        )
        self._add_global_options(self.parser, top=True)
        for name in names:
            about = texts(f"help.{name}")
            command = commands.add_parser(name, help=about, description=about, **self._how)
            if not bare:
                self._fill(name, command)

    def _fill(self, name: str, command: argparse.ArgumentParser) -> None:
        module = by_hand(name)
        if module is not None:
            import_module(module).add_options(*self._groups(command), self._texts)
        else:
            self._fill_declared(name, command)

    def _fill_declared(self, name: str, command: argparse.ArgumentParser) -> None:
        from celestial_engine.surfaces.cli.declared import declared
        from celestial_engine.surfaces.cli.options_from import about_of, add_options_from

        offered = declared(name)
        groups = self._groups(command)
        if name in offered:
            add_options_from(offered[name], groups, self._texts)
        actions = {full: one for full, one in offered.items() if full != name}
        if not actions:
            return
        nested = command.add_subparsers(
            title=self._texts("help.actions"), dest="action", metavar="ACTION", required=name not in offered
        )
        for full, one in actions.items():
            about = about_of(one[0], full, self._texts)
            action = nested.add_parser(full.split()[1], help=about, description=about, **self._how)
            add_options_from(one, self._groups(action), self._texts)

    def _groups(self, parser: argparse.ArgumentParser) -> Groups:
        groups = (
            parser.add_argument_group(self._texts("help.arguments")),
            parser.add_argument_group(self._texts("help.options")),
        )
        self._add_global_options(parser, top=False)
        return groups

    def _add_global_options(self, parser: argparse.ArgumentParser, *, top: bool) -> None:
        # Below the top nothing has a default, so that what was said before the command is not overwritten.
        unset: str | None = None if top else argparse.SUPPRESS
        group = parser.add_argument_group(self._texts("help.global"))
        group.add_argument("-h", "--help", action="help", help=self._texts("opt.help"))
        group.add_argument("--db", metavar="PATH", default=unset, help=self._texts("opt.db"))
        group.add_argument("--user", metavar="NAME", default=unset, help=self._texts("opt.user"))
        group.add_argument("--agent", metavar="NAME", default=unset, help=self._texts("opt.agent"))
        group.add_argument("--project-memory", metavar="NAME", default=unset, help=self._texts("opt.project_memory"))
        group.add_argument("--json", action="store_true", default=unset or False, help=self._texts("opt.json"))
        group.add_argument("--lang", choices=LANGUAGES, default=unset, help=self._texts("opt.lang"))
        group.add_argument(
            "--version", action="version", version=f"celestial {__version__}", help=self._texts("opt.version")
        )
