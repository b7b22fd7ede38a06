"""What a memory adds to files: recall, owners, redaction, the cliff, the ledger; and many writers at once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import anthropic
import pytest
from anthropic.lib.tools import ToolError

from celestial_engine import AsyncCelestialMemory, CelestialMemory
from celestial_engine.adapters import AsyncCelestialMemoryTool, CelestialMemoryTool
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.errors import InvalidInputError

KEY = "sk-ant-api03-" + "aB3_" * 23 + "AA"


def run(tool, name, **given):
    """As the runner does: from the model's JSON."""
    return tool.call({"command": name, **given})


def create(tool, path, text="x\n"):
    return run(tool, "create", path=path, file_text=text)


def refusal(tool, name, **given):
    with pytest.raises(ToolError) as refused:
        run(tool, name, **given)
    return str(refused.value)


@pytest.fixture
def tool(memory):
    return CelestialMemoryTool(memory)


def test_a_file_is_recalled_like_any_memory(memory, tool):
    """What Claude wrote down answers questions; the folders it lies in do not."""
    create(tool, "/memories/people/mina.md", "Mina's cat is called Mochi\n")
    create(tool, "/memories/사람/지수.md", "지수는 녹차를 좋아한다\n")
    assert [hit.metadata["path"] for hit in memory.recall("What is Mina's cat called?", 1)] == [
        "/memories/people/mina.md"
    ]
    assert memory.recall("지수는 뭘 좋아해?", 1)[0].content == "지수는 녹차를 좋아한다\n"
    assert memory.stats()["total"] == 2
    assert all("Folder" not in item.content for item in memory.list())


def test_files_do_not_age(memory, tool, clock):
    """A year and many nights later everything is where it was, twins too."""
    create(tool, "/memories/a.md", "the same\n")
    create(tool, "/memories/b/c.md", "the same\n")
    before = run(tool, "view", path="/memories")
    for _ in range(4):
        clock.advance(days=100)
        memory.rebalance()
        memory.night.sleep_everybody()
    assert run(tool, "view", path="/memories") == before
    assert run(tool, "view", path="/memories/b/c.md").endswith("the same\n     2\t")


def test_owners_have_files_of_their_own(memory, tool):
    other = CelestialMemoryTool(memory, user_id="mallory")
    sibling = CelestialMemoryTool(memory, agent_id="second")
    create(tool, "/memories/a.md", "mine\n")
    for stranger in (other, sibling):
        assert "does not exist" in refusal(stranger, "view", path="/memories/a.md")
        assert create(stranger, "/memories/a.md", "theirs\n").startswith("File created")
    assert run(tool, "view", path="/memories/a.md").endswith("     1\tmine\n     2\t")
    assert [hit.content for hit in memory.recall("mine theirs", 5)] == ["mine\n"]


def test_secrets_are_redacted_and_paths_with_secrets_refused(memory, tool):
    create(tool, "/memories/env", f"key: {KEY}\nport: 80\n")
    shown = run(tool, "view", path="/memories/env")
    assert KEY not in shown
    assert "[redacted: API key]" in shown
    assert "port: 80" in shown
    assert "secret" in refusal(tool, "create", path=f"/memories/{KEY}", file_text="x")
    assert "secret" in refusal(tool, "create", path=f"/memories/{KEY}/a", file_text="x")
    assert "secret" in refusal(tool, "rename", old_path="/memories/env", new_path=f"/memories/{KEY}")
    assert run(tool, "view", path="/memories").split("\n")[2:] == [f"{len(shown_text(shown))}B\t/memories/env"]


def shown_text(shown):
    return "\n".join(line.split("\t", 1)[1] for line in shown.split("\n")[1:])


def test_names_that_sound_like_secrets_are_names(tool):
    for name in ("password", "token", "api_key", "secret.txt"):
        create(tool, f"/memories/{name}/{name}", "x\n")
        assert run(tool, "view", path=f"/memories/{name}/{name}").endswith("\tx\n     2\t")


def test_a_deleted_file_can_be_restored(memory, tool):
    """Deleting is forgetting: over the cliff, and back at its place if somebody wants it."""
    create(tool, "/memories/a.md", "kept\n")
    (item,) = memory.list()
    run(tool, "delete", path="/memories/a.md")
    assert memory.list() == []
    assert [gone.id for gone in memory.departures.cliff()] == [item.id]
    memory.restore(item.id)
    assert run(tool, "view", path="/memories/a.md").endswith("\tkept\n     2\t")


