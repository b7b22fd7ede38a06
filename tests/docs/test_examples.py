"""Every Python example of the documentation runs, and prints what the page says.

The blocks of a page run in order, in one namespace, in an empty folder, without an embedder: as after `pip install .`.
A comment behind a print is what it prints, up to a colon; a ```text block after an example is all that it prints.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "docs/coming-from", "docs/ko")
PAGES = [
    ROOT / "README.md",
    ROOT / "README.ko.md",
    *(page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md"))),
]
BLOCK = re.compile(r"^```python([^\n]*)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
PROMISE = re.compile(r"^(?!\s*#).*\bprint\(.*\)  # (.*)$", re.MULTILINE)
# Blocks that cannot run here, by page. Their first line says so: "```python no-run: why".
NOT_RUN = {"adapters.md": 13, "rest.md": 1, "stellar-memory.md": 1}


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The mark behind ```python, the code, and the output that is shown for it."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.fixture
def _modules_as_before():
    """An example may put modules in place of others."""
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        if name.startswith("stellar_memory"):
            del sys.modules[name]


@pytest.mark.usefixtures("_modules_as_before")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_examples_run_as_printed(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space: dict = {"__name__": "__main__"}
    opened = []
    for mark, code, shown in blocks(page):
        if mark:
            continue
        exec(compile(code, page.name, "exec"), space)
        opened.append(space.get("memory"))
        printed = capsys.readouterr().out
        if shown:
            assert printed == shown
        elif promised := PROMISE.findall(code):
            assert len(promised) == len(printed.splitlines())
            for said, line in zip(promised, printed.splitlines(), strict=True):
                assert said == line or said.startswith(f"{line}: ")
    for memory in opened:
        if hasattr(memory, "close"):
            memory.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_does_not_run_says_why(page):
    marks = [mark for mark, _, _ in blocks(page) if mark]
    assert len(marks) == NOT_RUN.get(page.name, 0)
    assert all(re.fullmatch(r" no-run: \S.{10,}", mark) for mark in marks)


def test_the_chatbot_of_the_readme_is_the_example():
    example = (ROOT / "examples" / "chatbot.py").read_text(encoding="utf-8")
    (code,) = [code for _, code, _ in blocks(ROOT / "README.md") if "ask_model" in code]
    assert example.endswith(code)


def test_the_chatbot_remembers(tmp_path, monkeypatch, capsys):
    import runpy

    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "chatbot.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1].endswith('I remember: "I\'m allergic to peanuts."')
