"""The facade: what a user of the library can rely on."""

from __future__ import annotations

import pytest

import celestial_engine
from celestial_engine import CelestialItem, CelestialMemory, Tier
from celestial_engine.core.access import Scope
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import TierReason
from celestial_engine.errors import InvalidInputError


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
    memory.ledger.undo(memory.ledger.history(item.id, 1)[0].number)
    assert memory.get(item.id).tags == ("done",)


def test_update_with_nothing_changes_nothing(memory):
    item = memory.store("x")
    assert memory.update(item.id) == item
    assert [event.type.value for event in memory.ledger.history(item.id)] == ["stored"]


def test_a_memorys_life_is_in_the_ledger(memory):
    item = memory.store("커피")
    memory.recall("커피")
    memory.pin(item.id)
    memory.update(item.id, content="녹차")
    memory.forget(item.id)
    memory.restore(item.id)
    told = [event.type.value for event in memory.ledger.history(item.id)]
    assert told == ["restored", "forgotten", "updated", "pinned", "recalled", "stored"]


def test_looking_does_not_reinforce(memory, clock):
    item = memory.store("커피", importance=0.5)
    clock.advance(hours=1)
    memory.get(item.id), memory.list(), memory.search("커피"), memory.explain(item.id), list(memory.transfer.export())
    memory.stats(), memory.ledger.history()
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
    memory.forget(second.id)
    lines = list(memory.transfer.export())
    assert [CelestialItem.from_dict(line).id for line in lines] == [first.id, second.id]
    assert CelestialItem.from_dict(lines[0]) == memory.get(first.id)


def test_an_export_can_be_worked_on_while_it_runs(memory):
    """The loop over an export may use the memory, change it, and take its time."""
    memory.store_many([f"memory {n}" for n in range(1200)])
    for line in memory.transfer.export():
        if memory.get(line["id"]).content.endswith("7"):
            memory.forget(line["id"])
    assert memory.stats()["total"] == 1080


def test_list_by_zone_and_tier(memory):
    memory.store("near", importance=1.0)
    memory.store("far", importance=0.0, tier=Tier.M30)
    assert [item.content for item in memory.list(zone=2)] == ["near"]
    assert [item.content for item in memory.list(tier=Tier.M30)] == ["far"]


def test_a_long_text_is_found_by_a_word_at_its_end(memory):
    long = memory.store("filler text about many things. " * 300 + "zebra contract")
    nul = memory.store("note\0 the giraffe budget")
    for n in range(8):
        memory.store(f"contract number {n}, budget number {n}")
    assert memory.recall("zebra contract")[0].id == long.id
    assert memory.recall("giraffe budget")[0].id == nul.id


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


def test_scopes_are_named_or_refused(memory):
    """By their names too; what is no scope is told, not raised from somewhere inside."""
    assert memory.access.grant("a script", ["read", "write"])[1].scopes == {Scope.READ, Scope.WRITE}
    with pytest.raises(InvalidInputError, match="must be one of read, write, approve, admin"):
        memory.access.grant("a script", ["everything"])
    with pytest.raises(InvalidInputError, match="allows nothing"):
        memory.access.grant("a script", [])


def test_a_new_tier_begins_its_full_time_and_can_be_undone(memory, clock):
    item = memory.store("My sister lives in Lisbon")
    clock.now += 3_600
    changed = memory.update(item.id, tier="M30")
    assert (changed.tier, changed.tier_reason) == (Tier.M30, TierReason.GIVEN)
    assert changed.expires_at == clock.now + 30 * 86_400
    (event, *_) = [one for one in memory.ledger.history(item.id) if one.type is EventType.UPDATED]
    assert event.detail["fields"] == ["tier"]
    back = memory.ledger.undo(event.number)
    assert (back.tier, back.tier_reason, back.expires_at) == (item.tier, item.tier_reason, item.expires_at)


@pytest.mark.parametrize("tier", ["M0", "M7", 30])
def test_a_tier_that_cannot_be_given_is_refused(memory, tier):
    item = memory.store("My sister lives in Lisbon")
    with pytest.raises(InvalidInputError):
        memory.update(item.id, tier=tier)
    assert memory.get(item.id).tier is item.tier
