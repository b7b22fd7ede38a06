"""Limits carried out, archived sessions, and zones put in order."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.views.command_result import CommandResult, ExitCode, View
from celestial_engine.surfaces.cli.views.format import clock_time, file_size, headed
from celestial_engine.surfaces.cli.views.memories import show_memory


def say_problems(console: Console, problems: Iterable[str]) -> None:
    for problem in problems:
        console.remark(console.texts("say.archive_problem", problem=problem))


def _retained(result: CommandResult) -> None:
    answer, texts = result.answer, result.texts
    if answer.dry_run:
        result.say("say.would_retain", leaving=answer.forgotten, archiving=answer.archived, sessions=answer.sessions)
        for limit, count in answer.by_limit.items():
            result.say("say.limit_line", limit=texts(f"limit.{limit}"), count=count)
    else:
        result.say("say.retained", forgotten=answer.forgotten, archived=answer.archived)
    remaining = answer.remaining
    result.say(
        "say.remaining",
        memories=remaining.memories,
        sessions=remaining.sessions,
        size=file_size(remaining.size_bytes),
    )
    for limit in answer.still_over:
        result.console.remark(texts("say.still_over", limit=texts(f"limit.{limit}")))
    say_problems(result.console, answer.problems)


def _archives(result: CommandResult) -> None:
    archives = result.answer.archives
    if not archives:
        result.say("say.no_archives")
        return
    rows = [[clock_time(one.archived_at), str(one.memories), file_size(one.size_bytes), one.session_id or ""]
            for one in archives]  # fmt: skip
    result.console.say(*headed(result.texts, ("archived", "memories", "size", "session"), rows))
    for one in archives:
        say_problems(result.console, (f"{one.file}: {problem}" for problem in one.problems))


def _brought_back(result: CommandResult) -> None:
    result.say("say.brought_back", count=len(result.answer.ids))
    say_problems(result.console, result.answer.problems)


def _scanned(result: CommandResult) -> None:
    answer, texts = result.answer, result.texts
    if not answer.found:
        result.say("say.no_secrets")
        return
    rows = [[texts(f"place.{one.place}"), one.where, _kinds(result, one.kinds)] for one in answer.found]
    result.console.say(*headed(texts, ("place", "where", "secrets"), rows))
    if answer.dry_run:
        result.say("say.would_redact")
        return
    result.say("say.secrets_redacted", count=len(answer.redacted))
    for one in answer.left:
        result.console.remark(texts("say.secret_left", place=texts(f"place.{one.place}"), where=one.where))
    for place in dict.fromkeys(one.place for one in answer.left):
        result.console.remark(texts(f"left.{place}"))


def _kinds(result: CommandResult, kinds: Iterable[str]) -> str:
    return ", ".join(result.texts(f"secret.{kind}") for kind in kinds)


def _rebalanced(result: CommandResult) -> None:
    answer = result.answer
    result.say(
        "say.rebalanced", total=answer.in_orbit, moved=answer.moved, evicted=answer.evicted,
        forgotten=answer.forgotten, purged=answer.purged, ms=f"{answer.milliseconds:.1f}",
    )  # fmt: skip
    if answer.held:
        result.say("say.rebalance_held", count=answer.held)


VIEWS: dict[str, View] = {
    "retention_run": _retained,
    "archive_list": _archives,
    "archive_show": show_memory,
    "archive_bring_back": _brought_back,
    "guard_scan": _scanned,
    "rebalance": _rebalanced,
}
EXIT_CODES: dict[str, ExitCode] = {
    "archive_bring_back": lambda result: STORAGE if result.answer.problems else OK,
}
