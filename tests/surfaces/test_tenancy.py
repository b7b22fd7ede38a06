"""Two tokens, every operation: nobody ever sees a byte of the other's, by id neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.operations.declaration import Operation
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.testing.fakes import FakeClock, bag_of_words

SECRET = "zanzibar"  # stands in every text of the one, and in nothing that the other asks
ANA, BEN = {"user_id": "ana", "agent_id": "a"}, {"user_id": "ben", "agent_id": "b"}


@dataclass
class World:
    """Ana has memories of every kind; Ben knows all her ids, and has one memory of his own."""

    memory: CelestialMemory
    client: TestClient
    tokens: dict[str, str]
    ids: dict[str, str]
    event: int
    turn_id: str
    token: str
    proposal: str
    approval: str

    def call(self, who: str, operation: Operation[Any, Any], arguments: dict[str, Any]) -> Any:
        route, given = operation.route, dict(arguments)
        path = re.sub(r"{(\w+)}", lambda found: str(given.pop(found[1])), route.path)
        headers = {header: f'"{given.pop(name)}"' for name, header in route.headers.items() if name in given}
        headers["authorization"] = f"Bearer {self.tokens[who]}"
        bodiless = route.method in ("GET", "DELETE")
        more = {"params": given} if bodiless else {"json": given}
        return self.client.request(route.method, f"/v1{path}", headers=headers, **more)

    def of_ana(self) -> list[dict[str, Any]]:
        return [
            {name: value for name, value in record.items() if name not in ("zone", "total_score")}
            for record in self.memory.of(**ANA).of().transfer.export()
        ]


@pytest.fixture
def world(tmp_path, calendar_time):
    clock = FakeClock()
    options = {"rebalance_interval": None, "embed_fn": bag_of_words, "settings": Settings(StorageSettings("normal"))}
    memory = CelestialMemory(tmp_path / "m.db", clock=clock, **options)
    old = memory.of(**ANA).of().store(f"an old word about {SECRET}", session_id="old")
    clock.advance(days=40)
    memory.of(**ANA).departures.retain("coordinates-v1")  # which archives what is so old
    tea = (
        memory.of(**ANA)
        .of()
        .store(f"{SECRET} tea is what I drink", tags=[SECRET], metadata={SECRET: SECRET}, session_id="s1")
    )
    gone = memory.of(**ANA).of().forget(memory.of(**ANA).of().store(f"{SECRET} is on the cliff").id)
    grown = memory.of(**ANA).of().store(f"{SECRET} grows old", tier=Tier.M365)
    seen = memory.of(**ANA).observe(f"My name is Ana {SECRET}", turn_id="turn-1", session_id="s1")
    memory.of(**ANA).feedback("turn-1", 1.0)
    memory.of(**ANA).of().sleep(force=True)
    memory.of(**BEN).of().store("Ben likes coffee")
    memory.of(**ANA).access.grant("spare")
    tokens = {name: memory.of(**who).access.grant(name, EVERYTHING)[0] for name, who in (("ana", ANA), ("ben", BEN))}
    event = next(e.number for e in memory.of(**ANA).ledger.history(tea.id) if e.type.value == "stored")
    pending = memory.of(**ANA).night.distill_pending()
    proposal = memory.of(**ANA).self.propose.core(grown.id).id
    approval = memory.of(**ANA).self.approval_token(proposal)
    client = TestClient(build_app(memory), base_url="http://localhost")
    ids = {"tea": tea.id, "gone": gone.id, "old": old.id, "grown": grown.id}
    yield World(
        memory,
        client,
        tokens,
        ids,
        event,
        seen.decision.turn_id,
        pending[0].token if pending else "none",
        proposal,
        approval,
    )
    memory.close()


CASES: dict[str, Any] = {
    "auto_search": lambda w: {"query": "what do I drink? tea"},
    "memory_search": lambda w: {"query": "tea that I drink", "where": {"session_id": "s1"}},
    "memory_profile": lambda w: {"budget": 4000},
    "memory_get_related": lambda w: {"id": w.ids["tea"], "depth": 3},
    "memory_save": lambda w: {"content": "tied to her tea", "related": [w.ids["tea"]]},
    "memory_update": lambda w: {"id": w.ids["tea"], "content": "mine now"},
    "memory_pin": lambda w: {"id": w.ids["tea"]},
    "memory_unpin": lambda w: {"id": w.ids["tea"]},
    "memory_rate": lambda w: {"id": w.ids["tea"], "stars": 1},
    "memory_delete": lambda w: {"id": w.ids["tea"]},
    "memory_forget_where": lambda w: {"where": {"session_id": "s1"}},
    "cliff_list": lambda w: {"limit": 100},
    "memory_restore": lambda w: {"ids": [w.ids["gone"]]},
    "memory_get": lambda w: {"id": w.ids["tea"]},
    "memory_list": lambda w: {"limit": 100},
    "session_list": lambda w: {},
    "memory_stats": lambda w: {},
    "memory_explain": lambda w: {"id": w.ids["tea"]},
    "memory_history": lambda w: {"id": w.ids["tea"]},
    "model_spent": lambda w: {},
    "policy_decide": lambda w: {"content": "what tea do I drink?", "history": [{"content": "hi", "memory_id": w.ids["tea"]}]},
    "turn_observe": lambda w: {"content": "what tea do I drink?", "session_id": "s1"},
    "turn_perceive": lambda w: {"content": "I like it"},
    "feedback": lambda w: {"turn_id": w.turn_id, "reward": -1.0},
    "answer_judge": lambda w: {"question": "what tea do I drink?", "right": False},
    "policy_status": lambda w: {},
    "policy_checkpoints": lambda w: {},
    "policy_rollback": lambda w: {"version": 1},
    "memory_remind": lambda w: {"id": w.ids["tea"]},
    "memory_influenced": lambda w: {"id": w.ids["tea"]},
    "core_nominations": lambda w: {},
    "core_approve": lambda w: {"id": w.ids["grown"]},
    "distill_pending": lambda w: {},
    "distill_commit": lambda w: {"token": w.token, "text": "essence"},
    "sleep_cycle_run": lambda w: {"dry_run": True, "force": True},
    "sleep_status": lambda w: {},
    "sleep_reports": lambda w: {},
    "sleep_everybody": lambda w: {"dry_run": True, "force": True},
    "memory_save_many": lambda w: {"contents": ["one", "two"], "session_id": "s1"},
    "memory_export": lambda w: {"limit": 1000},
    "memory_import": lambda w: {"records": [{**w.memory.of(**BEN).of().get(w.memory.of(**BEN).list(1)[0].id).to_dict(),
                                             "id": w.ids["tea"], "owner": {"user_id": "ana", "agent_id": "a"}}]},
    "coordinate_add": lambda w: {"document": {**w.memory.of(**BEN).list(1)[0].to_coordinate(), "memory_id": w.ids["tea"]}},
    "memory_as_of": lambda w: {"at": "2999-01-01T00:00:00Z", "query": "tea"},
    "inbox_list": lambda w: {},
    "proposal_show": lambda w: {"proposal": w.proposal},
    "proposal_open": lambda w: {"proposal": w.proposal},
    "proposal_approve": lambda w: {"proposal": w.proposal, "token": w.approval},
    "proposal_reject": lambda w: {"proposal": w.proposal},
    "propose_core": lambda w: {"id": w.ids["grown"]},
    "propose_core_change": lambda w: {"id": w.ids["grown"], "content": "rewritten"},
    "propose_core_deletion": lambda w: {"id": w.ids["grown"]},
    "propose_island": lambda w: {"name": "hers", "founders": [w.ids["grown"]]},
    "propose_belief": lambda w: {"statement": "I am hers", "supports": [w.ids["grown"]]},
    "propose_rollback": lambda w: {"version": 0},
    "soul_propose": lambda w: {"text": "# SOUL\n\n## Sense of Self\n\n- I listen before I speak\n"},
    "self_show": lambda w: {},
    "self_versions": lambda w: {},
    "self_context": lambda w: {},
    "soul_show": lambda w: {},
    "imagine": lambda w: {"context": "what tea could I drink?", "idle_minutes": 150},
    "imagination_list": lambda w: {},
    "imagination_feedback": lambda w: {"id": w.ids["tea"], "liked": False},
    "imagination_patterns": lambda w: {},
    "personas_run": lambda w: {"question": "what tea could I drink?", "offline": True},
    "personas_show": lambda w: {},
    "personas_runs": lambda w: {},
    "undo": lambda w: {"event": w.event},
    "event_log": lambda w: {"session_id": "s1", "event_type": "user_input", "memory_id": w.ids["tea"]},
    "ledger_repair": lambda w: {},
    "ledger_compress": lambda w: {},
    "ledger_verify": lambda w: {},
    "ledger_head": lambda w: {},
    "purge_proof": lambda w: {"ids": [w.ids["tea"]]},
    "proof_check": lambda w: {"document": {"format": "celestial-purge-proof"}},
    "ledger_anchor": lambda w: {},
    "backup_create": lambda w: {},
    "retention_run": lambda w: {"dry_run": False},
    "archive_list": lambda w: {},
    "guard_scan": lambda w: {},
    "archive_bring_back": lambda w: {"which": "old"},
    "rebalance": lambda w: {},
    "reindex": lambda w: {},
    "reindex_words": lambda w: {},
    "repair": lambda w: {},
    "check": lambda w: {},
    "orbits": lambda w: {},
    "orbits_past": lambda w: {"limit": 3000},
    "memory_outlook": lambda w: {"id": w.ids["tea"]},
    "insight": lambda w: {},
    "memory_table": lambda w: {"states": ["active", "faded", "inactive", "archived", "cliff"]},
    "subject_list": lambda w: {},
    "subject_show": lambda w: {"name": f"{SECRET} tea"},
    "memory_groups": lambda w: {"by": "person"},
    "relation_graph": lambda w: {"limit": 3000},
    "turn_list": lambda w: {"before": w.turn_id},
    "unwanted_list": lambda w: {},
    "unwanted_add": lambda w: {"attribute": "money"},
    "unwanted_remove": lambda w: {"attribute": "money"},
    "guard_rules": lambda w: {},
    "server_status": lambda w: {},
    "setting_list": lambda w: {},
    "setting_change": lambda w: {"key": "interface.language", "value": "ko"},
    "gossip_status": lambda w: {},
    "gossip_on": lambda w: {},
    "gossip_off": lambda w: {},
    "gossip_peer_add": lambda w: {"url": "http://127.0.0.1:9400", "key": "ab" * 32},
    "gossip_peer_remove": lambda w: {"key": "ab" * 32},
    "gossip_leave": lambda w: {},
    "sync_status": lambda w: {},
    "sync_exchange": lambda w: {"device": "ab" * 16},
    "source_trace": lambda w: {"which": w.ids["tea"]},
    "source_retract": lambda w: {"which": "s1"},
    "source_retract_undo": lambda w: {"event": w.event},
    "token_list": lambda w: {},
    "token_create": lambda w: {"name": "another", "scopes": ["read"]},
    "token_revoke": lambda w: {"id": next(grant.id for grant in w.memory.access.tokens() if grant.name == "spare")},
    "demo_add": lambda w: {"language": "ko"},
    "demo_remove": lambda w: {},
}  # fmt: skip

# What only the one to whom it belongs is answered; the other is told that there is nothing.
BY_ID = {
    "memory_get_related", "memory_update", "memory_pin", "memory_unpin", "memory_rate", "memory_delete", "memory_get",
    "memory_explain", "memory_remind", "memory_influenced", "undo", "memory_restore", "feedback", "archive_bring_back",
    "memory_save", "proposal_show", "proposal_open", "memory_outlook", "token_revoke",
}  # fmt: skip


def test_every_operation_has_a_case():
    """A new operation without one fails here, before anybody can use it to look at another's memories."""
    assert CASES.keys() == {operation.name for operation in OPERATIONS}


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_nobody_sees_or_changes_the_others(operation, world):
    """Ben asks for what is Ana's, by her own ids and names; he gets none of it, and hers stays as it is."""
    asked, before = CASES[operation.name](world), world.of_ana()
    answer = world.call("ben", operation, asked)
    assert answer.status_code < 500, answer.text
    said = (answer.text + str(answer.headers)).lower()
    if answer.status_code == 404:  # it may repeat what he asked for
        said = said.replace(str(asked.get("name", "")).lower() or "-", "")
    assert SECRET not in said
    assert not [item_id for item_id in world.ids.values() if item_id in said and item_id not in str(asked)]
    if operation.scope is not Scope.ADMIN:  # those concern the whole database, texts excepted
        assert world.of_ana() == before
    if operation.name in BY_ID:
        assert answer.status_code == 404, answer.text
        if operation.name != "memory_save":
            assert world.call("ana", operation, asked).status_code == 200  # it was there all along


