"""Claude's memory tool on memories says and does, word for word, what the SDK's own tool says and does on a disk."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from celestial_engine import CelestialMemory
from celestial_engine.adapters import AsyncCelestialMemoryTool, CelestialMemoryTool

NAMES = ("a.txt", "b.md", "notes", ".hidden", "메모", "A.TXT", "é")
STEPS = (*NAMES, *NAMES, "..", ".", "")
PATHS = st.one_of(
    st.lists(st.sampled_from(NAMES), max_size=4).map(lambda names: "/".join(["/memories", *names])),
    st.lists(st.sampled_from(STEPS), max_size=5).map(lambda steps: "/".join(["/memories", *steps])),
    st.sampled_from(
        (
            "/memories",
            "/memories/",
            "/memoriesx",
            "/etc/passwd",
            "memories/a.txt",
            "",
            "/memories/../..",
            "/memories/../memories/a.txt",
            "/memories/../../memories/a.txt",
            "/memories/%2e%2e/a.txt",
            "/memories/..\\a.txt",
        )
    ),
)
TEXTS = st.one_of(
    st.sampled_from(
        ("", " ", "\n", "one\ntwo\nthree\n", "aa", "aaa\naaa", "차를 좋아한다\r\n커피는 아니다", "x" * 1536)
    ),
    st.lists(st.sampled_from(("a", "b", "\n", "\r", " ", "나")), max_size=12).map("".join),
)
PARTS = st.one_of(st.sampled_from(("", "a", "aa", "\n", "two", "차")), TEXTS)
LINES = st.integers(-2, 8)


def command(name: str, **given: object) -> SimpleNamespace:
    return SimpleNamespace(command=name, **given)


def said(tool, asked: SimpleNamespace) -> str:
    """What the tool says; a refusal in the words of its own, any other failure as such."""
    try:
        return tool.execute(asked)
    except ToolError as error:
        return f"refused: {error}"
    except OSError:
        return "failed"


def sizeless(text: str) -> str:
    """A listing without the sizes of folders, which every disk measures in its own way."""
    header, _, listing = text.partition("\n")
    if not header.startswith("Here're the files"):
        return text
    first, *lines = listing.split("\n")
    return "\n".join([header, first.split("\t", 1)[1], *(re.sub(r"^[^\t]+(?=\t.*/$)", "", line) for line in lines)])


class FilesMachine(RuleBasedStateMachine):
    """Both tools get the same commands."""

    @initialize(texts=st.lists(TEXTS, min_size=3, max_size=3))
    def start(self, texts):
        self.folder = Path(tempfile.mkdtemp())
        self.oracle = BetaLocalFilesystemMemoryTool(str(self.folder))
        self.memory = CelestialMemory(":memory:", rebalance_interval=None)
        self.ours = CelestialMemoryTool(self.memory)
        for path, text in zip(
            ("/memories/a.txt", "/memories/notes/b.md", "/memories/notes/메모/é"), texts, strict=True
        ):
            self.both("create", path=path, file_text=text)

    def teardown(self):
        if hasattr(self, "memory"):
            self.memory.close()
            shutil.rmtree(self.folder)

    def both(self, name: str, **given: object) -> None:
        asked = command(name, **given)
        before = set(self.folder.rglob("*"))
        theirs, ours = said(self.oracle, asked), said(self.ours, asked)
        if theirs.startswith(("refused", "failed")):  # a refusal of theirs may leave new folders behind
            for made in sorted(set(self.folder.rglob("*")) - before, reverse=True):
                made.rmdir()
        if theirs == "failed":  # they let an error of the disk through; a model gets a reason from us
            assert ours.startswith("refused: ")
        else:
            assert sizeless(ours) == sizeless(theirs)

    def there(self, files_only: bool = False) -> list[str]:
        root = self.oracle.memory_root
        found = (one for one in root.rglob("*") if one.is_file() or not files_only)
        return sorted("/".join(["/memories", *one.relative_to(root).parts]) for one in found)

    def free(self, data) -> str:
        """A place where something new may go, sometimes through a file, or anything else."""
        near = [f"{path}/{name}" for path in ("/memories", *self.there()) for name in ("a.txt", "notes", "x/y")]
        return data.draw(st.sampled_from(near) if data.draw(st.integers(0, 3)) else PATHS)

    def taken(self, data, files_only: bool = False) -> str:
        """Something that is there, or anything else."""
        there = self.there(files_only)
        return data.draw(st.sampled_from(there) if there and data.draw(st.integers(0, 4)) else PATHS)

    @rule(data=st.data(), text=TEXTS)
    def create(self, data, text):
        self.both("create", path=self.free(data), file_text=text)

    @rule(data=st.data(), lines=st.none() | st.tuples(LINES, LINES).map(list))
    def view(self, data, lines):
        self.both("view", path=self.taken(data), view_range=lines)

    @rule(data=st.data(), new=PARTS)
    def str_replace(self, data, new):
        path = self.taken(data, files_only=True)
        file = self.oracle.memory_root / path.removeprefix("/memories/")
        text = file.read_bytes().decode() if path in self.there(files_only=True) else ""
        start = data.draw(st.integers(0, len(text)))
        old = text[start : start + data.draw(st.integers(0, 5))] if data.draw(st.integers(0, 3)) else data.draw(PARTS)
        self.both("str_replace", path=path, old_str=old, new_str=new)

    @rule(data=st.data(), line=LINES, text=PARTS)
    def insert(self, data, line, text):
        self.both("insert", path=self.taken(data, files_only=True), insert_line=line, insert_text=text)

    @rule(data=st.data())
    def delete(self, data):
        self.both("delete", path=self.taken(data))

    @rule(data=st.data())
    def rename(self, data):
        self.both("rename", old_path=self.taken(data), new_path=self.free(data))

    @precondition(lambda self: len(self.there()) > 8)  # seldom, or there is never much to do
    @rule()
    def clear(self):
        assert self.ours.clear_all_memory() == self.oracle.clear_all_memory()

    @invariant()
    def the_same_files_are_there(self):
        if not hasattr(self, "ours"):
            return
        root = self.oracle.memory_root
        for path in (root, *(one for one in root.rglob("*") if one.is_dir())):
            shown = "/".join(["/memories", *path.relative_to(root).parts])
            asked = command("view", path=shown, view_range=None)
            assert sizeless(said(self.ours, asked)) == sizeless(said(self.oracle, asked))
        for path in (one for one in root.rglob("*") if one.is_file()):
            shown = "/".join(["/memories", *path.relative_to(root).parts])
            asked = command("view", path=shown, view_range=None)
            assert said(self.ours, asked) == said(self.oracle, asked)


TestFiles = FilesMachine.TestCase
TestFiles.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)

OUTSIDE = (
    "/etc/passwd",
    "../memories/a",
    "/memories/../secret",
    "/memories/../../etc/passwd",
    "/memories/x/../../y",
    "/memories/../memories/../z",
    "/mem",
    "",
)


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("name", ["view", "create", "str_replace", "insert", "delete", "rename"])
def test_nothing_leads_out_of_the_folder(memory, tmp_path, name, path):
    """A path that leaves /memories is refused in the words of the SDK's tool, whatever the command."""
    given = {
        "path": path, "old_path": path, "new_path": path, "file_text": "x", "old_str": "x", "new_str": "y",
        "insert_line": 0, "insert_text": "x", "view_range": None,
    }  # fmt: skip
    asked = command(name, **given)
    ours = said(CelestialMemoryTool(memory), asked)
    assert ours == said(BetaLocalFilesystemMemoryTool(str(tmp_path)), asked)
    assert ours.startswith("refused: Path ")


