"""The inbox, the self and SOUL.md from the command line, in both languages."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.self.islands import IslandStatus
from celestial_engine.core.self.proposals import ProposalKind, ProposalStatus
from celestial_engine.flow.self.tend import _NOTICES
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.surfaces.cli.texts.en import general as texts_en

NAMED = "민지가 나에게 별이라는 이름을 지어줬다"


@pytest.fixture(autouse=True)
def _wide(plain_english, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def item(path):
    with CelestialMemory(path, rebalance_interval=None) as memory:
        return memory.store(NAMED, tier=Tier.M365).id


@pytest.mark.parametrize(
    ("kind", "words"),
    [("proposal", ProposalKind), ("proposal_status", ProposalStatus), ("island", IslandStatus), ("notice", _NOTICES.values())],
)  # fmt: skip
def test_every_word_of_the_self_is_translated(kind, words):
    for word in words:
        assert f"{kind}.{getattr(word, 'value', word)}" in texts_en.TEXTS


def test_a_self_from_nothing(celestial, item, path, tmp_path):
    """Propose, look, approve; an island, a belief, the page, and back."""
    assert "no approved self" in celestial("self")
    assert "Nothing waits" in celestial("inbox")
    said = celestial("self", "core", item[:8])
    assert "+ M0 " + NAMED in said
    (waiting,) = json.loads(celestial("inbox", "--json"))["proposals"]
    assert waiting["kind"] == "core_promotion"
    assert "nonce" not in waiting
    assert NAMED in celestial("inbox")
    assert "proposed by local (cli)" in celestial("inbox", waiting["id"][:6])
    assert "approved" in celestial("approve", waiting["id"][:6])
    assert "approved before" in celestial("approve", waiting["id"], code=4)
    assert "no memory 'nothing'" in celestial("approve", "nothing", code=3)
    celestial("self", "island", "민지와의 유대", item[:8], "--emoji", "🏠")
    island = json.loads(celestial("inbox", "--json"))["proposals"][0]["id"]
    celestial("approve", island)
    celestial("self", "belief", "나는 별이다", item[:8])
    (belief,) = json.loads(celestial("inbox", "--json"))["proposals"]
    celestial("approve", belief["id"])
    assert "🏠 민지와의 유대" in celestial("self")
    assert "나는 별이다" in celestial("self", "context", "--tokens", "100")
    assert celestial("self", "versions").count("local") == 3
    said = celestial("soul", "write")
    page = tmp_path / "SOUL.md"
    assert str(page) in said
    assert "나는 별이다" in page.read_text(encoding="utf-8")
    assert celestial("soul") == page.read_text(encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8").replace("- 나는 별이다", "- 나는 달이다"), encoding="utf-8")
    assert "somebody has edited it" in celestial("soul", "write", code=4)
    assert "-- 나는 달이다" in celestial("soul", "diff")
    assert "나는 달이다" in celestial("soul", "read")
    (edit,) = json.loads(celestial("inbox", "--json"))["proposals"]
    assert "rejected" in celestial("reject", edit["id"])
    celestial("soul", "write")
    assert "나는 별이다" in page.read_text(encoding="utf-8")
    celestial("self", "rollback", "0")
    (back,) = json.loads(celestial("inbox", "--json"))["proposals"]
    celestial("approve", back["id"])
    assert json.loads(celestial("self", "--json")) == {"version": 4, "islands": [], "beliefs": []}
    assert "There is nothing to tell" in celestial("self", "notices")


def test_it_speaks_korean(celestial, item):
    """What would shake is said before; a shaking island is told of."""
    celestial("approve", item[:8])
    celestial("self", "island", "민지와의 유대", item[:8])
    celestial("approve", json.loads(celestial("inbox", "--json"))["proposals"][0]["id"])
    said = celestial("--lang", "ko", "self", "forget", item[:8])
    assert "코어 메모리 삭제" in said
    assert "⚠ 흔들릴 섬" in said
    assert "보호되어 있어" in celestial("--lang", "ko", "forget", item[:8], code=4)
    waiting = json.loads(celestial("inbox", "--json"))["proposals"][0]["id"]
    assert "승인했습니다" in celestial("--lang", "ko", "approve", waiting)
    assert "'민지와의 유대' 섬이 흔들리고 있어요" in celestial("--lang", "ko", "self", "notices")
    assert "흔들림" in celestial("--lang", "ko", "self")
    assert "이미 결정되었습니다" in celestial("--lang", "ko", "approve", waiting, code=4)
    assert "알림" in celestial("--lang", "ko", "history")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("self", "rollback", "x"), 2),
        (("self", "rollback", "9"), 3),
        (("self", "core"), 2),
        (("self", "island", "이름"), 2),
        (("self", "context", "--tokens", "many"), 2),
        (("reject", "nothing"), 3),
        (("inbox", "nothing"), 3),
        (("soul", "read"), 4),
        (("self", "dance"), 2),
    ],
)
def test_mistakes_have_an_exit_code(celestial, arguments, code):
    assert celestial(*arguments, code=code)


def test_the_actions_are_those_of_the_parser():
    assert {f"self {name}" for name in ("show", "context", "versions", "rollback", "notices")} < declared(
        "self"
    ).keys()
