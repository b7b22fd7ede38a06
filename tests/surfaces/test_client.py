"""The HTTP client against a real server: the verbs of the engine, its errors, and no drift from the declarations."""

from __future__ import annotations

import dataclasses
import inspect
import socket

import pytest

from celestial_engine import CelestialMemory, ItemFilter, Tier
from celestial_engine.client import RemoteMemory
from celestial_engine.client.results import read_result
from celestial_engine.client.transport import encoded
from celestial_engine.core.access import Scope
from celestial_engine.core.codec import encode
from celestial_engine.errors import (
    CelestialError,
    ClosedError,
    EmptyContentError,
    InvalidInputError,
    NotFoundError,
    ProtectedError,
    Reason,
    ServerAccessError,
    ServerUnreachableError,
    VersionError,
)
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

VERBS = [name for name, value in vars(RemoteMemory).items() if inspect.isfunction(value) and not name.startswith("_")]
ONLY_HERE = {"call", "close"}
# What the engine takes and a server does not: functions cannot be sent, and hits are explained by `call`.
NOT_SENT = {"sleep": {"progress"}, "recall": {"explain"}, "search": {"explain"}}


@pytest.fixture
def served(tmp_path, serve):
    """A server of its own for each test: they count what is there."""
    with CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as memory, serve(memory) as one:
        yield one


@pytest.fixture
def remote(served):
    with CelestialMemory(served.url, token=served.token) as memory:
        yield memory


def test_the_address_of_a_server_gives_its_memory(remote):
    assert isinstance(remote, RemoteMemory)
    stored = remote.store("Mina is allergic to peanuts", 0.9, {"by": "민수"}, tags=["health"], tier=Tier.M365)
    assert (stored.content, stored.tags, stored.metadata) == (
        "Mina is allergic to peanuts", ("health",), {"by": "민수"},
    )  # fmt: skip
    assert [hit.id for hit in remote.recall("what must Mina not eat? peanuts?")] == [stored.id]
    assert remote.get(stored.id).recall_count == 1
    assert [hit.id for hit in remote.search("peanuts", where=ItemFilter(tags=("health",)))] == [stored.id]
    assert remote.get(stored.id).recall_count == 1
    assert remote.search("peanuts", where=ItemFilter(tags=("home",))) == []
    assert "peanuts" in remote.compose("peanuts", 200).text
    assert remote.list(tier=Tier.M365)[0].id == stored.id
    assert remote.list(zone=4) == []
    changed = remote.update(stored.id, "Mina is allergic to walnuts", if_version=remote.get(stored.id).version)
    assert (changed.id, changed.content) == (stored.id, "Mina is allergic to walnuts")
    assert remote.pin(stored.id).protection == "pinned"
    assert remote.unpin(stored.id).protection == "none"
    assert remote.rate(stored.id, 5).user_rating == 5
    assert remote.remind(stored.id).recall_count >= 2
    assert remote.explain(stored.id).memory.id == stored.id
    assert remote.related(stored.id) == ()
    assert remote.forget(stored.id).purge_at
    assert remote.restore(stored.id).state == "active"
    assert [one.content for one in remote.store_many(["하나", "둘"])] == ["하나", "둘"]
    assert remote.stats().total == 3
    assert remote.sleep(dry_run=True, force=True).dry_run


def test_turns_go_over_the_wire(remote):
    assert remote.decide("내 이름은 민수야").action == "save"
    history = [{"role": "user", "content": "안녕"}, {"role": "assistant", "content": "안녕하세요"}]
    observed = remote.observe({"role": "user", "content": "I live in Busan"}, history, session_id="s")
    assert observed.memory is not None
    assert "Busan" in remote.profile().text
    assert remote.feedback(observed.decision.turn_id, 1.0).reward == 1.0


def test_every_operation_can_be_called_by_name(remote):
    assert remote.call("session_list").session_ids == ()
    with pytest.raises(InvalidInputError):
        remote.call("memory_explode")


