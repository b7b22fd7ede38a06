"""A project's own memory: found by its marker, and closed to every other project on every surface."""

from __future__ import annotations

import json
import os
import sys

import anyio
import pytest

pytest.importorskip("mcp")
pytest.importorskip("fastapi")

from mcp import Client, StdioServerParameters
from starlette.testclient import TestClient

from celestial_engine import CelestialMemory
from celestial_engine.config.project import MARKER, find_project
from celestial_engine.errors import ConfigFileError
from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.rest.app import build_app

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 cannot read TOML")

SECRETS = {
    "alpha": "The alpha server is called Orion",
    "beta": "The beta server is called Vega",
    "": "I live in Busan",
}


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two projects and a folder that is none, on one database."""
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    monkeypatch.setenv("CELESTIAL_CONFIG", "none")
    monkeypatch.delenv("CELESTIAL_PROJECT", raising=False)
    made = {}
    for name in SECRETS:
        made[name] = folder = tmp_path / (name or "home") / "src" / "deep"
        folder.mkdir(parents=True)
        if name:
            (folder.parents[1] / MARKER).write_text(f'[project]\nname = "{name}"\n', encoding="utf-8")
    return made


@pytest.fixture
def filled(folders, monkeypatch, capsys):
    for name, folder in folders.items():
        monkeypatch.chdir(folder)
        assert main(["store", SECRETS[name]]) == 0
    capsys.readouterr()
    return folders


def only(name: str, text: str) -> None:
    """Assert that a text holds the secret of this project, and no other's."""
    for other, secret in SECRETS.items():
        assert (secret in text) is (other == name), (name, other, text)


@pytest.mark.parametrize("name", SECRETS)
def test_the_command_line_sees_one_project(name, filled, monkeypatch, capsys):
    monkeypatch.chdir(filled[name])
    for command in (["list", "--json"], ["search", "server called live", "--floor", "0", "--json"]):
        assert main(command) == 0
        only(name, capsys.readouterr().out)
    assert main(["hook", "session-start"]) == 0
    told = capsys.readouterr().out
    assert not any(secret in told for other, secret in SECRETS.items() if other != name)


def test_an_option_and_a_variable_name_a_project_too(filled, monkeypatch, capsys):
    monkeypatch.chdir(filled["beta"])
    assert main(["--project-memory", "alpha", "list", "--json"]) == 0
    only("alpha", capsys.readouterr().out)
    assert main(["list", "--json", "--project-memory", "none"]) == 0
    only("", capsys.readouterr().out)
    monkeypatch.setenv("CELESTIAL_PROJECT", "alpha")
    assert main(["list", "--json"]) == 0
    only("alpha", capsys.readouterr().out)


@pytest.mark.parametrize("bad", ["a@b", " ", "x" * 81, "a\nb"])
def test_a_bad_name_is_refused(bad, filled, capsys):
    assert main(["--project-memory", bad, "list"]) == 2


@pytest.mark.parametrize("name", SECRETS)
def test_a_token_is_bound_to_its_project(name, filled, monkeypatch, capsys):
    ids = {}
    for other, folder in filled.items():
        monkeypatch.chdir(folder)
        main(["list", "--json"])
        ids[other] = json.loads(capsys.readouterr().out)["memories"][0]["id"]
    monkeypatch.chdir(filled[name])
    assert main(["token", "create", "t", "--json"]) == 0
    secret = json.loads(capsys.readouterr().out)["secret"]
    with CelestialMemory(rebalance_interval=None) as memory:
        client = TestClient(build_app(memory), base_url="http://127.0.0.1")
        client.headers["Authorization"] = f"Bearer {secret}"
        only(name, client.post("/v1/memories/list", json={}).text)
        found = client.post("/v1/memories/search", json={"query": "server called live", "floor": 0})
        only(name, found.text)
        for other, item_id in ids.items():
            assert client.get(f"/v1/memories/{item_id}").status_code == (200 if other == name else 404)
            if other != name:
                assert client.delete(f"/v1/memories/{item_id}").status_code == 404
                assert client.patch(f"/v1/memories/{item_id}", json={"content": "mine"}).status_code == 404


@pytest.mark.parametrize("name", SECRETS)
def test_mcp_sees_the_project_it_is_started_in(name, filled):
    async def run():
        command = ["-m", "celestial_engine", "mcp"]
        server = StdioServerParameters(
            command=sys.executable, args=command, env=dict(os.environ), cwd=str(filled[name])
        )
        async with Client(server) as client:
            listed = await client.call_tool("memory_list", {})
            only(name, listed.content[0].text)
            found = await client.call_tool("memory_search", {"query": "server called live", "floor": 0})
            only(name, found.content[0].text)

    anyio.run(run)


def test_a_marker_without_a_name_stands_for_its_folder(tmp_path):
    names = set()
    for path in ("one/app", "two/app"):
        folder = tmp_path / path
        (folder / "src").mkdir(parents=True)
        (folder / MARKER).write_text("", encoding="utf-8")
        assert find_project(str(folder / "src")) == find_project(str(folder))
        names.add(find_project(str(folder)).name)
    assert len(names) == 2
    assert all(name.startswith("app-") for name in names)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no such owner here")
def test_a_marker_of_another_user_is_refused(folders, monkeypatch, capsys):
    marker = folders["alpha"].parents[1] / MARKER
    if os.geteuid() == 0:
        os.chown(marker, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: marker.stat().st_uid + 1)
    with pytest.raises(ConfigFileError, match="another user"):
        find_project(str(folders["alpha"]))


def test_the_nearest_marker_counts(folders):
    inner = folders["alpha"] / "inner"
    inner.mkdir()
    (inner / MARKER).write_text('[project]\nname = "inner"\n', encoding="utf-8")
    assert find_project(str(inner)).name == "inner"
    assert find_project(str(folders["alpha"])).name == "alpha"


def test_a_project_can_have_a_database_of_its_own(folders, monkeypatch, capsys):
    root = folders["alpha"].parents[1]
    (root / MARKER).write_text('[project]\nname = "alpha"\npath = ".memory/own.db"\n', encoding="utf-8")
    monkeypatch.delenv("CELESTIAL_DB")
    monkeypatch.chdir(folders["alpha"])
    assert main(["store", SECRETS["alpha"]]) == 0
    assert (root / ".memory" / "own.db").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[project", '[project]\nname = "a@b"', "[project]\nname = 3", '[project]\nname = ""', "project = 3",
        '[project]\npath = "/etc/x.db"', '[project]\npath = "../x.db"', '[project]\nname = "a"\nuser = "b"',
        '[owner]\nuser = "root"', '[storage]\npath = "x"',
    ],
)  # fmt: skip
def test_with_a_wrong_marker_nothing_is_read_or_written(text, filled, monkeypatch, capsys):
    """Going on with another memory would mix what should stay apart."""
    (filled["alpha"].parents[1] / MARKER).write_text(text, encoding="utf-8")
    monkeypatch.chdir(filled["alpha"])
    with pytest.raises(ConfigFileError):
        find_project(str(filled["alpha"]))
    assert main(["list"]) != 0
    assert main(["store", "leaked"]) != 0
    assert main(["hook", "session-start"]) == 0
    assert capsys.readouterr().out == ""
    monkeypatch.chdir(filled[""])
    main(["list", "--json"])
    only("", capsys.readouterr().out)
