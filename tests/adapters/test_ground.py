"""Adapters are loaded by name with their first use, and say which extra they need."""

from __future__ import annotations

import subprocess
import sys

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, adapters
from celestial_engine.adapters.shared.memory_tools import MEMORY_TOOLS, Caller
from celestial_engine.adapters.shared.shapes import check_engine, memory_json
from celestial_engine.errors import ExtraMissingError, InvalidInputError

ROOT = Path(__file__).parents[2]


class Hidden:
    """Makes packages look as if nobody had installed them."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.split(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


FRAMEWORKS = ("agent_framework", "agents", "anthropic", "google", "langchain", "langchain_core", "langgraph",
              "llama_index", "openai", "pydantic_ai")  # fmt: skip
PLAIN = {"AnthropicAdapter", "OpenAIAdapter"}  # tools as dicts: their frameworks need not be here


@pytest.fixture
def _no_frameworks(monkeypatch):
    for loaded in list(sys.modules):
        if loaded.split(".")[0] in FRAMEWORKS or loaded.startswith("celestial_engine.adapters."):
            monkeypatch.delitem(sys.modules, loaded)
    for name in adapters.EXPORTS:
        monkeypatch.delitem(vars(adapters), name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Hidden(*FRAMEWORKS), *sys.meta_path])


@pytest.mark.usefixtures("_no_frameworks")
@pytest.mark.parametrize("name", sorted(PLAIN))
def test_plain_adapters_need_no_framework(name):
    assert getattr(adapters, name).__name__ == name


@pytest.mark.usefixtures("_no_frameworks")
@pytest.mark.parametrize("name", sorted(set(adapters.EXPORTS) - PLAIN))
def test_a_missing_framework_names_its_extra(name):
    extra = adapters.EXPORTS[name][1]
    with pytest.raises(ExtraMissingError, match=rf'{name} needs .* pip install .*\[{extra}\]"\.$') as told:
        getattr(adapters, name)
    assert isinstance(told.value, ImportError)


def test_every_extra_is_declared():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert {extra for _, extra in adapters.EXPORTS.values()} <= set(declared)


def test_every_adapter_is_listed_and_documented():
    text = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    for name, (_, extra) in adapters.EXPORTS.items():
        assert name in dir(adapters)
        assert f"`{name}`" in text, f"{name} stands in no table of docs/adapters.md"
        assert f"| `{extra}`" in text


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Nobody"):
        _ = adapters.Nobody


def test_looking_at_the_package_loads_no_framework():
    code = "import celestial_engine.adapters, sys; print(sorted(name for name in sys.modules if 'lang' in name))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "langchain" not in out
    assert "langgraph" not in out


def test_only_an_open_memory_will_do(memory):
    assert check_engine(memory) is memory
    with pytest.raises(InvalidInputError, match="memory must be a CelestialMemory"):
        check_engine("memory.db")


def test_a_memory_is_a_small_json_object(memory):
    item = memory.store("Mina likes tea", 0.7, {"from": "chat"}, tags=["drinks"])
    told = memory_json(memory.orbits.zones(), item)
    assert told["id"] == item.id
    assert told["content"] == "Mina likes tea"
    assert told["zone"] in {zone.name for zone in memory.orbits.zones()}
    assert (told["importance"], told["tags"], told["metadata"]) == (0.7, ["drinks"], {"from": "chat"})


@pytest.mark.parametrize("tool", MEMORY_TOOLS, ids=lambda tool: tool.name)
def test_a_model_is_not_told_where_the_memory_lies(tmp_path, tool):
    """A closed memory is an answer, not an exception, and names no file."""
    memory = CelestialMemory(tmp_path / "private.db", rebalance_interval=None)
    memory.close()
    told = tool.answer(memory, dict.fromkeys(tool.parameters["required"], "tea"), Caller())
    assert told["code"] == "closed"
    assert "private" not in str(told)


def test_a_model_cannot_drown_a_memory_in_tags(memory):
    told = MEMORY_TOOLS[1].answer(memory, {"content": "tea", "tags": [f"t{n}" for n in range(10_001)]}, Caller())
    assert told["code"] == "invalid_input"
    assert memory.store("tea", tags=["tea", "tea"]).tags == ("tea",)


@pytest.mark.parametrize(
    "call",
    [
        {"type": "function_call", "name": "celestial_store", "arguments": '{"content": "tea"}'},
        {"type": "function", "function": {"name": "celestial_store", "arguments": '{"content": "tea"}'}},
    ],
    ids=["responses", "chat"],
)
def test_a_call_whose_answer_has_nowhere_to_go_does_nothing(memory, call):
    """It says that nothing was changed, and nothing was."""
    with pytest.raises(InvalidInputError, match="Nothing was changed"):
        adapters.OpenAIAdapter(memory).handle_tool_call(call)
    with pytest.raises(InvalidInputError, match="Nothing was changed"):
        adapters.AnthropicAdapter(memory).handle({"name": "celestial_store", "input": {"content": "tea"}})
    assert memory.stats()["total"] == 0
