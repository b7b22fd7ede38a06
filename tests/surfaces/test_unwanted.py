"""What the user does not want kept is not kept, until they want it again."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.record.labels import Attribute
from celestial_engine.core.turn.policy import Action, DecisionReason
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.fields import EmptyRequest
from celestial_engine.surfaces.operations.turns import UnwantedRequest, keep_again, stop_keeping, unwanted

MONEY = UnwantedRequest(Attribute.MONEY)


@pytest.fixture
def caller(tmp_path):
    with CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as memory:
        yield Caller(memory, memory.parts.owner, "dashboard")


@pytest.mark.parametrize("text", ["My salary is 5,000 euros a month.", "내 월급은 오백만 원이야."])
def test_money_matters_are_not_kept(caller, text):
    memory = caller.memory
    assert stop_keeping(caller, MONEY).attributes == (Attribute.MONEY,)
    seen = memory.observe(text)
    assert (seen.decision.action, seen.decision.reason) == (Action.SKIP, DecisionReason.UNWANTED)
    assert seen.item is None
    assert memory.observe("My sister Sora lives in Lisbon.").item is not None
    assert keep_again(caller, MONEY).attributes == ()
    assert memory.observe(text).item is not None


def test_it_is_said_once_and_by_a_memory(caller):
    """Twice changes nothing; letting that memory go ends it as well."""
    stop_keeping(caller, MONEY)
    stop_keeping(caller, MONEY)
    (note,) = caller.memory.list()
    assert "money" in note.content.lower()
    caller.memory.unpin(note.id)
    caller.memory.forget(note.id)
    assert unwanted(caller, EmptyRequest()).attributes == ()


def test_who_asks_for_it_is_heard(caller):
    """A request to remember outweighs it, and so does storing by hand."""
    stop_keeping(caller, MONEY)
    assert caller.memory.observe("Please remember that my rent is 900 euros.").item is not None
    assert caller.memory.store("My rent is 950 euros.").id
