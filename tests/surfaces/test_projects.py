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
from celestial_engine.exporters import EXPORT_FORMATS
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
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "CELESTIAL_PROJECT=none" in printed.err
    with monkeypatch.context() as advised:
        advised.setenv("CELESTIAL_PROJECT", "none")
        assert main(["list"]) == 0
    capsys.readouterr()
    monkeypatch.chdir(filled[""])
    main(["list", "--json"])
    only("", capsys.readouterr().out)


# -- what leaves: exports, notes, forks and exchanges with other devices ---------------------------------------------


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("format_", EXPORT_FORMATS)
def test_an_export_holds_one_project(format_, name, filled, tmp_path, monkeypatch):
    monkeypatch.chdir(filled[name])
    out = tmp_path / "out"
    assert main(["export", "--format", format_, "--output", str(out)]) == 0
    only(name, all_text(out))


def all_text(path):
    """The files of a folder, or one file, with their names."""
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    return "\n".join(f"{one.name}\n{one.read_text(encoding='utf-8')}" for one in files)


def test_a_folder_of_notes_belongs_to_one_project(filled, tmp_path, monkeypatch, capsys):
    notes = tmp_path / "notes"
    monkeypatch.chdir(filled["alpha"])
    assert main(["folder", str(notes)]) == 0
    only("alpha", all_text(notes))
    for other in ("beta", ""):
        monkeypatch.chdir(filled[other])
        assert main(["folder", str(notes)]) != 0
        only("alpha", all_text(notes))
        assert main(["list", "--json"]) == 0
        only(other, capsys.readouterr().out.rpartition('{"memories"')[2])


def test_a_shared_folder_exchanges_one_project(filled, tmp_path, monkeypatch, capsys):
    """Another device gets what the project holds; another project in the same folder neither gives nor takes."""
    shared = str(tmp_path / "shared")
    monkeypatch.chdir(filled["alpha"])
    assert main(["sync", shared, "--plaintext"]) == 0
    for other in ("beta", ""):
        monkeypatch.chdir(filled[other])
        main(["sync", shared, "--plaintext"])
        capsys.readouterr()
        assert main(["list", "--json"]) == 0
        only(other, capsys.readouterr().out)
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "other-device.db"))
    monkeypatch.chdir(filled["alpha"])
    main(["sync", shared, "--plaintext"])
    capsys.readouterr()
    with CelestialMemory(rebalance_interval=None) as memory:
        held = json.dumps([record for owner in memory.access.owners() for record in exported(memory, owner)])
    only("alpha", held)


def exported(memory, owner):
    return list(memory.of(owner.user_id, owner.agent_id).transfer.export())


def test_a_device_is_exchanged_with_only_by_a_token_of_its_project(serve, filled, tmp_path, monkeypatch, capsys):
    """The token says which memory of the server: a device with another project's is refused, and nothing is merged."""
    tokens = {}
    for name, folder in filled.items():
        monkeypatch.chdir(folder)
        assert main(["token", "create", "t", "--scopes", "read,write,approve", "--json"]) == 0
        tokens[name] = json.loads(capsys.readouterr().out)["secret"]
    server_db = os.environ["CELESTIAL_DB"]
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "laptop.db"))
    monkeypatch.chdir(filled["alpha"])
    with CelestialMemory(server_db, rebalance_interval=None) as memory, serve(memory) as served:
        for other in ("beta", ""):
            assert main(["sync", served.url, "--token", tokens[other], "--plaintext"]) != 0
            capsys.readouterr()
            assert main(["list", "--json"]) == 0
            assert not any(secret in capsys.readouterr().out for secret in SECRETS.values())
        assert main(["sync", served.url, "--token", tokens["alpha"], "--plaintext"]) == 0
        capsys.readouterr()
        assert main(["list", "--json"]) == 0
        only("alpha", capsys.readouterr().out)
        for name in SECRETS:
            monkeypatch.chdir(filled[name])
            assert main(["list", "--json", "--db", server_db]) == 0
            only(name, capsys.readouterr().out)


@pytest.mark.parametrize("name", SECRETS)
def test_what_came_from_a_source_is_traced_and_retracted_in_one_project(name, folders, monkeypatch, capsys):
    """Every project has a session of the same name; retracting it in one leaves the others as they are."""
    for other, folder in folders.items():
        monkeypatch.chdir(folder)
        assert main(["store", SECRETS[other], "--session", "standup"]) == 0
    monkeypatch.chdir(folders[name])
    capsys.readouterr()
    assert main(["trace", "standup", "--json"]) == 0
    only(name, capsys.readouterr().out)
    assert main(["retract", "standup"]) == 0
    for other, folder in folders.items():
        monkeypatch.chdir(folder)
        capsys.readouterr()
        assert main(["list", "--json"]) == 0
        assert (SECRETS[other] in capsys.readouterr().out) is (other != name)
