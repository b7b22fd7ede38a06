"""Vectors and words made again on the command line."""

from __future__ import annotations

import json
import sys

import pytest

from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES


def test_reindex_gives_vectors_to_those_without(cli, stored, monkeypatch):
    stored("the cat sleeps on the sofa")
    stored("민수는 커피를 좋아한다")
    assert cli("reindex", "--embedder", "hashed", "--json").data == {"embedded": 2, "failed": 0}
    answer = cli("reindex", "--embedder", "hashed")
    assert (answer.code, answer.out, answer.err) == (0, "Every memory has its vector.\n", "")
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    stored("one more")
    assert cli("reindex").out == "Every memory has its vector.\n"
    assert "sofa" in cli("search", "the cats").out
    assert "embedder hashed-letters-1, vectors 2" in cli("history").out


def test_reindex_tells_of_what_failed(cli, stored, monkeypatch):
    stored("words")
    stored("!!!")
    hashed = HashedEmbedder.query
    monkeypatch.setattr(HashedEmbedder, "query", lambda self, text: [0.0] if text == "!!!" else hashed(self, text))
    answer = cli("reindex", "--embedder", "hashed")
    assert answer.code == 2
    assert answer.out == "Vectors made: 1; memories that could get none: 1.\n"
    assert "vector" in answer.err
    assert answer.err.count("\n") == 1
    answer = cli("reindex", "--embedder", "hashed", "--json")
    assert (answer.code, answer.data) == (2, {"embedded": 0, "failed": 1})
    assert json.loads(answer.err)["error"] == "embedding"


@pytest.mark.parametrize(
    ("argv", "error", "says"),
    [
        (("reindex",), "embedding", "there is no embedder"),
        (("reindex", "--embedder", "none"), "embedding", "there is no embedder"),
        (("reindex", "--embedder", "crystal"), "config", "'crystal'"),
        (("reindex", "--embedder", ""), "empty_option", "--embedder"),
    ],
)
def test_reindex_needs_an_embedder(cli, argv, error, says):
    answer = cli(*argv)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert json.loads(cli(*argv, "--json").err)["error"] == error


def test_reindex_shows_its_progress_to_whoever_watches(cli, stored, monkeypatch):
    stored("words")
    assert cli("reindex", "--embedder", "hashed").err == ""
    stored("more words")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    answer = cli("reindex", "--embedder", "hashed")
    assert "making vectors ████████████████████ 1 / 1" in answer.err
    assert answer.err.endswith("\r\x1b[K")


# -- words --------------------------------------------------------------------------------------------


def test_the_word_index_is_made_anew_by_choice(cli, monkeypatch):
    """A verb is found by another form of itself by morphemes, and not by pairs of syllables."""
    monkeypatch.setenv("CELESTIAL_WORDS", "pairs")
    cli("store", "어제 강변을 오래 걸었다")
    assert cli("search", "걷는", "--json").data["hits"] == []
    answer = cli("reindex", "--words", "kiwi")
    assert (answer.code, answer.out, answer.err) == (0, "Memories with new words: 1.\n", "")
    assert len(cli("search", "걷는", "--json").data["hits"]) == 1
    assert cli("reindex", "--words", "pairs", "--lang", "ko").out == "기억 1개의 단어 색인을 새로 만들었습니다.\n"
    assert cli("search", "걷는", "--json").data["hits"] == []


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
    assert (
        "words must be one of auto, pairs, kiwi, got 'mecab'"
        if language == "en"
        else "단어 분석기는 auto, pairs, kiwi 가운데 하나여야 하는데 'mecab' 값을 받았습니다"
    ) in answer.err