def test_the_awaited_tool_is_the_same(memory):
    """Its twin for asyncio does the same to the same files."""
    script = (
        command("create", path="/memories/tea.md", file_text="likes tea\n"),
        command("str_replace", path="/memories/tea.md", old_str="tea", new_str="green tea"),
        command("insert", path="/memories/tea.md", insert_line=0, insert_text="# drinks"),
        command("rename", old_path="/memories/tea.md", new_path="/memories/likes/drinks.md"),
        command("view", path="/memories/likes/drinks.md", view_range=None),
        command("view", path="/memories", view_range=None),
        command("delete", path="/memories/likes"),
    )

    async def awaited():
        tool = AsyncCelestialMemoryTool(memory)
        return [await tool.execute(asked) for asked in script]

    told = asyncio.run(awaited())
    with CelestialMemory(":memory:", rebalance_interval=None) as other:
        assert told == [CelestialMemoryTool(other).execute(asked) for asked in script]
    assert told[-3].endswith("     1\t# drinks\n     2\tlikes green tea\n     3\t")


@pytest.mark.parametrize("line", range(1, 10))
def test_an_edit_is_shown_with_the_lines_around_it(memory, tmp_path, line):
    """Two before and two after, numbered, as far as there are any."""
    tools = CelestialMemoryTool(memory), BetaLocalFilesystemMemoryTool(str(tmp_path))
    text = "".join(f"line {number}\n" for number in range(1, 10))
    asked = (
        command("create", path="/memories/a.txt", file_text=text),
        command("str_replace", path="/memories/a.txt", old_str=f"line {line}", new_str="one\ntwo"),
    )
    ours, theirs = ([tool.execute(one) for one in asked] for tool in tools)
    assert ours == theirs
