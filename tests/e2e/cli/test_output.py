"""What the command line prints: safe on any terminal, in any locale, for any reader."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from celestial_engine import CelestialMemory

COMMAND = [sys.executable, "-m", "celestial_engine"]

EVIL = "\x1b[31mred\x1b]0;title\x07 \x9b31m \u202eback\rover\x00\x7f"

pytestmark = pytest.mark.usefixtures("usual_embedder")


@pytest.mark.parametrize("argv", [("list",), ("show",), ("explain",), ("recall", "title"), ("cliff",)])
def test_escape_sequences_are_neutralised(cli, tmp_path, argv):
    """Memory text is untrusted: it must not be able to write to the terminal's controls."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        item = memory.store(EVIL)
        if argv == ("cliff",):
            memory.forget(item.id)
    answer = cli(*argv, *([item.id] if argv[0] in ("show", "explain") else []))
    assert "red" in answer.out
    unsafe = [char for char in answer.out if char != "\n" and not (char.isprintable())]
    assert unsafe == []


def test_json_carries_the_exact_text_and_no_raw_controls(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        memory.store(EVIL + " 한글")
    answer = cli("list", "--json")
    assert answer.data["memories"][0]["content"] == EVIL + " 한글"
    assert "한글" in answer.out
    assert all(char == "\n" or char.isprintable() for char in answer.out)


def test_escape_sequences_in_arguments_are_neutralised(cli):
    assert "\x1b" not in cli("show", "\x1b[31m").err
    assert "\x1b" not in cli("list", "--db", "/nowhere/\x1b[31m/x.db").err


def test_tables_fit_the_terminal(cli, stored, monkeypatch):
    stored("짧은 글")
    stored("아주 긴 한국어 문장은 터미널의 너비에 맞추어 잘려야 하고 그 끝에는 말줄임표가 붙어야 한다")
    monkeypatch.setenv("COLUMNS", "60")
    lines = cli("list").out.splitlines()
    assert lines[1].endswith("…")
    widths = [sum(2 if "가" <= char <= "힣" else 1 for char in line) for line in lines]
    assert max(widths) in (59, 60)
    assert lines[2].index("짧") == lines[1].index("아")


def test_a_reader_that_leaves_is_no_error(cli):
    cli("store", "--lines", "-", stdin=b"".join(b"a line of some length %d\n" % number for number in range(2000)))
    for argv in (("list", "--limit", "2000"), ("export",), ("list", "--limit", "2000", "--json")):
        running = subprocess.Popen([*COMMAND, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        running.stderr.close()
        assert running.wait(timeout=60) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_told():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_any_locale_can_print(process):
    assert process("store", "한글", PYTHONIOENCODING="ascii").code == 0
    assert "?" in process("list", PYTHONIOENCODING="ascii").out
    assert process("list", "--json", PYTHONIOENCODING="ascii").data["memories"][0]["content"] == "한글"
