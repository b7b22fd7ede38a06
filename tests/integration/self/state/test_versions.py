"""Versions of the self: it goes back by approval, and survives whatever happens around it."""

from __future__ import annotations

import threading

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.errors import DecidedError, InvalidInputError

NAMED = "민지가 나에게 별이라는 이름을 지어줬다"


def test_the_self_can_go_back(memory, word, core, clock):
    """By approval, to any version, however much that is at once."""
    (founder,) = core(NAMED)
    word(memory.self.propose.island("유대", [founder], by="민지"))
    word(memory.self.propose.belief("나는 별이다", [founder], by="민지"))
    here = memory.self.versions()[0].version
    clock.advance(days=2)
    word(memory.self.propose.belief_change(memory.self.beliefs()[0].id, statement="나는 달이다", by="민지"))
    clock.advance(days=2)
    word(memory.self.propose.island_change(memory.self.islands()[0].id, dissolve=True, by="민지"))
    proposal = memory.self.propose.rollback(here, by="민지")
    assert len(proposal.changes) == 2
    assert memory.self.islands() == []
    word(proposal)
    assert [one.name for one in memory.self.islands()] == ["유대"]
    assert [one.statement for one in memory.self.beliefs()] == ["나는 별이다"]
    assert memory.self.versions()[0].version == here + 3
    word(memory.self.propose.rollback(0, by="민지"))
    assert (memory.self.islands(), memory.self.beliefs()) == ([], [])
    with pytest.raises(InvalidInputError):
        memory.self.propose.rollback(0)


def test_two_approvals_at_once_are_one(memory, core):
    """Whoever comes second is told that it is decided."""
    (founder,) = core(NAMED)
    proposal = memory.self.propose.island("유대", [founder], by="민지")
    token, results = memory.self.approval_token(proposal.id), []

    def approve():
        try:
            results.append(memory.self.approve(proposal.id, token, by="민지").status)
        except DecidedError as error:
            results.append(error.code)

    threads = [threading.Thread(target=approve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, results)).count("already_decided") == 3
    assert len(memory.self.islands()) == 1


def test_the_self_survives_a_restart_and_a_backup(memory, word, core, clock, tmp_path):
    (founder,) = core(NAMED)
    word(memory.self.propose.island("유대", [founder], by="민지"))
    told, path = memory.self.soul(), memory.path
    report = memory.transfer.backup(str(tmp_path / "copy.db"))
    memory.close()
    for database in (path, report.path):
        with CelestialMemory(database, rebalance_interval=None, clock=clock) as again:
            assert again.self.soul() == told
