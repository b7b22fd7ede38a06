"""Remembering and recalling on the command line, from arguments and from standard input."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("usual_embedder")


def test_what_one_process_stores_the_next_one_counts(process):
    assert process("store", "hello").code == 0
    assert process("stats", "--json").data["total"] == 1


def test_recall_in_both_languages(process, stored):
    stored("Python was released in 1991")
    stored("민수는 커피를 좋아한다")
    assert "1991" in process("recall", "When did Python appear?").out
    assert "민수는 커피를 좋아한다" in process("recall", "커피 취향").out


def test_update(cli, stored):
    item_id = stored("Mina drinks coffee", "--importance", "0.4")
    answer = cli("update", item_id[:8], "Mina drinks tea", "--metadata", '{"from": "chat"}', "--json")
    assert (answer.data["content"], answer.data["metadata"]) == ("Mina drinks tea", {"from": "chat"})
    assert cli("update", item_id, "-", "--json", stdin="녹차\n".encode()).data["content"] == "녹차"
    assert cli("update", item_id, "--importance", "0.9", "--json").data["importance"] == 0.9
    assert cli("update", item_id).code == 2
    assert cli("update", "nobody", "x").code == 3


def test_keywords_and_category_can_be_given(cli):
    """They win over what is read from the text, until they are given again."""
    item = cli(
        "store", "Mina drinks tea", "--keyword", "drinks", "--keyword", "mina", "--category", "fact", "--json"
    ).data
    assert (item["keywords"], item["category"]) == (["drinks", "mina"], "fact")
    assert cli("update", item["id"], "I love jazz", "--json").data["keywords"] == ["drinks", "mina"]
    changed = cli("update", item["id"], "--keyword", "jazz", "--category", "preference", "--json").data
    assert (changed["keywords"], changed["category"]) == (["jazz"], "preference")
    assert cli("store", "text", "--keyword", "a" * 81).code == 2
    assert cli("store", "text", "--category", "opinion").code == 2


def test_recall_reinforces_and_search_does_not(cli, stored):
    stored("the cat sleeps on the sofa")
    assert [hit["memory"]["recall_count"] for hit in cli("search", "cat", "--json").data["hits"]] == [0]
    assert [hit["memory"]["recall_count"] for hit in cli("recall", "cat", "--json").data["hits"]] == [1]
    assert [hit["memory"]["recall_count"] for hit in cli("search", "cat", "--json").data["hits"]] == [1]


def test_a_question_needs_no_quotation_marks(cli, stored):
    stored("the cat sleeps on the sofa")
    assert "sofa" in cli("recall", "where", "is", "the", "cat").out


def test_nothing_found_is_not_an_error(cli):
    answer = cli("recall", "unicorns")
    assert (answer.code, answer.out) == (0, "Nothing stored about this.\n")
    assert cli("recall", "unicorns", "--json").data["hits"] == []


def test_store_takes_everything_it_offers(cli):
    answer = cli(
        "store", "text", "--importance", "0.8", "--metadata", '{"a": 1}', "--tag", "x", "--tag", "y",
        "--tier", "M30", "--pin", "--json",
    )  # fmt: skip
    item = answer.data
    assert (item["content"], item["importance"], item["metadata"]) == ("text", 0.8, {"a": 1})
    assert (item["tags"], item["tier"], item["protection"]) == (["x", "y"], "M30", "pinned")
    assert cli("store", "text", "--immutable", "--json").data["protection"] == "immutable"


# -- standard input -----------------------------------------------------------------------------------


def test_store_reads_standard_input(process):
    assert process("store", "-", "--json", stdin="첫 줄\n둘째 줄\n".encode()).data["content"] == "첫 줄\n둘째 줄"


def test_a_byte_order_mark_is_not_part_of_the_text(cli):
    assert cli("store", "-", "--json", stdin=b"\xef\xbb\xbfhello\r\n").data["content"] == "hello"


def test_bytes_that_are_not_text_are_refused(cli):
    answer = cli("store", "-", stdin=b"bad \xff")
    assert answer.code == 2
    assert answer.err.startswith("error: The content is not valid text: it is not UTF-8 from byte 4 on.")
    assert cli("stats", "--json").data["total"] == 0


def test_an_empty_standard_input_is_refused(cli):
    assert cli("store", "-", stdin=b"\n").code == 2


def test_lines_become_memories_of_their_own(cli):
    answer = cli("store", "--lines", "-", "--json", "--importance", "0.6", stdin="one\r\n\n  \n둘\n".encode())
    assert [item["content"] for item in answer.data["memories"]] == ["one", "둘"]
    assert {item["importance"] for item in answer.data["memories"]} == {0.6}
    assert {item["tier"] for item in answer.data["memories"]} <= {"M90", "M365"}  # what is stored on purpose


def test_lines_are_stored_all_or_none(cli):
    answer = cli("store", "--lines", "-", stdin=b"good\n" + b"x" * ((1 << 20) + 1))
    assert answer.code == 2
    assert cli("stats", "--json").data["total"] == 0


def test_lines_say_what_they_cannot_take(cli):
    answer = cli("store", "--lines", "-", "--pin", "--tag", "x", stdin=b"one")
    assert answer.code == 2
    assert "--tag, --pin" in answer.err


def test_a_question_from_standard_input(cli, stored):
    stored("the cat sleeps on the sofa")
    assert "sofa" in cli("recall", "-", stdin=b"cat\n").out


def test_what_was_redacted_is_said_in_the_language_of_the_text(process):
    """Once: the log of the library would say it a second time."""
    english = process("store", "The wifi password is Plum-Tr33, call Mina")
    assert english.err == "Redacted before it was stored: password.\n"
    korean = process("store", "와이파이 비밀번호는 wkdal8812야")
    assert korean.err == "저장하기 전에 가렸습니다: 비밀번호.\n"
    changed = process("update", english.out.split()[1], "Its PIN is 4471", "--lang", "ko")
    assert changed.err == "Redacted before it was stored: password.\n"
    assert process("store", "Mina likes tea").err == ""
