"""Language models, in English."""

from __future__ import annotations

MODELS: dict[str, str] = {
    "opt.ask_model": "also ask the language model one short question, to see whether it answers",
    "doctor.no_model": "no language model: rules judge, read and distil (CELESTIAL_MODEL names one)",
    "doctor.model": "language model {model}, asked for: {uses}",
    "doctor.model_unused": "language model {model}, asked for nothing (CELESTIAL_MODEL_USE)",
    "doctor.model_spent": "asked of it today (UTC): {calls} of {most_calls} calls, {tokens} of {most_tokens} tokens",
    "doctor.model_answers": "the language model answers ({tokens} tokens)",
    "doctor.model_plain": "its address is http:// on another machine: memories and the key travel unencrypted",
    "model.no_limit": "unlimited",
    "use.importance": "importance",
    "use.perception": "perception",
    "use.understanding": "understanding",
    "use.emotion": "emotion",
    "use.distillation": "distillation",
}
