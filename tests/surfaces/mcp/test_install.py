"""`celestial mcp install`: one entry comes in, everything else stays, and there is a way back."""

from __future__ import annotations

import json
import stat
import sys

import pytest

from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.cli.commands.mcp_install import client_named, program

SETTINGS = """{
  "theme": "dark",
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "files"], "env": {"KEY": "값"}}
  },
  "unknown": [1, {"deep": null}]
}
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.json"


def install(file, *more, client="claude-desktop"):
    return main(["mcp", "install", client, "--file", str(file), *more])


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def test_everything_else_stays(file, capsys):
    file.write_text(SETTINGS, encoding="utf-8")
    assert install(file) == 0
    before, after = json.loads(SETTINGS), read(file)
    entry = after["mcpServers"].pop("celestial")
    assert after == before
    assert list(after) == list(before)
    assert [entry.pop("command"), *entry.pop("args")] == [*program(), "mcp"]
    assert entry == {}
    assert "값" in file.read_text(encoding="utf-8")
    said = capsys.readouterr().out
    assert '+    "celestial": {' in said
    assert (file.parent / "settings.json.bak").read_text(encoding="utf-8") == SETTINGS


def test_a_dry_run_only_shows(file, capsys):
    file.write_text(SETTINGS, encoding="utf-8")
    assert install(file, "--dry-run") == 0
    assert file.read_text(encoding="utf-8") == SETTINGS
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == ["settings.json"]
    assert '+    "celestial": {' in capsys.readouterr().out


def test_a_second_time_changes_nothing(file, capsys):
    assert install(file) == install(file) == 0
    assert "already" in capsys.readouterr().out
    assert not (file.parent / "settings.json.bak").exists()


def test_what_somebody_added_to_the_entry_stays(file):
    """The environment of our own entry, for one; and each backup is kept."""
    assert install(file) == 0
    settings = read(file)
    settings["mcpServers"]["celestial"]["env"] = {"CELESTIAL_EMBEDDER": "none"}
    file.write_text(json.dumps(settings), encoding="utf-8")
    assert install(file, "--db", "/data/my.db", "--user", "mina") == 0
    entry = read(file)["mcpServers"]["celestial"]
    assert entry["env"] == {"CELESTIAL_EMBEDDER": "none"}
    assert entry["args"][-4:] == ["--db", "/data/my.db", "--user", "mina"]
    assert install(file) == 0
    assert {path.name for path in file.parent.glob("*.bak*")} == {"settings.json.bak", "settings.json.bak1"}


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {} // a comment\n}',
        "{",
        "[]",
        '"text"',
        '{"mcpServers": []}',
        '{"mcpServers": {"celestial": 3}}',
    ],
)
def test_what_cannot_be_written_back_is_left_alone(text, file, capsys):
    file.write_text(text, encoding="utf-8")
    assert install(file) == 2
    assert file.read_text(encoding="utf-8") == text
    assert "Nothing was changed" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of POSIX")
def test_links_and_permissions_stay(tmp_path):
    real, link = tmp_path / "dotfiles.json", tmp_path / "settings.json"
    real.write_text("{}", encoding="utf-8")
    real.chmod(0o600)
    link.symlink_to(real)
    assert install(link) == 0
    assert link.is_symlink()
    assert read(real)["mcpServers"]
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("client", "place", "key"),
    [
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
    ],
)
def test_each_client_has_its_place(client, place, key, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["mcp", "install", client]) == 0
    entry = read(tmp_path / place)[key]["celestial"]
    assert entry["command"] == sys.executable
    assert entry.get("type") == ("stdio" if client == "vscode" else None)


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("darwin", "Library/Application Support/Claude"),
        ("linux", ".config/Claude"),
        ("win32", "AppData/Roaming/Claude"),
    ],
)
def test_claude_desktop_lies_elsewhere_on_every_system(platform, place, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    assert client_named("claude-desktop").file.as_posix().endswith(f"{place}/claude_desktop_config.json")


def test_generic_only_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["mcp", "install", "generic"]) == 0
    assert json.loads(capsys.readouterr().out)["mcpServers"]["celestial"]["args"][-1] == "mcp"
    assert [*tmp_path.iterdir()] == []


def test_programs_read_json(file, capsys):
    assert install(file, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"file": str(file.resolve()), "changed": True, "dry_run": False, "backup": None}


@pytest.mark.parametrize(
    "arguments",
    [["install"], ["install", "cursor", "--http", "80"], ["--dry-run"], ["--file", "x"], ["--http", "nowhere"],
     ["--http", "0"], ["--http", "127.0.0.1:99999"]],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(arguments, capsys):
    assert main(["mcp", *arguments]) == 2
    assert capsys.readouterr().err


@pytest.mark.slow
def test_what_is_installed_starts(file, tmp_path, ways):
    """The entry, run as a client runs it: in a project, whose own modules are not ours."""
    import subprocess

    assert install(file, "--db", str(tmp_path / "m.db")) == 0
    for name in ("celestial_engine", "random", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a project is not run')")
    entry = read(file)["mcpServers"]["celestial"]
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": ways.HELLO}
    done = subprocess.run(
        [entry["command"], *entry["args"]], input=json.dumps(request) + "\n", env=ways.environment(), timeout=120,
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "celestial"
