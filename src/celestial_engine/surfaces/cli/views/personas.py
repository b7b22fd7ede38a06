"""Views of personas: what they say while they say it, the report, a registry, and earlier runs."""

from __future__ import annotations

from typing import Any

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import clock_time, headed

_MEASURES = ("impact", "transparency", "reproducibility", "verifiability")


def _event(console: Console, kind: str, event: dict[str, Any]) -> None:
    """Prints each answer when it is there; a run may take minutes."""
    texts = console.texts
    if kind == "started":
        console.say(texts("say.personas_started", session=event["session_id"], cycle=", ".join(event["cycle"])))
        if event["resumed"]:
            console.say(texts("say.personas_resumed", count=event["resumed"]))
    elif kind == "speaking":
        console.progress(texts("say.personas_speaking", name=event["persona_name"]))
    elif kind == "answered":
        _answer(console, event["answer"])
    elif kind == "cycle":
        console.progress("")
        measures = ", ".join(f"{texts.word('rune', name)} {event[name]:.2f}" for name in _MEASURES)
        console.say("", texts("say.personas_report", cycle=event["depth_index"], measures=measures))
        if event["adjustment"] is not None:
            console.say(texts.word("plan", event["adjustment"]["action"]))
    console.flush()


def _answer(console: Console, answer: dict[str, Any]) -> None:
    texts = console.texts
    console.progress("")
    console.say("", f"[{answer['sequence']}] {answer['persona_name']} ({answer['role']})")
    console.say(*answer["text"].splitlines())
    notes = [texts("say.personas_affect", affect=f"{answer['affect']:.2f}")]
    if answer["injection_applied"]:
        notes.append(texts("say.personas_injection"))
    if answer["cases"]:
        notes.append(texts("say.personas_cases", count=len(answer["cases"])))
    if answer["retried"]:
        notes.append(texts("say.personas_retried"))
    console.say(f"  {answer['memory_id']}  {', '.join(notes)}")


def _ran(result: CommandResult) -> None:
    result.console.say("")
    result.say("say.personas_rate", id=result.answer.answers[-1].memory_id or "ID")


def _registry(result: CommandResult) -> None:
    registry, texts = result.answer, result.texts
    result.console.say(f"{registry.name}: {one_line(registry.description)}".rstrip(": "))
    backends = {one.id: one for one in registry.backends}
    rows = [
        [str(registry.cycle.index(one.id) + 1) if one.id in registry.cycle else "-", one.id, one.name,
         _backend(backends[one.backend]), one_line(one.system_prompt)]
        for one in sorted(
            registry.personas,
            key=lambda one: registry.cycle.index(one.id) if one.id in registry.cycle else len(registry.cycle),
        )
    ]  # fmt: skip
    result.console.say(*headed(texts, ("place", "persona", "name", "backend", "prompt"), rows))
    if registry.validators:
        result.say("say.personas_validators", kinds=", ".join(registry.validators))


def _backend(backend: Any) -> str:
    return backend.type if backend.model is None else f"{backend.type} {backend.model}"


def _personas(result: CommandResult) -> None:
    _registry(result)
    result.say("say.personas_ready", names=", ".join(result.answer.ready_made))


def _validated(result: CommandResult) -> None:
    _registry(result)
    result.say("say.personas_valid")


def _runs(result: CommandResult) -> None:
    rows = [
        [one.session_id, clock_time(one.at), one.registry or "-",
         f"{one.answers}" if one.finished else result.texts("say.personas_unfinished", count=one.answers),
         one_line(one.question)]
        for one in result.answer.runs
    ]  # fmt: skip
    result.say_table(("session", "when", "registry", "answers", "text"), rows, "say.personas_none")


VIEWS: dict[str, View] = {
    "personas_run": _ran,
    "personas_show": _personas,
    "personas_runs": _runs,
    "personas_validate": _validated,
}
LIVE = {"personas_run": _event}
