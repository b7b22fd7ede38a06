"""Which memories the options ask for, and the command that gives them stars."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime, time

from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.answers import record
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import render


def chosen(args: Namespace, texts: Texts) -> ItemFilter | None:
    """The filter that the options ask for; None where they ask for nothing."""
    since = None if args.since is None else _moment(args.since, "--since", texts, time.min)
    until = None if args.until is None else _moment(args.until, "--until", texts, time.max)
    where = ItemFilter(
        time_range=None if since is None and until is None else (since, until),
        session_id=args.session,
        persona_id=args.persona,
        domain=args.domain,
        project=args.project,
        tags=tuple(args.tag),
        min_importance=None if args.min_importance is None else arguments.importance(args.min_importance),
        emotion=args.emotion,
    )
    return None if where == ItemFilter() else where


def _moment(text: str, option: str, texts: Texts, of_day: time) -> datetime:
    """On the reader's own clock, unless the text names a zone."""
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        if len(text.strip()) == len("2025-10-10"):
            moment = datetime.combine(moment.date(), of_day)
        return moment if moment.tzinfo is not None else moment.astimezone()
    except (ValueError, OverflowError, OSError):
        raise InvalidInputError(option, Reason.WRONG_VALUE, expected=Expected.MOMENT, got=text) from None


def rate(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    texts = console.texts
    item = memory.rate(memory.browse.find_id(args.id), arguments.whole_number(args.stars, "rating", texts))
    if console.as_json:
        console.data(record(item))
        return OK
    console.say(
        texts(
            "say.rated",
            id=render.short(item.id),
            stars=item.user_rating,
            importance=f"{item.arbitrary_importance:.2f}",
            source=texts.word("importance", item.importance_source),
        )
    )
    return OK
