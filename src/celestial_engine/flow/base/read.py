"""Reads what a text says, with the trained classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.reading import QuestionReading, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from celestial_engine.core.retrieval.outdated import Closeness, Found, Outdated
    from celestial_engine.core.sameness.succession import Relate
    from celestial_engine.understanding import Influence


def read_text(text: str, previous: str | None = None) -> Reading:
    """Returns what the text says; `previous` is what was said before it."""
    from celestial_engine.understanding import default_reader  # its weights are loaded only if something is read

    return default_reader().read(text, previous)


def read_question(question: str) -> QuestionReading:
    """Returns what a question alone says about whether memories answer it."""
    from celestial_engine.understanding import default_reader

    return default_reader().read_question(question)


def same_topic(first: str, second: str) -> float:
    """Returns how likely two texts are about the same topic."""
    from celestial_engine.understanding import topics

    return topics.same_topic(first, second)


def relation_to(text: str, reading: Reading) -> Relate:
    """Returns a function that tells how this text relates to an older statement of the same owner."""
    from celestial_engine.understanding import default_reader

    return default_reader().relation_to(text, reading)


def outdated_among(
    question: str, found: Sequence[Found], pairs: Sequence[tuple[int, int]], closeness: Closeness
) -> list[Outdated]:
    """Returns which of the memories found for a question are likely outdated, and by which later ones."""
    from celestial_engine.understanding import default_reader
    from celestial_engine.understanding.outdated import outdated

    return outdated(question, found, pairs, default_reader().change_in, closeness)


def explain_text(text: str, head: str = "keep") -> list[Influence]:
    """Returns the parts of a text that decided what was read in it."""
    from celestial_engine.understanding import default_reader

    return default_reader().explain(text, head)
