"""Personas: several answer one question in turn, and remember what they said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import InvalidInputError, PersonaRegistryError, Reason
from celestial_engine.surfaces.operations.declaration import (
    LOCAL,
    Caller,
    Command,
    Effect,
    Operation,
    Route,
    Scope,
)
from celestial_engine.surfaces.operations.personas.shapes import (
    PersonaBackend,
    PersonaCycle,
    PersonaFileRequest,
    PersonaProfile,
    PersonaRegistryRequest,
    PersonaRegistryView,
    PersonaRunList,
    PersonaRunRequest,
    PersonaRunResult,
    PersonaRunsRequest,
    PersonaRunSummary,
    PersonaStep,
)
from celestial_engine.surfaces.operations.views import view_of

if TYPE_CHECKING:  # declarations are read by commands that run no personas
    from celestial_engine.core.personas.registry import PersonaRegistry
    from celestial_engine.core.personas.run import CycleReport, PersonaRun, RunEvent


def run(caller: Caller, request: PersonaRunRequest) -> PersonaRunResult:
    if bool(request.question) == bool(request.resume):
        raise InvalidInputError(Reason.NOT_BOTH, names=("question", "resume"))
    name = _allowed(caller, request.registry)
    on_event = _watching(caller)
    try:
        if request.resume:
            result = caller.memory.personas.resume(
                request.resume, request.depth, registry=name, offline=request.offline, on_event=on_event,
                read_file=caller.local,
            )  # fmt: skip
        else:
            depth = 1 if request.depth is None else request.depth
            result = caller.memory.personas.run(
                request.question or "", depth, registry=name, offline=request.offline, on_event=on_event
            )
    except PersonaRegistryError as error:
        raise _without_path(caller, error, name) from None
    return _result(result)


def show(caller: Caller, request: PersonaRegistryRequest) -> PersonaRegistryView:
    name = _allowed(caller, request.registry)
    try:
        registry = caller.memory.personas.registry(name)
    except PersonaRegistryError as error:
        raise _without_path(caller, error, name) from None
    return _registry_view(registry, tuple(caller.memory.personas.registries()))


def validate(caller: Caller, request: PersonaFileRequest) -> PersonaRegistryView:
    from celestial_engine.personas.files import check_functions, load_registry  # reads a file that is not used

    registry = load_registry(request.path)
    check_functions(registry)
    return _registry_view(registry, tuple(caller.memory.personas.registries()))


def listed(caller: Caller, request: PersonaRunsRequest) -> PersonaRunList:
    runs = caller.memory.personas.runs(request.limit)
    return PersonaRunList(tuple(view_of(PersonaRunSummary, one, at=timestamp(one.at)) for one in runs))


def _allowed(caller: Caller, name: str | None) -> str | None:
    """A registry may name commands: over a network only ready-made ones and the server's own can be chosen."""
    if name is None or caller.local or name in caller.memory.personas.registries():
        return name
    choices = tuple(caller.memory.personas.registries())
    raise InvalidInputError("registry", Reason.UNKNOWN_CHOICE, got=name, choices=choices)


def _without_path(caller: Caller, error: PersonaRegistryError, name: str | None) -> PersonaRegistryError:
    """Callers over a network see no path of the server: a file is that of its settings."""
    if caller.local:
        return error
    from celestial_engine.personas.files import is_file  # most runs have no error

    registry = str(error.own["registry"])
    return PersonaRegistryError(name or ("CELESTIAL_PERSONAS" if is_file(registry) else registry), *error.problems)


def _watching(caller: Caller) -> Callable[[RunEvent], None] | None:
    """Passes events on as the caller wants them: as JSON values, or as how much is done."""
    if caller.on_event is None and caller.progress is None:
        return None
    from celestial_engine.core.codec import encode
    from celestial_engine.core.personas.run import Answered, CycleReport, PersonaRun, RunStarted

    done, total = 0, 1

    def on_event(event: RunEvent) -> None:
        nonlocal done, total
        if isinstance(event, RunStarted):
            done, total = event.resumed, event.depth * len(event.cycle)
        done += isinstance(event, Answered)
        if caller.progress is not None and isinstance(event, (RunStarted, Answered)):
            caller.progress(done, total)
        if caller.on_event is None or isinstance(event, PersonaRun):  # a finished run is the answer itself
            return
        document = _cycle(event) if isinstance(event, CycleReport) else event
        caller.on_event(event.kind, encode(document))

    return on_event


def _result(result: PersonaRun) -> PersonaRunResult:
    return view_of(
        PersonaRunResult,
        result,
        answers=tuple(view_of(PersonaStep, answer) for answer in result.answers),
        reports=tuple(map(_cycle, result.reports)),
    )


def _cycle(cycle: CycleReport) -> PersonaCycle:
    adjustment = None if cycle.adjustment is None else dict(cycle.adjustment)
    return view_of(PersonaCycle, cycle.report, depth_index=cycle.depth_index, adjustment=adjustment)


def _registry_view(registry: PersonaRegistry, ready_made: tuple[str, ...]) -> PersonaRegistryView:
    personas = tuple(
        PersonaProfile(
            one.identifier, one.name, one.role, None if one.stance is None else one.stance.value, one.backend_id,
            one.system_prompt, one.max_tokens,
        )
        for one in registry.personas
    )  # fmt: skip
    backends = tuple(
        PersonaBackend(one.identifier, one.type.value, one.model, one.timeout) for one in registry.backends.values()
    )
    validators = tuple(one.type.value for one in registry.validators)
    return PersonaRegistryView(
        registry.name, registry.description, registry.cycle, personas, backends, validators, ready_made
    )


OPERATIONS = (
    Operation(
        "personas_run",
        "Let personas (thesis, antithesis, synthesis) answer a question in turn; their answers are remembered.",
        PersonaRunRequest, PersonaRunResult, run, Route("POST", "/personas/runs"), Scope.WRITE, Effect.ADDS,
        commands=(Command("personas run", ("question",), joined=True),),
        examples=({"question": "Shall we move to a monorepo?", "depth": 2},), long=True, streams=True,
    ),
    Operation(
        "personas_show", "The personas of a registry, and what answers for them.",
        PersonaRegistryRequest, PersonaRegistryView, show, Route("GET", "/personas/registry"), tool=False,
        commands=(Command("personas show", ("registry",)),),
    ),
    Operation(
        "personas_runs", "Earlier runs of personas, newest first.",
        PersonaRunsRequest, PersonaRunList, listed, Route("GET", "/personas/runs"), tool=False,
        commands=(Command("personas runs"),),
    ),
)  # fmt: skip

LOCAL_OPERATIONS = (
    Operation(
        "personas_validate", "Check a registry file, and say everything that is wrong with it.",
        PersonaFileRequest, PersonaRegistryView, validate, LOCAL, tool=False,
        commands=(Command("personas validate", ("path",)),),
    ),
)  # fmt: skip
