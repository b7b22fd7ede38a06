"""What is tied to a memory, told on the command line."""

from __future__ import annotations

import re

import pytest

from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.context import related_table
from celestial_engine.surfaces.operations.context import RelatedMemory

pytestmark = pytest.mark.usefixtures("plain_english")


def test_related_shows_what_ties_and_what_denies(cli, ids):
    header, *lines = cli("related", ids[0][:8]).out.splitlines()
    assert header.split() == ["steps", "id", "tied", "by", "negated", "text"]
    told = {line.split()[1]: line for line in lines}
    assert told.keys() == {ids[1][:8], ids[2][:8]}
    assert re.search(r"mina +yes +Mina does not eat satay$", told[ids[2][:8]])
    assert re.search(r"mina +Mina is allergic to peanuts$", told[ids[1][:8]])


def test_related_goes_as_far_as_it_is_told(cli, ids):
    far = cli("related", ids[0], "--depth", "2", "--json").data["related"]
    assert {tie["memory"]["id"]: tie["distance"] for tie in far} == {ids[1]: 1, ids[2]: 1, ids[3]: 2}
    assert far[-1]["shared"] == []
    assert cli("related", ids[0], "--depth", "2").out.splitlines()[-1].split()[:3] == ["2", ids[3][:8], "-"]
    assert len(cli("related", ids[0], "--depth", "2", "--limit", "1", "--json").data["related"]) == 1


def test_related_as_data(cli, ids):
    ties = cli("related", ids[3], "--json").data["related"]
    assert all(tie.keys() == {"memory", "distance", "linked", "shared", "negative"} for tie in ties)
    denied = next(tie for tie in ties if tie["memory"]["id"] == ids[2])
    assert (denied["shared"], denied["linked"], denied["negative"]) == (["satay"], False, True)


def test_nothing_related_is_not_an_error(cli):
    item_id = cli("store", "hello", "--json").data["id"]
    answer = cli("related", item_id)
    assert (answer.code, answer.out) == (0, "No other memory is tied to it.\n")
    assert cli("related", item_id, "--json").data == {"related": []}
    assert cli("related", item_id, "--lang", "ko").out == "이어진 기억이 없습니다.\n"


def test_looking_at_what_is_related_reinforces_nothing(cli, ids):
    cli("related", ids[0], "--depth", "3")
    assert {item["recall_count"] for item in cli("list", "--json").data["memories"]} == {0}


@pytest.mark.parametrize(("language", "word"), [("en", "linked"), ("ko", "연결됨")])
def test_a_link_is_named_and_no_column_is_empty(a_memory, language, word):
    tie = RelatedMemory(a_memory("the text"), 1, linked=True, shared=("satay",), negative=False)
    header, line = related_table(Texts(language), [tie])
    assert line.endswith(f"{word}, satay  the text")
    assert Texts(language)("col.negated") not in header


def test_many_ties_leave_room_for_the_text(a_memory, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    tie = RelatedMemory(a_memory("the text"), 1, False, tuple(f"entity {n}" for n in range(30)), False)
    line = related_table(Texts("en"), [tie])[1]
    assert len(line) <= 80
    assert line.endswith("…  the text")
