"""The bundle and the registry's entry: whole, true, and the same for the same sources."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile

import pytest

from celestial_engine import __version__
from celestial_engine.surfaces.mcp.tools import TOOLS

# What version 0.4 of the manifest knows.
KNOWN = {
    "$schema", "manifest_version", "name", "display_name", "version", "description", "long_description", "author",
    "repository", "homepage", "documentation", "support", "icon", "icons", "screenshots", "localization", "server",
    "tools", "tools_generated", "prompts", "prompts_generated", "keywords", "license", "privacy_policies",
    "compatibility", "user_config", "_meta",
}  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory, pytestconfig):
    folder = tmp_path_factory.mktemp("dist")
    made = subprocess.run(
        [sys.executable, "-m", "bundling.mcpb", str(folder)],
        cwd=pytestconfig.rootpath,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture
def bundle(built):
    with zipfile.ZipFile(next(built.glob("*.mcpb"))) as archive:
        yield archive


def test_the_manifest_says_what_is_inside(bundle):
    manifest = json.loads(bundle.read("manifest.json"))
    assert manifest.keys() <= KNOWN
    assert {"name", "version", "description", "author", "server"} <= manifest.keys()
    assert (manifest["manifest_version"], manifest["version"]) == ("0.4", __version__)
    assert manifest["author"].keys() <= {"name", "email", "url"}
    assert manifest["server"]["type"] == "uv"
    assert manifest["server"]["entry_point"] in bundle.namelist()
    assert [tool["name"] for tool in manifest["tools"]] == [*TOOLS]
    assert all(prompt["text"] for prompt in manifest["prompts"])
    assert "${arguments.question}" in manifest["prompts"][0]["text"]
    for setting in manifest["user_config"].values():
        assert {"type", "title", "description"} <= setting.keys()
    used = set(re.findall(r"user_config\.(\w+)", json.dumps(manifest["server"])))
    assert used == manifest["user_config"].keys()


def test_the_command_in_the_manifest_is_understood(bundle):
    """`uv run ... celestial mcp` with an extra and a script that the project has."""
    tomllib = pytest.importorskip("tomllib")
    manifest = json.loads(bundle.read("manifest.json"))
    project = tomllib.loads(bundle.read("pyproject.toml").decode())["project"]
    arguments = manifest["server"]["mcp_config"]["args"]
    assert arguments[arguments.index("--extra") + 1] in project["optional-dependencies"]
    assert arguments[-2] in project["scripts"]
    assert {project["readme"], *project["license-files"]} <= set(bundle.namelist())


def test_nothing_else_comes_along(bundle):
    names = bundle.namelist()
    assert not [name for name in names if "__pycache__" in name or name.startswith((".", "/")) or ".." in name]
    assert all(name.startswith("src/") for name in names[5:])
    assert bundle.testzip() is None


def test_the_same_sources_give_the_same_bytes(tmp_path, pytestconfig):
    code = (
        "import sys, pathlib; from bundling.mcpb import build; [build(pathlib.Path(name)) for name in sys.argv[1:]]"
    )
    folders = [tmp_path / "one", tmp_path / "two"]
    subprocess.run([sys.executable, "-c", code, *folders], cwd=pytestconfig.rootpath, check=True)
    first, second = (next(folder.glob("*.mcpb")).read_bytes() for folder in folders)
    assert first == second


@pytest.mark.slow
def test_it_runs_from_the_bundle(bundle, tmp_path, ways):
    bundle.extractall(tmp_path / "b")
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": ways.HELLO}
    env = {**ways.environment(), "PYTHONPATH": str(tmp_path / "b" / "src"), "CELESTIAL_DB": str(tmp_path / "m.db")}
    done = subprocess.run(
        [sys.executable, "-m", "celestial_engine", "mcp"], input=json.dumps(request) + "\n", env=env, cwd=tmp_path,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert json.loads(done.stdout)["result"]["serverInfo"]["version"] == __version__
    assert done.returncode == 0, done.stderr


def test_the_registry_takes_the_entry(built):
    """By the rules of its schema: names, lengths, and one exact version."""
    entry = json.loads((built / "server.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 1 <= len(entry["description"]) <= 100
    assert 1 <= len(entry["title"]) <= 100
    assert entry["version"] == __version__
    (package,) = entry["packages"]
    assert {"registryType", "identifier", "transport"} <= package.keys()
    assert package["version"] == __version__
    assert package["transport"] == {"type": "stdio"}
    assert all(argument["type"] in ("positional", "named") for argument in package["packageArguments"])
    variables = {variable["name"] for variable in package["environmentVariables"]}
    assert variables == {"CELESTIAL_DB", "CELESTIAL_LANG"}
