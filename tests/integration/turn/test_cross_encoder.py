"""A cross-encoder orders the best hits; without it, or if it fails, the ranking stays as it is."""

from __future__ import annotations

import math

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.bootstrap import open_cross_encoder
from celestial_engine.errors import ConfigError, EmbeddingError, Reason

TEXTS = [
    "The garden gate is painted green",
    "The garden gate squeaks in the wind",
    "The garden gate was repaired by Mina",
    "The garden gate leads to the river",
]
QUESTION = "garden gate"


class Reader:
    """Scores texts by what a function says about them, and keeps what it was asked."""

    name = "reader/of-tests"

    def __init__(self, score):
        self._score = score
        self.asked = []

    def scores(self, question, texts):
        self.asked.append((question, list(texts)))
        return self._score(texts)


def found(cross_encoder, texts=TEXTS, limit=4):
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        embedder="none",
        settings=Settings(cross_encoder=cross_encoder),
        clock=lambda: 1_760_000_000.0,
    ) as memory:
        memory.store_many(texts)
        return memory.search(QUESTION, limit=limit, floor=0, explain=True)


def contents(result):
    return [hit.item.content for hit in result.hits]


def test_it_orders_what_the_ranking_cannot_tell_apart():
    plain = found(None)
    second = contents(plain)[1]
    reader = Reader(lambda texts: [float(text == second) for text in texts])
    result = found(reader)
    assert contents(result)[0] == second
    assert sorted(contents(result)) == sorted(contents(plain))
    assert reader.asked[0][0] == QUESTION
    assert next(stage for stage in result.stages if stage.name == "cross_encoder").memories == len(TEXTS)
    relevances = [hit.relevance for hit in result.hits]
    assert relevances == sorted(relevances, reverse=True)
    assert [hit.relevance for hit in plain.hits] == pytest.approx(relevances), "each takes the relevance of its rank"
    assert result.hits[0].parts["cross_encoder"] > 0


def test_a_model_that_finds_all_alike_changes_nothing():
    result = found(Reader(lambda texts: [3.0] * len(texts)))
    assert contents(result) == contents(found(None))
    assert not any("cross_encoder" in hit.parts for hit in result.hits)


def test_it_reads_twenty_of_many_and_not_the_whole_of_a_long_one():
    texts = [f"garden gate number {n} {'and so on ' * 1000}" for n in range(40)]
    reader = Reader(lambda texts: [0.0] * len(texts))
    found(reader, texts, limit=40)
    ((_, read),) = reader.asked
    assert len(read) == 20
    assert max(map(len, read)) == 2000


def raising(texts):
    raise RuntimeError("no model here")


@pytest.mark.parametrize(
    "score",
    [raising, lambda texts: [1.0], lambda texts: [math.nan] * len(texts), lambda texts: ["high"] * len(texts)],
    ids=["raises", "too few", "nan", "no numbers"],
)
def test_a_broken_model_is_told_and_the_ranking_stays(score, caplog):
    result = found(Reader(score))
    assert contents(result) == contents(found(None))
    stage = next(stage for stage in result.stages if stage.name == "cross_encoder")
    assert stage.skipped is Reason.CROSS_ENCODER_FAILED
    assert "going on without the cross-encoder reader/of-tests" in caplog.text


@pytest.mark.parametrize("choice", ["", "crystal", "model2vec", "https://host#model"])
def test_cross_encoders_that_do_not_exist(choice):
    with pytest.raises(ConfigError, match="cross_encoder must be none, fastembed:MODEL or"):
        open_cross_encoder(choice)


def test_the_setting_names_one(monkeypatch):
    monkeypatch.setenv("CELESTIAL_CROSS_ENCODER", "sentence-transformers:some/model")
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        assert memory.parts.cross_encoder.name == "sentence-transformers/some/model"
    monkeypatch.setenv("CELESTIAL_CROSS_ENCODER", "none")
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        assert memory.parts.cross_encoder is None


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(EmbeddingError, match="sentence_transformers"):
        open_cross_encoder("sentence-transformers").scores("a", ["b"])
