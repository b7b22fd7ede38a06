"""Runs of personas: every answer becomes a memory with coordinates and a ledger entry, and comes back as a case."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import Any

import pytest

from celestial_engine import (
    AsyncCelestialMemory,
    BackendFactory,
    CelestialMemory,
    GuardPolicy,
    ItemFilter,
    KeepingSettings,
    MemoryCoordinate,
    MemoryStore,
    PersonaOrchestrator,
    PersonaRegistry,
    ResonanceLedger,
    RetentionPolicy,
    Settings,
    ready_registry,
)
from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.item import Trust
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.errors import (
    CelestialError,
    InvalidInputError,
    PersonaRegistryError,
    PersonaRunError,
    PersonaSessionNotFoundError,
    Reason,
    SecretError,
    StorageError,
)


def registry(*ids: str, **more: Any) -> PersonaRegistry:
    names = ids or ("thesis", "antithesis", "synthesis")
    return PersonaRegistry.read(
        {
            "cycle": list(names),
            "backends": {"fn": {"type": "function", "function": "answer", "timeout": more.pop("timeout", 60)}},
            "personas": [{"id": name, "backend": "fn", "system_prompt": f"You are {name}."} for name in names],
            **more,
        },
        name="test",
    )


class Script:
    """Answers in order, and remembers the prompts. An exception is raised."""

    def __init__(self, *answers: Any) -> None:
        self.prompts: list[str] = []
        self._answers = iter(answers)

    def __call__(self, prompt: str) -> Any:
        self.prompts.append(prompt)
        answer = next(self._answers, f"answer {len(self.prompts)}")
        if isinstance(answer, BaseException):
            raise answer
        return answer


def answers_of(memory: CelestialMemory, session_id: str) -> list[Any]:
    items = memory.list(100, where=ItemFilter(session_id=session_id))
    return sorted(items, key=lambda item: item.time.sequence)


# -- what a run leaves behind -----------------------------------------------------------------------


def test_every_answer_is_a_memory(memory: CelestialMemory) -> None:
    script = Script("Let us move.", "It is too dear!", "Move in spring.")
    run = memory.personas.run("Shall we move?", depth=2, registry=registry(), functions={"answer": script})
    items = answers_of(memory, run.session_id)
    assert [item.time.sequence for item in items] == [0, 1, 2, 3, 4, 5, 6]
    assert [item.space.depth_index for item in items] == [0, 1, 1, 1, 2, 2, 2]
    question, first, second = items[:3]
    assert question.document.type is ContentType.USER_INPUT
    assert first.document.type is ContentType.PERSONA_RESPONSE
    assert (first.links.parent, second.links.parent) == (question.id, first.id)
    assert question.links.children == (first.id,)
    assert (first.agent.persona_id, first.agent.backend) == ("thesis", "fn")
    assert first.document.prompt_digest == "System instruction: You are thesis. Seed focus: Shall we move?"
    assert first.document.bqi_snapshot["rhythm_phase"] == "exploration"
    assert first.document.token_count > 0
    assert 0.3 <= first.emotion.affect_amplitude <= 0.7
    assert first.tags == ("thesis", "orchestration")
    assert (first.source, first.tier, first.space.project) == (Source.CONVERSATION, Tier.M90, "persona_orchestration")
    assert not first.document.error_occurred
    assert [answer.memory_id for answer in run.answers] == [item.id for item in items[1:]]
    assert (run.text, run.final) == ("answer 6", "answer 6")


def test_every_answer_is_in_the_ledger(memory: CelestialMemory) -> None:
    run = memory.personas.run("Combine both plans", depth=2, registry=registry(), functions={"answer": Script()})
    events = [event for event in reversed(memory.ledger.history(limit=100)) if event.session_id == run.session_id]
    kinds = [event.name for event in events]
    one_cycle = ["persona_response"] * 3 + ["rune_report"]
    assert kinds == ["user_input", *one_cycle, *one_cycle]
    assert events[0].plan_adjustment == {
        "trigger": "bqi",
        "action": "reorder_persona_cycle",
        "details": {"new_order": ["synthesis", "thesis", "antithesis"], "depth": 2, "registry": "test"},
    }
    report = events[4]
    assert report.evaluation.keys() == {"impact_score", "transparency", "reproducibility", "verifiability"}
    assert report.plan_adjustment["action"] == "add_examples"
    assert events[5].plan_adjustment == report.plan_adjustment  # applied to the next cycle, and recorded
    assert events[1].bqi_coordinate["rhythm_phase"] == "integration"
    assert events[1].bqi_coordinate["agent"] == "synthesis"
    assert events[1].item_id == run.answers[0].memory_id
    assert memory.ledger.verify().ok


def test_the_next_cycle_is_adjusted(memory: CelestialMemory) -> None:
    script = Script()
    memory.personas.run("The sea", depth=2, registry=registry(), functions={"answer": script})
    assert "concrete example" not in "".join(script.prompts[:3])
    assert "System instruction: You are thesis. Support each point with a concrete example." in script.prompts[3]
    assert "concrete example" not in script.prompts[4]


def test_a_persona_hears_the_ones_before_it(memory: CelestialMemory) -> None:
    script = Script("First word", "Second word")
    memory.personas.run("The sea", registry=registry(), functions={"answer": script})
    assert "- user: The sea\n- thesis: First word\n- antithesis: Second word\n" in script.prompts[2]
    assert "- thesis" not in script.prompts[0]


def test_secrets_are_not_kept(memory: CelestialMemory, tmp_path) -> None:
    script = Script("Use sk-proj-abcdefghijklmnopqrstuvwxyz1234567890ABCD as the key")
    log = tmp_path / "deep" / "log.jsonl"
    run = memory.personas.run("The sea", registry=registry(), functions={"answer": script}, log_path=log)
    assert "sk-proj-abc" not in json.dumps([item.to_dict() for item in answers_of(memory, run.session_id)])
    assert "sk-proj-abc" not in log.read_text(encoding="utf-8")
    assert "sk-proj-abc" not in script.prompts[1]
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [entry["event"] for entry in entries] == ["user_input", *["persona_response"] * 3, "rune_report"]


KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz1234567890ABCD"


def test_a_secret_in_the_question_goes_nowhere(memory: CelestialMemory, tmp_path) -> None:
    script, log, events = Script("one", RuntimeError(f"refused {KEY}")), tmp_path / "log.jsonl", []
    personas = [{"id": "thesis", "backend": "fn", "system_prompt": f"Use {KEY}."}, {"id": "critic", "backend": "fn"}]
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run(
            f"Shall we rotate {KEY} soon?",
            registry=registry("thesis", cycle=["thesis", "critic"], personas=personas),
            functions={"answer": script},
            log_path=log,
            on_event=events.append,
        )
    items = answers_of(memory, caught.value.own["session_id"])
    assert len(items) == 3
    ledger = [repr(event) for event in memory.ledger.history(limit=100)]
    stored = [json.dumps(item.to_dict()) for item in items]
    for text in (*stored, *ledger, *script.prompts, *map(repr, events), log.read_text(encoding="utf-8")):
        assert "abcdefghijklmnop" not in text
    assert "Shall we rotate [" in script.prompts[0]


def test_a_blocked_secret_is_not_asked(clock) -> None:
    settings, script = Settings(guard=GuardPolicy(api_key="block")), Script(f"Use {KEY}")
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        with pytest.raises(SecretError):
            memory.personas.run(f"Is {KEY} fine?", registry=registry(), functions={"answer": script})
        assert (script.prompts, memory.list(10)) == ([], [])
        with pytest.raises(PersonaRunError):
            memory.personas.run("The sea", registry=registry(), functions={"answer": script})
        assert [item.document.error_occurred for item in memory.list(10)] == [True, False]


def test_a_snapshot_of_a_document_keeps_no_secret(memory: CelestialMemory) -> None:
    metadata = {"bqi_snapshot": {"raw_prompt": f"Is {KEY} fine?"}}
    stored = MemoryStore(memory=memory).add(MemoryCoordinate(content={"response_full": "Yes"}, metadata=metadata))
    assert "abcdefghijklmnop" not in json.dumps(stored.to_dict())


def test_injections_are_recorded_and_reach_the_next_prompt(memory: CelestialMemory) -> None:
    loud = "I am thrilled, overjoyed, ecstatic!!! I love it!!! Wonderful!!!"
    script = Script(*[loud] * 9)
    run = memory.personas.run("The sea", depth=3, registry=registry(), functions={"answer": script})
    items = answers_of(memory, run.session_id)[1:]
    injected = [item.document.phase_injection_applied for item in items]
    assert any(injected)
    assert all(0.3 <= item.emotion.affect_amplitude <= 0.7 for item in items)
    following = script.prompts[injected.index(True) + 1]
    assert "Keep the tone calm and even." in following


# -- past cases -------------------------------------------------------------------------------------


def test_a_rated_answer_comes_back_as_a_case(memory: CelestialMemory) -> None:
    functions = {"answer": Script("Paint it blue", "It fades", "Blue with a coat of varnish")}
    first = memory.personas.run("Which colour for the boat?", registry=registry(), functions=functions)
    script = Script()
    memory.personas.run("Which colour for the other boat?", registry=registry(), functions={"answer": script})
    assert "past examples" not in "".join(script.prompts)  # nothing was important enough
    memory.rate(first.answers[0].memory_id, 5)
    script = Script()
    third = memory.personas.run("Which colour for my boat?", registry=registry(), functions={"answer": script})
    assert '  Your response: "Paint it blue"' in script.prompts[0]
    assert "past examples" not in script.prompts[1]
    assert third.answers[0].cases == (first.answers[0].memory_id,)
    case = memory.get(first.answers[0].memory_id)
    assert case.recall_count == 1
    assert third.answers[0].memory_id in case.links.related
    assert memory.personas.run("Is the tax due?", registry=registry(), functions=functions).answers[0].cases == ()


def test_ratings_decide_which_case_is_used(memory: CelestialMemory) -> None:
    runs = [
        memory.personas.run(f"Which colour for the boat? {n}", registry=registry("thesis"),
                            functions={"answer": Script(f"colour {n}")})
        for n in range(4)
    ]  # fmt: skip
    for run, stars in zip(runs, (5, 5, 5, 4), strict=True):
        memory.rate(run.answers[0].memory_id, stars)
    used = memory.personas.run(
        "Which colour for the boat?", registry=registry("thesis"), functions={"answer": Script()}
    )
    assert len(used.answers[0].cases) == 2
    assert runs[3].answers[0].memory_id not in used.answers[0].cases
    memory.rate(used.answers[0].cases[0], 1)
    again = memory.personas.run(
        "Which colour for the boat?", registry=registry("thesis"), functions={"answer": Script()}
    )
    assert used.answers[0].cases[0] not in again.answers[0].cases


def test_cases_have_the_phase_and_mood_of_the_question(memory: CelestialMemory) -> None:
    run = memory.personas.run("Why is the boat red?", registry=registry("thesis"), functions={"answer": Script()})
    memory.rate(run.answers[0].memory_id, 5)
    other = memory.personas.run("Plan the boat", registry=registry("thesis"), functions={"answer": Script()})
    same = memory.personas.run("Why is a boat red?", registry=registry("thesis"), functions={"answer": Script()})
    assert other.answers[0].cases == ()
    assert same.answers[0].cases == (run.answers[0].memory_id,)


def test_ten_runs_search_forget_and_rate(clock) -> None:
    """Step 7 of the design: after ten runs search finds, retention forgets, and a rating changes the case."""
    settings = Settings(keeping=KeepingSettings(retention=RetentionPolicy(max_sessions=5)))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        store = MemoryStore(memory=memory)
        runs = []
        for number in range(10):
            answers = [f"{name} on harbour {number}" for name in ("thesis", "antithesis", "synthesis")]
            script = Script(*answers)
            runs.append(
                memory.personas.run(f"Describe harbour {number}", registry=registry(), functions={"answer": script})
            )
            clock.advance(minutes=10)
        sessions = store.get_all_session_ids()
        assert len(sessions) <= 5
        assert runs[-1].session_id in sessions
        assert runs[0].session_id not in sessions
        found = store.search(query="harbour", persona_id="synthesis", limit=20)
        assert found
        assert all(one.agent.persona_id == "synthesis" for one in found)
        assert store.get_by_session(runs[0].session_id) == []
        memory.rate(runs[8].answers[2].memory_id, 5)
        script = Script()
        last = memory.personas.run("Describe harbour 8", registry=registry(), functions={"answer": script})
        assert last.answers[2].cases == (runs[8].answers[2].memory_id,)
        assert "synthesis on harbour 8" in script.prompts[2]


def test_a_case_that_is_gone_is_not_used(memory: CelestialMemory) -> None:
    run = memory.personas.run("The boat", registry=registry("thesis"), functions={"answer": Script()})
    memory.rate(run.answers[0].memory_id, 5)
    memory.forget(run.answers[0].memory_id)
    again = memory.personas.run("The boat", registry=registry("thesis"), functions={"answer": Script()})
    assert again.answers[0].cases == ()


def test_cases_are_found_by_vectors_too(embedded: CelestialMemory) -> None:
    functions = {"answer": Script("It is dear", "Not so dear")}
    first = embedded.personas.run("Shall we build a bridge?", registry=registry("thesis"), functions=functions)
    embedded.rate(first.answers[0].memory_id, 5)
    second = embedded.personas.run("Shall we build a tunnel?", registry=registry("thesis"), functions=functions)
    assert second.answers[0].cases == (first.answers[0].memory_id,)


def test_answers_are_not_facts_about_the_user(memory: CelestialMemory) -> None:
    memory.store("I live in Lisbon")
    run = memory.personas.run(
        "The sea", registry=registry("thesis"), functions={"answer": Script("I live in Paris now.")}
    )
    assert memory.get(run.answers[0].memory_id).trust is Trust.LOW  # never distilled, never core
    memory.sleep()  # which reads what was never read
    told = memory.get(run.answers[0].memory_id)
    assert (told.address, told.lifetime) == (None, None)
    assert "Paris" not in memory.profile().text
    assert memory.recall("Where do I live? Lisbon")[0].validity.superseded_by is None


# -- the seed's own code ----------------------------------------------------------------------------


def test_the_orchestrator_of_the_design(tmp_path) -> None:
    """Signature, attributes, search by persona and the daily ledger file."""
    store = MemoryStore(base_path=tmp_path / "memory")
    with store, ResonanceLedger(tmp_path / "resonance_ledger") as ledger:
        orchestrator = PersonaOrchestrator(
            registry=ready_registry(),
            backend_factory=BackendFactory(offline=True),
            log_path=tmp_path / "log.jsonl",
            memory_store=store,
            resonance_ledger=ledger,
        )
        assert orchestrator.session_id.startswith("sess_20")
        run = orchestrator.run("Describe the AGI memory", depth=2)
        assert orchestrator.session_id == run.session_id
        assert [entry["persona"] for entry in orchestrator.history[1:4]] == ["Proposer", "Challenger", "Integrator"]
        assert len(orchestrator.log_entries) == 9
        results = store.search(
            query="AGI memory",
            persona_id="synthesis",
            time_range=(datetime(2025, 10, 10), datetime.now(timezone.utc)),
            limit=3,
        )
        assert len(results) == 2
        assert all(one.agent.persona_id == "synthesis" for one in results)
        assert [one.time.sequence for one in results] == [6, 3]
        lines = ledger.current_file.read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        assert [event["event_type"] for event in events if event["session_id"] == run.session_id].count(
            "persona_response"
        ) == 6
        store.memory.rate(run.answers[2].memory_id, 5)
        again = orchestrator.run("Describe the AGI memory")
        assert again.session_id != run.session_id
        assert again.answers[2].cases == (run.answers[2].memory_id,)


def test_an_orchestrator_needs_neither_store_nor_ledger() -> None:
    made = PersonaOrchestrator(registry(), lambda spec: lambda prompt: "yes")
    run = made.run("The sea")
    assert [answer.text for answer in run.answers] == ["yes"] * 3
    assert run.answers[0].memory_id is None
    assert run.reports[0].report.reproducibility == 0.5


def test_any_store_and_ledger_will_do() -> None:
    class Store:
        def __init__(self) -> None:
            self.added: list[Any] = []

        def add(self, memory: Any) -> None:
            self.added.append(memory)

        def search(self, query: str | None = None, **_: Any) -> list[Any]:
            return []

    class Ledger:
        def __init__(self) -> None:
            self.events: list[dict[str, Any]] = []

        def log_event(self, **event: Any) -> None:
            self.events.append(event)

    store, ledger = Store(), Ledger()
    PersonaOrchestrator(registry(), lambda spec: lambda prompt: "yes", None, store, ledger).run("The sea")
    assert [one.content.type.value for one in store.added] == ["user_input", *["persona_response"] * 3]
    assert set(ledger.events[1]) == {
        "session_id", "event_type", "persona_id", "memory_id", "bqi_coordinate", "evaluation", "plan_adjustment",
    }  # fmt: skip


# -- validators -------------------------------------------------------------------------------------


def test_a_refused_answer_is_asked_for_once_more(memory: CelestialMemory) -> None:
    strict = registry("thesis", validators=[{"type": "length", "min": 10}])
    script = Script("short", "long enough an answer")
    run = memory.personas.run("The sea", registry=strict, functions={"answer": script})
    assert run.answers[0].text == "long enough an answer"
    assert run.answers[0].retried
    assert "not accepted" in script.prompts[1]
    assert run.reports[0].report.verifiability == 1.0


def test_a_validator_that_exits_is_a_refusal(memory: CelestialMemory) -> None:
    functions = {"answer": Script("one", "two"), "check": Script(SystemExit(1), True)}
    checked = registry("thesis", validators=[{"type": "function", "function": "check"}])
    run = memory.personas.run("The sea", registry=checked, functions=functions)
    assert (run.text, run.answers[0].retried) == ("two", True)


def test_a_second_refusal_is_kept_and_asks_for_fact_checks(memory: CelestialMemory) -> None:
    strict = registry("thesis", "synthesis", validators=[{"type": "function", "function": "check"}])
    script = Script()
    run = memory.personas.run(
        "The sea", depth=2, registry=strict, functions={"answer": script, "check": lambda text: False}
    )
    assert len(script.prompts) == 8
    assert run.reports[0].report.verifiability == 0.0
    assert run.reports[0].adjustment["action"] == "strengthen_fact_check"
    assert "Check every claim" in script.prompts[6]


# -- what goes wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (RuntimeError("out of order"), Reason.SYSTEM_ERROR),
        (SystemExit(3), Reason.SYSTEM_ERROR),
        (GeneratorExit(), Reason.SYSTEM_ERROR),
        ("", Reason.EMPTY),
        ("  \n ", Reason.EMPTY),
        ("x" * 1_000_000, Reason.TOO_LARGE),
        (7, Reason.WRONG_TYPE),
        ("half a pair \ud800", Reason.LONE_SURROGATE),
    ],
)
def test_earlier_answers_are_kept(memory: CelestialMemory, failure: object, reason: Reason) -> None:
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run("The sea", registry=registry(), functions={"answer": Script("one", failure)})
    assert caught.value.reason is reason
    assert caught.value.own["persona"] == "antithesis"
    assert "--resume" in str(caught.value)
    session = caught.value.own["session_id"]
    items = answers_of(memory, session)
    assert [item.document.error_occurred for item in items] == [False, False, True]
    assert items[2].content.startswith("[error: ")
    run = memory.personas.resume(session, registry=registry(), functions={"answer": Script("two", "three")})
    assert [answer.text for answer in run.answers] == ["one", "two", "three"]
    assert run.answers[1].sequence == 2


def test_a_slow_function_is_not_waited_for(memory: CelestialMemory) -> None:
    stuck = threading.Event()
    slow = registry("thesis", timeout=0.05)
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run("The sea", registry=slow, functions={"answer": lambda prompt: str(stuck.wait(10))})
    stuck.set()
    assert caught.value.reason is Reason.BACKEND_TIMED_OUT


@pytest.mark.parametrize("depth", [0, -1, 50, 1.5, True, "2"])
def test_a_depth_out_of_range_is_refused(memory: CelestialMemory, depth: Any) -> None:
    with pytest.raises(InvalidInputError, match="depth"):
        memory.personas.run("The sea", depth=depth, offline=True)
    with pytest.raises(InvalidInputError, match="depth"):
        memory.personas.stream("The sea", depth=depth, offline=True)
    assert memory.list() == []


@pytest.mark.parametrize("question", ["", "   ", "x" * 2_000_000, None])
def test_a_question_is_text(memory: CelestialMemory, question: Any) -> None:
    with pytest.raises(CelestialError):
        memory.personas.run(question, offline=True)


@pytest.mark.parametrize("budget", [-5, 0, "x", 1.5, True])
def test_a_budget_is_a_number_of_tokens(memory: CelestialMemory, budget: Any) -> None:
    with pytest.raises(InvalidInputError, match="budget"):
        memory.personas.run("The sea", registry=registry(), functions={"answer": Script()}, budget=budget)
    with pytest.raises(InvalidInputError, match="budget"):
        memory.personas.stream("The sea", registry=registry(), functions={"answer": Script()}, budget=budget)
    assert memory.list(10) == []


def test_a_missing_model_or_function_is_told_before_anything_is_asked(memory: CelestialMemory) -> None:
    with pytest.raises(PersonaRegistryError, match="CELESTIAL_MODEL"):
        memory.personas.run("The sea")
    with pytest.raises(PersonaRegistryError, match="no function 'answer'"):
        memory.personas.run("The sea", registry=registry())
    with pytest.raises(PersonaRegistryError, match="must be one of dialectic"):
        memory.personas.run("The sea", registry="nonsense")
    assert memory.list() == []


def test_the_language_model_of_the_engine_answers(clock) -> None:
    with CelestialMemory(
        ":memory:",
        rebalance_interval=None,
        clock=clock,
        language_model=lambda prompt: f"I read {len(prompt)} letters",
    ) as memory:
        run = memory.personas.run("The sea")
        assert all(answer.text.startswith("I read") for answer in run.answers)
        assert memory.maintenance.model_spent().calls == 3


# -- resuming, streaming, several at once -----------------------------------------------------------


def test_a_run_goes_on_where_it_stopped(memory: CelestialMemory) -> None:
    whole = Script(*(f"loud {n}!!! I love it" for n in range(9)))
    entire = memory.personas.run("The sea", depth=3, registry=registry(), functions={"answer": whole})
    for stop in range(9):
        first = Script(*(f"loud {n}!!! I love it" for n in range(stop)), RuntimeError("stop"))
        with pytest.raises(PersonaRunError) as caught:
            memory.personas.run("The sea", depth=3, registry=registry(), functions={"answer": first})
        session = caught.value.own["session_id"]
        second = Script(*(f"loud {n}!!! I love it" for n in range(stop, 9)))
        run = memory.personas.resume(session, registry=registry(), functions={"answer": second})
        assert [answer.text for answer in run.answers] == [answer.text for answer in entire.answers]
        assert [answer.affect for answer in run.answers] == [answer.affect for answer in entire.answers]
        assert run.reports == entire.reports
        assert second.prompts == whole.prompts[stop:]
        events = [event.name for event in memory.ledger.history(limit=60) if event.session_id == session]
        assert events.count("rune_report") == 3
    again = memory.personas.resume(entire.session_id, registry=registry(), functions={"answer": Script()})
    assert again.answers == entire.answers
    further = memory.personas.resume(entire.session_id, 4, registry=registry(), functions={"answer": Script()})
    assert len(further.answers) == 12


def test_only_a_run_is_resumed_and_with_its_own_personas(memory: CelestialMemory) -> None:
    memory.store("not a run", session_id="sess_x")
    for session in ("sess_x", "sess_none"):
        with pytest.raises(PersonaSessionNotFoundError):
            memory.personas.resume(session, offline=True)
    run = memory.personas.run("The sea", registry=registry("thesis"), functions={"answer": Script()})
    with pytest.raises(PersonaRegistryError) as caught:
        memory.personas.resume(run.session_id, 2, registry=registry("poet"), functions={"answer": Script()})
    assert caught.value.reason is Reason.OTHER_PERSONAS


def test_a_lost_ledger_event_is_written_on_resuming(memory: CelestialMemory) -> None:
    """A process may be killed between the answer and its event."""
    with pytest.raises(PersonaRunError) as caught:
        memory.personas.run("The sea", registry=registry(), functions={"answer": Script("one", RuntimeError())})
    session = caught.value.own["session_id"]
    doc = answers_of(memory, session)[1]
    lost = doc.to_coordinate()
    memory.departures.erase([doc.id])
    lost["memory_id"] = "mem_lost"
    lost["relations"]["child_memory_ids"] = []
    memory.transfer.add_coordinate(lost)
    memory.personas.resume(session, registry=registry(), functions={"answer": Script()})
    assert "persona_response" in [event.name for event in memory.ledger.history("mem_lost")]


def test_a_stream_tells_what_happens(memory: CelestialMemory) -> None:
    events = list(memory.personas.stream("The sea", depth=2, registry=registry(), functions={"answer": Script()}))
    one_cycle = ["speaking", "answered"] * 3 + ["cycle"]
    assert [event.kind for event in events] == ["started", *one_cycle, *one_cycle, "finished"]


def test_closing_a_stream_stops_the_run(memory: CelestialMemory) -> None:
    script = Script()
    stream = memory.personas.stream("The sea", depth=10, registry=registry(), functions={"answer": script})
    kinds = []
    for event in stream:
        kinds.append(event.kind)
        if event.kind == "answered":
            break
    stream.close()
    for thread in threading.enumerate():
        if thread.name == "celestial-personas":
            thread.join(10)
    assert len(script.prompts) < 30
    (summary,) = memory.personas.runs()
    assert not summary.finished
    assert memory.personas.resume(summary.session_id, registry=registry(), functions={"answer": Script()}).depth == 10


def test_a_log_that_cannot_be_written_is_told(memory: CelestialMemory, tmp_path) -> None:
    with pytest.raises(StorageError):
        memory.personas.run("The sea", offline=True, log_path=tmp_path)  # a folder


def test_asyncio_programs_have_the_same() -> None:
    async def run() -> None:
        async with AsyncCelestialMemory(":memory:", rebalance_interval=None) as memory:
            whole = await memory.personas.run("The sea", offline=True)
            assert len(whole.answers) == 3
            kinds = [event.kind async for event in memory.personas.stream("The hills", depth=2, offline=True)]
            assert (kinds[0], kinds[-1], kinds.count("answered")) == ("started", "finished", 6)
            async for event in memory.personas.stream("The plains", depth=10, offline=True):
                if event.kind == "answered":
                    break
            assert len(await memory.personas.runs()) == 3

    asyncio.run(run())


def test_an_orchestrator_over_a_memory_store_resumes_too(tmp_path) -> None:
    with MemoryStore(base_path=tmp_path) as store:
        first = PersonaOrchestrator(
            registry(), BackendFactory({"answer": Script("one", RuntimeError())}), None, store
        )
        with pytest.raises(PersonaRunError):
            first.run("The sea")
        again = PersonaOrchestrator(registry(), BackendFactory({"answer": Script("two", "three")}), None, store)
        run = again.resume(first.session_id)
        assert [answer.text for answer in run.answers] == ["one", "two", "three"]
        assert len(store.get_by_session(first.session_id)) == 5  # the failure is kept, too


def test_an_error_comes_out_of_the_stream(memory: CelestialMemory) -> None:
    stream = memory.personas.stream("The sea", registry=registry(), functions={"answer": Script(RuntimeError())})
    with pytest.raises(PersonaRunError):
        list(stream)


def test_simultaneous_runs_do_not_mix(tmp_path) -> None:
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:

        def one(name: str) -> Any:
            return memory.personas.run(
                f"about {name}", depth=4, registry=registry(), functions={"answer": lambda prompt: f"{name} it is"}
            )

        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(one, ["foxes", "owls", "bees", "elks"]))
        for run, name in zip(runs, ["foxes", "owls", "bees", "elks"], strict=True):
            items = answers_of(memory, run.session_id)
            assert [item.time.sequence for item in items] == list(range(13))
            assert {item.content for item in items[1:]} == {f"{name} it is"}
            assert [item.links.parent for item in items[1:]] == [item.id for item in items[:-1]]
        assert len({run.session_id for run in runs}) == 4
        assert memory.ledger.verify().ok


def test_owners_have_their_own_cases(memory: CelestialMemory) -> None:
    run = memory.personas.run("The boat", registry=registry("thesis"), functions={"answer": Script()})
    memory.rate(run.answers[0].memory_id, 5)
    other = memory.of("mina").personas.run("The boat", registry=registry("thesis"), functions={"answer": Script()})
    assert other.answers[0].cases == ()
    assert [one.session_id for one in memory.of("mina").personas.runs()] == [other.session_id]
    with pytest.raises(PersonaSessionNotFoundError):
        memory.of("mina").personas.resume(run.session_id, offline=True)


def test_runs_are_listed(memory: CelestialMemory, clock) -> None:
    first = memory.personas.run("The sea", offline=True)
    clock.advance(minutes=1)
    second = memory.personas.run("산과 바다", depth=2, offline=True, registry="planning-ko")
    newest, oldest = memory.personas.runs()
    assert (newest.session_id, newest.registry, newest.depth, newest.answers) == (
        second.session_id, "planning-ko", 2, 6,
    )  # fmt: skip
    assert (oldest.question, oldest.finished) == ("The sea", True)
    assert oldest.session_id == first.session_id


def test_a_hundred_steps_are_quick(tmp_path) -> None:
    from time import process_time

    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        memory.personas.run("The sea", offline=True)
        began = process_time()
        for _ in range(4):
            memory.personas.run("The sea", depth=9, offline=True)
        assert process_time() - began < 5.0 * 1.08


def test_the_question_is_an_event_of_the_run(memory: CelestialMemory) -> None:
    run = memory.personas.run("The sea", offline=True)
    names = [event.type for event in memory.ledger.history(run.memory_id)]
    assert EventType.USER_INPUT in names
