"""What the doctor says of the language model; it is asked only by request."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from celestial_engine.core.model.settings import ModelSettings, ModelUse
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import LanguageModelError
from celestial_engine.surfaces.cli.commands.doctor.check import Check
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_QUESTION = "Answer with the one word: ready"
_MOST_TOKENS = 256  # those who think before they speak need some for it
_NEAR = ("localhost", "127.0.0.1", "::1")


def look_at_model(
    memory: CelestialMemory, choice: str, settings: ModelSettings, texts: Texts, *, ask: bool
) -> Iterator[Check]:
    """Which model, what for, what it was asked today; and, if asked for, whether it answers."""
    model = memory.maintenance.model()
    if model is None:
        yield Check("model", "ok", texts("doctor.no_model"))
        return
    uses = ", ".join(texts.word("use", use.value) for use in ModelUse if use in settings.uses)
    key = "doctor.model" if uses else "doctor.model_unused"
    yield Check("model", "ok", texts(key, model=model.name, uses=uses))
    if choice.startswith("http://") and urlsplit(choice).hostname not in _NEAR:
        yield Check("model_address", "warning", texts("doctor.model_plain"))
    if ask:
        try:
            answer = model.complete(_QUESTION, max_tokens=_MOST_TOKENS)
        except LanguageModelError as error:
            yield Check("model_answer", "warning", texts.error(error))
        else:
            tokens = answer.input_tokens + answer.output_tokens
            yield Check("model_answer", "ok", texts("doctor.model_answers", tokens=tokens))
    spent, unlimited = memory.maintenance.model_spent(), texts("model.no_limit")
    most_calls = unlimited if settings.daily_calls is None else settings.daily_calls
    most_tokens = unlimited if settings.daily_tokens is None else settings.daily_tokens
    yield Check(
        "model_spent",
        "ok",
        texts(
            "doctor.model_spent",
            calls=spent.calls,
            tokens=spent.tokens,
            most_calls=most_calls,
            most_tokens=most_tokens,
        ),
    )
