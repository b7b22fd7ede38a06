"""Turns of a conversation: what would be done with one, and doing it."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from celestial_engine.core.turn.conversation import Utterance, read_utterance
from celestial_engine.core.turn.policy import Decision
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason, os_problem
from celestial_engine.surfaces.cli import answers, arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, UNEXPECTED
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import render

_SIGNS = ("question", "discourse", "personal", "preference", "technical", "emotion", "told", "remember")


def decide(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    decision = memory.decide(_turn(args, console.texts), _history(args, console.texts))
    if console.as_json:
        console.data(_decision(decision))
    else:
        console.say(*_lines(console.texts, decision))
    return OK


def observe(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """The fetched memories alone go to standard output, so that they can be piped into a prompt."""
    budget = arguments.whole_number(args.budget, "budget", console.texts)
    observed = memory.observe(
        _turn(args, console.texts), _history(args, console.texts), budget=budget, session_id=args.session
    )
    if console.as_json:
        console.data(
            _decision(observed.decision)
            | {
                "memory": None if observed.item is None else answers.record(observed.item),
                "hits": list(observed.hits),
                "context": observed.context,
                "problem": None if observed.problem is None else str(observed.problem),
            }
        )
    else:
        if observed.context:
            console.verbatim(observed.context)
        console.remark(_summary(console.texts, observed.decision))
        if observed.item is not None:
            key = "say.mentioned_again" if observed.decision.duplicate_of else "say.saved_turn"
            console.remark(console.texts(key, id=render.short(observed.item.id), count=observed.item.mention_count))
        if observed.problem is not None:
            console.remark(console.texts("say.turn_problem", problem=console.texts.problem(observed.problem)))
    return OK if observed.problem is None else UNEXPECTED


def _turn(args: Namespace, texts: Texts) -> Utterance:
    text = arguments.given_text(args.text, "turn", texts)
    return read_utterance({"role": args.role, "content": text})


def _history(args: Namespace, texts: Texts) -> list[Any]:
    """A JSON list of turns, or one turn a line."""
    if args.history is None:
        return []
    try:
        said = Path(args.history).read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            "history", Reason.UNREADABLE_FILE, path=args.history, cause=os_problem(error)
        ) from None
    try:
        whole = [said] if said.startswith("[") else [line for line in said.split("\n") if line.strip()]
        turns = [turn for part in whole for turn in _listed(json.loads(part))]
    except (json.JSONDecodeError, RecursionError):
        raise InvalidInputError("history", Reason.MUST_BE, expected=Expected.TURNS_FILE) from None
    return turns


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _decision(decision: Decision) -> dict[str, Any]:
    features = asdict(decision.features) | {"importance": round(decision.features.importance, 4)}
    return {
        "action": decision.action.value,
        "reason": str(getattr(decision.reason, "value", decision.reason)),
        "phase": decision.phase.value,
        "confidence": round(decision.confidence, 4),
        "duplicate_of": decision.duplicate_of,
        "turn_id": decision.turn_id,
        "state": list(decision.features.state),
        "features": features,
    }


def _summary(texts: Texts, decision: Decision) -> str:
    return texts(
        "say.decided",
        action=texts.word("turn", decision.action.value),
        why=texts.word("why", getattr(decision.reason, "value", decision.reason)),
        confidence=f"{decision.confidence:.2f}",
    )


def _lines(texts: Texts, decision: Decision) -> list[str]:
    seen = [texts.word("sign", name) for name in _SIGNS if getattr(decision.features, name)]
    lines = [
        _summary(texts, decision),
        texts("say.decided_by", phase=texts.word("phase", str(decision.phase.value))),
        texts("say.turn_shows", signs=", ".join(seen) or "-", importance=f"{decision.features.importance:.2f}"),
    ]
    if decision.duplicate_of is not None:
        lines.append(texts("say.duplicate_of", id=render.short(decision.duplicate_of)))
    return lines
