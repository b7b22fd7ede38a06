"""PersonaOrchestrator: personas answer in a cycle, and every answer becomes a memory before the next one begins.

One object runs one session at a time. Whatever ends a run - an error, a stop, a killed process - what was answered is
stored, and `resume` goes on from there.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.checks import check_text
from celestial_engine.core.guard.guard import Guard, redact_question
from celestial_engine.core.guard.secrets import DEFAULT, GuardPolicy
from celestial_engine.core.model.answers import describe_error
from celestial_engine.core.personas.order import ordered_cycle
from celestial_engine.core.personas.persona import BackendSpec, Persona, Stance, ValidatorSpec
from celestial_engine.core.personas.phase import FRAMES, PhaseController
from celestial_engine.core.personas.prompt import BUDGET, ComposedPrompt, check_budget, compose_step, past_cases
from celestial_engine.core.personas.registry import PersonaRegistry
from celestial_engine.core.personas.run import (
    Answered,
    CycleReport,
    PersonaAnswer,
    PersonaRun,
    RunEvent,
    RunStarted,
    Speaking,
    TextDelta,
    check_depth,
)
from celestial_engine.core.personas.rune import PlanAdjustment, adjustment_for, report_on, with_instruction
from celestial_engine.core.personas.validation import Check, Validation, retry_prompt, validated
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import (
    CelestialError,
    PersonaRegistryError,
    PersonaRunError,
    PersonaSessionNotFoundError,
    Problem,
    Reason,
    problem,
)
from celestial_engine.personas.backends import (
    Backend,
    BackendFactory,
    StreamingBackend,
    as_backend,
    checked_answer,
)
from celestial_engine.personas.bqi_reader import BqiReader
from celestial_engine.personas.journal import EarlierSessions, Journal, Ledger, MemoryWriter, earlier_answers

OnEvent = Callable[[RunEvent], None]
MakeBackend = Callable[[BackendSpec], Any]


class PersonaOrchestrator:
    """Runs the cycle of a registry; `depth` cycles, each of which reads what the ones before said.

    >>> from celestial_engine import BackendFactory, PersonaOrchestrator, ready_registry
    >>> orchestrator = PersonaOrchestrator(ready_registry(), BackendFactory(offline=True))
    >>> [answer.persona_id for answer in orchestrator.run("Shall we move?").answers]
    ['thesis', 'antithesis', 'synthesis']
    """

    def __init__(
        self,
        registry: PersonaRegistry,
        backend_factory: BackendFactory | MakeBackend,
        log_path: str | os.PathLike[str] | None = None,
        memory_store: MemoryWriter | None = None,
        resonance_ledger: Ledger | None = None,
        *,
        functions: Mapping[str, Check] | None = None,
        budget: int | None = BUDGET,
        guard: GuardPolicy = DEFAULT,
        clock: Callable[[], float] = time.time,
        on_event: OnEvent | None = None,
    ) -> None:
        """`log_path` is a file of JSON lines. `functions` are those that validators name; `budget` is in tokens.

        Secrets are redacted by `guard` before anything is stored, logged or sent to a backend.
        """
        self.registry = registry
        self.backend_factory = backend_factory
        self.log_path = log_path
        self.memory_store = memory_store
        self.resonance_ledger = resonance_ledger
        self.bqi = BqiReader(clock)
        self.phase = PhaseController()
        self.history: list[dict[str, Any]] = []
        self._budget = check_budget(budget)
        self._guard = guard
        self._clock = clock
        self._on_event = on_event
        self._running = threading.Lock()
        self._backends = {spec: self._backend(spec) for spec in self._specs()}
        self._functions = self._checks(functions or {})
        self._journal = self._new_journal()
        self._begun = False
        self._adjustment: PlanAdjustment | None = None
        self._last_evaluation_metrics: dict[str, float] | None = None
        self._current_plan_adjustment: dict[str, Any] | None = None
        self._start_over()

    # -- running ------------------------------------------------------------------------------------

    @property
    def session_id(self) -> str:
        return self._journal.session_id

    @property
    def log_entries(self) -> list[dict[str, Any]]:
        return self._journal.log_entries

    def observed_by(self, on_event: OnEvent) -> PersonaOrchestrator:
        """Calls `on_event` with whatever happens from now on; returns itself."""
        self._on_event = on_event
        return self

    def run(self, seed_prompt: str, depth: int = 1) -> PersonaRun:
        """Asks every persona in turn, `depth` times, and returns all answers. Each run is a session of its own.

        PersonaRunError: a persona gave no answer; those before it are stored.
        """
        question, depth = self._redacted(check_text(seed_prompt, "question")), check_depth(depth)
        with self._running:
            if self._begun:
                self._journal = self._new_journal()
                self._start_over()
            self._begun = True
            self._open(question, depth)
            return self._finish(question, depth)

    def resume(self, session_id: str, depth: int = 1) -> PersonaRun:
        """Goes on with a run that was cut short, after its last stored answer; returns a finished run as it is."""
        depth = check_depth(depth)
        with self._running:
            earlier = earlier_answers(self.memory_store, session_id)
            if earlier is None:
                raise PersonaSessionNotFoundError(session_id)
            self._begun = True
            self._journal = self._new_journal(session_id, earlier.started_at)
            self._start_over()
            question = self._redacted(earlier.question.content.response_full)
            self._journal.go_on(earlier.question)
            self._order(question)
            self._replay(earlier.answers, len(self._cycle) * depth)
            self._emit(self._started(question, depth, resumed=len(self._answers)))
            return self._finish(question, depth)

    def _finish(self, question: str, depth: int) -> PersonaRun:
        text = self._run_recursive(question, depth, 1)
        syntheses = [
            answer.text
            for answer in self._answers
            if self.registry.persona(answer.persona_id).stance is Stance.SYNTHESIS
        ]
        run = PersonaRun(
            self.session_id,
            question,
            depth,
            tuple(persona.identifier for persona in self._cycle),
            self.registry.name,
            tuple(self._answers),
            tuple(self._reports),
            text,
            syntheses[-1] if syntheses else text,
            self._journal.question_id,
            self._bqi_snapshot,
        )
        self._emit(run)
        return run

    def _run_recursive(self, seed_prompt: str, depth: int, depth_index: int) -> str:
        """Runs one cycle and the ones below it; returns the last answer."""
        size = len(self._cycle)
        for step_index, persona in enumerate(self._cycle, start=1):
            if step_index + (depth_index - 1) * size > len(self._answers):  # else it was answered before
                self._answer_step(persona, seed_prompt, depth_index, step_index)
        if depth_index > len(self._reports):
            self._report(depth_index)
        if depth_index < depth:
            return self._run_recursive(seed_prompt, depth, depth_index + 1)
        return self._answers[-1].text

    # -- one step -----------------------------------------------------------------------------------

    def _answer_step(self, persona: Persona, question: str, depth_index: int, step_index: int) -> None:
        instructed = self._instructed(persona)
        sequence = step_index + (depth_index - 1) * len(self._cycle)
        cases = []
        if self.memory_store is not None:
            source = EarlierSessions(self.memory_store, self.session_id)
            cases = list(past_cases(source, persona, question, self._bqi_snapshot))
        prompt = compose_step(instructed, question, self.history, depth_index, step_index, cases, budget=self._budget)
        case_ids = tuple(case.memory_id for case in prompt.cases)
        self._emit(Speaking(persona.identifier, persona.name, depth_index, step_index, sequence, case_ids))
        try:
            text, validation, retried = self._valid_answer(persona, prompt, sequence)
        except CelestialError as error:
            reason = error.problems[0] if error.problems else problem(None, Reason.OTHER_ERROR, cause=error)
            raise self._failed(persona, prompt, depth_index, step_index, reason) from error
        except (Exception, SystemExit) as error:
            reason = problem(None, Reason.SYSTEM_ERROR, cause=describe_error(error))
            raise self._failed(persona, prompt, depth_index, step_index, reason) from error
        phase_meta = self.phase.integrate_response(persona.identifier, text, self._clock())
        bqi = self.bqi.analyse(question, text)
        memory_id, text = self._journal.answer(
            persona, prompt, text, phase_meta, bqi, depth_index, step_index, sequence,
            self._last_evaluation_metrics, self._current_plan_adjustment,
        )  # fmt: skip
        self.history.append({"persona": persona.name, "content": text})
        self._take(
            PersonaAnswer(
                persona.identifier, persona.name, persona.role, persona.backend_id, depth_index, step_index, sequence,
                text, memory_id, prompt.digest, case_ids, phase_meta["affect_after"],
                phase_meta["injection_applied"], count_tokens(text), validation.verified, validation.checked, retried,
            )
        )  # fmt: skip

    def _valid_answer(self, persona: Persona, prompt: ComposedPrompt, sequence: int) -> tuple[str, Validation, bool]:
        """Asks, and asks once more if a validator refuses the answer; the second answer is taken as it is."""
        validators = self.registry.validators_of(persona)
        text = self._generate(persona, prompt.text, sequence)
        validation = self._validated(text, validators)
        if not validation.problems:
            return text, validation, False
        again = self._generate(persona, retry_prompt(prompt.text, validation.problems), sequence)
        return again, self._validated(again, validators), True

    def _generate(self, persona: Persona, prompt: str, sequence: int) -> str:
        backend = self._backends[self.registry.backend_of(persona)]
        prompt = redact_question(prompt, self._guard)  # reasons of validators may quote an answer
        if self._on_event is not None and isinstance(backend, StreamingBackend):

            def on_text(piece: str) -> None:
                self._emit(TextDelta(persona.identifier, sequence, piece))

            text = backend.stream(prompt, persona.max_tokens, on_text)
        else:
            text = backend.generate(prompt, persona.max_tokens)
        return self._redacted(checked_answer(text))

    def _redacted(self, text: str) -> str:
        """Returns a text without secrets; SecretError if the policy blocks them."""
        return Guard(self._guard).text(text)

    def _validated(self, text: str, validators: Sequence[ValidatorSpec]) -> Validation:
        return validated(text, validators, self._functions)

    def _instructed(self, persona: Persona) -> Persona:
        """Returns the persona with what the last report and the phase ask of it."""
        if self._adjustment is not None:
            persona = self._adjustment.applied_to(persona)
        # A prompt's digest quotes the instruction.
        persona = replace(persona, system_prompt=redact_question(persona.system_prompt, self._guard))
        frame = FRAMES.get(self.phase.state.language_frame)
        return persona if frame is None else with_instruction(persona, frame)

    def _failed(
        self, persona: Persona, prompt: ComposedPrompt, depth_index: int, step_index: int, reason: Problem
    ) -> PersonaRunError:
        sequence = step_index + (depth_index - 1) * len(self._cycle)
        message = redact_question(str(reason), self._guard)
        self._journal.failure(persona, prompt, message, self._bqi_snapshot, depth_index, step_index, sequence)
        return PersonaRunError(persona.identifier, self.session_id, reason)

    # -- between the cycles -------------------------------------------------------------------------

    def _report(self, depth_index: int, *, again: bool = False) -> None:
        size = len(self._cycle)
        answers = self._answers[(depth_index - 1) * size : depth_index * size]
        report = report_on(
            len(answers[-1].text),
            len({case for answer in answers for case in answer.cases}),
            reproducible=all(answer.memory_id is not None for answer in answers),
            verified=sum(answer.verified for answer in answers),
            checked=sum(answer.checked for answer in answers),
        )
        self._adjustment = adjustment_for(report, self._cycle)
        self._last_evaluation_metrics = report.evaluation()
        self._current_plan_adjustment = None if self._adjustment is None else self._adjustment.to_dict()
        cycle = CycleReport(depth_index, report, self._current_plan_adjustment)
        self._reports.append(cycle)
        if not again:
            self._journal.report(answers, report, self._bqi_snapshot, self._current_plan_adjustment)
            self._emit(cycle)

    # -- beginning ----------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self.phase = PhaseController()
        self.history = []
        self._answers: list[PersonaAnswer] = []
        self._reports: list[CycleReport] = []
        self._cycle: list[Persona] = self.registry.personas_in_cycle()
        self._bqi_snapshot: dict[str, Any] = {}
        self._adjustment = None
        self._last_evaluation_metrics = None
        self._current_plan_adjustment = None

    def _open(self, question: str, depth: int) -> None:
        self._order(question)
        self._journal.question(question, self._bqi_snapshot, self._plan(depth))
        self._emit(self._started(question, depth))

    def _order(self, question: str) -> None:
        self._bqi_snapshot = self.bqi.analyse(question, "")
        self._cycle = ordered_cycle(self.registry.personas_in_cycle(), self._bqi_snapshot)
        self.history.append({"role": "user", "content": question})

    def _plan(self, depth: int) -> dict[str, Any]:
        """Returns the plan that a run begins with, as the ledger keeps it."""
        order = [persona.identifier for persona in self._cycle]
        changed = order != list(self.registry.cycle)
        return {
            "trigger": "bqi",
            "action": "reorder_persona_cycle" if changed else "keep_persona_cycle",
            "details": {"new_order": order, "depth": depth, "registry": self.registry.name},
        }

    def _started(self, question: str, depth: int, *, resumed: int = 0) -> RunStarted:
        cycle = tuple(persona.identifier for persona in self._cycle)
        return RunStarted(
            self.session_id, question, depth, cycle, self.registry.name, self._journal.question_id,
            self._bqi_snapshot, resumed,
        )  # fmt: skip

    def _replay(self, documents: Sequence[Any], most: int) -> None:
        """Takes up stored answers as if they had just been given."""
        size = len(self._cycle)
        for number, document in enumerate(documents[:most]):
            persona = self._cycle[number % size]
            if document.agent.persona_id != persona.identifier:
                names = tuple(dict.fromkeys(one.agent.persona_id for one in documents))
                raise PersonaRegistryError(self.registry.name, Reason.OTHER_PERSONAS, names=names)
            text = document.content.response_full
            phase_meta = self.phase.integrate_response(persona.identifier, text, document.seconds)
            validation = self._validated(text, self.registry.validators_of(persona))
            self.history.append({"persona": persona.name, "content": text})
            depth_index, step_index = number // size + 1, number % size + 1
            self._answers.append(
                PersonaAnswer(
                    persona.identifier, persona.name, persona.role, persona.backend_id, depth_index, step_index,
                    number + 1, text, document.memory_id, document.content.prompt_digest or "",
                    document.relations.related_memory_ids, phase_meta["affect_after"],
                    phase_meta["injection_applied"], count_tokens(text), validation.verified, validation.checked,
                )
            )  # fmt: skip
            self._journal.go_on(document)
            if step_index == size and (number + 1 < len(documents) or self._journal.was_reported(document)):
                self._report(depth_index, again=True)

    # -- parts --------------------------------------------------------------------------------------

    def _take(self, answer: PersonaAnswer) -> None:
        self._answers.append(answer)
        self._emit(Answered(answer))

    def _emit(self, event: RunEvent) -> None:
        if self._on_event is not None:
            self._on_event(event)

    def _new_journal(self, session_id: str | None = None, started_at: float | None = None) -> Journal:
        return Journal(
            self.registry,
            self.memory_store,
            self.resonance_ledger,
            self.log_path,
            self._clock,
            session_id,
            started_at,
        )

    def _specs(self) -> list[BackendSpec]:
        """Returns the backends that the cycle uses; others are not opened."""
        return list(dict.fromkeys(self.registry.backend_of(one) for one in self.registry.personas_in_cycle()))

    def _backend(self, spec: BackendSpec) -> Backend:
        try:
            return as_backend(self.backend_factory(spec))
        except CelestialError as error:
            found = [one.at(f"backends.{spec.identifier}") for one in error.problems]
            raise PersonaRegistryError(self.registry.path or self.registry.name, *found) from None

    def _checks(self, functions: Mapping[str, Check]) -> dict[str, Check]:
        """Returns the functions that validators name; one that is missing is an error before anything is asked."""
        names = dict.fromkeys(validator.function for validator in self.registry.validators if validator.function)
        factory = self.backend_factory if isinstance(self.backend_factory, BackendFactory) else BackendFactory()
        try:
            return {name: functions[name] if name in functions else factory.function(name) for name in names}
        except PersonaRegistryError as error:
            raise PersonaRegistryError(self.registry.path or self.registry.name, *error.problems) from None
