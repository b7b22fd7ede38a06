"""Words and vectors made again, by what was chosen to make them."""

from __future__ import annotations

import argparse
import contextlib
import logging
from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import EmbeddingError, Reason
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, failure_of
from celestial_engine.surfaces.cli.texts.catalogue import Texts

ANALYSERS = ("auto", "pairs", "kiwi")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--embedder", metavar="NAME", help=texts("opt.embedder"))
    options.add_argument("--words", choices=ANALYSERS, help=texts("opt.words"))


def run(args: Namespace, console: Console) -> int:
    """Vectors unless only words were asked for; reports the last reason why a vector could not be made."""
    counts: dict[str, int] = {}
    with (
        _listening() as failures,
        CelestialMemory(
            args.db, rebalance_interval=None, user_id=args.user, agent_id=args.agent, embedder=args.embedder,
            settings=Settings(storage=StorageSettings(words=args.words)),
        ) as memory,
    ):  # fmt: skip
        try:
            if args.words is not None:
                counts["words"] = memory.maintenance.reindex_words(
                    lambda done, total: console.bar(done, total, console.texts("say.rewording"))
                )
            if args.words is None or args.embedder is not None:
                bar = partial(console.bar, doing=console.texts("say.reindexing"))
                result = memory.maintenance.reindex(bar)
                counts |= {"embedded": result.embedded, "failed": result.failed}
        finally:
            console.progress("")
    if console.as_json:
        console.data(counts)
    else:
        _say_made(console, counts)
    failed = counts.get("failed", 0)
    if not failed:
        return OK
    failure = failure_of(failures.last or EmbeddingError(Reason.NOT_EMBEDDED, count=failed), console.texts)
    console.flush()
    console.fail(failure)
    return failure.exit_code


def _say_made(console: Console, counts: dict[str, int]) -> None:
    if "words" in counts:
        console.say(console.texts("say.reworded", count=counts["words"]))
    if "embedded" in counts:
        console.say(console.texts(_sentence(counts["embedded"], counts["failed"]), **counts))


def _sentence(embedded: int, failed: int) -> str:
    if failed:
        return "say.reindexed_some"
    return "say.reindexed" if embedded else "say.nothing_to_reindex"


class _Failures(logging.Handler):
    """The engine warns of each vector that fails; only the last warning is shown."""

    last: EmbeddingError | None = None

    def emit(self, record: logging.LogRecord) -> None:
        for value in record.args if isinstance(record.args, tuple) else ():
            if isinstance(value, EmbeddingError):
                self.last = value


@contextlib.contextmanager
def _listening() -> Iterator[_Failures]:
    failures, logger = _Failures(), logging.getLogger("celestial_engine")
    passed_on = logger.propagate
    logger.addHandler(failures)
    logger.propagate = False
    try:
        yield failures
    finally:
        logger.removeHandler(failures)
        logger.propagate = passed_on
