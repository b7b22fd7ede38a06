"""Nothing changes without its ledger row, and no ledger row is ever changed."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from celestial_engine import CelestialMemory, KeepingSettings, Settings, State, StorageSettings
from celestial_engine.errors import CelestialError, NotFoundError, UndoError
from celestial_engine.testing.fakes import FakeClock


class LedgerMachine(RuleBasedStateMachine):
    """Random operations; after each, the stored memories are the same or the ledger has grown."""

    @initialize()
    def begin(self) -> None:
        self.clock = FakeClock()
        self.memory = CelestialMemory(":memory:", rebalance_interval=None, clock=self.clock)
        self.seen = self._contents()
        self.events = 0

    def _contents(self):
        # total_score is worked out when looked at; everything else is stored
        return [{**line, "total_score": None} for line in self.memory.transfer.export()]

    def _pick(self, number, state=State.ACTIVE):
        lines = [line["id"] for line in self._contents() if line["state"] == state.value]
        return lines[number % len(lines)] if lines else None

    @rule(text=st.sampled_from(["커피를 좋아한다", "Python was released in 1991", "비가 온다"]), pinned=st.booleans())
    def store(self, text, pinned):
        self.memory.store(text, pinned=pinned)

    @rule(question=st.sampled_from(["커피", "python", "비가", "없는 말"]))
    def recall(self, question):
        self.memory.recall(question)

    @rule(number=st.integers(0, 9), importance=st.integers(0, 10))
    def update(self, number, importance):
        if item_id := self._pick(number):
            self.memory.update(item_id, importance=importance / 10)

    @rule(number=st.integers(0, 9), pinned=st.booleans())
    def pin(self, number, pinned):
        if item_id := self._pick(number):
            (self.memory.pin if pinned else self.memory.unpin)(item_id)

    @rule(number=st.integers(0, 9))
    def delete(self, number):
        if item_id := self._pick(number):
            self.memory.forget(item_id)

    @rule(number=st.integers(0, 9))
    def restore(self, number):
        if item_id := self._pick(number, State.CLIFF):
            self.memory.restore(item_id)

    @rule(number=st.integers(1, 60))
    def undo(self, number):
        with contextlib.suppress(UndoError, NotFoundError):
            self.memory.ledger.undo(number)

    @rule(days=st.sampled_from([0.01, 1, 8, 95]))
    def time_passes(self, days):
        self.clock.advance(days=days)
        self.memory.rebalance()

    @invariant()
    def every_change_is_in_the_ledger(self):
        contents, events = self._contents(), len(self.memory.ledger.history(limit=10_000))
        assert events >= self.events
        assert contents == self.seen or events > self.events
        self.seen, self.events = contents, events

    def teardown(self):
        if hasattr(self, "memory"):
            assert self.memory.maintenance.check() == []
            assert self.memory.ledger.verify().ok
            self.memory.close()


LedgerMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestLedger = LedgerMachine.TestCase


def test_the_ledger_cannot_be_changed_in_the_database(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store("x")
    db = sqlite3.connect(path)
    for change in ("DELETE FROM ledger", "UPDATE ledger SET at = 0"):
        with pytest.raises(sqlite3.Error, match="append-only"):
            db.execute(change)
    db.close()


def test_the_ledger_holds_no_text(tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        item = memory.store("unmistakable-words", metadata={"k": "unmistakable-words"}, tags=["unmistakable-words"])
        memory.recall("unmistakable-words")
        memory.update(item.id, content="unmistakable-words again")
        memory.forget(item.id)
        assert "unmistakable" not in str(memory.ledger.history())


MARK = "unmistakable"
STEPS = st.lists(st.sampled_from(["update", "pin", "unpin", "forget", "restore", "recall", "undo"]), max_size=8)


@settings(max_examples=25)
@given(steps=STEPS)
def test_what_is_purged_leaves_no_byte_and_the_chain_holds(tmp_path_factory, steps):
    """Whatever happened to a memory, after its purge its words are in no file, and the ledger still verifies."""
    folder, clock = tmp_path_factory.mktemp("purge"), FakeClock()
    with CelestialMemory(
        str(folder / "m.db"),
        rebalance_interval=None,
        clock=clock,
        settings=Settings(storage=StorageSettings(durability="normal"), keeping=KeepingSettings(time="calendar")),
    ) as memory:
        kept = memory.store("another memory stays")
        item_id = memory.store(f"{MARK} words", metadata={"k": f"{MARK} data"}, tags=[f"{MARK} tag"]).id
        for count, step in enumerate(steps):
            with contextlib.suppress(CelestialError):
                if step == "update":
                    memory.update(item_id, content=f"{MARK} words, version {count}")
                elif step == "recall":
                    memory.recall(MARK)
                elif step == "undo":
                    memory.ledger.undo(memory.ledger.history(item_id, 1)[0].number)
                else:
                    getattr(memory, step)(item_id)
        with contextlib.suppress(CelestialError):
            memory.forget(item_id)
        clock.advance(days=8)
        assert memory.rebalance().purged == 1
        assert memory.get(kept.id).content == "another memory stays"
        assert memory.ledger.verify().ok
        assert memory.ledger.verify().mirror.missing == 0
    for file in folder.rglob("*"):
        assert file.is_dir() or MARK.encode() not in file.read_bytes(), file.name
