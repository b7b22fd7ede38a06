"""The story of sixty days: a self that grows from nothing, collapses in part, and is built again."""

from __future__ import annotations

import re

import pytest
from examples.story.__main__ import main
from examples.story.living import Clock
from examples.story.script import DEEDS, Deed, Spoken, days, read

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.record.events import EventType
from celestial_engine.core.self.islands import IslandStatus
from celestial_engine.core.self.proposals import Channel, ProposalKind, ProposalStatus

CELLO = "다시 켜는 첼로"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Told once; every test looks at what came of it."""
    folder = tmp_path_factory.mktemp("story") / "told"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder.parent))
        patch.setenv("CELESTIAL_EMBEDDER", "none")
        main([str(folder)])
    return folder


@pytest.fixture
def memory(folder):
    with CelestialMemory(folder / "story.db", rebalance_interval=None, clock=Clock()) as opened:
        yield opened


def soul_of(folder, day):
    return (folder / f"SOUL-day-{day:02}.md").read_text(encoding="utf-8")


def status_of(soul, island):
    """What a SOUL.md says of an island."""
    section = soul.partition(f" {island} ")[2].partition("\n#")[0]
    return re.search(r"- Status: (\w+)", section).group(1)


def test_the_script_is_sixty_days():
    """Each day once and in order, 150 to 250 turns, and nothing done that the script does not know."""
    script = days()
    assert [day.number for day in script] == list(range(1, 61))
    assert 150 <= sum(isinstance(act, Spoken) for day in script for act in day.acts) <= 250
    assert {act.name for day in script for act in day.acts if isinstance(act, Deed)} == set(DEEDS)


@pytest.mark.parametrize("line", ["words of nobody", "- 춤추기", "# seven 22:00 일주일"])
def test_a_script_that_cannot_be_read_is_refused(line):
    with pytest.raises(ValueError, match="nobody"):
        list(read(f"# 1 22:00 x\n{line}"))


def test_a_self_grew_from_nothing(memory):
    """Islands on core memories, beliefs on memories; each core memory by the user's word."""
    assert len(memory.self.islands()) == 4
    assert all(island.status is IslandStatus.ACTIVE and island.founders for island in memory.self.islands())
    assert len(memory.self.beliefs()) == 5
    assert all(belief.supports and belief.statement.startswith("나는 ") for belief in memory.self.beliefs())
    core = memory.list(100, tier=Tier.M0)
    assert len(core) == 10
    for item in core:
        promoted = [event for event in memory.ledger.history(item.id) if event.type is EventType.PROMOTED]
        assert "하윤" in [event.detail.get("approved_by") for event in promoted]


def test_nothing_of_the_self_changed_without_her_word(memory):
    """Every version has an approval by the user's own channel; the night only proposed."""
    versions = memory.self.versions()
    assert versions
    assert {(one.by, one.channel) for one in versions} == {("하윤", Channel.CLI)}
    suggested = [one for one in memory.self.inbox(None, 1_000) if one.channel is Channel.SLEEP]
    approved = {one.kind for one in suggested if one.status is ProposalStatus.APPROVED}
    assert approved == {ProposalKind.ISLAND_FOUNDED, ProposalKind.BELIEF_FORMED}
    assert any(one.status is ProposalStatus.REJECTED for one in suggested)


def test_an_island_shook_collapsed_and_stands_again(folder, memory):
    """Its founders were let go, seven days passed, and new memories of the same thing came."""
    statuses = [status_of(soul_of(folder, day), CELLO) for day in (14, 35, 43, 47, 53, 60)]
    assert statuses == ["active", "shaking", "collapsed", "rebuilding", "active", "active"]
    told = [event.detail["notice"] for event in reversed(memory.ledger.notices(100))]
    shown = [notice for notice in told if notice.startswith("island_")]
    assert shown == ["island_shaking", "island_collapsed", "island_rebuilding", "island_stands"]
    founders = next(island.founders for island in memory.self.islands() if island.name == CELLO)
    assert len(founders) == 3
    assert "십 년 만에" not in " ".join(memory.get(item_id).content for item_id in founders)


def test_what_she_let_go_is_gone(folder, memory):
    """The two memories that the island first stood on were purged after their week on the cliff."""
    assert "나무 냄새" in soul_of(folder, 14)
    assert "나무 냄새" not in (folder / "SOUL.md").read_text(encoding="utf-8")
    assert not [item for item in memory.transfer.export() if "십 년 만에 연 케이스" in item["content"]]


def test_the_soul_is_worth_reading(folder, memory):
    soul = (folder / "SOUL.md").read_text(encoding="utf-8")
    assert soul.startswith("# SOUL\n")
    for heading in ("## Personality Islands", "## Sense of Self", "## Core Memories"):
        assert heading in soul
    for part in ("하윤과의 유대", CELLO, "나는 하윤에게 소중한 존재다", "네 이름은 새벽이야"):
        assert part in soul
    assert "사용자" not in soul
    assert memory.self.soul() == soul


def test_the_story_tells_every_day(folder):
    page = (folder / "story.md").read_text(encoding="utf-8")
    assert page.count("\n## ") == 61
    for told in (
        "떠올린 기억",
        "제안을 하윤이 승인했다",
        "무너졌다",
        "다시 섰다",
        "새벽의 상상",
    ):
        assert told in page
    for target in re.findall(r"\]\(([^)]+)\)", page):
        assert (folder / target).exists()


def test_it_lived_like_any_memory(memory):
    """Turns were chosen among, nights promoted and forgot, ideas came, and the ledger is whole."""
    counts = dict.fromkeys(EventType, 0)
    for event in memory.ledger.history(limit=10_000):
        counts[event.type] += 1
    assert counts[EventType.SLEPT] == 60
    assert 30 < counts[EventType.STORED] < 150
    for kind in (EventType.PROMOTED, EventType.FADED, EventType.PURGED, EventType.IMAGINED, EventType.RECALLED):
        assert counts[kind] > 0, kind
    assert memory.ledger.verify().ok
    assert memory.maintenance.check() == []


def test_a_folder_with_something_in_it_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "not empty" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]


def test_the_story_needs_a_folder():
    with pytest.raises(SystemExit):
        main([])
