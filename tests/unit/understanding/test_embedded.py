"""Heads over an embedder's vectors: which memory answers, and which statement a newer one ends."""

from __future__ import annotations

from random import Random

import pytest

from celestial_engine.flow.base.read import answer_chances_by_vector, end_odds_by_vector
from celestial_engine.understanding import embedded
from celestial_engine.understanding.embedded import FILES, EmbeddedHeads, heads_of
from celestial_engine.understanding.model import ModelFileError, unpacked

numpy = pytest.importorskip("numpy")
(NAME,) = FILES
LENGTH = 384


def vector(seed: int) -> list[float]:
    random = Random(seed)
    return [random.gauss(0, 0.05) for _ in range(LENGTH)]


def test_chances_are_those_of_one_answer_at_most():
    heads = heads_of(NAME)
    assert heads is not None
    chances = heads.answer_chances(vector(1), [vector(2), vector(3)])
    assert len(chances) == 2
    assert 0.0 < sum(chances) <= 1.0


def test_a_memory_is_judged_alike_in_any_company():
    heads = heads_of(NAME)
    assert heads is not None
    together = heads.end_odds(vector(1), [vector(2), vector(3)])
    assert together[1] == pytest.approx(heads.end_odds(vector(1), [vector(3)])[0])
    first, second = heads.answer_chances(vector(1), [vector(2), vector(3)])
    again = heads.answer_chances(vector(1), [vector(3), vector(2)])
    assert again == pytest.approx([second, first])


def test_an_embedder_that_was_not_trained_for_has_no_heads():
    assert heads_of("somebody's/model") is None
    assert answer_chances_by_vector("somebody's/model", vector(1), {"m1": vector(2)}) == {}
    assert end_odds_by_vector("", vector(1), {"m1": vector(2)}) == {}


def test_vectors_of_another_length_are_left_out():
    assert answer_chances_by_vector(NAME, vector(1)[:10], {"m1": vector(2)}) == {}
    assert set(answer_chances_by_vector(NAME, vector(1), {"m1": vector(2), "m2": [1.0]})) == {"m1"}
    assert end_odds_by_vector(NAME, vector(1), {"m2": [1.0]}) == {}


def test_a_damaged_file_is_said_and_nothing_is_judged_by_it(monkeypatch, tmp_path, caplog):
    (tmp_path / FILES[NAME]).write_bytes(b"something else")
    monkeypatch.setattr(embedded, "files", lambda _: tmp_path)
    embedded._loaded.cache_clear()
    try:
        assert heads_of(NAME) is None
        assert "trained heads cannot be used" in caplog.text
    finally:
        embedded._loaded.cache_clear()


def test_the_weights_of_turns_are_no_heads():
    raw = (embedded.files(embedded.__package__) / "weights.bin").read_bytes()
    with pytest.raises(ModelFileError):
        EmbeddedHeads(unpacked(raw), numpy)
