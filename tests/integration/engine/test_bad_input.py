"""Bad input gets its own error, says what to do, and changes nothing."""

from __future__ import annotations

import math
import os

import pytest

from celestial_engine import (
    CelestialItem,
    CelestialMemory,
    ImportanceEvaluator,
    Settings,
    StorageSettings,
    ZoneManager,
)
from celestial_engine.core.checks import MOST_CONTENT_BYTES
from celestial_engine.errors import (
    AmbiguousIdError,
    ClosedError,
    ConfigError,
    ContentTooLargeError,
    EmptyContentError,
    InvalidImportanceError,
    InvalidInputError,
    InvalidLimitError,
    InvalidMetadataError,
    InvalidOwnerError,
    InvalidTextError,
    NotFoundError,
    ProtectedError,
    WrongStateError,
)


@pytest.fixture
def kept(memory):
    """A memory with one thing in it, and the check that nothing else ever got in."""
    item = memory.store("커피를 좋아한다", importance=0.5)
    before = list(memory.transfer.export())
    events = memory.ledger.history(limit=1000)
    yield memory, item
    assert list(memory.transfer.export()) == before
    assert memory.ledger.history(limit=1000) == events
    assert memory.maintenance.check() == []


CYCLE: dict[str, object] = {}
NESTED: dict[str, object] = {}
for _ in range(100):
    NESTED = {"deeper": NESTED}
CYCLE["self"] = CYCLE


@pytest.mark.parametrize("content", ["", " ", "\n\t \u3000"])
def test_empty_content(kept, content):
    memory, item = kept
    with pytest.raises(EmptyContentError):
        memory.store(content)
    with pytest.raises(EmptyContentError):
        memory.update(item.id, content=content)
    with pytest.raises(EmptyContentError):
        memory.recall(content)


@pytest.mark.parametrize("content", ["half \ud83d", b"bytes", None, 5, ["list"]])
def test_content_that_is_not_text(kept, content):
    memory, item = kept
    with pytest.raises(InvalidTextError):
        memory.store(content)
    if content is not None:
        with pytest.raises(InvalidTextError):
            memory.update(item.id, content=content)
    with pytest.raises(InvalidTextError):
        memory.recall(content)


