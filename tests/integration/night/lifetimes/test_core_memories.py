"""Core memories: proposed by the engine, made by the user, and then there for good."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import InvalidInputError, ProtectedError, WrongStateError
from celestial_engine.flow.night import expire, fade, nominate

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks


def test_a_core_memory_is_proposed_once_and_made_by_the_user(memory, clock, night):
    item = memory.store("삐돌이가 처음 이름을 지어줬다", tier=Tier.M365)
    for _ in range(10):
        memory.remind(item.id)
    clock.advance(days=329)
    assert night.do(nominate) == {"nominated": 0}
    clock.advance(days=1)
    assert night.do(nominate) == {"nominated": 1}
    assert night.do(nominate) == {"nominated": 0}
    assert [waiting.id for waiting in memory.self.nominations()] == [item.id]
    core = memory.self.approve_core(item.id, by="삐돌이")
    assert (core.tier, core.protection.value, core.expires_at) == (Tier.M0, "core", None)
    assert memory.self.nominations() == []
    event = memory.ledger.history(item.id)[0]
    assert (event.type, event.detail) == (EventType.PROMOTED, {"tier": "M0", "approved_by": "삐돌이"})
    clock.advance(days=4_000)
    assert night.plan(expire).leaving == night.plan(fade).leaving == ()
    with pytest.raises(ProtectedError):
        memory.forget(item.id)


def test_nobody_else_becomes_a_core_memory(memory):
    """Not a young tier, not without a name of whoever says so."""
    item = memory.store("a quarter's memory")
    with pytest.raises(InvalidInputError):
        memory.self.approve_core(item.id, by="user")
    year = memory.store("a year's memory", tier=Tier.M365)
    with pytest.raises(InvalidInputError):
        memory.self.approve_core(year.id, by=" ")
    memory.forget(year.id)
    with pytest.raises(WrongStateError):
        memory.self.approve_core(year.id, by="user")
