"""The facade: what a user of the library can rely on."""

from __future__ import annotations

import threading

import pytest

import celestial_engine
from celestial_engine import (
    CelestialItem,
    CelestialMemory,
    ImportanceEvaluator,
    LLMEvaluator,
    MemoryFunctionConfig,
    State,
    Tier,
    ZoneConfig,
)
from celestial_engine.core.access import Scope
from celestial_engine.errors import InvalidInputError, NotFoundError, WrongStateError
from celestial_engine.testing.fakes import bag_of_words


def test_every_public_name_is_there():
    for name in celestial_engine.__all__:
        assert getattr(celestial_engine, name) is not None
    assert dir(celestial_engine) == sorted(celestial_engine.__all__)
    with pytest.raises(AttributeError):
        celestial_engine.nothing  # noqa: B018


def test_store_get_update(memory):
    item = memory.store("민수는 부산에 산다", importance=0.6, metadata={"from": "chat"}, tags=["사람"])
    assert memory.get(item.id) == item
    changed = memory.update(item.id, content="민수는 서울에 산다", metadata={"from": "call"})
    assert memory.get(item.id) == changed
    assert (changed.content, changed.metadata, changed.arbitrary_importance) == (
        "민수는 서울에 산다",
        {"from": "call"},
        0.6,
    )
    assert memory.recall("부산") == []
    assert [hit.id for hit in memory.recall("서울")] == [item.id]


def test_tags_are_changed_all_at_once(memory):
    """The new ones in place of the old, found by and checked as at the store; none given leaves them."""
    item = memory.store("The trip to Jeju", tags=["travel", "plans"])
    assert memory.update(item.id, tags=["done"]).tags == ("done",)
    assert memory.update(item.id, importance=0.9).tags == ("done",)
    assert [hit.id for hit in memory.search("done")] == [item.id]
    assert memory.search("plans") == []
    assert memory.update(item.id, tags=[]).tags == ()
    with pytest.raises(InvalidInputError):
        memory.update(item.id, tags=[""])
    memory.undo(memory.history(item.id, 1)[0].number)
    assert memory.get(item.id).tags == ("done",)


def test_update_with_nothing_changes_nothing(memory):
    item = memory.store("x")
    assert memory.update(item.id) == item
    assert [event.type.value for event in memory.history(item.id)] == ["stored"]


def test_a_given_importance_stays_a_judged_one_is_judged_anew(memory):
    given = memory.store("그냥 그런 날", importance=0.1)
    judged = memory.store("그냥 그런 날")
    text = "내일까지 꼭 해야 할 일: 마감 회의. 중요!"
    assert memory.update(given.id, content=text).arbitrary_importance == 0.1
    assert memory.update(judged.id, content=text).arbitrary_importance > judged.arbitrary_importance


def test_tiers_and_expiry(memory, clock):
    assert memory.store("x").tier is Tier.M90
    item = memory.store("x", tier=Tier.M30)
    assert item.expires_at == clock.now + 30 * 86_400
    with pytest.raises(InvalidInputError, match="earned"):
        memory.store("x", tier=Tier.M0)


def test_over_the_cliff_and_back(memory, clock):
    item = memory.store("커피", importance=0.9)
    gone = memory.delete(item.id)
    assert gone.state is State.CLIFF
    assert memory.recall("커피") == []
    assert [entry.id for entry in memory.cliff()] == [item.id]
    assert memory.stats()["total"] == 0
    clock.advance(days=6.9)
    memory.rebalance()
    back = memory.restore(item.id)
    assert (back.state, back.departure, back.expires_at) == (State.ACTIVE, None, clock.now + 90 * 86_400)
    assert [hit.id for hit in memory.recall("커피")] == [item.id]


def test_after_seven_days_it_is_gone(memory, clock):
    item = memory.store("커피")
    memory.delete(item.id)
    clock.advance(days=7)
    assert memory.rebalance().purged == 1
    with pytest.raises(NotFoundError):
        memory.get(item.id)
    with pytest.raises(NotFoundError):
        memory.restore(item.id)
    assert [event.type.value for event in memory.history(item.id)] == ["purged", "forgotten", "stored"]


