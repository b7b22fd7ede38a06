"""PersonasArea: runs personas over the memories of an owner."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_id, check_importance, check_limit, check_text
from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import BqiFilter, ItemFilter
from celestial_engine.engine.parts import Area
from celestial_engine.errors import ConfigError, PersonaRegistryError, PersonaSessionNotFoundError, Reason

if TYPE_CHECKING:
    from celestial_engine.core.personas.persona import BackendSpec
    from celestial_engine.core.personas.registry import PersonaRegistry
    from celestial_engine.core.personas.run import PersonaRun, RunEvent
    from celestial_engine.personas.orchestrator import PersonaOrchestrator
    from celestial_engine.ports import LanguageModel

_NEWEST = 300  # answers that are compared with a question
_MOST_OF_SESSION = 1_000

OnEvent = Callable[["RunEvent"], None]
Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class RunSummary:
    """An earlier run: its question, how many answers it has and how many it was to have."""

    session_id: str
    memory_id: str
    question: str
    at: float
    registry: str | None
    depth: int | None
    cycle: tuple[str, ...]
    answers: int

    @property
    def finished(self) -> bool:
        return self.depth is None or self.answers >= self.depth * len(self.cycle)


class PersonasArea(Area):
    """Runs the personas of a registry over these memories."""

    def run(
        self,
        question: str,
        depth: int = 1,
        *,
        registry: PersonaRegistry | str | os.PathLike[str] | None = None,
        functions: Functions | None = None,
        offline: bool = False,
        budget: int | None = None,
        log_path: str | os.PathLike[str] | None = None,
        on_event: OnEvent | None = None,
    ) -> PersonaRun:
        """Asks every persona in turn, `depth` times. Question and answers become memories of one session.

        `registry` is a ready-made one by name, a file, or an object (default: CELESTIAL_PERSONAS, else "dialectic").
        `functions` are Python functions by the names that the registry uses. `offline` answers with echo backends.
        `budget` bounds a prompt, in tokens; `on_event` is called as the run goes on.
        """
        orchestrator = self._orchestrator(registry, functions, offline, budget, log_path, on_event)
        return orchestrator.run(question, depth)

    def stream(
        self,
        question: str,
        depth: int = 1,
        *,
        registry: PersonaRegistry | str | os.PathLike[str] | None = None,
        functions: Functions | None = None,
        offline: bool = False,
        budget: int | None = None,
    ) -> Iterator[RunEvent]:
        """The same, as an iterator of what happens. Closing it stops the run after the answer that is being given."""
        from celestial_engine.core.personas.run import check_depth
        from celestial_engine.personas.streaming import streamed

        chosen = self.registry(registry)  # mistakes are raised at once, not with the first event
        check_text(question, "question")
        check_depth(depth)
        orchestrator = self._orchestrator(chosen, functions, offline, budget, None, None)
        return streamed(lambda on_event: orchestrator.observed_by(on_event).run(question, depth))

    def resume(
        self,
        session_id: str,
        depth: int | None = None,
        *,
        registry: PersonaRegistry | str | os.PathLike[str] | None = None,
        functions: Functions | None = None,
        offline: bool = False,
        budget: int | None = None,
        log_path: str | os.PathLike[str] | None = None,
        on_event: OnEvent | None = None,
        read_file: bool = True,
    ) -> PersonaRun:
        """Goes on with a run that was cut short, after its last stored answer; with `depth` further than planned.

        Without `registry` it is the one that the run began with. `read_file=False` reads no file but that of the
        settings, for callers over a network.
        """
        question = self._question(check_id(session_id))
        planned = self._plan_of(question.id).get("depth")
        if depth is None:
            depth = planned if isinstance(planned, int) else 1
        if registry is None:
            registry = self._registry_of(question, read_file=read_file)
        orchestrator = self._orchestrator(registry, functions, offline, budget, log_path, on_event)
        return orchestrator.resume(session_id, depth)

    def registry(self, registry: PersonaRegistry | str | os.PathLike[str] | None = None) -> PersonaRegistry:
        """Returns a ready-made registry by its name, or one from a file; without a name, the default one."""
        from celestial_engine.core.personas.registry import PersonaRegistry
        from celestial_engine.personas.files import DEFAULT, is_file, load_registry, ready_names, ready_registry

        if isinstance(registry, PersonaRegistry):
            return registry
        chosen = registry or self._parts.personas or DEFAULT
        name = os.fspath(chosen)
        if not isinstance(chosen, str) or is_file(name):
            return load_registry(name)
        from_settings = registry is None or registry == self._parts.personas
        if from_settings and name not in ready_names():  # the settings name a file, whatever its ending
            return load_registry(name)
        return ready_registry(name)

    def registries(self) -> Sequence[str]:
        """Returns the names of the ready-made registries."""
        from celestial_engine.personas.files import ready_names

        return ready_names()

    def cases(
        self,
        question: str,
        persona_id: str,
        *,
        min_importance: float = 0.6,
        bqi_filters: BqiFilter | Mapping[str, Any] | None = None,
        limit: int = 2,
    ) -> Sequence[CelestialItem]:
        """Returns the earlier answers of a persona that suit a question, best first. They are not reinforced."""
        from celestial_engine.core.personas.cases import ranked_cases

        parts, limit = self._parts, check_limit(limit)
        bqi = None if bqi_filters is None else BqiFilter.read(bqi_filters)
        where = ItemFilter(
            persona_id=persona_id,
            min_importance=check_importance(min_importance) or None,
            bqi=None if bqi == BqiFilter() else bqi,
        )
        text = redact_question(check_text(question, "question"), parts.guard)
        with parts.store.read() as session:
            newest = session.items.newest(parts.owner, where, _NEWEST)
        items = [item for item in newest if item.document.type is ContentType.PERSONA_RESPONSE]
        return parts.scored(ranked_cases(text, items, self._closeness(text, items))[:limit])

    def runs(self, limit: int = 20) -> Sequence[RunSummary]:
        """Returns earlier runs, newest first."""
        from celestial_engine.personas.journal import TAG, USER

        parts = self._parts
        with parts.store.read() as session:
            questions = session.items.newest(
                parts.owner, ItemFilter(persona_id=USER, tags=(TAG,)), check_limit(limit)
            )
        return [self._summary(item) for item in questions]

    # -- parts --------------------------------------------------------------------------------------

    def _orchestrator(
        self,
        registry: PersonaRegistry | str | os.PathLike[str] | None,
        functions: Functions | None,
        offline: bool,
        budget: int | None,
        log_path: str | os.PathLike[str] | None,
        on_event: OnEvent | None,
    ) -> PersonaOrchestrator:
        from celestial_engine.core.personas.prompt import BUDGET
        from celestial_engine.engine.personas.store import RunLedger, RunStore
        from celestial_engine.personas.backends import BackendFactory
        from celestial_engine.personas.orchestrator import PersonaOrchestrator

        chosen = self.registry(registry)
        factory = BackendFactory(functions, self._open_model, offline=offline)
        return PersonaOrchestrator(
            chosen,
            factory,
            log_path,
            RunStore(self._parts, self.cases, self._without_settings_path(chosen)),
            RunLedger(self._parts),
            budget=BUDGET if budget is None else budget,
            guard=self._parts.guard,
            clock=self._parts.now,
            on_event=on_event,
        )

    def _closeness(self, text: str, items: Sequence[CelestialItem]) -> dict[str, float]:
        """Compares a question with the vectors of items. Its own vector is computed between two sessions.

        The embedder reads the store's settings, and a store in memory has one session at a time.
        """
        parts = self._parts
        vector = parts.embedding.query(text) if items else None
        if vector is None:
            return {}
        with parts.store.read() as session:
            cosines = session.search.cosines(parts.owner, [item.id for item in items], vector)
        return {match.item_id: parts.embedding.closeness(match.score) for match in cosines}

    def _open_model(self, spec: BackendSpec) -> LanguageModel:
        """Opens a model within the engine's budget."""
        from celestial_engine.bootstrap import budgeted_model, open_backend_model
        from celestial_engine.core.personas.persona import BackendType

        parts = self._parts
        if spec.type is not BackendType.ENGINE:
            model = open_backend_model(spec)
            return budgeted_model(model, parts.store, parts.models.settings, parts.now, checked=False)
        if parts.models.unchecked is None:
            raise ConfigError("model", Reason.NO_LANGUAGE_MODEL)
        return parts.models.unchecked

    def _question(self, session_id: str) -> CelestialItem:
        with self._parts.store.read() as session:
            items = session.items.newest(self._parts.owner, ItemFilter(session_id=session_id), _MOST_OF_SESSION)
        question = next((item for item in reversed(items) if item.document.type is ContentType.USER_INPUT), None)
        if question is None:
            raise PersonaSessionNotFoundError(session_id)
        return question

    def _registry_of(self, question: CelestialItem, *, read_file: bool) -> PersonaRegistry:
        """Returns the registry that a run began with; an error names it if it has changed or cannot be found."""
        from celestial_engine.engine.personas.store import REGISTRY
        from celestial_engine.personas.files import ready_names, ready_registry

        stored = question.metadata.get(REGISTRY)
        origin = stored if isinstance(stored, dict) else {"name": self._plan_of(question.id).get("registry")}
        name, path, digest = (origin.get(key) for key in ("name", "path", "digest"))
        if not isinstance(name, str):
            return self.registry()
        if isinstance(path, str) and read_file:
            registry = self.registry(Path(path))
        elif path is None and name in ready_names() and digest in (None, ready_registry(name).digest):
            return ready_registry(name)
        else:
            registry = self.registry()
        if registry.name == name and digest in (None, registry.digest):
            return registry
        if isinstance(path, str) and read_file:
            raise PersonaRegistryError(path, Reason.REGISTRY_CHANGED)
        raise PersonaRegistryError(name, Reason.REGISTRY_CHANGED if registry.name == name else Reason.REGISTRY_NEEDED)

    def _without_settings_path(self, registry: PersonaRegistry) -> PersonaRegistry:
        """A run that is made with the registry of the settings is resumed with it: callers need not see its path."""
        settings = self._parts.personas
        own = settings is not None and registry.path == os.path.expanduser(settings)
        return replace(registry, path=None) if own else registry

    def _plan_of(self, question_id: str) -> dict[str, Any]:
        with self._parts.store.read() as session:
            events = session.ledger.events(self._parts.owner, question_id, 100)
        plans = [event.plan_adjustment for event in events if event.type is EventType.USER_INPUT]
        details = plans[-1].get("details") if plans and plans[-1] else None
        return details if isinstance(details, dict) else {}

    def _summary(self, question: CelestialItem) -> RunSummary:
        session_id, plan = question.time.session_id or "", self._plan_of(question.id)
        with self._parts.store.read() as session:
            stored = session.items.newest(self._parts.owner, ItemFilter(session_id=session_id), _MOST_OF_SESSION)
        answered = {
            item.time.sequence
            for item in stored
            if item.document.type is ContentType.PERSONA_RESPONSE and not item.document.error_occurred
        }
        return RunSummary(
            session_id,
            question.id,
            question.content,
            question.created_at,
            plan.get("registry"),
            plan.get("depth"),
            tuple(plan.get("new_order") or ()),
            len(answered),
        )
