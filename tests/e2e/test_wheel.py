"""The wheel in an empty environment: it needs no other package, and what it ships is complete."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built by hatchling of this environment; the dashboard has tests of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = {**os.environ, "CELESTIAL_NO_DASHBOARD": "1"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of programs of an environment with nothing in it but the wheel."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [folder / "bin" / "pip", "install", "-q", "--no-index", "--disable-pip-version-check", wheel]
    subprocess.run(install, check=True, env=_clean())
    return folder / "bin"


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CELESTIAL"))}


def run(*command: object, folder: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=folder, env=_clean(), check=check, capture_output=True, text=True
    )


def test_it_needs_nothing_and_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        fields = Parser().parsestr(archive.read(metadata).decode())
        names = archive.namelist()
    required = [one for one in fields.get_all("Requires-Dist") if "extra ==" not in one]
    assert required == []
    assert fields["License-Expression"] == "Apache-2.0"
    assert fields.get_payload().startswith("# Celestial Memory Engine")
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert "celestial_engine/py.typed" in names
    outside = {name.split("/")[0] for name in names}
    assert {name for name in outside if not name.endswith(".dist-info")} == {"celestial_engine"}


def test_every_file_of_the_package_is_in_it(wheel):
    """Models, word lists and schemas as well as modules."""
    tracked = subprocess.run(
        ["git", "ls-files", "src/celestial_engine"], cwd=ROOT, check=False, capture_output=True, text=True
    ).stdout.split()
    if not tracked:
        pytest.skip("this is no git checkout")
    with zipfile.ZipFile(wheel) as archive:
        assert {name.removeprefix("src/") for name in tracked} <= set(archive.namelist())


def test_it_stores_and_recalls_in_both_languages(installed, tmp_path):
    run(installed / "celestial", "store", "민아는 땅콩 알레르기가 있다", "--db", "m.db", folder=tmp_path)
    run(installed / "celestial", "store", "Mina lives in Busan", "--db", "m.db", folder=tmp_path)
    found = run(installed / "celestial", "recall", "민아 땅콩 알레르기", "--db", "m.db", folder=tmp_path).stdout
    assert "땅콩" in found
    code = (
        "from celestial_engine import CelestialMemory\n"
        "with CelestialMemory('m.db') as memory:\n"
        "    print(memory.recall('Where does Mina live? Busan?')[0].content)\n"
    )
    assert run(installed / "python", "-c", code, folder=tmp_path).stdout.strip() == "Mina lives in Busan"


def test_what_needs_an_extra_says_so(installed, tmp_path):
    done = run(installed / "celestial", "serve", "--db", "m.db", folder=tmp_path, check=False)
    assert done.returncode == 2
    assert "fastapi" in done.stderr
    assert "Traceback" not in done.stderr
