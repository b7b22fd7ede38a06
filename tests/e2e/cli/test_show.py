"""One memory in full on the command line: its session, and what was read out of its text."""

from __future__ import annotations

import re

LONG = "The garden behind the old house needs water every single evening of the summer. " * 6


def test_store_takes_a_session(cli):
    assert cli("store", "one", "--session", "talk 7", "--json").data["session_id"] == "talk 7"
    many = cli("store", "--lines", "-", "--session", "talk 8", "--json", stdin=b"two\nthree\n").data["memories"]
    assert [item["session_id"] for item in many] == ["talk 8", "talk 8"]
    assert "session     talk 8" in cli("show", many[0]["id"]).out


def test_show_tells_what_was_read_out_of_the_text(cli):
    item = cli("store", f"Jun does not like coffee. Jun lives in Busan. {LONG}", "--json").data
    lines = cli("show", item["id"]).out.splitlines()
    assert f"category    {item['category']}" in lines
    assert f"keywords    {', '.join(item['keywords'])}" in lines
    assert f"gist        {item['gist']}" in lines
    triples = [fact.replace(",", " · ", 2) for fact in item["facts"]]
    assert len(triples) > 1
    start = lines.index(f"facts       {triples[0]}")
    assert lines[start + 1 : start + len(triples)] == [" " * 12 + triple for triple in triples[1:]]


def test_show_does_not_say_a_short_text_twice(cli, ids, mina):
    assert cli("show", ids[0]).out.count(mina[0]) == 1


def test_show_in_korean(cli):
    item_id = cli("store", "민수는 커피를 좋아한다", "--json").data["id"]
    said = cli("show", item_id, "--lang", "ko").out
    assert re.search(r"^종류 +취향$", said, re.M)
    assert re.search(r"^핵심어 +.*커피", said, re.M)
    assert re.search(r"^사실 +민수 · .* · 커피$", said, re.M)
