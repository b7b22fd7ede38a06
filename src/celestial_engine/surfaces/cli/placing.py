"""Where a new memory lies, as the options of `store` say."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from celestial_engine.core.record.coordinate import (
    AgentCoordinate,
    ContentType,
    Document,
    Emotion,
    EmotionCoordinate,
    SpaceCoordinate,
)
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.failures import BAD_INPUT, CommandError
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_HALF = 0.5  # the intensity of an emotion of which nothing more is said

# What --lines does not take: each of these says something of one memory.
_OF_ONE = (
    "metadata tag tier pin immutable project domain depth persona persona_name role backend file emotion intensity "
    "type prompt summary bqi parent related"
).split()


def coordinate(memory: CelestialMemory, args: Namespace, texts: Texts) -> dict[str, Any]:
    """What `CelestialMemory.store` takes of it."""
    return {
        "source": source(args),
        "space": SpaceCoordinate(
            args.project,
            args.domain,
            tuple(args.file),
            None if args.depth is None else arguments.whole_number(args.depth, "--depth", texts),
        ),
        "agent": AgentCoordinate(args.persona, args.persona_name, args.role, args.backend),
        "emotion": _emotion(args, texts),
        "document": Document(ContentType(args.type or ContentType.USER_INPUT), args.prompt, args.summary),
        "parent": None if args.parent is None else memory.browse.find_id(args.parent),
        "related": [memory.browse.find_id(prefix) for prefix in args.related],
        "bqi": args.bqi,
    }


def source(args: Namespace) -> Source:
    return Source.USER if args.source is None else Source(args.source)


def of_one_alone(args: Namespace) -> list[str]:
    """The options given that only a single memory can have."""
    return [f"--{name.replace('_', '-')}" for name in _OF_ONE if getattr(args, name) not in (None, False, [])]


def _emotion(args: Namespace, texts: Texts) -> EmotionCoordinate | None:
    """What somebody says of a mood is certain; None leaves it to be felt from the text."""
    if not args.emotion:
        if args.intensity is not None:
            raise CommandError("intensity_alone", BAD_INPUT)
        return None
    tags = tuple(dict.fromkeys(Emotion(name) for name in args.emotion))
    strength = _HALF if args.intensity is None else arguments.number(args.intensity, "--intensity", texts)
    return EmotionCoordinate(tags, strength, confidence=1.0)
