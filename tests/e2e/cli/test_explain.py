"""Why a memory was found, told on the command line."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.record.item import Category
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.texts.en import general as texts_en
from celestial_engine.surfaces.cli.views.search import explained
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.search import SearchHits, SearchRequest, search
from celestial_engine.surfaces.operations.views import SearchHit

LONG = "The garden behind the old house needs water every single evening of the summer. " * 6

pytestmark = pytest.mark.usefixtures("plain_english")


@pytest.mark.parametrize("command", ["recall", "search"])
def test_explain_shows_why_each_stands_where_it_does(cli, ids, command, mina):
    answer = cli(command, "what does Mina drink?", "--explain", "--floor", "0")
    header, *lines = answer.out.splitlines()
    assert header.split() == ["#", "id", "relevance", "words", "graph", "because", "of", "text"]
    assert re.match(rf"1  {ids[0][:8]} +\d\.\d{{3}} +1 +\d  words \d\d%, .+  {mina[0]}$", lines[0])
    # Nothing of the question is in it: no rank among the words, only the graph leads there.
    assert re.match(rf"4  {ids[3][:8]} +\d\.\d{{3}} +- +4  .*graph \d\d?%.*  {mina[3]}$", lines[3])


def test_a_very_wide_terminal_shows_how_likely_each_answers(a_memory, monkeypatch):
    hit = SearchHit(a_memory("x"), 0.2, ("words",), {"words": 1}, {"words": 0.2}, 0.25)
    for columns, shown in ((120, False), (140, True)):
        monkeypatch.setenv("COLUMNS", str(columns))
        header, line = explained(Texts("en"), SearchHits((hit,), {}))
        assert ("answers" in header, "0.25" in line) == (shown, shown)


def test_explain_ends_with_the_stages(cli, ids):
    stages = cli("search", "what does Mina drink?", "--explain").out.split("\n\n")[1].splitlines()
    assert stages[0].split() == ["stage", "memories"]
    assert [line.split()[:2] for line in stages[1:]] == [
        ["words", "3"], ["vectors", "-"], ["graph", "4"], ["talk", "0"], ["rerank", "4"], ["floor", "2"]
    ]  # fmt: skip
    assert stages[2].endswith("skipped: there is no embedder")


def test_explain_as_data_leaves_nothing_out(cli, ids):
    explained = cli("search", "what does Mina drink?", "--explain", "--floor", "0", "--json").data
    assert explained.keys() == {"hits", "stages", "known", "notice"}
    first = explained["hits"][0]
    assert first.keys() == {
        "memory",
        "relevance",
        "lists",
        "ranks",
        "parts",
        "probability",
        "known",
        "same_as",
        "outdated_by",
    }
    assert first["memory"]["id"] == ids[0]
    assert "embedding" not in first["memory"]
    assert sum(first["parts"].values()) == pytest.approx(first["relevance"], abs=1e-3)
    assert first["ranks"]["words"] == 1
    assert explained["hits"][3]["ranks"]["words"] is None
    assert explained["stages"]["vectors"] == "there is no embedder"


def test_explain_changes_nothing_about_reinforcing(cli, ids):
    counts = [
        cli(command, "Mina drink", "--limit", "1", "--explain", "--json").data["hits"][0]["memory"]["recall_count"]
        for command in ("search", "recall", "search")
    ]
    assert counts == [0, 1, 1]


def test_explaining_finds_the_same(cli, ids):
    plain = [hit["memory"]["id"] for hit in cli("search", "Mina", "satay", "--json").data["hits"]]
    explained = cli("search", "Mina", "satay", "--explain", "--json").data
    assert [hit["memory"]["id"] for hit in explained["hits"]] == plain


def test_nothing_found_still_says_where_it_looked(cli, ids):
    answer = cli("search", "zebra", "--explain")
    assert answer.code == 0
    assert answer.out.startswith("Nothing stored about this.\n\nstage ")
    assert cli("search", "zebra", "--explain", "--json").data["hits"] == []
    assert cli("search", "Mina", "--limit", "0", "--explain").out == "Nothing stored about this.\n"


def test_with_vectors_there_is_one_more_list(cli, monkeypatch, mina):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", mina[0])
    header, line, *_ = cli("search", "Mina drinks", "--explain").out.splitlines()
    assert header.split()[3:6] == ["words", "vectors", "graph"]
    assert line.split()[3:6] == ["1", "1", "1"]


def test_a_vector_that_could_not_be_made_is_named(cli, monkeypatch, mina):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", mina[0])
    monkeypatch.setattr(HashedEmbedder, "query", lambda self, text: [0.0])
    assert "skipped: the embedder failed" in cli("search", "Mina", "--explain").out
    assert "건너뜀: 임베더가 벡터를 만들지 못했습니다" in cli("search", "Mina", "--explain", "--lang", "ko").out


def test_vectors_of_another_model_are_named(cli, monkeypatch, mina):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", mina[0])
    monkeypatch.setattr(HashedEmbedder, "name", "another-1")
    assert "skipped: the stored vectors are of another model" in cli("search", "Mina", "--explain").out
    assert "건너뜀: 저장된 벡터가 다른 모델의 것입니다" in cli("search", "Mina", "--explain", "--lang", "ko").out


def test_explain_in_korean(cli):
    cli("store", "민수는 커피를 좋아한다")
    answer = cli("recall", "민수는", "무엇을", "좋아해?", "--explain", "--lang", "ko")
    table, stages = answer.out.split("\n\n")
    assert table.split()[:3] == ["#", "아이디", "관련성"]
    assert re.search(r"단어 \d\d%, ", table)
    assert "벡터          -  건너뜀: 임베더가 없습니다" in stages
    assert not re.search("[a-z]{3}", stages)


def test_fewer_parts_on_a_narrow_terminal(a_memory, monkeypatch):
    """The text needs the room more than the fourth reason does; what is negligible is no reason."""
    parts = {"words": 0.5, "graph": 0.2, "statement": 0.1, "moment": 0.1, "orbit": 0.1}
    ranks = dict.fromkeys(("words", "vectors", "graph"), 1)
    hits = [
        SearchHit(a_memory(LONG), 1.0, (*ranks,), ranks, parts),
        SearchHit(a_memory("x"), 1.0, (*ranks,), ranks, {"words": 1.0, "orbit": 0.001}),
    ]
    shown = {}
    for columns in (80, 100, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, line, single = explained(Texts("en"), SearchHits((*hits,), {}))
        assert len(line) <= columns
        shown[columns] = line.count("%")
        assert single.count("%") == 1
    assert shown == {80: 2, 100: 3, 120: 4}


def test_what_speaks_against_a_memory_is_negative(a_memory):
    parts = {"words": 0.6, "orbit": -0.4, "length": 0.0}
    hit = SearchHit(a_memory("x"), 0.2, ("words",), {"words": 1}, parts)
    line = explained(Texts("en"), SearchHits((hit,), {}))[1]
    assert "words 60%, orbit -40%  x" in line


def test_every_part_and_stage_and_category_has_a_name(cli, ids):
    """What the engine can say of a hit is said in words, in both languages."""
    parts = {setting.name for setting in fields(RecallSettings)} - {"pool", "reranked"}
    # A cross-encoder is a part and a stage only where one is set.
    told = {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("relevance.")}
    assert told == parts | {"validity", "cross_encoder"}
    stages = set(cli("search", "Mina", "--explain", "--json").data["stages"])
    assert {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("stage.")} == stages | {"cross_encoder"}
    categories = {category.value for category in Category}
    assert {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("category.")} == categories


def test_every_reason_to_skip_is_korean(tmp_path, mina):
    """Also of a stage that the settings leave out, which no command does."""
    with CelestialMemory(
        str(tmp_path / "m.db"), rebalance_interval=None, settings=Settings(recall=RecallSettings(graph=0))
    ) as memory:
        memory.store(mina[0])
        caller = Caller(memory, memory.owner, "test", language="ko")
        found = search(caller, SearchRequest("Mina", explain=True))
    assert [name for name, outcome in found.stages.items() if not outcome.endswith("memories")] == [
        "vectors",
        "graph",
    ]
    lines = explained(Texts("ko"), found)
    skipped = [line for line in lines if "건너뜀: " in line]
    assert len(skipped) == 2
    assert not re.search("[a-z]", "".join(skipped))


def test_a_stage_of_a_later_engine_keeps_its_name():
    lines = explained(Texts("ko"), SearchHits((), {"dreams": "3 memories"}))
    assert lines[-1].split() == ["dreams", "3"]


def test_stages_are_told_only_with_an_explanation(cli, ids):
    assert cli("search", "Mina", "--json").data["stages"] == {}
