"""The commands and their options: what may be said, not what it does."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, NoReturn

from celestial_engine import __version__
from celestial_engine.surfaces.cli.failures import UsageError
from celestial_engine.surfaces.cli.options.filters import add_coordinate_options, add_filter_options
from celestial_engine.surfaces.cli.options.imagine import add_imagine_options
from celestial_engine.surfaces.cli.options.import_ import add_import_options
from celestial_engine.surfaces.cli.options.mcp import add_mcp_options
from celestial_engine.surfaces.cli.options.self_ import add_self_commands
from celestial_engine.surfaces.cli.options.serve import add_dashboard_options, add_serve_options, add_token_options
from celestial_engine.surfaces.cli.options.setup import add_setup_commands
from celestial_engine.surfaces.cli.options.sleep import add_sleep_options
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES, Texts

# Written out, so that asking for help loads no engine; a test compares them with the engine's own.
TIERS = ("M30", "M90", "M365", "M0")
REASONS = ("expired", "displaced", "manual", "stale", "merged")
GIVEN_TIERS = TIERS[:3]  # M0 is not given but earned
ZONES = ("core", "inner", "outer", "belt", "cloud")
ANALYSERS = ("auto", "pairs", "kiwi")
PRESETS = ("coordinates-v1",)
POLICY_ACTIONS = ("status", "checkpoints", "rollback", "feedback")
LEDGER_ACTIONS = ("verify", "head", "show", "repair", "compress")
BUDGET = 1024
ROLES = ("user", "assistant", "system", "tool")


def build_parser(texts: Texts, only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, explained in the language of `texts`; of `only` one command, if there is such a one.

    Most of a short command's time would go into the options of all the others.
    """
    if only is not None:
        builder = _Builder(texts, only)
        if builder.knows_it:
            return builder.parser
    return _Builder(texts).parser


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class _Unasked(argparse._ArgumentGroup):
    """Takes the options of a command that nobody called."""

    def __init__(self) -> None:
        pass

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        return _IGNORED


_IGNORED = argparse.Action([], "")


