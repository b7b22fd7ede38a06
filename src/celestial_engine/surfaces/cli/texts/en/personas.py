"""What is said about personas."""

from __future__ import annotations

PERSONAS: dict[str, str] = {
    "help.personas": "let personas answer a question in turn, and remember what they said",
    "say.personas_started": "Session {session}: {cycle}",
    "say.personas_resumed": "Answers given before: {count}.",
    "say.personas_speaking": "{name} is answering ...",
    "say.personas_affect": "affect {affect}",
    "say.personas_injection": "brought back",
    "say.personas_cases": "past cases: {count}",
    "say.personas_retried": "second attempt",
    "say.personas_report": "Cycle {cycle}: {measures}",
    "say.personas_rate": "Was an answer good? `celestial rate {id} 5`: it comes back in later runs.",
    "say.personas_validators": "validators: {kinds}",
    "say.personas_ready": "Ready-made: {names}",
    "say.personas_valid": "The registry is valid.",
    "say.personas_unfinished": "{count}, unfinished",
    "say.personas_none": "No personas have answered yet.",
    "rune.impact": "impact",
    "rune.transparency": "transparency",
    "rune.reproducibility": "reproducibility",
    "rune.verifiability": "verifiability",
    "plan.strengthen_fact_check": "In the next cycle the synthesis checks facts.",
    "plan.add_examples": "In the next cycle the thesis gives examples.",
    "col.place": "#",
    "col.persona": "persona",
    "col.name": "name",
    "col.backend": "backend",
    "col.prompt": "instruction",
    "col.registry": "registry",
    "col.answers": "answers",
}
