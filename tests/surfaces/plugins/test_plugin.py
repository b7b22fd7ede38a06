"""`celestial plugin`: what comes in, what stays, and that everything goes out again."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.cli.commands.plugin import HOSTS
from celestial_engine.surfaces.cli.plugins import hosts
from celestial_engine.surfaces.cli.plugins.edits import without_blocks, yaml_choice

EXISTING = {
    ".codex/config.toml": b'model = "x"\n\n[mcp_servers.files]\ncommand = "npx"  # mine',
    ".codex/hooks.json": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    ".gemini/settings.json": '{ "theme":"어둡게", "mcpServers": {"files": {"command": "npx"}} }\r\n'.encode(),
    ".cursor/mcp.json": b'\xef\xbb\xbf{"mcpServers":{"celestial":{"command":"old","env":{"A":"1"}}}}',
    ".cursor/hooks.json": b'{"version":1,"hooks":{"stop":[{"command":"say done"}]}}',
    ".hermes/config.yaml": b"model: x\nmcp_servers:  # tools\n  files:\n    command: npx\nother: [1]\n",
    ".openclaw/openclaw.json": b'{"mcp": {"servers": {}}, "agents": {"a": 1}}',
    ".claude/settings.json": b'{"hooks": {}}',
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    for variable in ("XDG_DATA_HOME", "CODEX_HOME", "HERMES_HOME", "CLAUDE_CONFIG_DIR", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("CELESTIAL_CONFIG", "none")
    return folder


@pytest.fixture
def settled(home):
    for name, content in EXISTING.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(content)
    return home


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


@pytest.mark.parametrize("host", HOSTS)
def test_an_empty_home_is_empty_again(host, home, capsys):
    assert main(["plugin", "install", host]) == 0
    assert tree(home)
    assert main(["plugin", "uninstall", host]) == 0
    assert tree(home) == {}


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("host", HOSTS)
def test_existing_settings_come_back_byte_by_byte(host, times, settled, capsys):
    before = tree(settled)
    for _ in range(times):
        assert main(["plugin", "install", host]) == 0
    assert tree(settled) != before
    assert main(["plugin", "uninstall", host]) == 0
    assert tree(settled) == before


@pytest.mark.parametrize("host", HOSTS)
def test_all_together_and_out_in_another_order(host, settled, capsys):
    before = tree(settled)
    for one in HOSTS:
        main(["plugin", "install", one])
    for one in (host, *(other for other in HOSTS if other != host)):
        assert main(["plugin", "uninstall", one]) == 0
    assert tree(settled) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_shows_and_writes_nothing(host, settled, capsys):
    before = tree(settled)
    assert main(["plugin", "install", host, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "+" in said
    assert "celestial" in said
    assert tree(settled) == before
    main(["plugin", "install", host])
    installed = tree(settled)
    assert main(["plugin", "uninstall", host, "--dry-run"]) == 0
    assert tree(settled) == installed


def test_other_settings_stay_and_later_changes_too(settled, capsys):
    main(["plugin", "install", "gemini-cli"])
    file = settled / ".gemini" / "settings.json"
    settings = json.loads(file.read_text(encoding="utf-8"))
    assert settings["theme"] == "어둡게"
    assert settings["mcpServers"]["files"] == {"command": "npx"}
    assert settings["mcpServers"]["celestial"]["command"] == sys.executable
    settings["theme"] = "밝게"
    file.write_text(json.dumps(settings), encoding="utf-8")
    main(["plugin", "install", "gemini-cli"])  # again, after the change
    main(["plugin", "uninstall", "gemini-cli"])
    left = json.loads(file.read_text(encoding="utf-8"))
    assert left == {"theme": "밝게", "mcpServers": {"files": {"command": "npx"}}}


def test_codex_keeps_what_it_had(settled, capsys):
    main(["plugin", "install", "codex"])
    config = (settled / ".codex" / "config.toml").read_text()
    if sys.version_info >= (3, 11):
        import tomllib

        read = tomllib.loads(config)
        assert read["mcp_servers"]["files"] == {"command": "npx"}
        assert read["mcp_servers"]["celestial"]["args"][-1] == "mcp"
    hooks = json.loads((settled / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"] == "say done"
    assert len(hooks["Stop"]) == 2
    (settled / ".codex" / "config.toml").write_text(config + "\n[more]\n")
    main(["plugin", "uninstall", "codex"])
    assert "celestial" not in (settled / ".codex" / "config.toml").read_text()
    assert "[more]" in (settled / ".codex" / "config.toml").read_text()


def test_hermes_has_one_section(settled, capsys):
    main(["plugin", "install", "hermes"])
    config = (settled / ".hermes" / "config.yaml").read_text()
    assert config.count("mcp_servers:") == 1
    assert config.index("  celestial:") < config.index("  files:")


@pytest.mark.parametrize("content", [b"{// comment\n}", b"[1]", b'{"mcp": 3}', b"\xff\xfe"])
def test_settings_that_cannot_be_kept_are_not_touched(content, home, capsys):
    file = home / ".openclaw" / "openclaw.json"
    file.parent.mkdir()
    file.write_bytes(content)
    assert main(["plugin", "install", "openclaw"]) != 0
    assert list(tree(home).values()) == [None, content]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")
@pytest.mark.parametrize(
    "content", [b'[mcp_servers.celestial]\ncommand = "celestial"\n', b"mcp_servers = {}\n", b"model = [\n"]
)
def test_a_codex_that_could_not_start_afterwards_is_not_touched(content, home, capsys):
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(content)
    assert main(["plugin", "install", "codex"]) == 2
    assert "mcp_servers.celestial" in capsys.readouterr().err
    assert list(tree(home).values()) == [None, content]


def test_the_list_tells_what_is_installed(home, capsys):
    main(["plugin", "install", "cursor"])
    capsys.readouterr()
    assert main(["plugin", "list", "--json"]) == 0
    rows = {row["host"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == set(HOSTS) == set(hosts.HOSTS)
    assert [name for name, row in rows.items() if row["installed"]] == ["cursor"]
    assert main(["plugin", "uninstall", "codex", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == []


def test_the_claude_code_plugin_runs(home, tmp_path, capsys):
    """Each of its hooks is a command that a shell can run, and none of them fails."""
    database = tmp_path / "my memory.db"
    main(["--db", str(database), "plugin", "install", "claude-code"])
    folder = home / ".claude" / "skills" / "celestial"
    manifest = json.loads((folder / ".claude-plugin" / "plugin.json").read_text())
    assert manifest["name"] == "celestial"
    # What the directory of plugins asks for.
    assert manifest["author"]["name"]
    assert len((folder / "README.md").read_text(encoding="utf-8").split()) >= 40
    assert (
        (folder / "skills" / "celestial-memory" / "SKILL.md").read_text().startswith("---\nname: celestial-memory\n")
    )
    server = json.loads((folder / ".mcp.json").read_text())["mcpServers"]["celestial"]
    assert server["args"][-2:] == ["--db", str(database)]
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"}
    assert "compact" in hooks["SessionStart"][0]["matcher"]

    def fire(event, **fields):
        command = hooks[event][0]["hooks"][0]["command"]
        given = json.dumps({"hook_event_name": event, "session_id": "s", **fields})
        done = subprocess.run(command, shell=True, input=given, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert fire("SessionStart", source="startup") == ""
    fire("UserPromptSubmit", prompt="My name is Minsu and I live in Busan")
    fire("Stop", last_assistant_message="Nice to meet you. I live in Paris.")
    fire("SubagentStop")
    told = fire("SessionStart", source="compact")
    assert "Busan" in told
    assert "Paris" not in told


@pytest.mark.parametrize("version", [(3, 10), sys.version_info])
def test_a_hook_runs_nothing_of_the_project_that_it_is_started_in(version, home, tmp_path, monkeypatch, capsys):
    """Hosts start hooks in the project's folder, and what lies there may be somebody else's."""
    monkeypatch.setattr(sys, "version_info", version)
    main(["--db", str(tmp_path / "m.db"), "plugin", "install", "codex"])
    monkeypatch.undo()
    text = (home / ".codex" / "hooks.json").read_text()
    project = tmp_path / "project"
    (project / "celestial_engine").mkdir(parents=True)
    for name in ("celestial_engine/__init__", "celestial_engine/__main__", "random", "json", "sqlite3"):
        (project / f"{name}.py").write_text("raise SystemExit('a project is not run')")

    def fire(event, **fields):
        command = json.loads(text)["hooks"][event][0]["hooks"][0]["command"]
        given, env = json.dumps(fields), {**os.environ, "HOME": str(home)}
        done = subprocess.run(
            command, shell=True, input=given, capture_output=True, text=True, cwd=project, env=env, check=True
        )
        assert "a project is not run" not in done.stderr
        return done.stdout

    fire("UserPromptSubmit", prompt="My name is Minsu and I live in Busan")
    assert "Busan" in fire("SessionStart")


@pytest.mark.parametrize("version", [(3, 10), sys.version_info])
def test_our_hooks_are_known_among_others_by_any_python(version, settled, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", version)
    file = settled / ".codex" / "hooks.json"
    main(["plugin", "install", "codex"])
    edited = json.loads(file.read_text())
    edited["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say bye"}]})
    file.write_text(json.dumps(edited))
    assert main(["plugin", "uninstall", "codex"]) == 0
    commands = [group["hooks"][0]["command"] for group in json.loads(file.read_text())["hooks"]["Stop"]]
    assert commands == ["say done", "say bye"]


def test_the_hooks_of_cursor_run_where_it_starts_them(home, tmp_path, capsys):
    """Cursor starts a user's hooks in its own folder, and tells them the project's in the event and a variable."""
    main(["plugin", "install", "cursor", "--db", str(tmp_path / "my memory.db")])
    file = home / ".cursor" / "hooks.json"
    settings = json.loads(file.read_text())
    assert settings["version"] == 1, "Cursor takes no file without it"
    projects = {name: tmp_path / name for name in ("alpha", "beta")}
    for name, project in projects.items():
        project.mkdir()
        (project / ".celestial.toml").write_text(f'[project]\nname = "{name}"\n')

    def fire(name, project, **fields):
        (hook,) = settings["hooks"][name]
        given = json.dumps({"hook_event_name": name, "session_id": "s", "cursor_version": "3.1", **fields})
        env = {**os.environ, "CLAUDE_PROJECT_DIR": str(projects[project])}
        done = subprocess.run(
            hook["command"], shell=True, input=given, capture_output=True, text=True, cwd=file.parent, env=env
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["additional_context"] if done.stdout else ""

    assert fire("beforeSubmitPrompt", "alpha", prompt="My name is Minsu and I live in Busan") == ""
    assert fire("afterAgentResponse", "alpha", text="Nice to meet you. I live in Paris.") == ""
    for told in (fire("sessionStart", "alpha"), fire("beforeSubmitPrompt", "alpha", prompt="Where do I live?")):
        assert "Busan" in told
        assert "Paris" not in told
    assert fire("sessionStart", "beta") == ""
    assert fire("beforeSubmitPrompt", "beta", prompt="Where do I live?") == ""


def test_what_a_file_must_begin_with_stays_with_what_was_added_since(home, capsys):
    file = home / ".cursor" / "hooks.json"
    main(["plugin", "install", "cursor"])
    settings = json.loads(file.read_text())
    settings["hooks"]["stop"] = [{"command": "say done"}]
    file.write_text(json.dumps(settings))
    main(["plugin", "uninstall", "cursor"])
    assert json.loads(file.read_text()) == {"version": 1, "hooks": {"stop": [{"command": "say done"}]}}


@pytest.mark.parametrize("field", ["last_assistant_message", "prompt_response", "text"])
def test_what_a_model_said_is_noticed_under_the_name_each_host_gives_it(field, tmp_path, monkeypatch, capsys):
    event = json.dumps({"session_id": "s", field: "I live in Paris."}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(event), encoding="utf-8"))
    observe, turns = CelestialMemory.observe, []
    monkeypatch.setattr(
        CelestialMemory, "observe", lambda memory, turn, **more: turns.append(turn) or observe(memory, turn, **more)
    )
    assert main(["hook", "stop", "--db", str(tmp_path / "m.db")]) == 0
    assert capsys.readouterr() == ("", "")
    assert turns == [{"role": "assistant", "content": "I live in Paris."}]
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert memory.list() == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "# >>> celestial\nmemory:\n  provider: celestial\n# <<< celestial\n"),
        ("model: x", "model: x\n# >>> celestial\nmemory:\n  provider: celestial\n# <<< celestial\n"),
        (
            "memory:\n    on: true\n    provider: honcho  # mine\nother: 1\n",
            "memory:\n    on: true\n    # >>> celestial\n    # was:     provider: honcho  # mine\n"
            "    provider: celestial\n    # <<< celestial\nother: 1\n",
        ),
        (
            "memory:  # notes\n  on: true\n\n  # a remark\n  limit: 3\nprovider: other\n",
            "memory:  # notes\n  # >>> celestial\n  provider: celestial\n  # <<< celestial\n"
            "  on: true\n\n  # a remark\n  limit: 3\nprovider: other\n",
        ),
    ],
)
def test_one_choice_of_a_yaml_section_is_replaced_and_comes_back(before, after):
    made = yaml_choice(before, "memory:", "provider", "celestial")
    assert made == after
    assert without_blocks(made).rstrip("\n") == before.rstrip("\n")


def test_a_hermes_that_had_another_provider_gets_it_back_even_after_an_edit(home, capsys):
    file = home / ".hermes" / "config.yaml"
    file.parent.mkdir()
    file.write_text("memory:\n  provider: honcho\n")
    assert main(["plugin", "install", "hermes"]) == 0
    assert main(["plugin", "install", "hermes"]) == 0
    file.write_text(file.read_text() + "model: y\n")
    assert main(["plugin", "uninstall", "hermes"]) == 0
    assert file.read_text() == "memory:\n  provider: honcho\nmodel: y\n"
    assert not (home / ".hermes" / "plugins").exists()


def test_another_memory_that_was_chosen_since_stays_chosen(home, capsys):
    file = home / ".openclaw" / "openclaw.json"
    assert main(["plugin", "install", "openclaw"]) == 0
    settings = json.loads(file.read_text())
    assert settings["plugins"]["slots"]["memory"] == "celestial"
    settings["plugins"]["slots"]["memory"] = "memory-lancedb"
    file.write_text(json.dumps(settings))
    assert main(["plugin", "uninstall", "openclaw"]) == 0
    assert json.loads(file.read_text()) == {"plugins": {"slots": {"memory": "memory-lancedb"}}}


@pytest.mark.parametrize(("user", "own"), [(None, "true"), ("me", "false")])
def test_people_on_channels_share_a_memory_only_if_it_was_named(user, own, home, capsys):
    assert main(["plugin", "install", "openclaw", *(["--user", user] if user else [])]) == 0
    assert f"EACH_ITS_OWN = {own};" in (home / ".openclaw" / "extensions" / "celestial" / "index.js").read_text()
