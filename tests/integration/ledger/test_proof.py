"""A proof of purging: somebody else can check it without the database, and every change of it is found."""

from __future__ import annotations

import copy
import json
import random

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.ledger.chain import Head, linked
from celestial_engine.core.ledger.proof import ProofFault, check_proof
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.errors import InvalidInputError, NotFoundError
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.testing.in_memory.store import DictStore

SECRET = "the code of the safe is under the third flower pot"


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, tmp_path):
    where = {"item_store": DictStore()} if request.param == "dictionaries" else {"db_path": str(tmp_path / "m.db")}
    with CelestialMemory(rebalance_interval=None, clock=FakeClock(), embedder="none", **where) as opened:
        yield opened


def purged(memory, *texts) -> list[str]:
    ids = [memory.store(text).id for text in texts]
    memory.departures.erase(ids)
    return ids


def test_a_proof_holds_without_the_database(memory):
    """It names the purge and its time; the text is nowhere in it, and nobody else's name."""
    memory.of("mina").store("somebody else's memory")
    (item_id,) = purged(memory, SECRET)
    for number in range(4):
        memory.store(f"the garden gate {number}")
    memory.recall("the garden gate", limit=3)
    document = json.loads(json.dumps(memory.ledger.prove_purged([item_id])))
    assert "flower" not in json.dumps(document)
    assert "mina" not in json.dumps(document)
    found = check_proof(document)
    assert found.ok
    assert [one.id for one in found.memories] == [item_id]
    assert found.owner == memory.owner
    assert found.anchor == memory.ledger.newest_anchor()
    assert memory.ledger.verify(anchor=str(found.anchor)).ok
    assert check_proof(document, found.anchor).ok
    assert check_proof(document, Head(found.anchor.number, "0" * 64)).fault is ProofFault.OTHER_ANCHOR


def test_an_anchor_over_this_owner_alone_is_used_again(memory):
    """A night's anchor with several owners would name them: then one is written for the proof."""
    (first,) = purged(memory, "one")
    anchored = memory.ledger.anchor()
    assert memory.ledger.prove_purged([first])["anchor"]["head"] == str(anchored)
    (second,) = purged(memory, "two")
    memory.of("mina").store("somebody else's memory")
    both = memory.ledger.anchor()
    document = memory.ledger.prove_purged([second])
    assert document["anchor"]["previous"] == str(both)
    assert memory.ledger.prove_purged([second]) == document
    assert check_proof(memory.ledger.prove_purged([first, second])).ok
    assert memory.ledger.verify().ok
    assert memory.ledger.anchor() is None


def test_several_purges_are_one_document(memory):
    ids = purged(memory, "one", "two", "three")
    found = check_proof(memory.ledger.prove_purged(ids[::2]))
    assert {one.id for one in found.memories} == {ids[0], ids[2]}


def test_what_was_not_purged_is_not_proved(memory):
    kept = memory.store("still here")
    with pytest.raises(InvalidInputError):
        memory.ledger.prove_purged([kept.id])
    with pytest.raises(NotFoundError):
        memory.ledger.prove_purged(["nobody"])
    with pytest.raises(InvalidInputError):
        memory.ledger.prove_purged([])


def test_a_memory_that_came_back_is_not_proved(memory):
    """A later entry about the same id takes the proof away, even one that continues the chain."""
    (item_id,) = purged(memory, "one")
    document = memory.ledger.prove_purged([item_id])
    last = document["entries"][-1]
    again = linked(Head(last[0], last[-1]), last[0] + 1, Event(EventType.STORED, memory.owner, 1.0, item_id), None)
    document["entries"].append([v for n, v in again._asdict().items() if n not in ("user_id", "agent_id")])
    assert check_proof(document).fault is ProofFault.BACK


def test_every_change_is_found(memory):
    """One value changed, an entry removed, doubled or moved, another owner: 400 random changes, none holds."""
    (item_id,) = purged(memory, "one")
    memory.store("two")
    memory.ledger.log("s1", "tool_call", "thesis", None, None, {"impact_score": 0.5})
    document = memory.ledger.prove_purged([item_id])
    dice = random.Random(7)
    for _ in range(400):
        changed = copy.deepcopy(document)
        _change(changed, dice)
        if changed != document:
            assert not check_proof(changed).ok, changed


def _change(document: dict, dice: random.Random) -> None:
    entries = document["entries"]
    match dice.randrange(6):
        case 0:
            del entries[dice.randrange(len(entries))]
        case 1:
            dice.shuffle(entries)
        case 2:
            entries.insert(dice.randrange(len(entries) + 1), list(dice.choice(entries)))
        case 3:
            document["owner"][dice.choice(("user_id", "agent_id"))] = "somebody"
        case _:
            _change_value(document, dice)


def _change_value(document: dict, dice: random.Random) -> None:
    places = list(_values(document))
    holder, key = dice.choice(places)
    value = holder[key]
    if isinstance(value, str) and value:
        at = dice.randrange(len(value))
        holder[key] = value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
    elif isinstance(value, (int, float)):
        holder[key] = value + 1
    else:
        holder[key] = "x"


def _values(value, holder=None, key=None):
    if isinstance(value, dict):
        for name, inner in value.items():
            # What is repeated for people to read is not relied on by who checks.
            if holder is None or name not in ("at", "hash") or "previous" in value:
                yield from _values(inner, value, name)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _values(inner, value, place)
    else:
        yield holder, key


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"format":"celestial-purge-proof","version":2}', "[" * 9_000]
)
def test_other_documents_are_refused(text):
    assert check_proof(text).fault is ProofFault.UNREADABLE
