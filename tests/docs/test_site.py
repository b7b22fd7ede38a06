"""The documentation site: every page has its place, links lead to pages of the site, and it can be built."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tools.site import OTHER_PAGES, REFERENCE, pages, write_pages

import celestial_engine

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    write_pages(folder)
    return folder


def test_every_page_but_the_single_decisions_is_in_the_navigation():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    listed = [page for part in project["nav"] for names in part.values() for page in names]
    assert len(listed) == len(set(listed))
    expected = {place for place in pages().values() if not re.match(r"decisions/\d", place)}
    assert set(listed) == expected | {"reference.md"}


def test_links_lead_to_pages_of_the_site(site):
    for page in site.rglob("*.md"):
        for target in LINK.findall(re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)):
            assert (page.parent / target).exists(), f"{page.relative_to(site)} -> {target}"


def test_the_readme_is_the_first_page(site):
    first = (site / "index.md").read_text(encoding="utf-8")
    assert "](how-it-works.md)" in first
    assert "](ko/index.md)" in first
    assert "](images/orbits.png)" in first
    assert set(OTHER_PAGES) <= {path.name for path in ROOT.glob("*.md")}


def test_what_the_reference_lists_is_public():
    assert set(REFERENCE) <= set(celestial_engine.__all__)


def test_the_reference_has_every_verb_and_area_with_its_docstring(site):
    text = (site / "reference.md").read_text(encoding="utf-8")
    for name in ("CelestialMemory.recall", "CelestialMemory.observe", "memory.ledger.verify", "ItemFilter"):
        assert f" {name}\n" in text
    assert celestial_engine.CelestialMemory.recall.__doc__.splitlines()[0] in text
    assert "0x" not in text, "no addresses of objects: the site is the same each time"


@pytest.mark.slow
def test_it_is_built_without_a_warning(site):
    """With `make site`'s environment, or a Zensical on PATH."""
    zensical = next(filter(None, map(shutil.which, (ROOT / ".venv-site" / "bin" / "zensical", "zensical"))), None)
    if zensical is None:
        pytest.skip("Zensical is not installed: `make site` installs it")
    work = site.parent
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    config = config.replace(".site/pages", "pages").replace(".site/html", "html")
    (work / "zensical.toml").write_text(config)
    subprocess.run([zensical, "build", "--clean", "--strict"], cwd=work, check=True)
    found = json.dumps(json.loads((work / "html" / "search.json").read_text(encoding="utf-8")), ensure_ascii=False)
    assert "망각의 절벽" in found, "Korean pages can be searched"
