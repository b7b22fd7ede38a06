"""Is the database well, and what does it stand on? Looks at everything, changes nothing that is not ours."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import stat
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from celestial_engine import __version__
from celestial_engine.config import Environment, is_server, without_password
from celestial_engine.config.engine_settings import Settings, StorageSettings
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError, os_problem
from celestial_engine.surfaces.cli.commands.doctor_model import look_at_model
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.terminal import drawn_width, one_line, padded
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import file_size

_IN_MEMORY = ":memory:"
_WAL_RESET_FIXED = (3, 51, 3)
_PATIENCE_SECONDS = 5.0  # a doctor who waits half a minute for a lock seems dead
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `status`: ok, note, warning or problem."""

    name: str
    status: str
    message: str


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
        console.data({"healthy": healthy, "checks": [asdict(check) for check in checks]})
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
        file_checks = list(_file(path, texts))
        yield from file_checks
        if any(check.name == "missing" for check in file_checks):
            yield from _without_a_file(args, env, texts)  # opening would create it
            return
    yield from _contents(args, env, texts)


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


def _file(path: str, texts: Texts) -> Iterator[Check]:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        yield Check("missing", "note", texts("doctor.missing"))
        return
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        reason = texts.problem(os_problem(error))
        yield Check("file", "problem", texts("doctor.unreachable", path=path, reason=reason))
        return
    if not stat.S_ISREG(found.st_mode):
        return  # the engine says what it thinks of that
    size = sum(os.path.getsize(name) for name in (path, f"{path}-wal") if os.path.isfile(name))
    if size == 0:
        yield Check("missing", "note", texts("doctor.missing"))
        return
    yield Check("size", "ok", texts("doctor.size", size=file_size(size)))
    if os.name != "nt":
        yield _permissions(found, texts)


def _permissions(found: os.stat_result, texts: Texts) -> Check:
    """Who may read it; only the owner of a file can change that."""
    mode = f"{stat.S_IMODE(found.st_mode):03o}"
    shared = bool(found.st_mode & _OTHERS)
    if found.st_uid != os.geteuid():
        owner = _user_name(found.st_uid)
        if shared:
            return Check("permissions", "warning", texts("doctor.anothers_readable", owner=owner, mode=mode))
        return Check("permissions", "note", texts("doctor.anothers", owner=owner, mode=mode))
    if shared:
        return Check("permissions", "warning", texts("doctor.readable", mode=mode))
    return Check("permissions", "ok", texts("doctor.private"))


def _user_name(uid: int) -> str:
    import pwd  # POSIX only

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _without_a_file(args: Namespace, env: Environment, texts: Texts) -> Iterator[Check]:
    try:
        with CelestialMemory(_IN_MEMORY, rebalance_interval=None, embedder="none") as memory:
            yield from _model(memory, args, env, texts)
    except CelestialError as error:
        yield Check("model", "problem", texts.error(error))


def _model(memory: CelestialMemory, args: Namespace, env: Environment, texts: Texts) -> Iterator[Check]:
    for found in look_at_model(memory, env.model, env.model_settings, texts, ask=args.ask_model):
        yield Check(*found)


def _floor(memory: CelestialMemory, texts: Texts) -> Check:
    floor = memory.maintenance.floor()
    value = f"{floor.probability:.0%}"
    if floor.embedder is None:
        return Check("floor", "ok", texts("doctor.floor_words", floor=value))
    if floor.measured:
        return Check("floor", "ok", texts("doctor.floor", floor=value, embedder=floor.embedder))
    return Check("floor", "note", texts("doctor.floor_not_measured", floor=value, embedder=floor.embedder))


def _contents(args: Namespace, env: Environment, texts: Texts) -> Iterator[Check]:
    try:
        with CelestialMemory(
            args.db,
            rebalance_interval=None,
            user_id=args.user,
            agent_id=args.agent,
            settings=Settings(storage=StorageSettings(busy_timeout=_PATIENCE_SECONDS)),
        ) as memory:
            problems = memory.maintenance.repair() if args.repair else memory.maintenance.check()
            stats = memory.stats()
            yield _floor(memory, texts)
            yield from _model(memory, args, env, texts)
    except CelestialError as error:
        yield Check("contents", "problem", texts.error(error))
        return
    for found in problems:
        yield Check("contents", "problem", texts("doctor.inconsistent", problem=texts.problem(found)))
    if not problems:
        owner = env.owner
        yield Check(
            "contents",
            "ok",
            texts(
                "doctor.consistent",
                total=stats["total"],
                cliff=stats["cliff"],
                user=args.user or owner.user_id,
                agent=args.agent or owner.agent_id,
            ),
        )
