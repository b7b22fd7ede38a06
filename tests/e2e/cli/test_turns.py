"""Turns on the command line: deciding, observing, and what goes where."""

from __future__ import annotations

import json

import pytest

from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.policy import DecisionReason, Phase
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.surfaces.cli.texts.en import general as texts_en
from celestial_engine.surfaces.cli.texts.ko import general as texts_ko


def test_decide_tells_and_does_not(cli):
    answer = cli("decide", "My name is Mina")
    assert answer.code == 0
    assert answer.out.startswith("save: it says much that is worth keeping (confidence 0.")
    assert json.loads(cli("list", "--json").out)["memories"] == []


def test_observe_saves_once_and_counts(cli):
    assert "Stored: " in cli("observe", "My name is Mina").err
    again = cli("observe", "My name is Mina!")
    assert "it is remembered already" in again.err
    assert again.err.rstrip().endswith("mentions: 1")
    assert len(json.loads(cli("list", "--json").out)["memories"]) == 1
    assert "mentioned again" in cli("history").out


def test_fetched_memories_alone_go_to_standard_output(cli):
    cli("observe", "My birthday is on May 3rd")
    answer = cli("observe", "When is my birthday?")
    assert answer.out.startswith("<memories>")
    assert answer.out.rstrip().endswith("</memories>")
    assert answer.err.startswith("retrieve: ")


def test_a_request_to_forget(cli):
    """The answer for the model goes to standard output, what was done and the ids for the person to the other."""
    for text in ("Ana is my sister", "Ana lives in Porto", "I love banana bread"):
        cli("store", text)
    told = cli("decide", "forget what I said about Ana")
    assert told.out.startswith("skip: it asks to forget something")
    assert "To be forgotten: what I said about Ana" in told.out
    answer = cli("observe", "forget what I said about Ana")
    assert answer.code == 0
    assert "Memories forgotten: 2." in answer.out
    assert "Porto" not in answer.out
    assert answer.err.count("  forgotten: ") == 2
    assert "Nothing stored matches (what I said about Ana)." in cli("observe", "forget what I said about Ana").err
    assert len(json.loads(cli("cliff", "--json").out)["memories"]) == 2
    assert len(json.loads(cli("list", "--json").out)["memories"]) == 1


def test_a_request_to_forget_that_must_be_confirmed(cli):
    for number in range(4):
        cli("store", f"수민이랑 {number}번 싸웠어")
    answer = cli("--lang", "ko", "observe", "수민이 얘기는 이제 잊어줘")
    assert "해당할 수 있는 기억이 4개입니다" in answer.err
    ids = [line.split()[1] for line in answer.err.splitlines() if line.startswith("  해당: ")]
    assert len(ids) == 4
    assert cli("forget", *ids).code == 0
    told = json.loads(cli("observe", "수민이 얘기는 이제 잊어줘", "--json").out)
    assert (told["forgetting"]["outcome"], told["memory"]) == ("nothing", None)


def test_json_for_programs(cli):
    told = json.loads(cli("decide", "내 이름은 민아야", "--json").out)
    assert (told["action"], told["reason"], told["phase"]) == ("save", "important", "sure")
    assert told["features"]["personal"] is True
    done = json.loads(cli("observe", "내 이름은 민아야", "--json").out)
    assert (done["memory"]["content"], done["used"], done["problem"]) == ("내 이름은 민아야", [], None)


def test_korean(cli):
    answer = cli("--lang", "ko", "decide", "안녕!")
    assert answer.out.startswith("넘김: 인사나 맞장구입니다 (확신 ")


@pytest.mark.parametrize(
    "written",
    [
        '["hello", {"role": "user", "content": "My name is Mina", "action": "save"}]',
        '"hello"\n{"role": "user", "content": "My name is Mina", "action": "save"}\n',
    ],
    ids=["list", "lines"],
)
def test_a_history_is_read_from_a_file(cli, tmp_path, written):
    (tmp_path / "h.json").write_text(written, encoding="utf-8")
    told = json.loads(cli("decide", "hi", "--history", str(tmp_path / "h.json"), "--json").out)
    assert (told["features"]["turn_position"], told["features"]["recent_saves"]) == (2, 1)


@pytest.mark.parametrize("written", [b"{no json", b"\xff\xfe", b'[{"role": "wizard", "content": "x"}]', b"[3]"])
def test_a_bad_history_is_refused(cli, tmp_path, written):
    (tmp_path / "h.json").write_bytes(written)
    answer = cli("decide", "hi", "--history", str(tmp_path / "h.json"))
    assert answer.code == 2
    assert answer.err.startswith("error: ")


def test_what_cannot_be_a_turn_is_refused(cli):
    assert cli("observe", " ").code == 2
    assert cli("decide", "-", stdin=b"").code == 2
    assert cli("decide", "hi", "--role", "wizard").code == 2
    assert cli("decide", "hi", "--history", "/nowhere").code == 2
    assert cli("observe", "hi", "--budget", "much").code == 2


def test_a_turn_from_standard_input(cli):
    assert cli("observe", "-", stdin="저는 간호사예요".encode()).err.startswith("save: ")


def test_what_went_wrong_on_the_way_is_an_exit_code(cli):
    answer = cli("observe", "My name is Mina", "--budget", "-1")
    assert answer.code == 1
    assert "Not fully observed: budget" in answer.err


def test_every_word_is_said_in_both_languages():
    for catalogue in (texts_en.TEXTS, texts_ko.TEXTS):
        for kind, words in (
            ("why", DecisionReason),
            ("turn", Action),
            ("phase", [phase.name.lower() for phase in Phase]),
        ):
            for word in words:
                assert f"{kind}.{getattr(word, 'value', word)}" in catalogue
    (decide,) = declared("decide")["decide"]
    assert tuple(role.value for role in Role) == decide.field("role").choices
