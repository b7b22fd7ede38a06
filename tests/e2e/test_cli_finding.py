"""Finding on the command line: why something was found, what goes into a prompt, and what is tied to what."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, fields

import pytest

from celestial_engine import CelestialItem, CelestialMemory
from celestial_engine.core.composition import BUDGET, Composition, Used
from celestial_engine.core.found import Found, Hit, Stage
from celestial_engine.core.graph import MOST_HOPS
from celestial_engine.core.item import Category
from celestial_engine.core.ranking import Place, RecallSettings
from celestial_engine.core.reranker import FEATURES
from celestial_engine.flow.relate import Related
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.surfaces.cli import found_views, main, parser, texts_en
from celestial_engine.surfaces.cli.texts import LANGUAGES, Texts

MINA = (
    "Mina drinks tea in the evening",
    "Mina is allergic to peanuts",
    "Mina does not eat satay",
    "Satay is made with peanuts",
)
EVIL = "\x1b[31mred\x1b]0;title\x07 \x9b31m \u202eback\rover\x00\x7f satay"
LONG = "The garden behind the old house needs water every single evening of the summer. " * 6


@dataclass
class Answer:
    code: int
    out: str
    err: str

    @property
    def data(self):
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _plain_english(monkeypatch, tmp_path):
    """The same output on every machine."""
    for name in ("LC_ALL", "LC_MESSAGES", "CELESTIAL_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "m.db"))


@pytest.fixture
def cli(capsys, monkeypatch):
    def run(*argv: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(argv)
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return run


@pytest.fixture
def ids(tmp_path):
    """Four memories of Mina and what she eats."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        return [memory.store(text).id for text in MINA]


def unprintable(text: str) -> list[str]:
    return [char for char in text if char != "\n" and not char.isprintable()]


# -- why it was found ---------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["recall", "search"])
def test_explain_shows_why_each_stands_where_it_does(cli, ids, command):
    answer = cli(command, "what does Mina drink?", "--explain")
    header, *lines = answer.out.splitlines()
    assert header.split() == ["#", "id", "relevance", "words", "graph", "because", "of", "text"]
    assert re.match(rf"1  {ids[0][:8]} +\d\.\d{{3}} +1 +\d  words \d\d%, .+  {MINA[0]}$", lines[0])
    # Nothing of the question is in it: no rank among the words, only the graph leads there.
    assert re.match(rf"4  {ids[3][:8]} +\d\.\d{{3}} +- +4  .*graph \d\d?%.*  {MINA[3]}$", lines[3])


def test_explain_ends_with_the_stages(cli, ids):
    stages = cli("search", "what does Mina drink?", "--explain").out.split("\n\n")[1].splitlines()
    assert stages[0].split() == ["stage", "memories"]
    assert [line.split()[:2] for line in stages[1:]] == [
        ["words", "3"], ["vectors", "-"], ["graph", "4"], ["talk", "0"], ["rerank", "4"]
    ]  # fmt: skip
    assert stages[2].endswith("skipped: there is no embedder")


def test_explain_as_data_leaves_nothing_out(cli, ids):
    explained = cli("search", "what does Mina drink?", "--explain", "--json").data
    assert explained.keys() == {"hits", "stages"}
    first = explained["hits"][0]
    assert first.keys() == {"memory", "relevance", "lists", "parts", "features"}
    assert first["memory"]["id"] == ids[0]
    assert "embedding" not in first["memory"]
    assert sum(first["parts"].values()) == pytest.approx(first["relevance"])
    assert first["lists"]["words"]["rank"] == 1
    assert explained["hits"][3]["lists"]["words"]["rank"] is None
    assert tuple(first["features"]) == FEATURES
    assert explained["stages"][1] == {"name": "vectors", "memories": 0, "skipped": "there is no embedder"}


def test_explain_changes_nothing_about_reinforcing(cli, ids):
    counts = [
        cli(command, "Mina drink", "--limit", "1", "--explain", "--json").data["hits"][0]["memory"]["recall_count"]
        for command in ("search", "recall", "search")
    ]
    assert counts == [0, 1, 1]


def test_explaining_finds_the_same(cli, ids):
    plain = [item["id"] for item in cli("search", "Mina", "satay", "--json").data]
    explained = cli("search", "Mina", "satay", "--explain", "--json").data
    assert [hit["memory"]["id"] for hit in explained["hits"]] == plain


def test_nothing_found_still_says_where_it_looked(cli, ids):
    answer = cli("search", "zebra", "--explain")
    assert answer.code == 0
    assert answer.out.startswith("Nothing found.\n\nstage ")
    assert cli("search", "zebra", "--explain", "--json").data["hits"] == []
    assert cli("search", "Mina", "--limit", "0", "--explain").out == "Nothing found.\n"