def test_a_memory_forgotten_elsewhere_is_no_file_any_more(memory, tool):
    create(tool, "/memories/a.md", "old\n")
    memory.forget(memory.list()[0].id)
    assert "does not exist" in refusal(tool, "view", path="/memories/a.md")
    assert "a.md" not in run(tool, "view", path="/memories")
    create(tool, "/memories/a.md", "new\n")
    assert run(tool, "view", path="/memories/a.md").endswith("\tnew\n     2\t")


@pytest.mark.usefixtures("calendar_time")
def test_what_is_purged_leaves_no_trace_in_its_folder(memory, tool, clock):
    create(tool, "/memories/a.md")
    create(tool, "/memories/b.md")
    run(tool, "delete", path="/memories/a.md")
    clock.advance(days=8)
    memory.rebalance()
    run(tool, "view", path="/memories")
    (root,) = memory.of(agent_id="default/folders").list()
    assert [entry["name"] for entry in root.metadata["entries"]] == ["b.md"]


def test_the_ledger_tells_a_files_history(memory, tool):
    create(tool, "/memories/a.md", "one\n")
    run(tool, "str_replace", path="/memories/a.md", old_str="one", new_str="two")
    run(tool, "rename", old_path="/memories/a.md", new_path="/memories/b/c.md")
    (item,) = memory.list()
    assert item.metadata["path"] == "/memories/b/c.md"
    assert [event.type.value for event in memory.ledger.history(item.id)] == ["updated", "updated", "stored"]


def test_what_may_not_change_is_told_so(memory, tool):
    """A file that somebody made immutable stays, with its folder."""
    create(tool, "/memories/law/one.md", "one\n")
    kept = memory.store("two", immutable=True)
    (folder,) = [
        one for one in memory.of(agent_id="default/folders").list() if one.metadata["path"] == "/memories/law"
    ]
    entries = [*folder.metadata["entries"], {"name": "two.md", "file": kept.id}]
    memory.of(agent_id="default/folders").update(folder.id, metadata={**folder.metadata, "entries": entries})
    assert kept.protection is Protection.IMMUTABLE
    assert "immutable" in refusal(tool, "insert", path="/memories/law/two.md", insert_line=0, insert_text="x")
    assert "immutable" in refusal(tool, "delete", path="/memories/law")
    assert run(tool, "view", path="/memories/law/two.md").endswith("\ttwo")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"command": None},
        {"command": "format"},
        {"command": ["view"]},
        {"command": "view"},
        {"command": "view", "path": None},
        {"command": "view", "path": 7},
        {"command": "view", "path": "/memories/a.md", "view_range": "all"},
        {"command": "view", "path": "/memories/a.md", "view_range": [1]},
        {"command": "view", "path": "/memories/a.md", "view_range": ["first", "last"]},
        {"command": "create", "path": "/memories/b.md"},
        {"command": "create", "path": "/memories/b.md", "file_text": 5},
        {"command": "create", "path": "/memories/b.md", "file_text": "x" * (1 << 20) + "y"},
        {"command": "create", "path": "/memories/b.md", "file_text": "half \ud800"},
        {"command": "create", "path": "/memories/half \ud800", "file_text": "x"},
        {"command": "create", "path": "/memories/zero\0", "file_text": "x"},
        {"command": "create", "path": f"/memories/{'n' * 256}", "file_text": "x"},
        {"command": "create", "path": "/memories/a.md/b.md", "file_text": "x"},
        {"command": "str_replace", "path": "/memories/a.md", "new_str": "x"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": "first", "insert_text": "x"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": 99, "insert_text": "x"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": None},
        {"command": "rename", "old_path": "/memories/nope", "new_path": "/memories/x/y/z"},
        {"command": "delete", "path": "/memories"},
        "view",
        None,
        ["view"],
    ],
)
def test_a_models_mistake_is_answered_and_changes_nothing(memory, tool, given):
    create(tool, "/memories/a.md", "kept\n")
    before = [item.to_dict() for item in memory.list()]
    with pytest.raises(ToolError) as refused:
        tool.call(given)
    assert str(refused.value)
    assert len(str(refused.value)) < 1000
    assert [item.to_dict() for item in memory.list()] == before
    assert run(tool, "view", path="/memories").count("\n") == 2