def test_an_owner_cannot_be_imported(world):
    """A record that says whose it is becomes the memory of whoever brings it."""
    operation = next(one for one in OPERATIONS if one.name == "memory_import")
    asked = CASES["memory_import"](world)
    assert world.call("ben", operation, asked).json() == {"added": 1, "known": 0}
    assert SECRET in world.memory.of(**ANA).of().get(world.ids["tea"]).content
    assert world.memory.of(**BEN).of().get(world.ids["tea"]).content == "Ben likes coffee"


def test_ana_has_what_ben_is_refused(world):
    """The world is what it says: without this, nothing above would prove anything."""
    assert world.memory.of(**ANA).of().get(world.ids["old"]).state.value == "archived"
    assert world.memory.of(**ANA).of().get(world.ids["gone"]).state.value == "cliff"
    assert world.memory.of(**ANA).of().get(world.ids["tea"]).protection is Protection.NONE
    assert SECRET in str(world.call("ana", OPERATIONS[0], {"query": "tea that I drink"}).json())
    assert world.memory.of(**ANA).policy.status().rewards == 1


# -- projects: a project is an owner of its own, so every surface must keep two of one user apart ------------------

PAIRS = [("a@alpha", "a@beta"), ("a@alpha", "a"), ("a", "a@alpha")]


