"""Limits carried out, archived sessions, and zones put in order."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.views.format import clock_time, file_size, headed
from celestial_engine.surfaces.cli.views.memories import show_memory
from celestial_engine.surfaces.cli.views.shown import ExitCode, Shown, View


def say_problems(console: Console, problems: Iterable[str]) -> None:
    for problem in problems:
        console.remark(console.texts("say.archive_problem", problem=problem))


def _retained(shown: Shown) -> None:
    done, texts = shown.answer, shown.texts
    if done.dry_run:
        shown.say("say.would_retain", leaving=done.forgotten, archiving=done.archived, sessions=done.sessions)
        for limit, count in done.by_limit.items():
            shown.say("say.limit_line", limit=texts(f"limit.{limit}"), count=count)
    else:
        shown.say("say.retained", forgotten=done.forgotten, archived=done.archived)
    left = done.remaining
    shown.say("say.remaining", memories=left.memories, sessions=left.sessions, size=file_size(left.size_bytes))
    for limit in done.still_over:
        shown.console.remark(texts("say.still_over", limit=texts(f"limit.{limit}")))
    say_problems(shown.console, done.problems)


def _archives(shown: Shown) -> None:
    archives = shown.answer.archives
    if not archives:
        shown.say("say.no_archives")
        return
    rows = [[clock_time(one.archived_at), str(one.memories), file_size(one.size_bytes), one.session_id or ""]
            for one in archives]  # fmt: skip
    shown.console.say(*headed(shown.texts, ("archived", "memories", "size", "session"), rows))
    for one in archives:
        say_problems(shown.console, (f"{one.file}: {problem}" for problem in one.problems))


def _brought_back(shown: Shown) -> None:
    shown.say("say.brought_back", count=len(shown.answer.ids))
    say_problems(shown.console, shown.answer.problems)


def _scanned(shown: Shown) -> None:
    done, texts = shown.answer, shown.texts
    if not done.found:
        shown.say("say.no_secrets")
        return
    rows = [[texts(f"place.{one.place}"), one.where, _kinds(shown, one.kinds)] for one in done.found]
    shown.console.say(*headed(texts, ("place", "where", "secrets"), rows))
    if done.dry_run:
        shown.say("say.would_redact")
        return
    shown.say("say.secrets_redacted", count=len(done.redacted))
    for one in done.left:
        shown.console.remark(texts("say.secret_left", place=texts(f"place.{one.place}"), where=one.where))
    for place in dict.fromkeys(one.place for one in done.left):
        shown.console.remark(texts(f"left.{place}"))


def _kinds(shown: Shown, kinds: Iterable[str]) -> str:
    return ", ".join(shown.texts(f"secret.{kind}") for kind in kinds)


def _rebalanced(shown: Shown) -> None:
    done = shown.answer
    shown.say(
        "say.rebalanced", total=done.in_orbit, moved=done.moved, evicted=done.evicted, forgotten=done.forgotten,
        purged=done.purged, ms=f"{done.milliseconds:.1f}",
    )  # fmt: skip
    if done.held:
        shown.say("say.rebalance_held", count=done.held)


VIEWS: dict[str, View] = {
    "retention_run": _retained,
    "archive_list": _archives,
    "archive_show": show_memory,
    "archive_bring_back": _brought_back,
    "guard_scan": _scanned,
    "rebalance": _rebalanced,
}
EXIT_CODES: dict[str, ExitCode] = {
    "archive_bring_back": lambda shown: STORAGE if shown.answer.problems else OK,
}
