"""What the dashboard asks of the self and the cliff beyond the rest: versions, whose proposal it is, why one left."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.errors import InvalidInputError
from celestial_engine.surfaces.operations import forgetting, proposals, self_
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.testing.fakes import FakeClock


@pytest.fixture
def memory():
    with CelestialMemory(":memory:", clock=FakeClock(), rebalance_interval=None) as opened:
        yield opened


def caller(memory: CelestialMemory, channel: str) -> Caller:
    return Caller(memory, memory.owner, channel)


def approve(memory: CelestialMemory, proposal: str) -> None:
    memory.self.approve(proposal, memory.self.approval_token(proposal), by="Mina")


def test_versions_tell_what_was_approved_and_by_whom(memory):
    """Newest first, each with the islands and beliefs as they were then, and no more than asked for."""
    core = memory.store("Mina gave me my name")
    approve(memory, memory.self.propose.core(core.id).id)
    approve(memory, memory.self.propose.island("Bond", [core.id], emoji="🏠").id)
    approve(memory, memory.self.propose.belief("I matter to Mina", [core.id]).id)
    told = self_.versions(caller(memory, "dashboard"), self_.SelfVersionsRequest()).versions
    assert [one.version for one in told] == [3, 2, 1]
    assert [(len(one.islands), len(one.beliefs)) for one in told] == [(1, 1), (1, 0), (0, 0)]
    assert {one.by for one in told} == {"Mina"}
    assert [
        one.version for one in self_.versions(caller(memory, "rest"), self_.SelfVersionsRequest(limit=1)).versions
    ] == [3]


def test_versions_are_the_owners_own(memory):
    """Another owner has none."""
    core = memory.store("Mina gave me my name")
    approve(memory, memory.self.propose.core(core.id).id)
    other = caller(memory.of("ben", "b"), "dashboard")
    assert self_.versions(other, self_.SelfVersionsRequest()).versions == ()


def test_at_the_dashboard_it_is_the_user_who_proposes(memory):
    """A memory of any lifetime may be proposed there; by a token, only one that has lasted."""
    young = memory.store("a day old at most")
    with pytest.raises(InvalidInputError):
        proposals.propose_core(caller(memory, "rest"), proposals.MemoryIdRequest(young.id))
    put = proposals.propose_core(caller(memory, "dashboard"), proposals.MemoryIdRequest(young.id))
    assert put.channel.value == "dashboard"
    assert put.status.value == "pending"


def test_the_cliff_says_why_each_left(memory):
    """And a memory in orbit has left for nothing."""
    gone = memory.store("let go by hand")
    assert forgetting.delete(caller(memory, "dashboard"), forgetting.DeleteRequest(gone.id)).departed_for == "manual"
    (listed,) = forgetting.cliff(caller(memory, "dashboard"), forgetting.CliffRequest()).memories
    assert listed.departed_for == "manual"
    (back,) = forgetting.restore(caller(memory, "dashboard"), forgetting.RestoreRequest((gone.id,))).memories
    assert back.departed_for is None
