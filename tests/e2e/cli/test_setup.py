"""Settings, completions and hooks, as a person, a shell and a host use them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli.commands.completion import commands_of
from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts

toml = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")


@pytest.fixture(autouse=True)
def _own_settings(plain_english, monkeypatch, tmp_path):
    monkeypatch.setenv("CELESTIAL_CONFIG", str(tmp_path / "celestial.toml"))


@pytest.fixture
def file(tmp_path):
    """The settings file, which is there."""
    path = tmp_path / "celestial.toml"
    path.write_text("", encoding="utf-8")
    return path


# -- config -------------------------------------------------------------------------------------------


@toml
def test_config_show_tells_the_source_of_each_value(cli, file, monkeypatch, tmp_path):
    file.write_text('[owner]\nagent = "cook"\n[model]\nkey = "sk-very-secret"\n', encoding="utf-8")
    monkeypatch.setenv("CELESTIAL_EMBEDDER_KEY", "another-secret")
    shown = cli("config", "show", "--user", "mina", "--json")
    settings = {one["key"]: (one["value"], one["source"], one["by"]) for one in json.loads(shown.out)["settings"]}
    assert settings["owner.user"] == ("mina", "option", "--user")
    assert settings["owner.agent"] == ("cook", "file", None)
    assert settings["storage.path"] == (str(tmp_path / "m.db"), "environment", "CELESTIAL_DB")
    assert settings["sleep.nightly"] == ("daily", "default", None)
    assert settings["model.key"] == ("***", "file", None)
    for said in (shown.out, cli("config", "show").out):
        assert "secret" not in said
    assert not (tmp_path / "m.db").exists()  # nothing was opened


@toml
def test_config_show_speaks_korean(cli, file):
    file.write_text('[interface]\nlanguage = "ko"\n', encoding="utf-8")
    shown = cli("config", "show")
    assert "기본값" in shown.out
    assert "설정 파일:" in shown.out


def test_config_path(cli, tmp_path, monkeypatch):
    assert cli("config", "path").out.strip() == str(tmp_path / "celestial.toml")
    monkeypatch.setenv("CELESTIAL_CONFIG", "none")
    assert cli("config", "path").code == 4


@toml
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "there is no setting storage.pth"),
        ("ko", "storage.pth 설정은 없습니다. storage에는 path"),
    ],
)
def test_mistakes_in_the_file_are_told_in_both_languages(cli, file, monkeypatch, language, said):
    file.write_text("[storage]\npth = 1\n[sleep]\nnightly = 5\n", encoding="utf-8")
    monkeypatch.setenv("CELESTIAL_LANG", language)
    failed = cli("stats")
    assert failed.code == 2
    assert said in failed.err
    assert ("`sleep.nightly` 값은 daily, off 가운데" in failed.err) is (language == "ko")
    assert cli("config", "show").code == 2
    assert cli("config", "path").code == 0


def test_a_foreign_variable_is_noticed(cli, file, monkeypatch, tmp_path):
    monkeypatch.delenv("CELESTIAL_DB")
    monkeypatch.setenv("AIMEMORY_DB_PATH", str(tmp_path / "old"))
    monkeypatch.setenv("AIMEMORY_GRAPH_RAG", "1")
    stored = cli("store", "Mina likes tea")
    assert stored.code == 0
    assert "AIMEMORY_DB_PATH is read as CELESTIAL_DB" in stored.err
    assert "AIMEMORY_GRAPH_RAG has no meaning here" in stored.err
    assert (tmp_path / "old" / "celestial.db").exists()
    assert "쓰이지 않습니다: 기억은 언제나" in cli("stats", "--lang", "ko").err


# -- completion ---------------------------------------------------------------------------------------


def completed(script: str, *words: str) -> list[str]:
    """What a real bash offers after these words."""
    line = " ".join(f"'{word}'" for word in ("celestial", *words))
    ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _celestial; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{ask}"], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_options_and_their_values(cli, file):
    script = cli("completion", "bash").out
    assert completed(script, "rec") == ["recall"]
    assert "--importance" in completed(script, "store", "x", "--")
    assert completed(script, "--db", "some.db", "comp") == ["compose", "completion"]
    assert completed(script, "store", "x", "--tier", "M3") == ["M30", "M365"]
    assert completed(script, "recall", "--lang", "") == ["en", "ko"]
    assert completed(script, "ledger", "ver") == ["verify"]
    assert completed(script, "store", "x", "--importance", "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_completions_know_every_command_and_option(cli, file, shell, language):
    script = cli("completion", shell, "--lang", language).out
    for command in commands_of(build_parser(Texts(language))):
        assert command.name in script
        for option in command.options:
            name = option.names[-1]
            assert (f"-l {name[2:]} " if shell == "fish" else name) in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, done.stderr) == (0, "")


# -- hook ---------------------------------------------------------------------------------------------


@pytest.fixture
def remembering(tmp_path, file):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        memory.store("Mina is allergic to peanuts", importance=0.9)
        memory.maintenance.rebalance_if_due()  # not one of the things that a command has to do first


def event(prompt: object, **more: object) -> bytes:
    return json.dumps({"prompt": prompt, **more}).encode()


def test_a_hook_adds_what_helps_and_observes_the_turn(cli, remembering, tmp_path):
    asked = event("Is Mina allergic to peanuts?", session_id="s1", hook_event_name="UserPromptSubmit", cwd="/x")
    answer = cli("hook", "user-prompt", stdin=asked)
    assert (answer.code, answer.err) == (0, "")
    assert "Mina is allergic to peanuts" in answer.out
    told = cli("hook", "user-prompt", stdin=event("Please remember: my sister Juno lives in Busan", session_id="s1"))
    assert (told.code, told.out) == (0, "")
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        (kept,) = memory.search("Juno Busan", 1)
        assert kept.time.session_id == "s1"


def test_a_hook_tells_the_model_what_was_forgotten(cli, remembering):
    """The process of the turn before is gone: what was just said is known by the session."""
    cli("hook", "user-prompt", stdin=event("My salary is 50,000 dollars a year", session_id="s1"))
    other = cli("hook", "user-prompt", stdin=event("please forget what I just said", session_id="s2"))
    assert "it is not clear what is meant" in other.out
    answer = cli("hook", "user-prompt", stdin=event("please forget what I just said", session_id="s1"))
    assert (answer.code, answer.err) == (0, "")
    assert "Memories forgotten: 1." in answer.out
    assert "salary" not in answer.out


def test_a_hook_answers_in_json_where_asked(cli, remembering):
    answer = cli("hook", "user-prompt", "--json", stdin=event("Is Mina allergic to peanuts?"))
    added = json.loads(answer.out)["hookSpecificOutput"]
    assert added["hookEventName"] == "UserPromptSubmit"
    assert "peanuts" in added["additionalContext"]


@pytest.mark.parametrize(
    "stdin", [b"", b"no json", b"[1]", b"\xff\xfe", b'{"prompt": 3}', b'{"prompt": "  "}', b"[" * 100_000]
)
def test_a_strange_event_adds_nothing_and_fails_nothing(cli, remembering, stdin):
    answer = cli("hook", "user-prompt", stdin=stdin)
    assert (answer.code, answer.out) == (0, "")
    assert "no JSON event" in answer.err


@pytest.mark.parametrize(
    "argv",
    [("hook",), ("hook", "user-promt"), ("--db", "x", "hook", "--no"), ("hook", "user-prompt", "--budget", "x")],
)
def test_a_mistyped_hook_never_stops_the_host(cli, remembering, argv):
    answer = cli(*argv, stdin=event("Is Mina allergic to peanuts?"))
    assert (answer.code, answer.out) == (0, "")
    assert answer.err


def test_a_damaged_database_never_stops_the_host(cli, file, tmp_path):
    (tmp_path / "m.db").write_bytes(b"not a database" * 100)
    answer = cli("hook", "user-prompt", stdin=event("Is Mina allergic to peanuts?"))
    assert (answer.code, answer.out) == (0, "")
    assert "error:" in answer.err


# -- the start ----------------------------------------------------------------------------------------

NOT_FOR_A_RECALL = (
    "core.night.sleep", "core.night.distillation", "core.learning.learned_policy", "core.learning.bandit",
    "core.learning.rewards", "core.turn.policy",
    "core.imagination.rules", "core.imagination.ideas", "core.self.islands", "core.self.beliefs", "core.self.reflection",
    "core.personas", "personas", "engine.personas", "core.sameness.compare", "core.keeping.retention", "core.keeping.archive", "core.retrieval.composition",
    "core.emotion.feel", "core.text.triples_ko", "engine.schedule.duties", "engine.schedule.night", "flow.night.promote",
    "flow.night.consolidate", "flow.self.approve", "flow.turn.feedback", "flow.turn.evaluate", "lang.ko.sameness",
    "lang.ko.self", "lang.ko.rewards", "lang.ko.emotion", "surfaces.cli.views.sleep", "surfaces.cli.views.self_",
    "surfaces.wire", "surfaces.operations.catalogue", "surfaces.operations.context", "surfaces.operations.saving",
    "surfaces.operations.reading", "surfaces.operations.self_", "surfaces.operations.sleep", "surfaces.operations.turns",
)  # fmt: skip


def test_a_recall_loads_only_what_it_needs(remembering, monkeypatch):
    """A command line must answer at once: what other operations need stays on the disk."""
    monkeypatch.setenv("CELESTIAL_CONFIG", "none")
    code = (
        "import sys; from celestial_engine.surfaces.cli import main; main(['recall', 'peanuts']);print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    table, loaded = done.stdout.rsplit("\n", 2)[0], done.stdout.splitlines()[-1].split()
    assert "Mina is allergic to peanuts" in table
    assert [name for name in NOT_FOR_A_RECALL if f"celestial_engine.{name}" in loaded] == []
    assert len([name for name in loaded if name.startswith("celestial_engine")]) < 277
    for outside in ("pydantic", "numpy", "mcp", "fastapi", "tomllib", "asyncio", "statistics"):
        assert outside not in loaded


def test_one_command_is_parsed_as_the_whole_line_would(file):
    whole, one = build_parser(Texts("en")), build_parser(Texts("en"), "recall")
    line = ["recall", "peanuts", "--limit", "3", "--json"]
    assert whole.parse_args(line) == one.parse_args(line)
    assert build_parser(Texts("en"), "recal").format_help() == whole.format_help()


def test_what_hooks_said_before_a_prompt_is_not_the_users_word(cli, remembering, tmp_path):
    told = "&lt;profile&gt; People: Juno lives in Seoul. &lt;/profile&gt;"
    cli("hook", "user-prompt", stdin=event(f"<hook_context>{told}</hook_context>\n\nMy sister Juno lives in Busan."))
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        kept = [item.content for item in memory.list()]
    assert kept == ["My sister Juno lives in Busan.", "Mina is allergic to peanuts"]
