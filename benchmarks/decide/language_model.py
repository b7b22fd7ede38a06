"""What a language model adds where the trained classifiers are unsure: test people, the classifiers beside the model.

    python -m benchmarks.decide.language_model --url http://127.0.0.1:8080/v1 --model NAME
    python -m benchmarks.decide.language_model --gguf model.gguf

Only turns that the engine would ask about are asked; every answer passes the engine's own checks.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import nullcontext

from training.corpus import LANGUAGES, LabelledTurn, turns

from benchmarks.measure import say
from benchmarks.small_model import served
from celestial_engine.core.record.reading import ReadBy, Reading
from celestial_engine.flow.base.read import read_text
from celestial_engine.flow.base.understand import LanguageModelReader
from celestial_engine.providers.http import RetryPolicy
from celestial_engine.providers.openai_compatible import OpenAICompatibleModel
from celestial_engine.providers.thrifty import CheckedModel

_PATIENCE = RetryPolicy(timeout=600.0, tries=1, deadline=600.0)
_EVEN = 0.5
_YES = "y"


def unsure_turns(reader: LanguageModelReader, language: str, most: int) -> list[LabelledTurn]:
    """Returns turns of test people that would be asked about, spread over all of them."""
    found = [turn for turn in turns("test", language) if reader.is_worth_asking(turn.text, read_text(turn.text))]
    step = max(1, len(found) // most)
    return found[::step][:most]


def right(asked: Sequence[LabelledTurn], readings: Sequence[Reading]) -> dict[str, float]:
    """Returns the share of right answers; lifetimes of what should be kept."""
    pairs = list(zip(asked, readings, strict=True))
    kept = [(turn, reading) for turn, reading in pairs if turn.labels["keep"] == _YES]
    return {
        "act": _share([turn.labels["act"] == reading.act.value for turn, reading in pairs]),
        "keep": _share([(turn.labels["keep"] == _YES) == (reading.keep >= _EVEN) for turn, reading in pairs]),
        "memory": _share(
            [(turn.labels["memory"] == _YES) == (reading.needs_memory >= _EVEN) for turn, reading in pairs]
        ),
        "lifetime": _share([turn.labels["lifetime"] == reading.lifetime.value for turn, reading in kept]),
        "attribute": _share([turn.labels["attribute"] == reading.attribute.value for turn, reading in kept]),
    }


def _share(answers: Sequence[bool]) -> float:
    return sum(answers) / max(1, len(answers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--url")
    source.add_argument("--gguf")
    parser.add_argument("--model", default="local")
    parser.add_argument("--turns", type=int, default=30, help="of each language")
    args = parser.parse_args()
    with nullcontext(args.url) if args.gguf is None else served(args.gguf) as url:
        for language in LANGUAGES:
            reader = LanguageModelReader(CheckedModel(OpenAICompatibleModel(url, args.model, patience=_PATIENCE)))
            asked = unsure_turns(reader, language, args.turns)
            before = [read_text(turn.text) for turn in asked]
            began = time.perf_counter()
            after = [reader.read(turn.text) for turn in asked]
            seconds = (time.perf_counter() - began) / max(1, len(asked))
            used = sum(reading.read_by is ReadBy.LANGUAGE_MODEL for reading in after)
            say(f"{language}: {len(asked)} unsure turns, {used} answers used, {seconds:.1f} s each")
            say(f"  {dict(reader.outcomes)}")
            for name, readings in (("classifiers", before), ("with the model", after)):
                told = ", ".join(f"{label} {share:.2f}" for label, share in right(asked, readings).items())
                say(f"  {name}: {told}")


if __name__ == "__main__":
    main()
