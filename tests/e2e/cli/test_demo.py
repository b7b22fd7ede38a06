"""The demo: a story that leaves nothing behind."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("usual_embedder")


@pytest.mark.parametrize(("language", "far", "near"), [("en", "cloud", "outer"), ("ko", "오르트 구름", "외행성")])
def test_the_demo_tells_its_story_and_leaves_nothing(cli, monkeypatch, tmp_path, language, far, near):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    answer = cli("demo", "--lang", language)
    assert answer.code == 0
    assert 35 <= len(answer.out.splitlines()) <= 60
    assert f"{far} -> {near}" in answer.out
    assert "Python was released in 1991" in answer.out
    assert "커피" in answer.out
    assert "celestial store" in answer.out
    assert "pip install ." in answer.out
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "m.db").exists()


def test_the_demo_as_data(cli):
    steps = cli("demo", "--json").data
    assert all(step.keys() == {"title", "lines"} for step in steps)
    assert len(steps) == 9
