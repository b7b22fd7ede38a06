"""The commands that find: bad input is told in both languages, and untrusted text stays harmless."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.retrieval.composition import BUDGET
from celestial_engine.core.retrieval.graph import MOST_HOPS
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES

EVIL = "\x1b[31mred\x1b]0;title\x07 \x9b31m \u202eback\rover\x00\x7f satay"


def unprintable(text: str) -> list[str]:
    return [char for char in text if char != "\n" and not char.isprintable()]


@pytest.mark.parametrize(
    ("argv", "code", "error"),
    [
        (("related", "ID", "--depth", "5"), 2, "invalid_input"),
        (("related", "ID", "--depth", "0"), 2, "invalid_input"),
        (("related", "ID", "--depth", "far"), 2, "invalid_input"),
        (("related", "ID", "--limit", "many"), 2, "invalid_limit"),
        (("related", "nobody"), 3, "not_found"),
        (("related",), 2, "usage"),
        (("compose", "x", "--budget", "-1"), 2, "invalid_input"),
        (("compose", "x", "--budget", "10000001"), 2, "invalid_input"),
        (("compose", "x", "--budget", "much"), 2, "invalid_input"),
        (("compose", "x", "--budget", "1.5"), 2, "invalid_input"),
        (("compose", "x", "--limit", "-1"), 2, "invalid_limit"),
        (("compose", " "), 2, "empty_content"),
        (("compose",), 2, "usage"),
        (("recall", "x", "--explain", "--limit", "many"), 2, "invalid_limit"),
        (("search", " ", "--explain"), 2, "empty_content"),
        (("store", "x", "--session", ""), 2, "empty_option"),
        (("store", "x", "--session"), 2, "usage"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_input_is_told_in_both_languages(cli, ids, argv, code, error, language):
    argv = [ids[0] if argument == "ID" else argument for argument in argv]
    plain = cli(*argv, "--lang", language)
    assert (plain.code, plain.out) == (code, "")
    assert plain.err.startswith("error: " if language == "en" else "오류: ")
    as_json = cli(*argv, "--lang", language, "--json")
    assert (as_json.code, json.loads(as_json.err)["error"]) == (code, error)


@pytest.mark.parametrize(
    ("argv", "english", "korean"),
    [
        (
            ("--depth", "5"),
            "depth must be a whole number from 1 to 3, got 5.",
            "깊이는 1에서 3 사이의 정수여야 하는데 5 값을 받았습니다.",
        ),
        (
            ("--depth", "far"),
            "depth must be a whole number, got 'far'.",
            "깊이는 정수여야 하는데 'far' 값을 받았습니다.",
        ),
        (
            ("--budget", "-1"),
            "budget must be a whole number from 0 to 10000000, got -1.",
            "토큰 예산은 0에서 10000000 사이의 정수여야 하는데 -1 값을 받았습니다.",
        ),
    ],
)
def test_numbers_out_of_bounds_say_the_bounds(cli, ids, argv, english, korean):
    command = ("related", ids[0]) if argv[0] == "--depth" else ("compose", "x")
    assert cli(*command, *argv).err.startswith(f"error: {english}")
    assert cli(*command, *argv, "--lang", "ko").err.startswith(f"오류: {korean}")


def test_the_parser_knows_the_engines_numbers():
    (compose,), (related,) = declared("compose")["compose"], declared("related")["related"]
    assert compose.field("budget").default == BUDGET
    assert related.field("depth").about.most == MOST_HOPS


# -- untrusted text -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [("recall", "title", "--explain"), ("compose", "title"), ("related", "ID", "--depth", "3"), ("show", "EVIL")],
)
def test_escape_sequences_are_neutralised(cli, ids, tmp_path, argv):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        evil = memory.store(f"Mina likes {EVIL}", metadata={"speaker": "\x1b[2J\u202eMina"}, session_id="\x1b[31m")
    places = {"ID": ids[0], "EVIL": evil.id}
    answer = cli(*(places.get(argument, argument) for argument in argv))
    assert answer.code == 0
    assert "red" in answer.out
    assert unprintable(answer.out + answer.err) == []


@pytest.mark.parametrize("argv", [("recall", "title", "--explain"), ("compose", "title"), ("related", "ID")])
def test_json_carries_the_exact_text_and_no_raw_controls(cli, ids, tmp_path, argv):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        memory.store(f"Mina likes {EVIL}")
    answer = cli(*(ids[0] if argument == "ID" else argument for argument in argv), "--json")
    assert answer.data
    assert unprintable(answer.out) == []