@pytest.fixture(params=PAIRS, ids=lambda pair: " from ".join(reversed(pair)))
def projects(request, monkeypatch):
    """One user: what was told in the one project is not for the other."""
    theirs, mine = request.param
    monkeypatch.setitem(ANA, "agent_id", theirs)
    monkeypatch.setitem(BEN, "user_id", ANA["user_id"])
    monkeypatch.setitem(BEN, "agent_id", mine)


def _leaks(world: World, asked: dict[str, Any], said: str) -> bool:
    lowered = said.lower().replace(str(asked.get("name", "")).lower() or "-", "")
    return SECRET in lowered or any(one in lowered and one not in str(asked) for one in world.ids.values())


def _asked_in_turn(world: World, may: Any) -> list[tuple[Operation[Any, Any], dict[str, Any]]]:
    """What every operation is asked, by the other's ids; those that concern the whole database are left out."""
    kept = [one for one in OPERATIONS if one.scope is not Scope.ADMIN and may(one)]
    return [(one, CASES[one.name](world)) for one in kept]


def test_a_token_of_a_project_sees_nothing_of_another_over_rest(projects, world):
    before, leaking = world.of_ana(), []
    for operation, asked in _asked_in_turn(world, lambda one: True):
        answer = world.call("ben", operation, asked)
        assert answer.status_code < 500, answer.text
        if _leaks(world, asked, answer.text + str(answer.headers)):
            leaking.append(operation.name)
    assert not leaking
    assert world.of_ana() == before