def test_writers_in_many_threads_lose_nothing(tmp_path):
    """Two engines on one file, eight threads: every line arrives, and a name is taken once."""
    with (
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as first,
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as second,
    ):
        tools = [CelestialMemoryTool(first), CelestialMemoryTool(second)]
        with ThreadPoolExecutor(8) as threads:
            made = list(
                threads.map(lambda n: attempt(create, tools[n % 2], "/memories/log/a.md", "start\n"), range(8))
            )
            new = list(threads.map(lambda n: attempt(create, tools[n % 2], f"/memories/log/{n}.md"), range(8)))
            lines = [
                threads.submit(
                    run, tools[n % 2], "insert", path="/memories/log/a.md", insert_line=1, insert_text=f"line {n}"
                )
                for n in range(8)
            ]
            assert {line.result() for line in lines} == {"The file /memories/log/a.md has been edited."}
        assert sorted(made) == ["File /memories/log/a.md already exists"] * 7 + [
            "File created successfully at: /memories/log/a.md"
        ]
        assert all(one.startswith("File created") for one in new)
        shown = run(tools[0], "view", path="/memories/log/a.md")
        assert all(f"\tline {n}\n" in shown for n in range(8))
        assert run(tools[1], "view", path="/memories/log").count("\n") == 10
        assert first.stats()["total"] == 9


def attempt(act, *args):
    try:
        return act(*args)
    except ToolError as error:
        return str(error)


def test_files_outlive_the_process(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        create(CelestialMemoryTool(memory), "/memories/a/b.md", "kept\n")
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert run(CelestialMemoryTool(memory), "view", path="/memories/a/b.md").endswith("\tkept\n     2\t")


def test_claude_is_not_told_where_the_memory_lies(tmp_path, caplog):
    """A memory that fails is told to the model without a path; the log has it."""
    memory = CelestialMemory(tmp_path / "private.db", rebalance_interval=None)
    tool = CelestialMemoryTool(memory)
    memory.close()
    told = refusal(tool, "view", path="/memories")
    assert told == "The memory cannot do this now. Go on without it."
    assert "private.db" in caplog.text


def test_only_a_memory_is_a_memory(memory):
    with pytest.raises(InvalidInputError, match="AsyncCelestialMemory"):
        CelestialMemoryTool(AsyncCelestialMemory(":memory:"))
    with pytest.raises(InvalidInputError, match="str"):
        AsyncCelestialMemoryTool("memory.db")


def claude_script(scripted):
    def steps(*uses):
        return [
            scripted.claude_answer(scripted.tool_use("memory", given, f"toolu_{n}")) for n, given in enumerate(uses)
        ]

    return [
        *steps(
            {"command": "view", "path": "/memories"},
            {"command": "create", "path": "/memories/user.md", "file_text": "Likes green tea.\n"},
            {"command": "view", "path": "/memories/../etc/passwd"},
        ),
        scripted.claude_answer(scripted.text_block("Noted.")),
    ]


def check_the_talk(server, told):
    assert told == "Noted."
    results = [request["messages"][-1]["content"][0] for request in server.requests[1:]]
    assert [one.get("is_error", False) for one in results] == [False, False, True]
    assert [one["content"] for one in results][1:] == [
        "File created successfully at: /memories/user.md",
        "Path /memories/../etc/passwd would escape /memories directory",
    ]
    assert server.requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]


def test_the_real_client_runs_it(memory, tool, scripted):
    """tool_runner of the SDK against a server that asks for the tool, as Claude does."""
    with (
        scripted.ScriptedServer(claude_script(scripted)) as server,
        anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client,
    ):
        final = client.beta.messages.tool_runner(
            model="scripted", max_tokens=100, tools=[tool], messages=[{"role": "user", "content": "I like green tea"}]
        ).until_done()
        check_the_talk(server, final.content[0].text)
    assert memory.recall("which tea?", 1)[0].content == "Likes green tea.\n"


def test_the_real_async_client_runs_it(scripted, tmp_path):
    async def talk(server):
        async with (
            anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0) as client,
            AsyncCelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory,
        ):
            runner = client.beta.messages.tool_runner(
                model="scripted",
                max_tokens=100,
                tools=[AsyncCelestialMemoryTool(memory)],
                messages=[{"role": "user", "content": "I like green tea"}],
            )
            final = await runner.until_done()
            return final.content[0].text, await memory.recall("which tea?", 1)

    with scripted.ScriptedServer(claude_script(scripted)) as server:
        told, found = asyncio.run(talk(server))
        check_the_talk(server, told)
    assert found[0].content == "Likes green tea.\n"
