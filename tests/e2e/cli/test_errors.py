"""Errors on the command line: an exit code for each kind, and no traceback."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory

pytestmark = pytest.mark.usefixtures("usual_embedder")


@pytest.mark.parametrize(
    ("argv", "code", "error"),
    [
        (("fly",), 2, "usage"),
        (("store",), 2, "usage"),
        (("store", "two", "words"), 2, "usage"),
        (("list", "--lang", "fr"), 2, "usage"),
        (("list", "--limit"), 2, "usage"),
        (("store", "x", "--tier", "M0"), 2, "usage"),
        (("store", "  "), 2, "empty_content"),
        (("store", "x", "--importance", "2"), 2, "invalid_importance"),
        (("store", "x", "--importance", "much"), 2, "invalid_importance"),
        (("store", "x", "--metadata", "{"), 2, "invalid_metadata"),
        (("store", "x", "--metadata", "[1]"), 2, "invalid_metadata"),
        (("store", "x", "--metadata", '{"a": NaN}'), 2, "invalid_metadata"),
        (("list", "--limit", "-1"), 2, "invalid_limit"),
        (("list", "--limit", "many"), 2, "invalid_limit"),
        (("list", "--user", "x" * 201), 2, "invalid_owner"),
        (("show", "nope"), 3, "not_found"),
        (("history", "nope"), 3, "not_found"),
        (("archive", "show", "nope"), 3, "nothing_archived"),
        (("archive", "bring-back", "nope"), 3, "nothing_archived"),
        (("imagine", "--liked", "nope"), 3, "not_found"),
        (("list", "--db", "."), 5, "foreign_database"),
    ],
)
def test_exit_codes(cli, argv, code, error):
    plain = cli(*argv)
    assert (plain.code, plain.out) == (code, "")
    assert plain.err.startswith("error: ")
    assert "Traceback" not in plain.err
    as_json = cli(*argv, "--json")
    assert (as_json.code, as_json.out) == (code, "")
    said = json.loads(as_json.err)
    assert said.keys() == {"error", "message"}
    assert said["error"] == error


@pytest.mark.parametrize(("lang", "asks"), [("en", "did you mean recall?"), ("ko", "혹시 recall 아닌가요?")])
def test_a_mistyped_command_is_told_its_name(cli, lang, asks):
    assert asks in cli("recal", "tea", "--lang", lang).err
    assert "did you mean" not in cli("get", "m1", "--lang", "en").err  # to read is not to forget
    assert "store" in cli("xyzzy").err  # like none of them: all are shown


def test_an_ambiguous_id_is_bad_input(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        ids = [memory.store(f"memory {number}").id for number in range(17)]
    twice = next(first for first in "0123456789abcdef" if sum(item_id[0] == first for item_id in ids) > 1)
    answer = cli("show", twice, "--json")
    assert (answer.code, json.loads(answer.err)["error"]) == (2, "ambiguous_id")


def test_wrong_state_and_protection_are_4(cli, stored):
    assert cli("restore", stored("active")).code == 4
    assert cli("forget", stored("immutable", "--immutable")).code == 4


def test_the_unexpected_is_1_and_no_traceback(cli, stored, monkeypatch):
    def breaks(self, **_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(CelestialMemory, "stats", breaks)
    answer = cli("stats")
    assert answer.code == 1
    assert answer.err.startswith("error: Something unexpected happened: ZeroDivisionError: oh (at test_errors.py:")


def test_an_interruption_is_130(cli, monkeypatch):
    def interrupted(self, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CelestialMemory, "stats", interrupted)
    answer = cli("stats")
    assert (answer.code, answer.err) == (130, "error: Interrupted.\n")