def test_content_of_more_than_a_mebibyte(kept):
    memory, _ = kept
    with pytest.raises(ContentTooLargeError, match="Split it"):
        memory.store("가" * (MOST_CONTENT_BYTES // 3 + 1))


def test_content_of_just_a_mebibyte(memory):
    text = "word " * (MOST_CONTENT_BYTES // 5)
    assert memory.get(memory.store(text).id).content == text


@pytest.mark.parametrize("importance", [math.nan, math.inf, -math.inf, -0.01, 1.01, "high", True, [0.5]])
def test_importance(kept, importance):
    memory, item = kept
    with pytest.raises(InvalidImportanceError):
        memory.store("x", importance=importance)
    with pytest.raises(InvalidImportanceError):
        memory.update(item.id, importance=importance)


@pytest.mark.parametrize(
    "metadata",
    [{"nan": math.nan}, {"object": object()}, {1: "key"}, {"set": {1}}, ["list"], "text", CYCLE, {"x": "\ud800"},
     {"big": "x" * (1 << 19)}, {"a": {1: 2}}, NESTED],
)  # fmt: skip
def test_metadata_that_is_not_json(kept, metadata):
    memory, item = kept
    with pytest.raises(InvalidMetadataError):
        memory.store("x", metadata=metadata)
    with pytest.raises(InvalidMetadataError):
        memory.update(item.id, metadata=metadata)


@pytest.mark.parametrize("limit", [-1, 1.5, "5", None, True, 10**7, 10**30])
def test_limits(kept, limit):
    memory, _ = kept
    for call in (
        lambda: memory.recall("커피", limit=limit),
        lambda: memory.list(limit),
        lambda: memory.departures.cliff(limit),
    ):
        with pytest.raises(InvalidLimitError):
            call()


def test_a_limit_of_nothing_finds_and_reinforces_nothing(kept):
    memory, _ = kept
    assert memory.recall("커피", limit=0) == []


def test_unknown_ids(kept):
    memory, _ = kept
    for call in (
        memory.get,
        memory.forget,
        memory.restore,
        memory.pin,
        memory.unpin,
        memory.explain,
        memory.browse.find_id,
    ):
        with pytest.raises(NotFoundError, match="no memory 'nobody'"):
            call("nobody")
    with pytest.raises(NotFoundError):
        memory.update("nobody", content="x")
    with pytest.raises(NotFoundError):
        memory.browse.find_id("")


@pytest.mark.parametrize("user", ["", "  ", "x" * 201, "\ud800", 5])
def test_owners(kept, user):
    memory, _ = kept
    with pytest.raises(InvalidOwnerError):
        memory.of(user).store("x")
    with pytest.raises(InvalidOwnerError):
        memory.of(user).recall("x")


def test_an_empty_owner_is_not_the_default_owner():
    with pytest.raises(InvalidOwnerError):
        CelestialMemory(":memory:", user_id="")


def test_an_empty_path_is_not_the_default_path():
    with pytest.raises(ConfigError):
        CelestialMemory("")


def test_an_id_that_fits_several(memory):
    for n in range(40):  # 16 first characters for 40 ids
        memory.store(f"memory {n}")
    first = [item.id[0] for item in memory.list(40)]
    crowded = max(set(first), key=first.count)
    with pytest.raises(AmbiguousIdError, match="more characters"):
        memory.browse.find_id(crowded)


def test_immutable_memories_refuse_change_and_deletion(memory):
    item = memory.store("세 가지 원칙", immutable=True)
    for call in (
        lambda: memory.update(item.id, content="바꾼 원칙"),
        lambda: memory.update(item.id, metadata={"a": 1}),
        lambda: memory.forget(item.id),
        lambda: memory.unpin(item.id),
    ):
        with pytest.raises(ProtectedError, match="immutable"):
            call()
    assert memory.pin(item.id).protection.value == "immutable"
    assert memory.get(item.id).content == "세 가지 원칙"


def test_what_is_not_on_the_cliff_cannot_be_restored(memory):
    item = memory.store("x")
    with pytest.raises(WrongStateError):
        memory.restore(item.id)
    memory.forget(item.id)
    with pytest.raises(WrongStateError, match="on the cliff"):
        memory.forget(item.id)
    with pytest.raises(WrongStateError, match="on the cliff"):
        memory.update(item.id, content="y")


@pytest.mark.parametrize(
    "question", ['"', "AND", "커피 AND", "NOT 커피", "(커피", "커피*", "NEAR(커피 2)", "body:커피", "^커피", "-커피", "커피;--", "'"]
)  # fmt: skip
def test_operators_in_a_question_are_text(memory, question):
    memory.store("커피를 좋아한다")
    hits = memory.recall(question)
    assert [hit.content for hit in hits] == (["커피를 좋아한다"] if "커피" in question else [])


def test_settings_that_contradict(tmp_path):
    path = str(tmp_path / "m.db")
    for bad in (
        {"rebalance_interval": 0},
        {"rebalance_interval": -5},
        {"auto_forget_days": math.nan},
        {"settings": Settings(StorageSettings(durability="maybe"))},
        {"settings": Settings(StorageSettings(busy_timeout=0))},
        {"settings": Settings(StorageSettings(max_bytes=5))},
    ):
        with pytest.raises(ConfigError):
            CelestialMemory(path, **bad)
    assert not os.path.exists(path)


def test_use_after_close(memory):
    memory.close()
    with pytest.raises(ClosedError):
        memory.store("x")
    memory.close()


def test_every_error_says_what_to_do():
    """Each is in the tree at the top of the file, and carries advice."""
    from celestial_engine import errors
    from celestial_engine.errors import tree
    from celestial_engine.errors.messages import catalogue

    classes = [
        cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.CelestialError)
    ]
    assert len(classes) > 20
    for cls in classes:
        assert cls.__name__ in (tree.__doc__ or ""), f"{cls.__name__} is not in the tree"
        advice = catalogue("en").errors[cls.code][1]
        assert advice or cls is errors.CelestialError, f"{cls.__name__} does not say what to do"
    assert len({cls.code for cls in classes}) == len(classes)


@pytest.mark.parametrize("item_id", ["\ud800", 5, None, b"id"])
def test_ids_that_are_none(kept, item_id):
    memory, _ = kept
    for call in (memory.get, memory.forget, memory.restore, memory.pin, memory.explain, memory.browse.find_id):
        with pytest.raises(InvalidTextError):
            call(item_id)


@pytest.mark.parametrize("now", [math.nan, math.inf, None, "noon", 1e12, True])
def test_a_clock_that_talks_nonsense(kept, clock, now):
    memory, item = kept
    good, clock.now = clock.now, now
    try:
        for call in (lambda: memory.store("x"), lambda: memory.recall("커피"), lambda: memory.forget(item.id)):
            with pytest.raises(ConfigError, match="the clock gave"):
                call()
    finally:
        clock.now = good


@pytest.mark.parametrize(
    "bad", [{"tier": "M77"}, {"source": "rumour"}, {"tags": "abc"}, {"tags": ["ok", ""]}, {"tags": 5}, {"tier": 30}]
)
def test_choices_that_do_not_exist(kept, bad):
    memory, _ = kept
    with pytest.raises(InvalidInputError):
        memory.store("x", **bad)


def test_names_of_choices_will_do(memory):
    assert memory.store("x", tier="M30", source="conversation").tier.value == "M30"


@pytest.mark.parametrize("zone", [-1, 5, 10**30, "core"])
def test_zones_that_do_not_exist(kept, zone):
    memory, _ = kept
    with pytest.raises(InvalidInputError):
        memory.list(zone=zone)


@pytest.mark.parametrize("score", [None, math.nan, 7, "high"])
def test_an_evaluator_that_talks_nonsense(clock, score):
    class Odd(ImportanceEvaluator):
        def evaluate(self, content):
            return score

    with CelestialMemory(":memory:", evaluator=Odd(), rebalance_interval=None, clock=clock) as memory:
        with pytest.raises(InvalidImportanceError):
            memory.store("x")
        assert memory.stats()["total"] == 0


@pytest.mark.parametrize("vector", [[1e-60, 1e-60], [1e300, 1.0], [1.0, math.inf]])
def test_vectors_that_32_bits_cannot_carry(clock, vector):
    with CelestialMemory(":memory:", embed_fn=lambda text: vector, rebalance_interval=None, clock=clock) as memory:
        assert memory.store("커피").embedding is None
        assert len(memory.recall("커피")) == 1


def test_zones_by_hand_keep_the_rules(tmp_path):
    """The thin classes know protection, checks and the ledger too."""
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        fixed = memory.store("세 가지 원칙", immutable=True)
        often = memory.store("커피")
        for _ in range(3):
            memory.recall("커피")
        with ZoneManager(db_path=path) as zones:
            with pytest.raises(ProtectedError):
                zones.place(CelestialItem(fixed.id, "바꾼 원칙", 0.0, 0.0), 0)
            for zone in (99, -3, "core"):
                with pytest.raises(InvalidInputError):
                    zones.place(CelestialItem.create("x"), zone)
            with pytest.raises(InvalidImportanceError):
                zones.place(CelestialItem("y", "y", 0.0, 0.0, arbitrary_importance=7.0), 0)
            zones.place(CelestialItem(often.id, "커피 두 잔", 0.0, 0.0), 1)
            zones.move(often.id, 1, 3)
        assert memory.get(often.id).recall_count == 3, "its history stays"
        assert memory.get(fixed.id).content == "세 가지 원칙"
        assert [event.type.value for event in memory.ledger.history(often.id)][:2] == ["moved", "updated"]


def test_bad_settings_of_the_night_are_refused_before_anything_is_opened(tmp_path, monkeypatch):
    config = tmp_path / "celestial.toml"
    config.write_text("[sleep]\nmax_leaving_share = 7.0\n")
    monkeypatch.setenv("CELESTIAL_CONFIG", str(config))
    path = tmp_path / "m.db"
    with pytest.raises(ConfigError):
        CelestialMemory(path)
    assert not path.exists()