def test_an_area_of_the_engine_names_the_way_to_its_operations(remote):
    with pytest.raises(AttributeError, match=r"no 'sources': call\("):
        _ = remote.sources
    stored = remote.store("Mina lives in Busan")
    assert remote.call("source_trace", which=stored.id).sources


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (lambda memory: memory.get("nobody"), NotFoundError),
        (lambda memory: memory.store("  "), EmptyContentError),
        (lambda memory: memory.update(memory.store("x").id, "y", if_version="old"), VersionError),
        (lambda memory: memory.forget(memory.store("x", immutable=True).id), ProtectedError),
        (lambda memory: memory.rate(memory.store("x").id, 9), InvalidInputError),
    ],
)
def test_errors_are_those_of_the_engine(act, kind, remote, served):
    with pytest.raises(kind) as here:
        act(served.memory)
    with pytest.raises(kind) as there:
        act(remote)
    assert there.value.code == here.value.code
    assert there.value.reason == here.value.reason or kind is InvalidInputError
    assert str(there.value)


def test_a_problem_keeps_its_reason_and_fields(remote):
    with pytest.raises(InvalidInputError) as caught:
        remote.list(5000)
    assert caught.value.reason is Reason.AT_MOST
    assert caught.value.details["most"] == 1000


def test_what_a_token_does_not_allow(served):
    token, _ = served.memory.access.grant("reader", [Scope.READ])
    with pytest.raises(ServerAccessError, match="write"):
        CelestialMemory(served.url, token=token).store("x")
    for wrong in ("cel_wrong", None):
        with pytest.raises(ServerAccessError):
            CelestialMemory(served.url, token=wrong).list()


def test_no_server_and_no_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ServerUnreachableError, match="does not answer"):
            CelestialMemory(url, token="cel_x").list()
    for url in ("http://", "http://a:b", "http://user:pass@host", "https://host?x=1"):
        with pytest.raises(InvalidInputError):
            CelestialMemory(url, token="cel_x")
    with pytest.raises(TypeError):
        CelestialMemory("http://127.0.0.1:1", user_id="mina")  # the token says whose it is
    with pytest.raises(InvalidInputError):
        CelestialMemory(":memory:", token="cel_x")


def test_closed_is_closed(served):
    memory = CelestialMemory(served.url, token=served.token)
    memory.close()
    memory.close()
    with pytest.raises(ClosedError):
        memory.list()


def test_a_condition_that_cannot_be_sent_is_refused(remote):
    from celestial_engine.core.record.forgetting import State

    with pytest.raises(InvalidInputError):
        remote.list(where=ItemFilter(states=(State.ACTIVE, State.CLIFF)))


@pytest.mark.parametrize("verb", sorted(set(VERBS) - ONLY_HERE))
def test_the_verbs_take_what_the_engines_take(verb):
    """The same names, kinds and defaults, in the same order."""
    ours = dict(inspect.signature(getattr(RemoteMemory, verb)).parameters)
    theirs = dict(inspect.signature(getattr(CelestialMemory, verb)).parameters)
    missing = NOT_SENT.get(verb, set())
    assert [*ours] == [name for name in theirs if name not in missing]
    for name, parameter in ours.items():
        assert (parameter.default, parameter.kind) == (theirs[name].default, theirs[name].kind), (verb, name)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_declared_operation_can_be_sent(operation):
    """Path, headers and body take every field of the request; none is left over in the path."""
    needed = {
        field.name: "x"
        for field in dataclasses.fields(operation.request)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    path, headers, body = encoded(operation, operation.request(**needed))
    assert path.startswith("/v1/")
    assert "{" not in path
    assert (body is None) is (operation.route.method in ("GET", "DELETE"))
    assert all(isinstance(value, str) for value in headers.values())


def test_answers_of_a_newer_server_are_read(served):
    item = served.memory.store("x")
    with CelestialMemory(served.url, token=served.token) as remote:
        memory = remote.get(item.id)
    assert encode(read_result(type(memory), {**encode(memory), "new_field": 1})) == encode(memory)


def test_errors_stay_errors_of_the_tree(remote):
    with pytest.raises(CelestialError) as caught:
        remote.get("nobody")
    assert type(caught.value).__name__ == "NotFoundError"
    assert isinstance(caught.value, LookupError)
