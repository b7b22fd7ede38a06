"""The lines and words about aspects: complete, in their columns, and never twice the same."""

from __future__ import annotations

from collections import Counter

import pytest
from training.corpus import LANGUAGES
from training.topics import FOLDER, KINDS, TOPICS, aspects, corpus_digest, lines, words

PARTS = ("train", "test")


def test_the_inventory_names_each_aspect_once_and_describes_it():
    rows = [line.split("\t") for line in (FOLDER / "inventory.tsv").read_text(encoding="utf-8").splitlines()]
    assert all(len(row) == 3 and row[1] in ("one", "many") and row[2].strip() for row in rows)
    assert len({row[0] for row in rows}) == len(rows) == len(aspects()) == 240


@pytest.mark.parametrize("part", PARTS)
def test_every_aspect_has_lines_of_every_kind_in_both_languages(part):
    counts = Counter((line.language, line.aspect, line.kind) for line in lines(part))
    assert counts.keys() == {
        (language, aspect, kind) for language in ("en", "ko") for aspect in aspects() for kind in KINDS
    }
    assert min(counts.values()) >= 2


def test_no_line_occurs_twice():
    texts = Counter(line.text for part in PARTS for line in lines(part))
    assert [text for text, count in texts.items() if count > 1 or text != text.strip() or not text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_aspect_has_many_words_and_none_twice(language):
    listed = words(language)
    assert list(listed) == aspects()
    for aspect, found in listed.items():
        assert len(found) >= 60, aspect
        assert len(set(found)) == len(found), aspect
        assert all(word == word.strip() != "" for word in found), aspect


def test_the_topics_of_the_package_were_trained_on_this_corpus():
    assert corpus_digest().encode() in TOPICS.read_bytes()
