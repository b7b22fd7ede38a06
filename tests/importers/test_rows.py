"""Any list of texts, with a say in what its fields mean."""

from __future__ import annotations

import json

import pytest

from celestial_engine.core.record.forgetting import Protection
from celestial_engine.errors import ImportSourceError, InvalidInputError
from celestial_engine.importers import import_from, mapping_of


def test_fields_are_known_by_their_usual_names(memory, written):
    lines = [{"text": "Mina likes tea", "timestamp": 1_700_000_000_000, "importance": "0.8", "labels": "a, #b",
              "access_count": 3, "pinned": "true", "thread_id": "t1", "colour": "green"}]  # fmt: skip
    import_from(memory, written("facts.jsonl", lines))
    (item,) = memory.list()
    assert (item.created_at, item.arbitrary_importance, item.tags) == (1.7e9, 0.8, ("a", "b"))
    assert (item.recall_count, item.protection) == (3, Protection.PINNED)
    assert item.time.session_id == "jsonl:t1"
    assert item.metadata["colour"] == "green"


def test_fields_mean_what_they_are_mapped_to(memory, written):
    lines = [{"said": "Mina likes tea", "text": "never mind", "when": "2023-11-14T22:13:20Z"}]
    import_from(memory, written("facts.jsonl", lines), mapping=mapping_of("content=said,created_at=when"))
    (item,) = memory.list()
    assert (item.content, item.created_at, item.metadata["text"]) == ("Mina likes tea", 1.7e9, "never mind")


def test_what_cannot_be_read_as_what_it_means_is_kept_as_it_is(memory, written):
    line = {"text": "Mina likes tea", "date": "어제", "importance": "high", "category": "drinks"}
    import_from(
        memory, written("facts.jsonl", [line, {"text": "Juno likes rain", "date": "2024-05-01", "category": "fact"}])
    )
    told = {item.content: item.metadata for item in memory.list()}
    assert told["Mina likes tea"].items() >= {"date": "어제", "importance": "high", "category": "drinks"}.items()
    assert told["Juno likes rain"].keys() == {"imported"}


def test_without_a_text_to_be_found_nothing_is_guessed(memory, written):
    path = written("facts.jsonl", [{"said": "Mina likes tea"}])
    with pytest.raises(ImportSourceError, match="--map"):
        import_from(memory, path)
    assert import_from(memory, path, mapping={"content": "said"}).added == 1


@pytest.mark.parametrize(
    ("name", "text"), [("facts.csv", "said,n\nMina likes tea,1\n"), ("facts.jsonl", [{"said": "tea"}])]
)
@pytest.mark.parametrize("mapping", [{"content": "spoken"}, {"content": "said", "created_at": "whn"}])
def test_a_field_that_is_not_there_is_told_before_anything_comes(memory, written, name, text, mapping):
    with pytest.raises(ImportSourceError, match=r"none of its rows has the field .*(spoken|whn)"):
        import_from(memory, written(name, text), mapping=mapping)
    assert memory.stats()["total"] == 0


def test_a_table_without_rows_lacks_nothing(memory, written):
    assert import_from(memory, written("facts.csv", "said,n\n"), mapping={"content": "said"}).added == 0


def test_fields_of_other_formats_are_not_mapped(memory, written):
    """Whoever maps fields means rows, though they look like something else; and elsewhere it is refused."""
    line = {"id": "a-memory-of-mem0", "memory": "Mina likes tea", "said": "Juno likes rain"}
    assert import_from(memory, written("rows.json", f"[{json.dumps(line)}]"), mapping={"content": "said"}).added == 1
    assert [item.content for item in memory.list()] == ["Juno likes rain"]
    with pytest.raises(InvalidInputError, match="Only jsonl and csv have fields to map"):
        import_from(memory, written("one.md", "# Tea"), "basic-memory", mapping={"content": "said"})


@pytest.mark.parametrize("told", ["text", "content=", "colour=green", ""])
def test_a_mapping_that_says_nothing_is_refused(told):
    with pytest.raises(InvalidInputError, match="content, id, created_at"):
        mapping_of(told)


def test_a_list_of_objects(memory, written):
    text = '\n [{"note": "Mina likes tea"},\n {"note": "Juno likes rain"}, 5]'
    assert import_from(memory, written("facts.json", text)).added == 2


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_table(memory, written, sign):
    rows = [("id", "content", "날짜", "tags"), ("1", '"Tea; green, hot\nor ""cold"""', "2024-01-01", "tea"), ("", "", "", ""),
            ("2", "미나는 부산에 산다", "", "")]  # fmt: skip
    path = written("facts.csv", "\ufeff" + "".join(sign.join(row) + "\r\n" for row in rows))
    report = import_from(memory, path)
    assert (report.format, report.added, report.skipped) == ("csv", 2, {})
    told = {item.content: item for item in memory.list()}
    assert told.keys() == {'Tea; green, hot\nor "cold"', "미나는 부산에 산다"}
    assert told['Tea; green, hot\nor "cold"'].created_at == 1_704_067_200


def test_a_table_with_a_monstrous_cell_goes_on_after_it(memory, written):
    text = "text,n\nMina likes tea,1\n" + "x" * 300_000 + ",2\nJuno likes rain,3\nno text at all\n,4\n"
    report = import_from(memory, written("facts.csv", text))
    assert {item.content for item in memory.list()} == {"Mina likes tea", "Juno likes rain", "no text at all"}
    assert report.skipped == {"not_csv": 1, "no_text": 1}


def test_two_files_may_both_number_their_rows_from_one(memory, written):
    import_from(memory, written("one.jsonl", [{"id": 1, "text": "Mina likes tea"}]))
    assert import_from(memory, written("two.jsonl", [{"id": 1, "text": "Juno likes rain"}])).added == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_a_table_of_excel_is_read_as_it_was_written(memory, tmp_path, encoding):
    """On a Korean Windows it writes CP949, and as Unicode text UTF-16."""
    path = tmp_path / "facts.csv"
    path.write_bytes("내용,태그\r\n나는 커피를 좋아한다,커피\r\n".encode(encoding))
    assert import_from(memory, path).added == 1
    (item,) = memory.list()
    assert (item.content, item.tags) == ("나는 커피를 좋아한다", ("커피",))
