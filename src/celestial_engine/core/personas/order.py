"""The order of a cycle: rotated by what the question is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celestial_engine.core.personas.persona import Persona, Stance
from celestial_engine.core.record.bqi import RhythmPhase, emotions_in, phase_in

_URGENT, _VERIFY = 4, 3
_WORRY = "concern"
_FIRST = {
    RhythmPhase.INTEGRATION.value: Stance.SYNTHESIS,
    RhythmPhase.REFLECTION.value: Stance.ANTITHESIS,
    RhythmPhase.PLANNING.value: Stance.THESIS,
}


def ordered_cycle(cycle: Sequence[Persona], bqi: dict[str, Any] | None) -> list[Persona]:
    """Returns the cycle for a question with this BQI.

    Integration begins with the synthesis, reflection or high risk with the antithesis, planning with the thesis.
    An urgent question puts the synthesis right after the antithesis. A cycle without that stance stays as it is.
    """
    first = _FIRST.get(phase_in(bqi) or "")
    if first is not Stance.SYNTHESIS and has_high_risk(bqi):
        first = Stance.ANTITHESIS
    personas = _rotated(list(cycle), first)
    return _synthesis_after_antithesis(personas) if _priority(bqi) >= _URGENT else personas


def has_high_risk(bqi: dict[str, Any] | None) -> bool:
    """Whether a question worries, and is to be verified or urgent."""
    return _priority(bqi) >= _VERIFY and _WORRY in emotions_in(bqi)


def _priority(bqi: dict[str, Any] | None) -> int:
    priority = (bqi or {}).get("priority")
    return priority if isinstance(priority, int) else 1


def _place(personas: list[Persona], stance: Stance | None) -> int | None:
    return next((place for place, persona in enumerate(personas) if stance and persona.stance is stance), None)


def _rotated(personas: list[Persona], first: Stance | None) -> list[Persona]:
    place = _place(personas, first)
    return personas if place is None else personas[place:] + personas[:place]


def _synthesis_after_antithesis(personas: list[Persona]) -> list[Persona]:
    synthesis = _place(personas, Stance.SYNTHESIS)
    if synthesis is None or _place(personas, Stance.ANTITHESIS) is None:
        return personas
    moved = personas[synthesis]
    others = [persona for persona in personas if persona is not moved]
    after = (_place(others, Stance.ANTITHESIS) or 0) + 1
    return [*others[:after], moved, *others[after:]]