def test_what_is_purged_is_not_in_the_file(tmp_path, clock):
    path = tmp_path / "m.db"
    with CelestialMemory(str(path), rebalance_interval=None, clock=clock) as memory:
        memory.store("a memory that stays")
        item = memory.store("the unmistakable sentence of zanzibar", metadata={"note": "unmistakable metadata"})
        memory.delete(item.id)
        clock.advance(days=7)
        assert memory.rebalance().purged == 1
    data = path.read_bytes()
    assert b"a memory that stays" in data
    assert b"unmistakable sentence" not in data
    assert b"unmistakable metadata" not in data


def test_opening_waits_for_nobody(tmp_path, clock):
    """A memory that another process is writing to can be opened and read."""
    import sqlite3

    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store("x")
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    try:
        with CelestialMemory(path, rebalance_interval=None, busy_timeout=0.05) as memory:
            assert memory.stats()["total"] == 1
    finally:
        blocker.close()


def test_idle_in_the_cloud_for_ninety_days(memory, clock):
    """Over the cliff as stale; not if pinned, not if immutable, not if its tier is longer."""
    lost = memory.store("lost", importance=0.2)
    kept = [
        memory.store("pinned", importance=0.2, pinned=True),
        memory.store("immutable", importance=0.2, immutable=True),
        memory.store("a year", importance=0.2, tier=Tier.M365),
    ]
    clock.advance(days=89)
    assert memory.rebalance().forgotten == 0
    clock.advance(days=1)
    assert memory.rebalance().forgotten == 1
    assert memory.get(lost.id).departure.reason.value == "stale"
    assert all(memory.get(item.id).state is State.ACTIVE for item in kept)


def test_never_forgetting_is_a_setting(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, auto_forget_days=None) as memory:
        memory.store("x", importance=0.0)
        clock.advance(days=10_000)
        assert memory.rebalance().forgotten == 0


def test_pinned_may_still_be_deleted_by_hand(memory):
    item = memory.pin(memory.store("x").id)
    assert memory.delete(item.id).state is State.CLIFF


def test_a_memorys_life_is_in_the_ledger(memory):
    item = memory.store("커피")
    memory.recall("커피")
    memory.pin(item.id)
    memory.update(item.id, content="녹차")
    memory.delete(item.id)
    memory.restore(item.id)
    told = [event.type.value for event in memory.history(item.id)]
    assert told == ["restored", "forgotten", "updated", "pinned", "recalled", "stored"]


def test_looking_does_not_reinforce(memory, clock):
    item = memory.store("커피", importance=0.5)
    clock.advance(hours=1)
    memory.get(item.id), memory.list(), memory.search("커피"), memory.explain(item.id), list(memory.export())
    memory.stats(), memory.history()
    after = memory.get(item.id)
    assert (after.recall_count, after.last_recalled_at) == (0, item.last_recalled_at)


def test_explain_adds_up(memory, clock):
    item = memory.store("커피", importance=0.8)
    clock.advance(hours=2)
    told = memory.explain(item.id)
    part = told.breakdown
    total = (
        0.25 * part.recall_score + 0.3 * part.freshness_score + 0.25 * part.arbitrary_score + 0.2 * part.context_score
    )
    assert part.total == pytest.approx(total) == pytest.approx(told.item.total_score)
    crossing = told.crossings[0]
    clock.now = crossing.at + 1
    memory.rebalance()
    assert memory.get(item.id).zone == crossing.zone


def test_stats_have_the_shape_of_the_design(memory):
    memory.store("x", importance=1.0)
    stats = memory.stats()
    assert stats["total"] == 1
    assert {zone: (entry["count"], entry["capacity"]) for zone, entry in stats["zones"].items()} == {
        0: (0, 20), 1: (0, 100), 2: (1, 1000), 3: (0, None), 4: (0, None),
    }  # fmt: skip


def test_export_is_every_memory_and_reads_back(memory):
    first = memory.store("하나", metadata={"값": [1, None]})
    second = memory.store("둘")
    memory.delete(second.id)
    lines = list(memory.export())
    assert [CelestialItem.from_dict(line).id for line in lines] == [first.id, second.id]
    assert CelestialItem.from_dict(lines[0]) == memory.get(first.id)


