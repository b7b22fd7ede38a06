"""Commands in the documentation: every one is understood, and those that move memories do what their page says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.test_examples import PAGES, ROOT

from celestial_engine.surfaces.cli import main
from celestial_engine.surfaces.cli.failures import UsageError
from celestial_engine.surfaces.cli.index import COMMANDS
from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts

SHELL_BLOCK = re.compile(r"^```(?:console|sh|bash)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Behind a prompt, variables and a path: `# sudo -u celestial CELESTIAL_DB=... /opt/celestial/bin/celestial token ...`
LINE = re.compile(r"^(?:[$#] )?(?:sudo -u \S+ )?(?:[A-Z_]+=\S+ )*(?:\S*/)?celestial (?!has everything)(.+)$")
INLINE = re.compile(r"`celestial ([^`\n]+)`")
# A sentence may leave out what stands behind a command, and name it in capitals, by dots or as a choice.
ABBREVIATED = re.compile(r"required|expected one argument|'[^'a-z]*'|\[|\||\.\.\.")


def words_of(command: str) -> list[str]:
    """The words of a command up to where another program or a file takes its output."""
    kept: list[str] = []
    for word in shlex.split(command, comments=True):
        if re.match(r"^(\d?[<>]|\|+$|&+$|;$)", word):
            break
        kept.append(word)
    return kept


def commands_of(page: Path) -> Iterator[tuple[str, bool]]:
    """Every command of a page, and whether it is a line to be pasted."""
    text = page.read_text(encoding="utf-8")
    for block in SHELL_BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if found := LINE.match(line):
                yield found[1], True
    for command in INLINE.findall(text):
        yield command, False


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(commands_of(page))], ids=lambda page: str(page.relative_to(ROOT))
)
def test_every_command_of_a_page_is_understood(page):
    wrong = []
    for command, pasted in commands_of(page):
        words = words_of(command)
        name = next((word for word in words if word in COMMANDS), None)
        try:
            build_parser(Texts("en"), name).parse_args(words)
        except UsageError as error:
            if pasted or not ABBREVIATED.search(str(error)):
                wrong.append(f"celestial {command}: {error}")
        except SystemExit as ended:  # --version and --help
            if ended.code:
                wrong.append(f"celestial {command}: ended with {ended.code}")
    assert not wrong


def test_what_is_not_understood_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ celestial recall --colour red x\n```\nSee `celestial remember it`.\n")
    assert [*commands_of(page)] == [("recall --colour red x", True), ("remember it", False)]
    for command, _ in commands_of(page):
        with pytest.raises(UsageError) as raised:
            build_parser(Texts("en")).parse_args(words_of(command))
        assert not ABBREVIATED.search(str(raised.value).partition("(choose")[0])


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, and nothing set but where the memory is."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("CELESTIAL_CONFIG", "none")
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(page: str, command: str, status: int = 0) -> None:
    """Run a command that a page shows, as it is printed there."""
    assert f"celestial {command}" in (ROOT / "docs" / page).read_text(encoding="utf-8")
    words = [word.replace("~", str(Path.home()), 1) if word[:1] == "~" else word for word in words_of(command)]
    assert main(words) == status


def test_taking_memories_along_as_the_page_says(home, capsys):
    assert main(["store", "Mina lives in Busan"]) == 0
    run("interchange.md", "export --format bundle --output mina.celestial")
    run("interchange.md", "export --format markdown --output ~/vault/memories")
    run("interchange.md", "export --format mem0 --output mem0.json")
    for path in ("mina.celestial", "vault/memories", "mem0.json"):
        capsys.readouterr()
        assert main(["import", path, "--dry-run", "--db", "other.db", "--json"]) == 0
        assert '"added": 1' in capsys.readouterr().out


def test_two_devices_meet_as_the_page_says(home, monkeypatch, capsys):
    pytest.importorskip("cryptography")
    monkeypatch.setenv("CELESTIAL_SYNC_PASSPHRASE", "four words nobody else knows")
    (home / "Syncthing").mkdir()  # that program's own
    assert main(["store", "Mina lives in Busan"]) == 0
    run("sync.md", "sync ~/Syncthing/memory")
    assert "Memories sent: 1" in capsys.readouterr().out
    monkeypatch.setenv("CELESTIAL_DB", str(home / "desktop.db"))
    run("sync.md", "sync ~/Syncthing/memory")
    assert "stored: 1" in capsys.readouterr().out
    run("sync.md", "sync status")


def test_an_upgrade_as_the_page_says(home, capsys):
    assert main(["store", "Mina lives in Busan"]) == 0
    run("upgrade.md", "backup")
    run("upgrade.md", "doctor")
    (backup,) = home.glob("memory-*.db")
    assert main(["backup", "restore", str(backup), "--force"]) == 0
    assert main(["list", "--json"]) == 0
    assert "Mina lives in Busan" in capsys.readouterr().out
