"""Is the database well, and what does it stand on? Looks at everything, changes nothing that is not ours."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
from argparse import Namespace
from collections.abc import Iterator

from celestial_engine import __version__
from celestial_engine.config import Environment, is_server, without_password
from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import BusyError, CelestialError, ConfigError
from celestial_engine.surfaces.cli.commands.doctor.check import Check
from celestial_engine.surfaces.cli.commands.doctor.contents import (
    advise_backup,
    look_at_clock,
    look_at_ledger,
    look_at_records,
    look_at_vectors,
)
from celestial_engine.surfaces.cli.commands.doctor.files import look_at_database, look_at_folders
from celestial_engine.surfaces.cli.commands.doctor.model import look_at_model
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.terminal import drawn_width, one_line, padded
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_IN_MEMORY = ":memory:"
_WAL_RESET_FIXED = (3, 51, 3)
_PATIENCE_SECONDS = 5.0  # a doctor who waits half a minute for a lock seems dead


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--repair", action="store_true", help=texts("opt.repair"))
    options.add_argument("--ask-model", action="store_true", help=texts("opt.ask_model"))


def run(args: Namespace, console: Console) -> int:
    """Tells of each check as it is done; healthy unless one of them is a problem."""
    texts = console.texts
    width = max(drawn_width(texts(f"status.{status}")) for status in ("ok", "note", "warning", "problem"))
    checks = []
    for check in _checks(args, texts):
        checks.append(check)
        if not console.as_json:
            status = padded(texts(f"status.{check.status}"), width)
            console.say(f"{status}  {one_line(check.message)}")
    healthy = all(check.status != "problem" for check in checks)
    if console.as_json:
        console.data({"healthy": healthy, "checks": [check._asdict() for check in checks]})
    else:
        console.say(texts("doctor.healthy" if healthy else "doctor.ill"))
    return OK if healthy else STORAGE


def _checks(args: Namespace, texts: Texts) -> Iterator[Check]:
    env = Environment.read()
    path = args.db or env.db_path
    yield from _platform(texts)
    if env.durability in ("full", "normal"):
        yield Check("durability", "ok", texts(f"doctor.durability_{env.durability}"))
    yield Check("path", "ok", texts("doctor.path", path=without_password(path)))
    if path == _IN_MEMORY:
        yield Check("file", "note", texts("doctor.in_memory"))
    elif is_server(path):
        yield Check("server", "ok", texts("doctor.server"))
    else:
        file_checks = list(look_at_database(path, texts, repair=args.repair))
        yield from file_checks
        if any(check.name in ("missing", "moved") for check in file_checks):
            yield from _without_a_file(args, env, texts)  # opening would create it
            return
    yield from _contents(args, env, path, texts)


def _platform(texts: Texts) -> Iterator[Check]:
    yield Check("version", "ok", texts("doctor.version", version=__version__, python=platform.python_version()))
    yield Check("sqlite", "ok", texts("doctor.sqlite", version=sqlite3.sqlite_version))
    if sqlite3.sqlite_version_info < _WAL_RESET_FIXED:
        yield Check("wal_reset", "note", texts("doctor.wal_reset"))
    if _has_fts5():
        yield Check("fts5", "ok", texts("doctor.fts"))
    else:
        yield Check("fts5", "problem", texts("doctor.no_fts"))


def _has_fts5() -> bool:
    connection = sqlite3.connect(_IN_MEMORY)
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (body)")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def _without_a_file(args: Namespace, env: Environment, texts: Texts) -> Iterator[Check]:
    try:
        with CelestialMemory(_IN_MEMORY, rebalance_interval=None, embedder="none") as memory:
            yield from _model(memory, args, env, texts)
    except CelestialError as error:
        yield Check("model", "problem", texts.error(error))


def _model(memory: CelestialMemory, args: Namespace, env: Environment, texts: Texts) -> Iterator[Check]:
    yield from look_at_model(memory, env.model, env.model_settings, texts, ask=args.ask_model)


def _floor(memory: CelestialMemory, texts: Texts) -> Iterator[Check]:
    floor = memory.maintenance.floor()
    value = f"{floor.probability:.0%}"
    if floor.embedder is None:
        yield Check("floor", "ok", texts("doctor.floor_words", floor=value))
    elif floor.measured:
        yield Check("floor", "ok", texts("doctor.floor", floor=value, embedder=floor.embedder))
    else:
        yield Check("floor", "note", texts("doctor.floor_not_measured", floor=value, embedder=floor.embedder))


def _contents(args: Namespace, env: Environment, path: str, texts: Texts) -> Iterator[Check]:
    """Each part is looked at whatever the others found; a database that cannot be mended gets advice."""
    ill = False
    try:
        with CelestialMemory(
            args.db,
            rebalance_interval=None,
            user_id=args.user,
            agent_id=args.agent,
            settings=Settings(storage=StorageSettings(busy_timeout=_PATIENCE_SECONDS)),
        ) as memory:
            for check in _opened(memory, args, env, path, texts):
                ill = ill or (check.status == "problem" and check.name in ("contents", "ledger"))
                yield check
    except CelestialError as error:
        ill = not isinstance(error, ConfigError | BusyError)
        yield Check("contents", "problem", texts.error(error))
    if ill and os.path.isfile(path):
        yield advise_backup(path, env.backup_path, texts)


def _opened(memory: CelestialMemory, args: Namespace, env: Environment, path: str, texts: Texts) -> Iterator[Check]:
    repair = args.repair and not _is_read_only(path)
    for name, checks in (
        ("contents", look_at_records(memory, texts, repair=repair)),
        ("ledger", look_at_ledger(memory, texts, repair=repair)),
        ("vectors", look_at_vectors(memory, texts, repair=repair)),
        ("clock", look_at_clock(memory, texts)),
        ("folders", _folders(memory, path, texts, repair=args.repair)),
        ("floor", _floor(memory, texts)),
        ("model", _model(memory, args, env, texts)),
    ):
        try:
            yield from checks
        except CelestialError as error:  # noqa: PERF203 - damage in one part must not hide the others
            yield Check(name, "problem", texts.error(error))


def _folders(memory: CelestialMemory, path: str, texts: Texts, *, repair: bool) -> Iterator[Check]:
    if os.path.isfile(path):
        status = memory.maintenance.status()
        folders = [folder for folder in (status.ledger_path, status.archive_path) if folder is not None]
        yield from look_at_folders(folders, texts, repair=repair)


def _is_read_only(path: str) -> bool:
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.isfile(path) and not (os.access(path, os.W_OK) and os.access(folder, os.W_OK))
