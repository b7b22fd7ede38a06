"""The release workflow: what it names exists, nothing has more rights than it needs, and a wrong release is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tools.release_check import NAME, SUMMARY_BEGINS, problems, version_of_sources

import celestial_engine

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github" / "workflows" / "release.yml"
CHANGELOG = "\n## [1.2.3] - 2026-11-02\n"
OURS = {"info": {"summary": f"{SUMMARY_BEGINS}: memories that orbit"}, "releases": {"1.2.2": []}}


def found(ref="refs/tags/v1.2.3", version="1.2.3", changelog=CHANGELOG, project=None) -> list[str]:
    return problems(ref, version, changelog, lambda name: project)


def test_a_release_that_fits_is_not_refused():
    assert found() == []
    assert found(project=OURS) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ref": "refs/tags/v1.2.4"}, "the sources say 1.2.3"),
        ({"ref": "refs/tags/1.2.3"}, "is no tag of a version"),
        ({"changelog": "## [Unreleased]"}, "CHANGELOG.md"),
        ({"project": {"info": {"summary": "Rocket engines"}, "releases": {}}}, "belongs to another project"),
        ({"project": {"info": {"summary": None}}}, "belongs to another project"),
        ({"project": {**OURS, "releases": {"1.2.3": []}}}, "published already"),
    ],
)
def test_a_release_that_does_not_fit_is_refused(given, said):
    (problem,) = found(**given)
    assert said in problem


def test_the_check_knows_this_project():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{NAME}"' in text
    assert f'description = "{SUMMARY_BEGINS}' in text
    assert version_of_sources() == celestial_engine.__version__


def test_jobs_depend_on_each_other_and_have_no_rights_but_those_listed():
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    jobs = workflow["jobs"]
    assert [jobs[name]["needs"] for name in ("build", "install", "publish")] == ["test", "build", "install"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["environment"]["name"] == "pypi"
    assert "secrets." not in FILE.read_text(encoding="utf-8")
    assert not any("contents: write" in line for line in FILE.read_text(encoding="utf-8").splitlines())


def test_files_that_it_names_exist():
    text = FILE.read_text(encoding="utf-8")
    names = set(re.findall(r"requirements/[\w.]+\.txt", text)) | {
        f"requirements/{name}.txt" for name in re.search(r"for name in (.+);", text).group(1).split()
    }
    assert len(names) == 4
    assert all((ROOT / name).is_file() for name in names)
    assert "python -m tools.release_check" in text


def test_it_passes_zizmor():
    """But for pinning actions to commits, which the repository that publishes does."""
    zizmor = shutil.which("zizmor")
    if zizmor is None:
        pytest.skip("zizmor is not installed")
    done = subprocess.run(
        [zizmor, "--offline", "--format", "plain", FILE], capture_output=True, text=True, check=False
    )
    assert not set(re.findall(r"^(?:error|warning)\[([\w-]+)\]", done.stdout, re.MULTILINE)) - {"unpinned-uses"}, (
        done.stdout
    )
