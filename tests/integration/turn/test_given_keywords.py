"""Keywords and a category that a caller gives: they win over what is read from the text, and stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.orbit.memory_function import RESTING
from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.item import Category, CelestialItem, Given
from celestial_engine.core.record.versions import version_of
from celestial_engine.core.sameness.merge import merged
from celestial_engine.core.text.keywords import keywords_of
from celestial_engine.errors import CelestialError, InvalidInputError, KeyReusedError, Reason, VersionError
from celestial_engine.flow.night import regenerate
from celestial_engine.testing.in_memory.store import DictStore

TEXT = "The user dislikes mushrooms"
GIVEN = ("food", "taste")


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, clock):
    store = DictStore() if request.param == "dictionaries" else None
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, item_store=store, embedder="none"
    ) as opened:
        yield opened


def described(memory, item_id):
    item = memory.get(item_id)
    return item.keywords, item.category, item.given


def test_given_values_are_stored_instead_of_what_the_text_says(memory):
    """Without them both are read from the text."""
    item = memory.store(TEXT, keywords=[" food ", "taste"], category="technical")
    assert described(memory, item.id) == (GIVEN, Category.TECHNICAL, (Given.CATEGORY, Given.KEYWORDS))
    read = memory.store(TEXT)
    assert described(memory, read.id) == (keywords_of(TEXT), Category.PREFERENCE, ())


def test_given_values_stay_when_the_text_changes(memory):
    """Until they are changed themselves; a read category follows the text."""
    item = memory.store(TEXT, keywords=GIVEN)
    memory.update(item.id, "The API server returns an error")
    assert described(memory, item.id) == (GIVEN, Category.TECHNICAL, (Given.KEYWORDS,))
    memory.update(item.id, keywords=["server"], category=Category.FACT)
    memory.update(item.id, TEXT)
    assert described(memory, item.id) == (("server",), Category.FACT, (Given.CATEGORY, Given.KEYWORDS))


def test_empty_keywords_are_read_from_the_text_again(memory):
    """The way back to what the engine finds, of the old text or of a new one."""
    item = memory.store(TEXT, keywords=GIVEN)
    memory.update(item.id, keywords=[])
    assert described(memory, item.id)[::2] == (keywords_of(TEXT), ())
    memory.update(item.id, keywords=GIVEN)
    memory.update(item.id, "Tom lives in Lisbon", keywords=())
    assert described(memory, item.id)[::2] == (keywords_of("Tom lives in Lisbon"), ())


def test_a_change_of_keywords_is_written_down_and_can_be_undone(memory):
    """It is a version of its own, and an event that says what changed."""
    item = memory.store(TEXT)
    before = version_of(memory.get(item.id))
    memory.update(item.id, keywords=GIVEN, category=Category.FACT)
    with pytest.raises(VersionError):
        memory.update(item.id, keywords=["other"], if_version=before)
    event = memory.ledger.history(item.id)[0]
    assert event.detail["fields"] == ["keywords", "category"]
    memory.ledger.undo(event.number)
    assert described(memory, item.id) == (keywords_of(TEXT), Category.PREFERENCE, ())


def test_given_values_survive_an_export(memory, clock):
    """An import reads no text."""
    item = memory.store(TEXT, keywords=GIVEN, category=Category.FACT)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embedder="none") as other:
        other.transfer.import_(memory.transfer.export())
        other.update(item.id, "Tom lives in Lisbon")
        assert described(other, item.id) == (GIVEN, Category.FACT, (Given.CATEGORY, Given.KEYWORDS))


def test_given_values_survive_the_night(memory):
    """A gist that was lost is made again; keywords and category are left alone."""
    item = memory.store(TEXT, keywords=GIVEN, category=Category.FACT)
    parts = memory.parts
    with parts.store.write(parts.owner) as session:
        session.items.rewrite(replace(item, resolution=Resolution()), RESTING)
    with parts.store.read() as session:
        plan = regenerate.plan(session, parts.owner, parts.now(), thorough=True)
    regenerate.carry_out(parts.store, parts.law(), parts.owner, plan, parts.now(), parts.recorder.perceiver.perceive)
    assert memory.get(item.id).resolution.gist
    assert described(memory, item.id) == (GIVEN, Category.FACT, (Given.CATEGORY, Given.KEYWORDS))


def test_given_values_win_when_two_memories_become_one():
    """Whichever stays; what was only read is dropped."""
    read = CelestialItem("a", TEXT, 0.0, 0.0, keywords=("mushrooms",), category=Category.PREFERENCE)
    told = CelestialItem("b", TEXT, 0.0, 0.0).with_given(Category.FACT, GIVEN)
    for one in (merged(read, told), merged(told, read)):
        assert (one.keywords, one.category, set(one.given)) == (GIVEN, Category.FACT, set(Given))
    more = CelestialItem("c", TEXT, 0.0, 0.0).with_given(None, ("dinner",))
    assert merged(told, more).keywords == (*GIVEN, "dinner")


def test_a_request_with_other_keywords_is_another_request(memory):
    """An idempotency key stands for one request."""
    memory.store(TEXT, keywords=GIVEN, idempotency_key="k")
    assert memory.store(TEXT, keywords=GIVEN, idempotency_key="k").keywords == GIVEN
    with pytest.raises(KeyReusedError):
        memory.store(TEXT, keywords=["other"], idempotency_key="k")


def test_secrets_in_keywords_are_redacted(memory):
    """Keywords are kept and shown like the text."""
    item = memory.store("Wifi at home", keywords=["password: hunter2-Zebra!"])
    assert "hunter2" not in str(item.keywords)


@pytest.mark.parametrize(
    ("keywords", "reason"),
    [
        ("coffee", Reason.WRONG_TYPE),
        (7, Reason.WRONG_TYPE),
        ([7], Reason.WRONG_TYPE),
        ([f"word{n}" for n in range(33)], Reason.TOO_MANY),
        (["x" * 81], Reason.WRONG_LENGTH),
        (["  "], Reason.WRONG_LENGTH),
        (["a\nb"], Reason.CONTROL_CHARACTERS),
        (["a\x00b"], Reason.CONTROL_CHARACTERS),
        (["a\u2028b"], Reason.CONTROL_CHARACTERS),
        (["tea", "tea "], Reason.REPEATED),
        (["\ud800"], Reason.LONE_SURROGATE),
    ],
)
def test_bad_keywords_are_refused(memory, keywords, reason):
    """On storing and on changing alike, and nothing is written."""
    with pytest.raises(CelestialError) as storing:
        memory.store(TEXT, keywords=keywords)
    assert storing.value.problems[0].reason is reason
    item = memory.store(TEXT)
    with pytest.raises(CelestialError) as changing:
        memory.update(item.id, keywords=keywords)
    assert changing.value.problems[0].reason is reason
    assert memory.get(item.id).keywords == keywords_of(TEXT)


def test_a_category_that_does_not_exist_is_refused(memory):
    """The choices are closed."""
    with pytest.raises(InvalidInputError) as refused:
        memory.store(TEXT, category="opinion")
    assert refused.value.problems[0].reason is Reason.UNKNOWN_CHOICE


def test_thirty_two_keywords_of_eighty_characters_are_taken(memory):
    """The bounds themselves are allowed."""
    words = tuple(f"{number:080}" for number in range(32))
    assert memory.store(TEXT, keywords=iter(words)).keywords == words