def test_a_token_of_a_project_sees_nothing_of_another_over_mcp(projects, world):
    pytest.importorskip("mcp")
    from celestial_engine.surfaces.mcp.http import mount
    from celestial_engine.surfaces.mcp.profiles import Profile

    hello = {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "plain", "version": "1"}
    }  # fmt: skip
    accept = {"accept": "application/json, text/event-stream"}
    before, leaking, heard = world.of_ana(), [], ""
    mount(world.client.app, world.memory, hosts=None, profile=Profile.FULL)
    with world.client as client:
        for who in ("ana", "ben"):
            headers = {**accept, "authorization": f"Bearer {world.tokens[who]}"}

            def send(method: str, params: dict[str, Any], headers: dict[str, str] = headers) -> Any:
                message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                answer = client.post("/mcp", json=message, headers=headers)
                assert answer.status_code == 200, answer.text
                return answer

            opened = send("initialize", hello)
            headers |= {
                "mcp-session-id": opened.headers["mcp-session-id"],
                "mcp-protocol-version": hello["protocolVersion"],
            }
            if who == "ana":  # the same question finds it there: otherwise nothing below would prove anything
                heard = send("tools/call", {"name": "memory_list", "arguments": {}}).text
                continue
            for operation, asked in _asked_in_turn(world, lambda one: one.tool):
                if _leaks(world, asked, send("tools/call", {"name": operation.name, "arguments": asked}).text):
                    leaking.append(operation.name)
            uris = ("core", "profile", "soul", f"item/{world.ids['tea']}")
            read = {uri: send("resources/read", {"uri": f"memory://{uri}"}).text for uri in uris}
            leaking += [uri for uri, text in read.items() if _leaks(world, {"uri": uri}, text)]
    assert SECRET in heard
    assert not leaking
    assert world.of_ana() == before


def test_a_session_of_a_project_sees_nothing_of_another_in_the_dashboard(projects, world):
    before, leaking = world.of_ana(), []
    client = world.client
    key = world.memory.of(**BEN).access.login_key()
    assert client.get("/login", params={"key": key}, follow_redirects=False).status_code == 303
    session = client.get("/dashboard/session").json()
    assert session["owner"]["agent_id"] == BEN["agent_id"]
    client.headers["x-csrf-token"] = session["csrf"]
    for operation, asked in _asked_in_turn(world, lambda one: True):
        route, given = operation.route, dict(asked)
        path = re.sub(r"{(\w+)}", lambda found, given=given: str(given.pop(found[1])), route.path)
        more = {"params": given} if route.method in ("GET", "DELETE") else {"json": given}
        answer = client.request(route.method, f"/v1{path}", **more)
        assert answer.status_code not in (401, 403), (operation.name, answer.text)
        if _leaks(world, asked, answer.text):
            leaking.append(operation.name)
    assert not leaking
    assert world.of_ana() == before
