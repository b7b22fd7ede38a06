"""RUNE: a report on each cycle, and the adjustment of the plan that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.personas.persona import Persona, Stance

_MANY_CHARACTERS = 1_000
_A_TOOL_IMPACT, _A_TOOL_TRANSPARENCY = 0.05, 0.1
_REPRODUCIBLE, _NOT_REPRODUCIBLE = 0.85, 0.5
_UNVERIFIED = 0.7  # nothing was there to verify
_TOO_DOUBTFUL, _TOO_SLIGHT = 0.6, 0.5
TRIGGER = "rune_feedback"
FACT_CHECK, EXAMPLES = "strengthen_fact_check", "add_examples"

_INSTRUCTIONS = {
    FACT_CHECK: "Check every claim of the others once more, and say which of them cannot be verified.",
    EXAMPLES: "Support each point with a concrete example.",
}


@dataclass(frozen=True)
class RuneReport:
    """How much a cycle said, and how far it can be followed, repeated and verified; each from 0 to 1."""

    impact: float
    transparency: float
    reproducibility: float
    verifiability: float

    def evaluation(self) -> dict[str, float]:
        """Returns the measures under the names of the ledger."""
        return {
            "impact_score": self.impact,
            "transparency": self.transparency,
            "reproducibility": self.reproducibility,
            "verifiability": self.verifiability,
        }


@dataclass(frozen=True)
class PlanAdjustment:
    """What the next cycle does differently, and for whom."""

    action: str
    persona_id: str
    trigger: str = TRIGGER

    def to_dict(self) -> dict[str, Any]:
        return {"trigger": self.trigger, "action": self.action, "details": {"persona_id": self.persona_id}}

    def applied_to(self, persona: Persona) -> Persona:
        """Returns the persona with one more instruction, if it is the one that the adjustment is for."""
        if persona.identifier != self.persona_id:
            return persona
        return with_instruction(persona, _INSTRUCTIONS[self.action])


def with_instruction(persona: Persona, instruction: str) -> Persona:
    return replace(persona, system_prompt=f"{persona.system_prompt} {instruction}".strip())


def report_on(characters: int, tools: int, *, reproducible: bool, verified: int, checked: int) -> RuneReport:
    """Reports on a cycle: the length of its last answer, and how many past cases it drew on (its tools).

    `reproducible`: every answer is stored with its prompt. `verified` of `checked` validations passed.
    """
    return RuneReport(
        impact=round(min(characters / _MANY_CHARACTERS + _A_TOOL_IMPACT * tools, 1.0), 4),
        transparency=round(min(0.5 + _A_TOOL_TRANSPARENCY * tools, 1.0), 4),
        reproducibility=_REPRODUCIBLE if reproducible else _NOT_REPRODUCIBLE,
        verifiability=round(verified / checked, 4) if checked else _UNVERIFIED,
    )


def adjustment_for(report: RuneReport, cycle: Sequence[Persona]) -> PlanAdjustment | None:
    """Returns what the next cycle should change: check facts in the recap, else give examples in the thesis."""
    if report.verifiability < _TOO_DOUBTFUL:
        return PlanAdjustment(FACT_CHECK, _with_stance(cycle, Stance.SYNTHESIS, cycle[-1]).identifier)
    if report.impact < _TOO_SLIGHT:
        return PlanAdjustment(EXAMPLES, _with_stance(cycle, Stance.THESIS, cycle[0]).identifier)
    return None


def _with_stance(cycle: Sequence[Persona], stance: Stance, otherwise: Persona) -> Persona:
    return next((persona for persona in cycle if persona.stance is stance), otherwise)
