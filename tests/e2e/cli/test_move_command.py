"""`celestial move` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "celestial_engine", *arguments], capture_output=True, text=True, check=False
    )


def test_move_from_one_file_to_another(tmp_path):
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")
    for user in ("anna", "bert"):
        assert run("store", f"{user} likes tea", "--db", here, "--user", user).returncode == 0
    planned = run("move", here, there, "--dry-run")
    assert "2 owners, 2 memories" in planned.stdout
    assert "Nothing was changed" in planned.stdout
    one = run("move", here, there, "--this-owner", "--user", "bert", "--json")
    assert [move["memories"] for move in json.loads(one.stdout)["owners"]] == [1]
    done = run("move", here, there)
    assert "anna/default: 1 memories" in done.stdout
    assert "was not changed" in done.stdout
    assert "anna likes tea" in run("search", "tea", "--db", there, "--user", "anna").stdout


def test_errors_say_what_to_do(tmp_path):
    here = str(tmp_path / "here.db")
    missing = run("move", here, str(tmp_path / "there.db"))
    assert missing.returncode == 5
    run("store", "tea", "--db", here)
    same = run("move", here, here, "--json")
    assert json.loads(same.stderr)["error"] == "move"
    nobody = run("move", here, str(tmp_path / "there.db"), "--this-owner", "--user", "nobody")
    assert "nobody/default" in nobody.stderr
