"""Options of every command: the database, the owner, help and version."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("usual_embedder")


def _stored(cli, path: str) -> str:
    return cli("--db", path, "--user", "mina", "--json", "store", "hello").data["id"]


def test_global_options_stand_before_or_after(cli, tmp_path):
    other = str(tmp_path / "other.db")
    assert "mina / default" in cli("--db", other, "--user", "mina", "show", _stored(cli, other)).out
    assert cli("stats", "--db", other, "--user", "mina", "--json").data["total"] == 1
    assert cli("stats", "--db", other, "--json").data["total"] == 0
    assert cli("--user", "nobody", "stats", "--user", "mina", "--db", other, "--json").data["total"] == 1


def test_owners_do_not_see_each_other(cli, stored):
    item_id = stored("a secret")
    assert cli("show", item_id, "--agent", "another").code == 3
    assert cli("search", "secret", "--user", "another", "--json").data["hits"] == []


@pytest.mark.parametrize("option", ["--db", "--user", "--agent"])
def test_an_empty_option_is_not_taken_for_the_default(cli, option):
    answer = cli("list", option, "")
    assert answer.code == 2
    assert option in answer.err


def test_version(cli):
    assert cli("--version").out.startswith("celestial ")


def test_no_command_shows_the_help(cli):
    answer = cli()
    assert answer.code == 2
    assert "usage: celestial" in answer.err
    assert json.loads(cli("--json").err)["error"] == "usage"


def test_help_loads_no_engine():
    """A command line that answers every turn cannot wait for what it does not use."""
    probe = (
        "import sys\n"
        "from celestial_engine.surfaces.cli import main\n"
        "first = set(sys.modules)\n"
        "main(['--help'])\n"
        "heavy = {'celestial_engine.engine', 'sqlite3', 'logging', 'uuid', 'traceback'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert 'argparse' not in first\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "exit codes:" in done.stdout
