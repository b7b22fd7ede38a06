"""The journal of a run: memories, ledger events and log lines, written as the run goes on."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.guard.secrets import DEFAULT
from celestial_engine.core.personas.persona import Persona
from celestial_engine.core.personas.prompt import CaseSource, ComposedPrompt
from celestial_engine.core.personas.registry import PersonaRegistry
from celestial_engine.core.personas.run import PersonaAnswer
from celestial_engine.core.personas.rune import RuneReport
from celestial_engine.core.record.bqi import emotions_in
from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    SpaceCoordinate,
    TimeCoordinate,
    prompt_digest_of,
)
from celestial_engine.core.record.coordinate_document import (
    CoordinateDocument,
    DocumentContent,
    DocumentEmotion,
    DocumentMetadata,
    DocumentRelations,
)
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.timestamps import new_memory_id, new_session_id
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import StorageError, os_problem

TAG = "orchestration"
USER = "user"
_SUFFIX_BYTES = 6
_SPARE = 50


class MemoryWriter(CaseSource, Protocol):
    """Where answers are kept: a MemoryStore, or anything with these two methods."""

    def add(self, memory: CoordinateDocument) -> Any: ...


class Ledger(Protocol):
    """A ResonanceLedger, or anything that logs like one."""

    def log_event(
        self,
        session_id: str,
        event_type: str,
        persona_id: str | None = None,
        memory_id: str | None = None,
        bqi_coordinate: dict[str, Any] | None = None,
        evaluation: dict[str, Any] | None = None,
        plan_adjustment: dict[str, Any] | None = None,
    ) -> Any: ...


class EarlierSessions:
    """The answers of other sessions: a run does not quote itself, nor answers that were none."""

    def __init__(self, store: CaseSource, session_id: str) -> None:
        self._search = getattr(store, "past_cases", store.search)
        self._session_id = session_id

    def search(
        self,
        query: str | None = None,
        *,
        persona_id: str | None = None,
        min_importance: float = 0.0,
        bqi_filters: Mapping[str, Any] | None = None,
        limit: int = 10,
    ) -> Sequence[CoordinateDocument]:
        found = self._search(
            query=query, persona_id=persona_id, min_importance=min_importance, bqi_filters=bqi_filters,
            limit=limit + _SPARE,
        )  # fmt: skip
        cases = [
            case for case in found if case.time.session_id != self._session_id and not case.metadata.error_occurred
        ]
        return cases[:limit]


class Earlier(NamedTuple):
    """What is stored of a run."""

    question: CoordinateDocument
    answers: list[CoordinateDocument]

    @property
    def started_at(self) -> float:
        return self.question.seconds


def earlier_answers(store: object, session_id: str) -> Earlier | None:
    """Returns the question and the unbroken row of answers of a session; None if it was no run."""
    read: Callable[[str], Sequence[CoordinateDocument]] | None = getattr(store, "get_by_session", None)
    documents = [] if read is None else sorted(read(session_id), key=lambda one: one.time.sequence or 0)
    question = next((one for one in documents if one.content.type is ContentType.USER_INPUT), None)
    if question is None or TAG not in question.metadata.tags:
        return None
    given = {
        one.time.sequence: one
        for one in documents
        if one.content.type is ContentType.PERSONA_RESPONSE and not one.metadata.error_occurred
    }
    answers: list[CoordinateDocument] = []
    while (following := given.get(len(answers) + 1)) is not None:
        answers.append(following)
    return Earlier(question, answers)


class Journal:
    """Writes one session. Without a store, a ledger or a log file, that part is left out."""

    def __init__(
        self,
        registry: PersonaRegistry,
        memory_store: MemoryWriter | None,
        ledger: Ledger | None,
        log_path: str | os.PathLike[str] | None,
        clock: Callable[[], float],
        session_id: str | None = None,
        started_at: float | None = None,
    ) -> None:
        self._registry = registry
        self._store = memory_store
        self._ledger = ledger
        self._log_path = None if log_path is None else os.path.expanduser(os.fspath(log_path))
        self._clock = clock
        self._started_at = clock() if started_at is None else started_at
        # Two runs may begin within one second.
        self.session_id = session_id or f"{new_session_id(self._started_at)}_{secrets.token_hex(3)}"
        self.log_entries: list[dict[str, Any]] = []
        self.question_id: str | None = None
        self._last_memory_id: str | None = None

    def go_on(self, document: CoordinateDocument) -> None:
        """Goes on after a stored memory; its event is logged if the process ended before that."""
        self._last_memory_id = document.memory_id
        if document.content.type is ContentType.USER_INPUT:
            self.question_id = document.memory_id
        elif "persona_response" not in self._event_names(document, "persona_response"):
            coordinate = self._coordinate(
                document.agent.persona_id or USER,
                document.emotion.affect_amplitude,
                document.metadata.bqi_snapshot or {},
            )
            self._event(
                "persona_response", document.agent.persona_id or USER, document.memory_id, coordinate, None, None
            )

    def question(self, text: str, bqi: dict[str, Any], plan: dict[str, Any]) -> None:
        """Stores what the user asked, and the plan that the run begins with."""
        felt = feel(text)
        document = self._document(
            text,
            AgentCoordinate(USER),
            DocumentEmotion(None, felt.sentiment_score, felt.confidence, felt.keywords),
            ContentType.USER_INPUT,
            DocumentMetadata(tags=(TAG,), bqi_snapshot=bqi),
            sequence=0,
            depth_index=0,
        )
        self._add(document)
        self.question_id = self._last_memory_id
        self._event("user_input", USER, self.question_id, self._coordinate(USER, None, bqi), None, plan)
        self._log({"event": "user_input", "response": text, "memory_id": self.question_id, "plan_adjustment": plan})

    def answer(
        self,
        persona: Persona,
        prompt: ComposedPrompt,
        text: str,
        phase_meta: dict[str, Any],
        bqi: dict[str, Any],
        depth_index: int,
        step_index: int,
        sequence: int,
        evaluation: dict[str, float] | None,
        plan_adjustment: dict[str, Any] | None,
    ) -> tuple[str | None, str]:
        """Stores an answer; returns its memory id and its text as stored, without secrets."""
        felt = feel(text)
        affect = phase_meta["affect_after"]
        document = self._document(
            text,
            _agent(persona),
            DocumentEmotion(affect, felt.sentiment_score, felt.confidence, felt.keywords),
            ContentType.PERSONA_RESPONSE,
            DocumentMetadata(
                tags=(persona.identifier, TAG),
                phase_injection_applied=phase_meta["injection_applied"],
                bqi_snapshot=bqi,
            ),
            sequence,
            depth_index,
            prompt.digest,
            related=tuple(case.memory_id for case in prompt.cases),
        )
        stored = self._add(document)
        memory_id = None if self._store is None else document.memory_id
        note_use = getattr(self._store, "note_use", None)
        if prompt.cases and note_use is not None:
            note_use([case.memory_id for case in prompt.cases])
        coordinate = self._coordinate(persona.identifier, affect, bqi)
        self._event("persona_response", persona.identifier, memory_id, coordinate, evaluation, plan_adjustment)
        self._log(
            {
                "event": "persona_response", "persona_id": persona.identifier, "depth_index": depth_index,
                "step_index": step_index, "sequence": sequence, "prompt_digest": prompt.digest, "response": stored,
                "memory_id": memory_id, "phase": phase_meta, "bqi": bqi, "evaluation": evaluation,
                "plan_adjustment": plan_adjustment,
            }
        )  # fmt: skip
        return memory_id, stored

    def failure(
        self,
        persona: Persona,
        prompt: ComposedPrompt,
        message: str,
        bqi: dict[str, Any],
        depth_index: int,
        step_index: int,
        sequence: int,
    ) -> None:
        """Stores that a persona gave no answer. The next answer does not follow from it."""
        before = self._last_memory_id
        text = f"[error: {message}]"
        document = self._document(
            text,
            _agent(persona),
            DocumentEmotion(),
            ContentType.PERSONA_RESPONSE,
            DocumentMetadata(importance=0.0, tags=(persona.identifier, TAG), error_occurred=True, bqi_snapshot=bqi),
            sequence,
            depth_index,
            prompt.digest,
        )
        self._add(document)
        memory_id, self._last_memory_id = self._last_memory_id, before
        coordinate = self._coordinate(persona.identifier, None, bqi)
        self._event("persona_response", persona.identifier, memory_id, coordinate, {"error_occurred": True}, None)
        self._log(
            {"event": "error", "persona_id": persona.identifier, "depth_index": depth_index, "step_index": step_index,
             "sequence": sequence, "response": text}
        )  # fmt: skip

    def report(
        self,
        answers: Sequence[PersonaAnswer],
        report: RuneReport,
        bqi: dict[str, Any],
        plan_adjustment: dict[str, Any] | None,
    ) -> None:
        """Logs the RUNE report on a cycle with its last answer."""
        last = answers[-1]
        coordinate = self._coordinate(last.persona_id, last.affect, bqi)
        evaluation = report.evaluation()
        self._event("rune_report", last.persona_id, last.memory_id, coordinate, evaluation, plan_adjustment)
        self._log({"event": "rune_report", "evaluation": evaluation, "plan_adjustment": plan_adjustment})

    def was_reported(self, document: CoordinateDocument) -> bool:
        """Whether the ledger has the report on the cycle that ended with this answer."""
        return "rune_report" in self._event_names(document)

    # -- parts --------------------------------------------------------------------------------------

    def _event_names(self, document: CoordinateDocument, unknown: str = "") -> Sequence[str]:
        names = getattr(self._store, "event_names", None)
        return (unknown,) if names is None else names(document.memory_id)

    def _document(
        self,
        text: str,
        agent: AgentCoordinate,
        emotion: DocumentEmotion,
        kind: ContentType,
        metadata: DocumentMetadata,
        sequence: int,
        depth_index: int,
        digest: str | None = None,
        related: tuple[str, ...] = (),
    ) -> CoordinateDocument:
        now = self._clock()
        minutes = round(max(0.0, now - self._started_at) / 60.0, 4)
        return CoordinateDocument(
            memory_id=new_memory_id(now, secrets.token_hex(_SUFFIX_BYTES)),
            timestamp=timestamp(now),
            content=DocumentContent(
                text, kind, None if digest is None else prompt_digest_of(digest), None, count_tokens(text)
            ),
            time=TimeCoordinate(self.session_id, sequence, minutes),
            space=SpaceCoordinate(self._registry.project, self._registry.domain, (), depth_index),
            agent=agent,
            emotion=emotion,
            metadata=metadata,
            relations=DocumentRelations(self._last_memory_id, (), related),
        )

    def _add(self, document: CoordinateDocument) -> str:
        """Stores a document; returns its text without secrets."""
        text = document.content.response_full
        if self._store is None:
            return redact_question(text, DEFAULT)
        stored = self._store.add(document)
        self._last_memory_id = document.memory_id
        content = getattr(stored, "content", None)
        return getattr(content, "response_full", None) or redact_question(text, DEFAULT)

    def _coordinate(self, agent: str, affect: float | None, bqi: dict[str, Any]) -> dict[str, Any]:
        """Returns where an event stands, as the ledger keeps it."""
        emotion: dict[str, Any] = {"keywords": list(emotions_in(bqi))}
        if affect is not None:
            emotion["affect"] = affect
        return {
            "time": timestamp(self._clock()),
            "space": self._registry.domain,
            "agent": agent,
            "emotion": emotion,
            "rhythm_phase": bqi.get("rhythm_phase"),
            "priority": bqi.get("priority"),
        }

    def _event(
        self,
        event_type: str,
        persona_id: str,
        memory_id: str | None,
        coordinate: dict[str, Any],
        evaluation: Mapping[str, Any] | None,
        plan_adjustment: dict[str, Any] | None,
    ) -> None:
        if self._ledger is not None:
            self._ledger.log_event(
                session_id=self.session_id,
                event_type=event_type,
                persona_id=persona_id,
                memory_id=memory_id,
                bqi_coordinate=coordinate,
                evaluation=None if evaluation is None else dict(evaluation),
                plan_adjustment=plan_adjustment,
            )

    def _log(self, entry: dict[str, Any]) -> None:
        entry = {"timestamp": timestamp(self._clock()), "session_id": self.session_id, **entry}
        if "response" in entry:
            entry["response"] = redact_question(entry["response"], DEFAULT)
        self.log_entries.append(entry)
        if self._log_path is not None:
            try:
                os.makedirs(os.path.dirname(os.path.abspath(self._log_path)), exist_ok=True)
                file = os.open(self._log_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
                with open(file, "a", encoding="utf-8") as opened:
                    opened.write(json.dumps(entry, ensure_ascii=False) + "\n")
            except OSError as error:
                raise StorageError(self._log_path, os_problem(error)) from None


def _agent(persona: Persona) -> AgentCoordinate:
    return AgentCoordinate(persona.identifier, persona.name, persona.role, persona.backend_id)