class _Builder:
    """Adds the commands one by one; global options are taken before and after each."""

    def __init__(self, texts: Texts, only: str | None = None) -> None:
        self._texts = texts
        self._only = only
        self.knows_it = False
        prefix = texts("help.usage")

        class Formatter(argparse.RawDescriptionHelpFormatter):
            def add_usage(
                self,
                usage: str | None,
                actions: Iterable[argparse.Action],
                groups: Iterable[argparse._MutuallyExclusiveGroup],
                prefix: str | None = prefix,
            ) -> None:
                super().add_usage(usage, actions, groups, prefix)

        self._formatter = Formatter
        self._unasked = _Unasked()
        self.parser = _Parser(
            prog="celestial",
            description=texts("help.about"),
            epilog=texts("help.epilog"),
            formatter_class=Formatter,
            add_help=False,
            allow_abbrev=False,
        )
        self._commands = self.parser.add_subparsers(
            title=texts("help.commands"), dest="command", metavar=texts("help.command")
        )
        self._add_global_options(self.parser, top=True)
        self._add_remembering()
        self._add_conversing()
        self._add_learning()
        self._add_finding()
        self._add_looking()
        self._add_forgetting()
        add_self_commands(self._command, self._texts)
        self._add_keeping_order()
        self._add_keeping()
        self._add_serving()
        add_setup_commands(self._command, self._texts)

    def _add_remembering(self) -> None:
        arguments, options = self._command("store")
        arguments.add_argument("text", metavar="TEXT", help=self._texts("arg.text"))
        options.add_argument("--lines", action="store_true", help=self._texts("opt.lines"))
        options.add_argument("--importance", metavar="0..1", help=self._texts("opt.importance"))
        options.add_argument("--metadata", metavar="JSON", help=self._texts("opt.metadata"))
        options.add_argument("--tag", metavar="TAG", action="append", default=[], help=self._texts("opt.tag"))
        options.add_argument("--session", metavar="ID", help=self._texts("opt.session"))
        options.add_argument("--tier", choices=GIVEN_TIERS, help=self._texts("opt.tier"))
        options.add_argument("--pin", action="store_true", help=self._texts("opt.pin"))
        options.add_argument("--immutable", action="store_true", help=self._texts("opt.immutable"))
        add_coordinate_options(options, self._texts)
        arguments, options = self._command("update")
        arguments.add_argument("id", metavar="ID", help=self._texts("arg.id"))
        arguments.add_argument("text", metavar="TEXT", nargs="?", help=self._texts("arg.new_text"))
        options.add_argument("--importance", metavar="0..1", help=self._texts("opt.new_importance"))
        options.add_argument("--metadata", metavar="JSON", help=self._texts("opt.new_metadata"))
        arguments, _ = self._command("rate")
        arguments.add_argument("id", metavar="ID", help=self._texts("arg.id"))
        arguments.add_argument("stars", metavar="1..5", help=self._texts("arg.stars"))

    def _add_conversing(self) -> None:
        for name in ("decide", "observe"):
            arguments, options = self._command(name)
            arguments.add_argument("text", metavar="TEXT", help=self._texts("arg.turn"))
            options.add_argument("--role", choices=ROLES, default="user", help=self._texts("opt.role"))
            options.add_argument("--history", metavar="FILE", help=self._texts("opt.history"))
        options.add_argument("--session", metavar="ID", help=self._texts("opt.session"))
        options.add_argument(
            "--budget", metavar="N", default=str(BUDGET), help=self._texts("opt.budget", default=BUDGET)
        )

    def _add_learning(self) -> None:
        arguments, options = self._command("policy")
        arguments.add_argument("action", choices=POLICY_ACTIONS, help=self._texts("arg.policy_action"))
        arguments.add_argument("which", metavar="VERSION|TURN", nargs="?", help=self._texts("arg.policy_which"))
        options.add_argument("--reward", metavar="-1..1", help=self._texts("opt.reward"))
        options.add_argument("--text", metavar="TEXT", help=self._texts("opt.feedback_text"))

    def _add_finding(self) -> None:
        for name in ("recall", "search"):
            options = self._add_question(name)
            self._add_limit(options, 5)
            options.add_argument("--explain", action="store_true", help=self._texts("opt.explain"))
            add_filter_options(options, self._texts)
        options = self._add_question("compose")
        options.add_argument(
            "--budget", metavar="N", default=str(BUDGET), help=self._texts("opt.budget", default=BUDGET)
        )
        self._add_limit(options, 20)
        arguments, options = self._command("related")
        arguments.add_argument("id", metavar="ID", help=self._texts("arg.id"))
        options.add_argument("--depth", metavar="1..3", default="1", help=self._texts("opt.depth"))
        self._add_limit(options, 20)

    def _add_looking(self) -> None:
        for name in ("show", "explain"):
            arguments, _ = self._command(name)
            arguments.add_argument("id", metavar="ID", help=self._texts("arg.id"))
        _, options = self._command("list")
        self._add_limit(options, 20)
        zones = (*ZONES, *map(str, range(len(ZONES))))
        options.add_argument("--zone", choices=zones, metavar="ZONE", help=self._texts("opt.zone"))
        options.add_argument("--tier", choices=TIERS, help=self._texts("opt.only_tier"))
        add_filter_options(options, self._texts)
        arguments, options = self._command("history")
        arguments.add_argument("id", metavar="ID", nargs="?", help=self._texts("arg.history_id"))
        self._add_limit(options, 20)

    def _add_forgetting(self) -> None:
        for name in ("pin", "unpin", "forget", "restore"):
            arguments, options = self._command(name)
            count = "*" if name == "restore" else "+"
            arguments.add_argument("ids", metavar="ID", nargs=count, help=self._texts("arg.ids"))
        options.add_argument("--all", action="store_true", help=self._texts("opt.restore_all"))
        options.add_argument("--reason", choices=REASONS, help=self._texts("opt.restore_reason"))
        _, options = self._command("cliff")
        self._add_limit(options, 100)
        arguments, _ = self._command("undo")
        arguments.add_argument("event", metavar="EVENT", help=self._texts("arg.event"))

    def _add_keeping_order(self) -> None:
        self._command("rebalance")
        add_sleep_options(*self._command("sleep"), self._texts)
        _, options = self._command("reindex")
        options.add_argument("--embedder", metavar="NAME", help=self._texts("opt.embedder"))
        options.add_argument("--words", choices=ANALYSERS, help=self._texts("opt.words"))
        self._command("stats")
        _, options = self._command("export")
        options.add_argument("--output", metavar="FILE", help=self._texts("opt.output"))
        _, options = self._command("doctor")
        options.add_argument("--repair", action="store_true", help=self._texts("opt.repair"))
        options.add_argument("--ask-model", action="store_true", help=self._texts("opt.ask_model"))
        self._command("demo")
        add_imagine_options(self._command("imagine")[1], self._texts)

    def _add_keeping(self) -> None:
        arguments, options = self._command("backup")
        arguments.add_argument("path", metavar="PATH", nargs="?", help=self._texts("arg.backup_path"))
        arguments.add_argument("file", metavar="FILE", nargs="?", help=self._texts("arg.backup_file"))
        options.add_argument("--force", action="store_true", help=self._texts("opt.force"))
        options.add_argument("--dry-run", action="store_true", help=self._texts("opt.dry_run"))
        arguments, options = self._command("ledger")
        arguments.add_argument("action", choices=LEDGER_ACTIONS, help=self._texts("arg.ledger_action"))
        options.add_argument("--head", metavar="NUMBER:HASH", help=self._texts("opt.head"))
        self._add_limit(options, 20)
        _, options = self._command("retain")
        options.add_argument("--preset", choices=PRESETS, help=self._texts("opt.preset"))
        options.add_argument("--dry-run", action="store_true", help=self._texts("opt.dry_run"))
        arguments, _ = self._command("archive")
        arguments.add_argument(
            "action", choices=("list", "show", "bring-back"), help=self._texts("arg.archive_action")
        )
        arguments.add_argument("which", metavar="ID", nargs="?", help=self._texts("arg.archive_which"))

    def _add_serving(self) -> None:
        add_mcp_options(*self._command("mcp"), self._texts)
        _, options = self._command("serve")
        add_serve_options(options, self._texts)
        add_token_options(*self._command("token"), self._texts)
        add_dashboard_options(self._command("dashboard")[1], self._texts)
        add_import_options(*self._command("import"), self._texts)

    def _command(self, name: str) -> tuple[argparse._ArgumentGroup, argparse._ArgumentGroup]:
        if self._only not in (None, name):
            return self._unasked, self._unasked
        self.knows_it = True
        parser = self._commands.add_parser(
            name,
            help=self._texts(f"help.{name}"),
            description=self._texts(f"help.{name}"),
            formatter_class=self._formatter,
            add_help=False,
            allow_abbrev=False,
        )
        arguments = parser.add_argument_group(self._texts("help.arguments"))
        options = parser.add_argument_group(self._texts("help.options"))
        self._add_global_options(parser, top=False)
        return arguments, options

    def _add_question(self, name: str) -> argparse._ArgumentGroup:
        arguments, options = self._command(name)
        arguments.add_argument("question", metavar="QUESTION", nargs="+", help=self._texts("arg.question"))
        return options

    def _add_limit(self, options: argparse._ArgumentGroup, default: int) -> None:
        options.add_argument(
            "--limit", metavar="N", default=str(default), help=self._texts("opt.limit", default=default)
        )

    def _add_global_options(self, parser: argparse.ArgumentParser, *, top: bool) -> None:
        # Below the top nothing has a default, so that what was said before the command is not overwritten.
        unset: str | None = None if top else argparse.SUPPRESS
        group = parser.add_argument_group(self._texts("help.global"))
        group.add_argument("-h", "--help", action="help", help=self._texts("opt.help"))
        group.add_argument("--db", metavar="PATH", default=unset, help=self._texts("opt.db"))
        group.add_argument("--user", metavar="NAME", default=unset, help=self._texts("opt.user"))
        group.add_argument("--agent", metavar="NAME", default=unset, help=self._texts("opt.agent"))
        group.add_argument("--json", action="store_true", default=unset or False, help=self._texts("opt.json"))
        group.add_argument("--lang", choices=LANGUAGES, default=unset, help=self._texts("opt.lang"))
        group.add_argument(
            "--version", action="version", version=f"celestial {__version__}", help=self._texts("opt.version")
        )
