"""deploy/Dockerfile: its steps are carried out in a folder, since there may be no Docker where tests run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surfaces.server_process import announced

from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts

ROOT = Path(__file__).parents[2]
PREFIX = "/opt/celestial"


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile and what follows them, comments left out and lines joined."""
    lines = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


STEPS = steps()
LAST = dict(STEPS)  # of instructions that are given several times, the one in force


def settings_of_image() -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in shlex.split(LAST["ENV"]))


def test_it_does_not_run_as_root_and_keeps_its_data_in_a_volume():
    assert LAST["USER"].isdigit()
    assert int(LAST["USER"]) > 0
    (volume,) = json.loads(LAST["VOLUME"])
    assert settings_of_image()["CELESTIAL_DB"].startswith(f"{volume}/")
    assert f"-o celestial {volume} " in next(rest for word, rest in STEPS if word == "RUN" and "useradd" in rest)


def test_it_serves_on_the_port_that_is_exposed_and_asked_for_its_health():
    arguments = build_parser(Texts("en"), "serve").parse_args(json.loads(LAST["CMD"]))
    assert arguments.host == "0.0.0.0"
    assert arguments.port == LAST["EXPOSE"]
    assert f"127.0.0.1:{arguments.port}/health" in LAST["HEALTHCHECK"]


def test_everything_that_is_built_from_is_sent_to_the_builder():
    """.dockerignore keeps everything back but what it names."""
    sent = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert all((ROOT / name).exists() for name in sent)
    assert {"src", "pyproject.toml", "hatch_build.py", "dashboard", "requirements/image.txt"} <= set(sent)


def test_its_requirements_are_those_of_the_extras():
    tomllib = pytest.importorskip("tomllib")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    listed = (ROOT / "requirements" / "image.in").read_text(encoding="utf-8").splitlines()
    expected = {one for name in ("server", "postgres", "otel") for one in extras[name]}
    assert {line for line in listed if not line.startswith("#")} == expected


def test_it_passes_hadolint():
    hadolint = shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("hadolint is not installed")
    subprocess.run([hadolint, ROOT / "deploy" / "Dockerfile"], check=True)


@pytest.mark.slow
def test_its_steps_lead_to_a_server_that_is_healthy(tmp_path):
    """The build stage in a folder in place of /opt/celestial, then the entry point and the health check."""
    source, target = tmp_path / "src", tmp_path / "celestial"
    _copy_sources(source)
    build = next(rest for word, rest in STEPS if word == "RUN").replace(PREFIX, str(target))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CELESTIAL"))},
        "PATH": f"{_tools(tmp_path)}:{os.environ['PATH']}",
        "CELESTIAL_NO_DASHBOARD": "1",  # tests of its own build it
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    subprocess.run(["sh", "-ec", build], cwd=source, env=environment, check=True)

    environment |= {"PATH": f"{target}/bin:{environment['PATH']}", "CELESTIAL_DB": str(tmp_path / "memory.db")}
    (entry,) = json.loads(LAST["ENTRYPOINT"])
    program = str(target / "bin" / entry)
    subprocess.run([program, "token", "create", "laptop"], env=environment, check=True, capture_output=True)
    with announced([program, *json.loads(LAST["CMD"]), "--json", "--port", "0"], environment) as (process, told):
        port = told["url"].rpartition(":")[2]
        check = json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])
        healthy = [part.replace(LAST["EXPOSE"], port) for part in check]
        subprocess.run(healthy, env=environment, check=True)
        process.send_signal(signal.SIGTERM)
        assert process.wait(70) == 0
    assert subprocess.run(healthy, env=environment, check=False, capture_output=True).returncode == 1
    modules = "import opentelemetry.sdk, psycopg, mcp, celestial_engine"
    subprocess.run([target / "bin" / "python", "-c", modules], env=environment, check=True)


def _copy_sources(target: Path) -> None:
    """What .dockerignore lets through."""
    target.mkdir()
    for name in re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            shutil.copytree(ROOT / name, target / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, target / name)


def _tools(folder: Path) -> Path:
    """`python` and `pip` as the base image has them, in a folder for PATH."""
    tools = folder / "base"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    return tools / "bin"
