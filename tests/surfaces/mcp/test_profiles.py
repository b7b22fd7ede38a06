"""What a client lists by default, what it costs, and how models are told what to do next."""

from __future__ import annotations

import json
import re

import anyio
import pytest
from mcp import Client

from celestial_engine import CelestialMemory
from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors.messages import LANGUAGES, catalogue
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.hints import advice_for_models
from celestial_engine.surfaces.mcp.profiles import ESSENTIAL, Profile
from celestial_engine.surfaces.mcp.server import build_server
from celestial_engine.surfaces.mcp.texts import speaking
from celestial_engine.surfaces.mcp.texts_en import TEXTS
from celestial_engine.surfaces.mcp.tools import TOOLS, tools_for
from celestial_engine.surfaces.request_fields import fields_of

THE_SIX = ["auto_search", "memory_delete", "memory_list", "memory_save", "memory_search", "memory_update"]
BUDGET = 1_800


def talk(prepared, run, **more):
    """Run the function with a client of a server with the default profile."""

    async def connect():
        with CelestialMemory(prepared.path, rebalance_interval=None) as memory:
            server = build_server(lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), **more)
            async with Client(server) as client:
                return await run(client)

    return anyio.run(connect)


async def answer(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    return json.loads(result.content[0].text)


def test_six_tools_within_the_budget(prepared):
    """The whole answer to tools/list counts, with annotations and the envelope."""

    async def run(client):
        listed = await client.list_tools()
        assert sorted(offer.name for offer in listed.tools) == THE_SIX
        text = listed.model_dump_json(by_alias=True, exclude_none=True)
        assert count_tokens(text) <= BUDGET
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["recall"]

    talk(prepared, run)


def test_the_full_profile_lists_everything():
    assert {offer.name for offer in tools_for(EVERYTHING, Profile.FULL)} == TOOLS.keys()
    reading = tools_for(frozenset({Scope.READ}), Profile.ESSENTIAL)
    assert {offer.name for offer in reading} == {"auto_search", "memory_search", "memory_list"}


def test_every_field_of_the_essential_profile_exists():
    for name, shown in ESSENTIAL.items():
        fields = {field.path.partition(".")[0] for field in fields_of(TOOLS[name].request)}
        assert set(shown) <= fields


def test_what_is_not_listed_still_works(prepared):
    async def run(client):
        assert (await answer(client, "memory_stats"))["total"] > 0
        assert await answer(client, "memory_save", content="Tea at four", category="preference")

    talk(prepared, run)


def test_lists_may_be_cached_by_whoever_asked(prepared):
    async def run(client):
        for listed in (await client.list_tools(), await client.list_prompts(), await client.list_resources()):
            assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "private")

    talk(prepared, run)


def test_the_first_characters_of_an_id_are_enough(prepared):
    short = {name: item_id[:8] for name, item_id in prepared.ids.items()}

    async def run(client):
        updated = await answer(client, "memory_update", id=short["food"], content="Mochi the cat likes salmon")
        assert updated["id"] == prepared.ids["food"]
        assert (await answer(client, "memory_get_related", id=short["cat"]))["related"]
        assert (await answer(client, "memory_restore", ids=[short["gone"]]))["memories"][0]["id"] == prepared.ids[
            "gone"
        ]
        assert (await answer(client, "memory_delete", id=short["doomed"]))["id"] == prepared.ids["doomed"]
        one = await client.read_resource(f"memory://item/{short['cat']}")
        assert json.loads(one.contents[0].text)["id"] == prepared.ids["cat"]
        assert (await answer(client, "memory_get", id="zzzzzzzz"))["error"] == "not_found"

    talk(prepared, run)


def test_saving_the_same_twice_is_told(prepared):
    async def run(client):
        first = await answer(client, "memory_save", content="The user plays the cello")
        assert "notice" not in first
        again = await answer(client, "memory_save", content="the user plays  the cello.")
        assert first["id"] in again["notice"]
        other = await answer(client, "memory_save", content="The user plays the piano")
        assert "notice" not in other

    talk(prepared, run)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", Profile)
def test_advice_names_tools_and_never_commands(language, profile):
    for what, advice in catalogue(language).errors.values():
        told = advice_for_models(f"{what} {advice}", profile)
        assert "`celestial" not in told
        assert told.startswith(what.split("`", maxsplit=1)[0].rstrip())
        named = set(re.findall(r"`([a-z_]+)`", told)) & TOOLS.keys()
        assert all(profile.lists(name) for name in named)
    say = speaking(language)
    assert not any("celestial " in say(key) for key in TEXTS)


def test_the_advice_of_a_missing_memory():
    missing = "There is no memory 'x'. `celestial list` shows what there is; `celestial cliff` what was forgotten."
    assert advice_for_models(missing, Profile.FULL) == (
        "There is no memory 'x'. `memory_list` shows what there is; `cliff_list` what was forgotten."
    )
    assert advice_for_models(missing, Profile.ESSENTIAL) == (
        "There is no memory 'x'. `memory_list` shows what there is."
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "install", ['pip install -e "/home/mina/my. clone[x]"', 'pip install "a<2; python_version < \'3.14\'" "b>=1"']
)
def test_a_model_is_not_told_to_install_anything(language, install):
    """It cannot, and the shell that it may have is another machine's."""
    known = catalogue(language)
    for code, text in [*((code, " ".join(pair)) for code, pair in known.errors.items()), *known.reasons.items()]:
        if "{install}" not in text:
            continue
        told = advice_for_models(f"It failed: {text}.".replace("{install}", install), Profile.FULL)
        assert "pip" not in told, code
        assert "python_version" not in told, code
        assert told.startswith("It failed: "), code
        assert told.endswith("."), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_advised_has_no_options_of_a_command(language):
    for what, advice in catalogue(language).errors.values():
        told = advice_for_models(f"{what} {advice}", Profile.FULL)
        assert not re.search(r"(?<!\S)--[a-z]", told.removeprefix(what)), told


def test_reindex_without_an_embedder_says_what_is_missing_and_no_more(tmp_path):
    from celestial_engine import CelestialMemory
    from celestial_engine.errors import EmbeddingError

    with CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as memory:
        memory.store("The user plays the cello")
        with pytest.raises(EmbeddingError) as raised:
            memory.maintenance.reindex()
    for language, named in (("en", "no embedder"), ("ko", "임베더가 없습니다")):
        told = advice_for_models(raised.value.message(language), Profile.FULL)
        assert named in told
        assert "pip" not in told
