"""What a host program writes into the ledger: the document's fields, checked, and no texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory, ResonanceLedger
from celestial_engine.core.record.events import Event, EventType, day_of, timestamp
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError
from celestial_engine.testing.fakes import FakeClock

BQI = {
    "time": "2025-10-12T10:30:00Z",
    "space": "AGI_prototype",
    "agent": "synthesis",
    "emotion": {"affect": 0.68, "keywords": ["clarity", "위험"]},
    "rhythm_phase": "integration",
}
PLAN = {"trigger": "rune_feedback", "action": "reorder_persona_cycle", "details": {"new_order": ["thesis"]}}
MEASURED = {"impact_score": 0.74, "transparency": 0.9, "reproducibility": 0.85, "verifiability": 0.8}


def test_the_document(memory):
    """Every field of the audit entry comes back in the document, with the moment in UTC."""
    event = memory.ledger.log(
        "sess_1",
        "synthesis_report",
        "synthesis",
        "mem_1",
        BQI,
        {**MEASURED, "by": "rune"},
        PLAN,
        memory_refs=["mem_2"],
    )
    document = event.to_document()
    assert document == {
        "timestamp": timestamp(event.at), "session_id": "sess_1", "event_type": "synthesis_report",
        "persona_id": "synthesis", "memory_id": "mem_1", "bqi_coordinate": BQI, **MEASURED,
        "evaluation": {"by": "rune"}, "memory_refs": ["mem_1", "mem_2"], "plan_adjustment": PLAN, "detail": {},
    }  # fmt: skip
    assert memory.ledger.history(limit=1) == [event]
    assert json.loads(json.dumps(document)) == document


def test_the_engines_own_events_leave_most_of_it_empty():
    document = Event(EventType.STORED, Owner(), 0.0, "m1", {"zone": 2}).to_document()
    assert document["timestamp"] == "1970-01-01T00:00:00.000000Z"
    assert (document["event_type"], document["memory_refs"], document["impact_score"]) == ("stored", ["m1"], None)


@pytest.mark.parametrize(
    "kind", [kind.value for kind in EventType if kind.is_host_event and kind is not EventType.HOST]
)
def test_the_documents_types_are_known(memory, kind):
    assert memory.ledger.log("s", kind).type is EventType(kind)


def test_any_other_name_is_a_host_event(memory):
    event = memory.ledger.log("s", "계획_검토")
    assert (event.type, event.detail, event.name) == (EventType.HOST, {"name": "계획_검토"}, "계획_검토")
    assert event.to_document()["event_type"] == "계획_검토"


def test_texts_become_digests(memory):
    """The ledger is for ever, so what was said does not stand in it."""
    event = memory.ledger.log(
        "s", "user_input", bqi_coordinate={"raw_prompt": "my secret", "emotion": {"keywords": ["hope"]}, "long": "x" * 101},
        plan_adjustment={"steps": [{"prompt": "tell me"}, "short"]},
    )  # fmt: skip
    assert event.bqi_coordinate["raw_prompt"].keys() == {"characters", "sha256"}
    assert event.bqi_coordinate["long"]["characters"] == 101
    assert event.bqi_coordinate["emotion"] == {"keywords": ["hope"]}
    assert event.plan_adjustment["steps"][1] == "short"
    assert "secret" not in str(event)
    assert "tell me" not in str(event)


@pytest.mark.parametrize(
    "wrong",
    [
        {"event_type": "stored"},
        {"event_type": EventType.PURGED},
        {"event_type": ""},
        {"event_type": "two words"},
        {"event_type": None},
        {"event_type": "x" * 65},
        {"session_id": ""},
        {"session_id": None},
        {"session_id": "\ud800"},
        {"session_id": "x" * 201},
        {"memory_id": 3},
        {"memory_refs": "m1"},
        {"memory_refs": [1]},
        {"bqi_coordinate": []},
        {"bqi_coordinate": {"x": float("nan")}},
        {"bqi_coordinate": {1: 2}},
        {"evaluation": {"impact_score": 2}},
        {"evaluation": {"impact_score": "high"}},
        {"evaluation": {"transparency": True}},
        {"plan_adjustment": {"x": object()}},
    ],
)
def test_what_cannot_be_an_event_is_refused(memory, wrong):
    """A clear error, and the ledger is as it was."""
    with pytest.raises(InvalidInputError):
        memory.ledger.log(**{"session_id": "s", "event_type": "tool_call", **wrong})
    assert memory.ledger.history() == []


def test_days_and_timestamps():
    assert (day_of(0.0), day_of(86_399.999), day_of(-1.0)) == ("19700101", "19700101", "19691231")
    assert (day_of(-1e11), day_of(1e300)) == ("00010101", "99991231")
    assert timestamp(1_760_265_105.124) == "2025-10-12T10:31:45.124000Z"


def test_a_ledger_in_a_folder(tmp_path):
    """As the document has it: a base path, daily files, one call an event."""
    folder, clock = tmp_path / "outputs" / "resonance_ledger", FakeClock()
    with ResonanceLedger(folder, clock=clock) as ledger:
        assert ledger.base_path == folder
        ledger.log_event(
            session_id="sess_1", event_type="persona_response", persona_id="thesis", memory_id=None,
            bqi_coordinate=BQI, evaluation=None, plan_adjustment=None,
        )  # fmt: skip
        assert ledger.current_file == folder / f"ledger-{day_of(clock.now)}.jsonl"
        (line,) = ledger.current_file.read_text(encoding="utf-8").splitlines()
        assert json.loads(line)["bqi_coordinate"] == BQI
        assert ledger.memory.ledger.verify().mirror.missing == 0
    with ResonanceLedger(str(folder), clock=clock) as ledger:
        assert ledger.log_event("sess_1", "tool_call").number == 2


def test_a_ledger_over_an_open_memory(tmp_path):
    """It writes into that memory's ledger, and leaves its closing to the caller."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        with ResonanceLedger(memory) as ledger:
            event = ledger.log_event("s", "evaluation", "antithesis", evaluation=MEASURED)
            assert ledger.current_file == Path(memory.ledger.file())
        assert memory.ledger.history(limit=1) == [event]
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        ledger = ResonanceLedger(memory)
        ledger.log_event("s", "evaluation")
        assert (ledger.base_path, ledger.current_file) == (None, None)
