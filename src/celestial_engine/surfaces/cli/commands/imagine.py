"""Imagining from the command line: an idea, why there is none, what was imagined, and what somebody thought of it."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from celestial_engine.core.imagination.rules import Imagination, Imagined
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import NOT_FOUND, OK, CommandError, UsageError
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views import render


def imagine(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    asked = [args.context is not None or args.idle is not None, args.past, args.liked is not None,
             args.disliked is not None]  # fmt: skip
    if sum(asked) > 1:
        raise UsageError("unrecognized arguments: --past, --liked and --disliked stand alone")
    if args.past:
        return _past(memory, console)
    if args.liked is not None or args.disliked is not None:
        return _answered(memory, args.liked or args.disliked, console, liked=args.liked is not None)
    idle = None if args.idle is None else 60.0 * arguments.whole_number(args.idle, "idle", console.texts)
    told = memory.imagination.imagine(args.context, idle_seconds=idle)
    if console.as_json:
        console.data(_as_json(told))
    elif told.imagination is None:
        console.say(console.texts(f"why_not.{'off' if told.why_not is None else told.why_not.value}"))
    else:
        _say(memory, console, told.imagination)
    if told.refused is not None and not console.as_json:
        console.remark(console.texts("say.model_refused", reason=console.texts.problem(told.refused)))
    return OK


def _say(memory: CelestialMemory, console: Console, imagination: Imagination) -> None:
    texts = console.texts
    console.say(imagination.scenario)
    if imagination.action:
        console.say(texts("say.imagined_action", action=imagination.action))
    console.say(texts("say.imagined_mood", mood=texts.word("mood", imagination.emotion)))
    console.say(texts("say.imagined_from"))
    for item_id in imagination.memories_used:
        console.say(f"  {render.short(item_id)}  {one_line(memory.get(item_id).content)}")
    console.say(texts("say.imagined_answer", id=render.short(imagination.id)))


def _past(memory: CelestialMemory, console: Console) -> int:
    past = memory.imagination.recent()
    if console.as_json:
        console.data([_record(one) for one in past])
        return OK
    texts = console.texts
    if not past:
        console.say(texts("say.never_imagined"))
        return OK
    answers = {True: texts("say.liked"), False: texts("say.disliked"), None: "-"}
    rows = [[render.short(one.id), render.clock_time(one.at), texts.word("mood", one.emotion), answers[one.liked],
             one_line(one.scenario)] for one in past]  # fmt: skip
    columns = [texts(f"col.{name}") for name in ("id", "when", "mood", "answer", "text")]
    console.say(*render.table(columns, rows))
    return OK


def _answered(memory: CelestialMemory, which: str, console: Console, *, liked: bool) -> int:
    try:
        told = memory.imagination.feedback(memory.browse.find_id(which), liked)
    except NotFoundError:
        raise CommandError("no_imagination", NOT_FOUND, id=one_line(which)) from None
    (strength,) = [one.strength for one in memory.imagination.patterns() if one.pattern == told.pattern]
    if console.as_json:
        console.data({"imagination": _record(told), "strength": strength})
    else:
        console.say(console.texts("say.answered", strength=f"{strength:.2f}"))
    return OK


def _as_json(told: Imagined) -> dict[str, Any]:
    return {
        "imagination": None if told.imagination is None else _record(told.imagination),
        "why_not": None if told.why_not is None else told.why_not.value,
        "refused": None if told.refused is None else str(told.refused),
    }


def _record(imagination: Imagination) -> dict[str, Any]:
    return {**asdict(imagination), "trigger": imagination.trigger.value}
