"""What is known about the user, shown on the command line."""

from __future__ import annotations


def test_the_profile_is_shown_by_subject(cli):
    assert cli("profile").out == "Nothing lasting is known about the user yet.\n"
    assert cli("profile", "--lang", "ko").out == "사용자에 대해 아직 알고 있는 것이 없습니다.\n"
    for text in ("My name is Daniel", "I live in Lisbon", "My daughter Ana is five years old"):
        cli("store", text)
    lines = cli("profile").out.splitlines()
    assert [line.split()[0] for line in lines] == ["About", "about", "name", "home", "People", "about", "child"]
    assert lines[3].endswith("I live in Lisbon")
    korean = cli("profile", "--lang", "ko").out
    assert "사는 곳" in korean
    assert korean.startswith("사용자\n항목")


def test_the_profile_keeps_to_its_budget(cli):
    for text in ("My name is Daniel", "I live in Lisbon"):
        cli("store", text)
    answer = cli("profile", "--budget", "80")
    assert "Daniel" in answer.out
    assert "Lisbon" not in answer.out
    assert answer.err == "Not shown, because 80 tokens are full: 1.\n"
    assert cli("profile", "--budget", "16").out == "No fact fits into 16 tokens; left out: 2.\n"


def test_the_profile_as_json(cli):
    cli("store", "I live in Lisbon")
    profile = cli("profile", "--json").data
    assert profile.keys() == {"text", "tokens", "budget", "facts", "left_out"}
    (fact,) = profile["facts"]
    assert (fact["subject"], fact["attribute"], fact["text"]) == ("user", "home", "I live in Lisbon")
    assert cli("show", fact["id"], "--json").data["content"] == "I live in Lisbon"
    composed = cli("compose", "tea", "--profile", "--json").data
    assert composed["text"] == profile["text"]
    assert [used["background"] for used in composed["used"]] == [True]