def test_an_export_can_be_worked_on_while_it_runs(memory):
    """The loop over an export may use the memory, change it, and take its time."""
    memory.store_many([f"memory {n}" for n in range(1200)])
    for line in memory.export():
        if memory.get(line["id"]).content.endswith("7"):
            memory.delete(line["id"])
    assert memory.stats()["total"] == 1080


def test_list_by_zone_and_tier(memory):
    memory.store("near", importance=1.0)
    memory.store("far", importance=0.0, tier=Tier.M30)
    assert [item.content for item in memory.list(zone=2)] == ["near"]
    assert [item.content for item in memory.list(tier=Tier.M30)] == ["far"]


def test_other_settings_place_everybody_anew(tmp_path, clock):
    """Stored courses belong to a memory function; with another one they are all worked out again."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        items = [memory.store(f"memory {n}", importance=n / 10) for n in range(11)]
    config = MemoryFunctionConfig(w_arbitrary=0.9, w_recall=0.05)
    with CelestialMemory(path, memory_fn_config=config, rebalance_interval=None, clock=clock) as memory:
        memory.rebalance()
        assert [memory.get(item.id).zone for item in items] == [3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0]
        assert memory.rebalance().visited == 0
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        assert memory.rebalance().visited == 0, "who says nothing lives by the law that is there"
        assert memory.explain(items[0].id).config == config
    default = MemoryFunctionConfig()
    with CelestialMemory(path, memory_fn_config=default, rebalance_interval=None, clock=clock) as memory:
        memory.rebalance()
        assert {memory.get(item.id).zone for item in items} == {2, 3}
        assert [event.type.value for event in memory.history() if event.item_id is None][-1] == "law_changed"


def test_a_look_with_other_settings_harms_nobody(tmp_path, clock):
    """An application that never forgets and has zones of its own; somebody opens its file with the defaults."""
    path = str(tmp_path / "m.db")
    zones = [ZoneConfig(0, "here", 2, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(path, zones, auto_forget_days=None, rebalance_interval=None, clock=clock) as app:
        items = [app.store(f"memory {n}", importance=0.5) for n in range(6)]
        clock.advance(days=200)
        with CelestialMemory(path, rebalance_interval=None, clock=clock) as visitor:
            visitor.rebalance()
            assert visitor.stats()["total"] == 6
            assert len(visitor.stats()["zones"]) == 2
        assert app.stats()["total"] == 6
        assert all(app.get(item.id).state is State.ACTIVE for item in items)


def test_a_law_that_changes_under_a_running_engine_is_obeyed(tmp_path, clock):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as first:
        first.store("x", importance=0.2)
        with CelestialMemory(path, auto_forget_days=None, rebalance_interval=None, clock=clock):
            pass
        clock.advance(days=300)
        assert first.rebalance().forgotten == 0


def test_idle_for_long_before_it_was_unpinned(memory, clock):
    """What is stale already when its protection goes is forgotten at the next rebalance, not never."""
    item = memory.store("x", importance=0.2, pinned=True)
    clock.advance(days=200)
    memory.rebalance()
    memory.unpin(item.id)
    assert memory.rebalance().forgotten == 1


def test_what_is_on_the_cliff_cannot_be_pinned(memory):
    item = memory.store("x")
    memory.delete(item.id)
    with pytest.raises(WrongStateError, match="on the cliff"):
        memory.pin(item.id)


def test_who_had_to_make_room_is_told(clock):
    zones = [ZoneConfig(0, "here", 1, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(":memory:", zones=zones, rebalance_interval=None, clock=clock) as memory:
        alpha = memory.store("alpha", importance=0.5)
        beta = memory.store("beta", importance=0.9)
        moved = memory.history(alpha.id)[0]
        assert (moved.type.value, moved.detail) == ("moved", {"zone": 1, "by": beta.id})


def test_a_long_text_is_found_by_a_word_at_its_end(memory):
    long = memory.store("filler text about many things. " * 300 + "zebra contract")
    nul = memory.store("note\0 the giraffe budget")
    for n in range(8):
        memory.store(f"contract number {n}, budget number {n}")
    assert memory.recall("zebra contract")[0].id == long.id
    assert memory.recall("giraffe budget")[0].id == nul.id


def test_recall_answers_even_if_it_cannot_be_counted(tmp_path, caplog):
    import sqlite3

    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, busy_timeout=0.05) as memory:
        memory.store("커피를 좋아한다")
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        try:
            assert [hit.content for hit in memory.recall("커피")] == ["커피를 좋아한다"]
        finally:
            blocker.close()
        assert "without being reinforced" in caplog.text


def test_given_meanwhile_outranks_judged(clock):
    """Somebody sets the importance while the evaluator still thinks about a new text."""

    class Slow(ImportanceEvaluator):
        def evaluate(self, content: str) -> float:
            if content == "new text":
                memory.update(item.id, importance=0.95)
            return 0.4

    with CelestialMemory(":memory:", evaluator=Slow(), rebalance_interval=None, clock=clock) as memory:
        item = memory.store("old text")
        updated = memory.update(item.id, content="new text")
        assert (updated.content, updated.arbitrary_importance, updated.importance_source) == (
            "new text",
            0.95,
            "given",
        )


def test_a_failed_judge_is_in_the_ledger(clock):
    def broken(prompt: str) -> str:
        raise TimeoutError

    with CelestialMemory(":memory:", evaluator=LLMEvaluator(broken), rebalance_interval=None, clock=clock) as memory:
        item = memory.store("x")
        assert memory.history(item.id)[0].detail["fallback_from"] == "llm"


def test_own_zones(clock):
    zones = [ZoneConfig(0, "here", 2, 0.0), ZoneConfig(1, "there", None, float("-inf"))]
    with CelestialMemory(":memory:", zones=zones, rebalance_interval=None, clock=clock) as memory:
        for n in range(5):
            memory.store(f"memory {n}", importance=n / 10)
        assert sorted(item.content for item in memory.list(zone=0)) == ["memory 3", "memory 4"]


def test_several_threads(tmp_path):
    """Every store and every recall of every thread counts."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=0.01, durability="normal") as memory:
        shared = memory.store("shared memory")
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for n in range(20):
                    memory.store(f"thread {number} memory {n}")
                    memory.recall("shared", limit=1)
                    memory.stats()
            except BaseException as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert memory.get(shared.id).recall_count == 120
        assert memory.stats()["total"] == 121
        assert memory.check() == []


