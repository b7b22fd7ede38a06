"""The people of the corpus: as the README says, and nothing is said twice."""

from __future__ import annotations

from collections import Counter

import pytest
from training.corpus import LANGUAGES
from training.people import FOLDER, Kind, people, person_in

PARTS = ("train", "test")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_tells_and_asks(language):
    for part in PARTS:
        found = list(people(part, language))
        assert len(found) >= 16
        assert all(len(person.memories) >= 6 for person in found)
        asked = Counter(question.kind for person in found for question in person.questions)
        assert min(asked[kind] for kind in Kind) >= 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_twice(language):
    said = Counter(
        "".join(text.casefold().split())
        for part in PARTS
        for person in people(part, language)
        for text in (*person.memories, *(question.text for question in person.questions))
        if len(text) >= 40  # "Who is my closest friend?" occurs to many
    )
    assert [text for text, count in said.items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_changed_names_what_it_made_outdated(language):
    for person in people("train", language):
        for question in person.questions:
            if question.kind is Kind.CHANGED and question.outdated:
                assert max(question.outdated) < min(question.answers)


def test_a_line_without_a_meaning_is_refused(tmp_path):
    file = tmp_path / "001.txt"
    file.write_text("# somebody\n- I bike to work\n+ sold it\n  < I walk to work\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"001\.txt:4"):
        person_in(file, "en")


def test_what_a_later_memory_ended_answers_nothing(tmp_path):
    file = tmp_path / "001.txt"
    lines = [
        "# somebody",
        "- I bike to work",
        "  ? how do I commute",
        "+ sold it, tram now",
        "  < I bike to work",
        "  ? my way to work",
    ]
    file.write_text("\n".join([*lines, "! what did it cost", "~ capital of Peru"]), encoding="utf-8")
    asked = person_in(file, "en").questions
    assert [question.kind for question in asked] == [Kind.CHANGED, Kind.UNTOLD, Kind.GENERAL]
    assert (asked[0].answers, asked[0].outdated) == ({1}, {0})


def test_the_folder_holds_nothing_else():
    assert {path.suffix for path in FOLDER.rglob("*") if path.is_file()} == {".txt"}
