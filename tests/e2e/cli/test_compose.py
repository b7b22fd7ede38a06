"""What goes into a prompt, made on the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.context import composed
from celestial_engine.surfaces.operations.context import PromptContext, UsedMemory

LONG = "The garden behind the old house needs water every single evening of the summer. " * 6


def test_compose_prints_the_text_and_nothing_else(cli, ids, tmp_path):
    answer = cli("compose", "Mina", "satay", "peanuts")
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        composed = memory.compose("Mina satay peanuts")
    assert answer.code == 0
    assert answer.out == composed.text + "\n"
    assert answer.out.startswith("<memories>\n")
    assert answer.err == f"Memories: 4 (full 4, gist 0, facts 0), {composed.tokens} of 1024 tokens; left out: 0.\n"


def test_compose_keeps_to_its_budget(cli, ids):
    cli("store", LONG)
    composed = cli("compose", "Mina", "garden", "--budget", "90", "--json").data
    assert composed.keys() == {
        "text",
        "used",
        "tokens",
        "budget",
        "left_out",
        "feeling",
        "known",
        "notice",
        "repeated",
        "ended",
    }
    assert composed["tokens"] <= composed["budget"] == 90
    assert composed["left_out"] > 0
    assert all(used.keys() == {"id", "level", "tokens", "background"} for used in composed["used"])
    answer = cli("compose", "the", "garden", "--budget", "90")
    assert re.match(r"Memories: \d \(full \d, (gist 1, facts 0|gist 0, facts 1)\), ", answer.err)


def test_compose_and_observe_say_how_the_memories_feel(cli):
    """A character that is reminded of them may feel so again."""
    cli("store", "삐돌이가 떠나기 전에 칭찬해 줬다", "--emotion", "joy", "--emotion", "sadness", "--intensity", "0.9")
    felt = cli("compose", "삐돌이가 뭐라고 했지?", "--json").data["feeling"]
    assert (felt["emotions"][:2], felt["mixed"], felt["intensity"]) == (["joy", "sadness"], "nostalgia", 0.9)
    observed = cli("observe", "삐돌이가 뭐라고 했지?", "--json").data
    assert observed["used"]
    assert observed["feeling"] == felt


def test_compose_considers_so_many(cli, ids):
    assert len(cli("compose", "Mina", "--limit", "2", "--json").data["used"]) == 2


def test_compose_reinforces_what_it_used(cli, ids):
    used = {used["id"] for used in cli("compose", "Mina", "--limit", "2", "--json").data["used"]}
    assert {item["id"] for item in cli("list", "--json").data["memories"] if item["recall_count"]} == used


def test_compose_without_a_memory_is_silent_on_standard_output(cli, ids):
    answer = cli("compose", "zebra")
    assert (answer.code, answer.out, answer.err) == (0, "", "Nothing stored about this.\n")
    assert cli("compose", "zebra", "--json").data == {
        "text": "", "used": [], "tokens": 0, "budget": 1024, "left_out": 0, "feeling": None, "known": False,
        "notice": "Nothing stored about this.", "repeated": 0, "ended": 0,
    }  # fmt: skip


def test_compose_says_when_nothing_fits(cli, ids):
    answer = cli("compose", "Mina", "--budget", "0", "--limit", "3")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "No memory fits into 0 tokens; left out: 3.\n"
    said = cli("compose", "Mina", "--budget", "0", "--limit", "3", "--lang", "ko").err
    assert said == "토큰 0개에 들어가는 기억이 없습니다. 넣지 못한 기억: 3개.\n"


def test_compose_reads_standard_input(cli, ids, mina):
    assert mina[0] in cli("compose", "-", stdin=b"what does Mina drink?\n").out


def test_compose_speaks_utf8_to_a_pipe_whatever_the_locale(cli):
    """What goes into a prompt must not be a row of question marks."""
    cli("store", "민수는 커피를 좋아한다")
    done = subprocess.run(
        [sys.executable, "-m", "celestial_engine", "compose", "민수", "--lang", "ko"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0
    assert "민수는 커피를 좋아한다" in done.stdout.decode()


def test_what_compose_says_in_korean():
    used = (UsedMemory("a", 0, 10), UsedMemory("b", 1, 5), UsedMemory("c", 2, 3), UsedMemory("d", 2, 3))
    said = composed(Texts("ko"), PromptContext("text", 30, 40, used, 2))
    assert said == "기억 4개 (전문 1, 요지 1, 사실 2), 토큰 40개 중 30개 사용. 넣지 못한 기억: 2개."