def test_the_default_place_is_the_users_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with CelestialMemory(rebalance_interval=None) as memory:
        memory.store("x")
        assert memory.path.startswith(str(tmp_path))
        assert (tmp_path / "data" / "celestial" / "memory.db").stat().st_mode & 0o077 == 0, "private"
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "other.db"))
    monkeypatch.setenv("CELESTIAL_USER", "minsu")
    with CelestialMemory(rebalance_interval=None) as memory:
        assert memory.path == str(tmp_path / "other.db")
        assert memory.store("x").owner.user_id == "minsu"


@pytest.mark.parametrize("broken", [lambda t: [], lambda t: [0.0, 0.0], lambda t: [float("nan")], lambda t: 1 / 0])
def test_a_broken_embedder_loses_nothing(broken, clock, caplog):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=broken) as memory:
        item = memory.store("커피를 좋아한다")
        assert item.embedding is None
        assert [hit.id for hit in memory.recall("커피")] == [item.id]
    assert "without a vector" in caplog.text


def test_context_pulls_toward_core_and_lets_go(clock):
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as memory:
        item = memory.store("한강 공원 산책", importance=1.0)
        for _ in range(20):
            memory.recall("한강 공원 산책")
        assert memory.get(item.id).zone == 0
        clock.advance(minutes=30)
        memory.rebalance()
        assert memory.get(item.id).zone == 1


def test_scopes_are_named_or_refused(memory):
    """By their names too; what is no scope is told, not raised from somewhere inside."""
    assert memory.grant("a script", ["read", "write"])[1].scopes == {Scope.READ, Scope.WRITE}
    with pytest.raises(InvalidInputError, match="take some of read, write, approve, admin"):
        memory.grant("a script", ["everything"])
    with pytest.raises(InvalidInputError, match="scopes"):
        memory.grant("a script", [])