def test_with_vectors_there_is_one_more_list(cli, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", MINA[0])
    header, line, *_ = cli("search", "Mina drinks", "--explain").out.splitlines()
    assert header.split()[3:6] == ["words", "vectors", "graph"]
    assert line.split()[3:6] == ["1", "1", "1"]


def test_a_vector_that_could_not_be_made_is_named(cli, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", MINA[0])
    monkeypatch.setattr(HashedEmbedder, "query", lambda self, text: [0.0])
    assert "skipped: the embedder failed" in cli("search", "Mina", "--explain").out
    assert "건너뜀: 임베더가 벡터를 만들지 못했습니다" in cli("search", "Mina", "--explain", "--lang", "ko").out


def test_vectors_of_another_model_are_named(cli, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    cli("store", MINA[0])
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


def test_fewer_parts_on_a_narrow_terminal(monkeypatch):
    """The text needs the room more than the fourth reason does; what is negligible is no reason."""
    parts = {"words": 0.5, "graph": 0.2, "statement": 0.1, "moment": 0.1, "orbit": 0.1}
    lists = {name: Place(1.0, 1) for name in ("words", "vectors", "graph")}
    hits = [
        Hit(CelestialItem.create(LONG), 1.0, lists, parts),
        Hit(CelestialItem.create("x"), 1.0, lists, {"words": 1.0, "orbit": 0.001}),
    ]
    shown = {}
    for columns in (80, 100, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, line, single = found_views.found_view(Texts("en"), Found(hits, []))
        assert len(line) <= columns
        shown[columns] = line.count("%")
        assert single.count("%") == 1
    assert shown == {80: 2, 100: 3, 120: 4}


def test_what_speaks_against_a_memory_is_negative():
    hit = Hit(CelestialItem.create("x"), 0.2, {"words": Place(1.0, 1)}, {"words": 0.6, "orbit": -0.4, "length": 0.0})
    line = found_views.found_view(Texts("en"), Found([hit], []))[1]
    assert "words 60%, orbit -40%  x" in line


def test_every_part_and_stage_and_category_has_a_name(cli, ids):
    """What the engine can say of a hit is said in words, in both languages."""
    parts = {setting.name for setting in fields(RecallSettings)} - {"pool", "reranked"}
    assert {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("relevance.")} == parts | {"validity"}
    stages = {stage["name"] for stage in cli("search", "Mina", "--explain", "--json").data["stages"]}
    assert {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("stage.")} == stages
    categories = {category.value for category in Category}
    assert {key.partition(".")[2] for key in texts_en.TEXTS if key.startswith("category.")} == categories


def test_every_reason_to_skip_is_korean(tmp_path):
    """Also of a stage that the settings leave out, which no command does."""
    with CelestialMemory(
        str(tmp_path / "m.db"), rebalance_interval=None, recall_settings=RecallSettings(graph=0)
    ) as memory:
        memory.store(MINA[0])
        found = memory.search("Mina", explain=True)
    assert [stage.name for stage in found.stages if stage.skipped] == ["vectors", "graph"]
    lines = found_views.found_view(Texts("ko"), found)
    skipped = [line for line in lines if "건너뜀: " in line]
    assert len(skipped) == 2
    assert not re.search("[a-z]", "".join(skipped))


def test_a_stage_of_a_later_engine_keeps_its_name():
    lines = found_views.found_view(Texts("ko"), Found([], [Stage("dreams", 3)]))
    assert lines[-1].split() == ["dreams", "3"]


# -- what goes into a prompt --------------------------------------------------------------------------


def test_compose_prints_the_text_and_nothing_else(cli, ids, tmp_path):
    answer = cli("compose", "what", "does", "Mina", "eat?")
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        composed = memory.compose("what does Mina eat?")
    assert answer.code == 0
    assert answer.out == composed.text + "\n"
    assert answer.out.startswith("<memories>\n")
    assert answer.err == f"Memories: 4 (full 4, gist 0, facts 0), {composed.tokens} of 1024 tokens; left out: 0.\n"


def test_compose_keeps_to_its_budget(cli, ids):
    cli("store", LONG)
    composed = cli("compose", "Mina", "garden", "--budget", "90", "--json").data
    assert composed.keys() == {"text", "used", "tokens", "budget", "left_out"}
    assert composed["tokens"] <= composed["budget"] == 90
    assert composed["left_out"] > 0
    assert all(used.keys() == {"item_id", "level", "tokens"} for used in composed["used"])
    answer = cli("compose", "the", "garden", "--budget", "90")
    assert re.match(r"Memories: 1 \(full 0, (gist 1, facts 0|gist 0, facts 1)\), ", answer.err)


def test_compose_considers_so_many(cli, ids):
    assert len(cli("compose", "Mina", "--limit", "2", "--json").data["used"]) == 2


def test_compose_reinforces_what_it_used(cli, ids):
    used = {used["item_id"] for used in cli("compose", "Mina", "--limit", "2", "--json").data["used"]}
    assert {item["id"] for item in cli("list", "--json").data if item["recall_count"]} == used


def test_compose_without_a_memory_is_silent_on_standard_output(cli, ids):
    answer = cli("compose", "zebra")
    assert (answer.code, answer.out, answer.err) == (0, "", "Nothing found.\n")
    assert cli("compose", "zebra", "--json").data == {
        "text": "", "used": [], "tokens": 0, "budget": 1024, "left_out": 0
    }  # fmt: skip


def test_compose_says_when_nothing_fits(cli, ids):
    answer = cli("compose", "Mina", "--budget", "0", "--limit", "3")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "No memory fits into 0 tokens; left out: 3.\n"
    said = cli("compose", "Mina", "--budget", "0", "--limit", "3", "--lang", "ko").err
    assert said == "토큰 0개에 들어가는 기억이 없습니다. 넣지 못한 기억: 3개.\n"


def test_compose_reads_standard_input(cli, ids):
    assert MINA[0] in cli("compose", "-", stdin=b"what does Mina drink?\n").out


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
    used = (Used("a", 0, 10), Used("b", 1, 5), Used("c", 2, 3), Used("d", 2, 3))
    said = found_views.composed(Texts("ko"), Composition("text", used, 30, 40, 2))
    assert said == "기억 4개 (전문 1, 요지 1, 사실 2), 토큰 40개 중 30개 사용. 넣지 못한 기억: 2개."


# -- what is tied to what -----------------------------------------------------------------------------


def test_related_shows_what_ties_and_what_denies(cli, ids):
    header, *lines = cli("related", ids[0][:8]).out.splitlines()
    assert header.split() == ["steps", "id", "tied", "by", "negated", "text"]
    told = {line.split()[1]: line for line in lines}
    assert told.keys() == {ids[1][:8], ids[2][:8]}
    assert re.search(r"mina +yes +Mina does not eat satay$", told[ids[2][:8]])
    assert re.search(r"mina +Mina is allergic to peanuts$", told[ids[1][:8]])


def test_related_goes_as_far_as_it_is_told(cli, ids):
    far = cli("related", ids[0], "--depth", "2", "--json").data
    assert {tie["memory"]["id"]: tie["distance"] for tie in far} == {ids[1]: 1, ids[2]: 1, ids[3]: 2}
    assert far[-1]["shared"] == []
    assert cli("related", ids[0], "--depth", "2").out.splitlines()[-1].split()[:3] == ["2", ids[3][:8], "-"]
    assert len(cli("related", ids[0], "--depth", "2", "--limit", "1", "--json").data) == 1


def test_related_as_data(cli, ids):
    ties = cli("related", ids[3], "--json").data
    assert all(tie.keys() == {"memory", "distance", "linked", "shared", "negative"} for tie in ties)
    denied = next(tie for tie in ties if tie["memory"]["id"] == ids[2])
    assert (denied["shared"], denied["linked"], denied["negative"]) == (["satay"], False, True)


def test_nothing_related_is_not_an_error(cli):
    item_id = cli("store", "hello", "--json").data["id"]
    answer = cli("related", item_id)
    assert (answer.code, answer.out) == (0, "No other memory is tied to it.\n")
    assert cli("related", item_id, "--json").data == []
    assert cli("related", item_id, "--lang", "ko").out == "이어진 기억이 없습니다.\n"


def test_looking_at_what_is_related_reinforces_nothing(cli, ids):
    cli("related", ids[0], "--depth", "3")
    assert {item["recall_count"] for item in cli("list", "--json").data} == {0}


@pytest.mark.parametrize(("language", "word"), [("en", "linked"), ("ko", "연결됨")])
def test_a_link_is_named_and_no_column_is_empty(language, word):
    tie = Related(CelestialItem.create("the text"), 1, linked=True, shared=("satay",), negative=False)
    header, line = found_views.related_table(Texts(language), [tie])
    assert line.endswith(f"{word}, satay  the text")
    assert Texts(language)("col.negated") not in header


def test_many_ties_leave_room_for_the_text(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    tie = Related(CelestialItem.create("the text"), 1, False, tuple(f"entity {n}" for n in range(30)), False)
    line = found_views.related_table(Texts("en"), [tie])[1]
    assert len(line) <= 80
    assert line.endswith("…  the text")


# -- sessions, and one memory in full -----------------------------------------------------------------


def test_store_takes_a_session(cli):
    assert cli("store", "one", "--session", "talk 7", "--json").data["time"]["session_id"] == "talk 7"
    many = cli("store", "--lines", "-", "--session", "talk 8", "--json", stdin=b"two\nthree\n").data
    assert [item["time"]["session_id"] for item in many] == ["talk 8", "talk 8"]
    assert "session     talk 8" in cli("show", many[0]["id"]).out


def test_show_tells_what_was_read_out_of_the_text(cli):
    item = cli("store", f"Jun does not like coffee. Jun lives in Busan. {LONG}", "--json").data
    lines = cli("show", item["id"]).out.splitlines()
    assert f"category    {item['category']}" in lines
    assert f"keywords    {', '.join(item['keywords'])}" in lines
    assert f"gist        {item['resolution']['gist']}" in lines
    triples = [" · ".join(triple) for triple in item["resolution"]["triples"]]
    assert len(triples) > 1
    start = lines.index(f"facts       {triples[0]}")
    assert lines[start + 1 : start + len(triples)] == [" " * 12 + triple for triple in triples[1:]]


def test_show_does_not_say_a_short_text_twice(cli, ids):
    assert cli("show", ids[0]).out.count(MINA[0]) == 1


def test_show_in_korean(cli):
    item_id = cli("store", "민수는 커피를 좋아한다", "--json").data["id"]
    said = cli("show", item_id, "--lang", "ko").out
    assert re.search(r"^종류 +취향$", said, re.M)
    assert re.search(r"^핵심어 +.*커피", said, re.M)
    assert re.search(r"^사실 +민수 · .* · 커피$", said, re.M)


# -- the words themselves -----------------------------------------------------------------------------


def test_the_word_index_is_made_anew_by_choice(cli, monkeypatch):
    """A verb is found by another form of itself by morphemes, and not by pairs of syllables."""
    monkeypatch.setenv("CELESTIAL_WORDS", "pairs")
    cli("store", "어제 강변을 오래 걸었다")
    assert cli("search", "걷는", "--json").data == []
    answer = cli("reindex", "--words", "kiwi")
    assert (answer.code, answer.out, answer.err) == (0, "Memories with new words: 1.\n", "")
    assert len(cli("search", "걷는", "--json").data) == 1
    assert cli("reindex", "--words", "pairs", "--lang", "ko").out == "기억 1개의 단어 색인을 새로 만들었습니다.\n"
    assert cli("search", "걷는", "--json").data == []


def test_words_and_vectors_in_one_go(cli, ids):
    """Words alone ask for no embedder; with one, both are made."""
    assert cli("reindex", "--words", "pairs", "--json").data == {"words": 4}
    both = cli("reindex", "--words", "pairs", "--embedder", "hashed", "--json").data
    assert both == {"words": 4, "embedded": 4, "failed": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_way_to_make_words_is_told(cli, monkeypatch, language):
    assert cli("reindex", "--words", "mecab", "--lang", language).code == 2
    monkeypatch.setenv("CELESTIAL_WORDS", "mecab")
    answer = cli("list", "--lang", language)
    assert answer.code == 2
    assert ("there is no word analyser 'mecab'" if language == "en" else "'mecab' 분석기는 없습니다") in answer.err


# -- bad input ----------------------------------------------------------------------------------------


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
            "depth is not valid: it must be 1 to 3, not 5.",
            "깊이 값이 올바르지 않습니다: 1에서 3 사이의 정수여야 하는데 5 값을 받았습니다.",
        ),
        (
            ("--depth", "far"),
            "depth is not valid: it must be a whole number, not 'far'.",
            "깊이 값이 올바르지 않습니다: 정수여야 하는데 'far' 값을 받았습니다.",
        ),
        (
            ("--budget", "-1"),
            "budget is not valid: it must be 0 to 10000000 tokens, not -1.",
            "토큰 예산 값이 올바르지 않습니다: 0에서 10000000 사이의 정수여야 하는데 -1 값을 받았습니다.",
        ),
    ],
)
def test_numbers_out_of_bounds_say_the_bounds(cli, ids, argv, english, korean):
    command = ("related", ids[0]) if argv[0] == "--depth" else ("compose", "x")
    assert cli(*command, *argv).err.startswith(f"error: {english}")
    assert cli(*command, *argv, "--lang", "ko").err.startswith(f"오류: {korean}")


def test_the_parser_knows_the_engines_numbers():
    """Written out there, so that asking for help loads no engine."""
    assert parser.BUDGET == BUDGET
    assert f"1 to {MOST_HOPS}" in texts_en.TEXTS["opt.depth"]


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
