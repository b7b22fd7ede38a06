"""How many statements an operation sends to the database: what is counted does not depend on the machine."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.flow.turn.recall import reinforce


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "memory.db", embedder="none", rebalance_interval=None) as memory:
        memory.store_many(
            [f"My cat number {number} likes fish, and sleeps on chair {number}." for number in range(60)]
        )
        memory.search("warm up")
        yield memory


class Statements(list):
    """The statements that the store executes, without those that SQLite's own full-text index executes."""

    def __init__(self, memory: CelestialMemory) -> None:
        super().__init__()
        for connection in memory.parts.store._connections._idle:
            connection.set_trace_callback(self._note)

    def _note(self, statement: str) -> None:
        if not statement.startswith("--"):
            self.append(statement)

    def of(self, operation, *values, **named) -> list[str]:
        self.clear()
        operation(*values, **named)
        return list(self)


def test_reinforcing_more_memories_reads_no_more(memory):
    """Each further memory costs its row, its number in the shared ledger entry, and at most the seat of another one."""
    statements, parts = Statements(memory), memory.parts
    ids = [item.id for item in memory.list(limit=24)]

    def reinforced(count: int, first: int) -> list[str]:
        chosen, law, now = ids[first : first + count], parts.law(), parts.now() + 60
        return statements.of(reinforce, parts.store, law, parts.owner, chosen, None, now)

    two, eight = reinforced(2, 0), reinforced(8, 2)
    reads = [sum(statement.startswith("SELECT") for statement in sent) for sent in (two, eight)]
    assert reads[0] == reads[1] <= 20
    assert len(eight) - len(two) <= 6 * 3


def test_a_search_sends_a_bounded_number_of_statements(memory):
    """Whatever the number of candidates: those of a question of one word, two for each further word."""
    statements = Statements(memory)
    few = statements.of(memory.search, "fish", 1)
    many = statements.of(memory.search, "fish", 20)
    assert len(many) == len(few) <= 30
    assert sum("FROM texts" in statement or "JOIN texts" in statement for statement in many) <= 3
    assert sum("key = 'law'" in statement for statement in many) == 1


def test_the_graph_is_read_with_a_bounded_number_of_statements(tmp_path):
    """Whatever the number of people and things around those that the question names."""
    with CelestialMemory(tmp_path / "graph.db", embedder="none", rebalance_interval=None) as memory:
        memory.store_many(
            [f"Mina visited {place}." for place in ("Busan", "Seoul", "Jeju", "Daegu", "Ulsan", "Suwon")]
        )
        memory.search("warm up")
        sent = Statements(memory).of(memory.search, "Where did Mina go?")
    # Two hops, and the memories of what they reach.
    assert sum("relations" in statement for statement in sent) <= 3


def test_a_recall_reads_the_law_once(memory):
    statements = Statements(memory)
    sent = statements.of(memory.recall, "Which chair does cat number 7 sleep on?", 5)
    assert sum("key = 'law'" in statement for statement in sent) == 1
