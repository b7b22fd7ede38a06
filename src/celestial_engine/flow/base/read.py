"""Reads what a text says, with the trained classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.reading import QuestionReading, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from celestial_engine.core.retrieval.outdated import Closeness, Found, Outdated
    from celestial_engine.core.sameness.succession import EndChances, Repeats
    from celestial_engine.understanding import Influence


def read_text(text: str, previous: str | None = None) -> Reading:
    """Returns what the text says; `previous` is what was said before it."""
    from celestial_engine.understanding import default_reader  # its weights are loaded only if something is read

    return default_reader().read(text, previous)


def read_question(question: str) -> QuestionReading:
    """Returns what a question alone says about whether memories answer it."""
    from celestial_engine.understanding import default_reader

    return default_reader().read_question(question)


def answer_chances_by_topic(question: str, texts: Sequence[str]) -> list[float]:
    """Returns how likely each text answers the question, by what they are about."""
    from celestial_engine.understanding import topics

    return topics.answer_chances(question, texts)


def answer_chances_by_vector(
    embedder: str, question: Sequence[float], vectors: Mapping[str, Sequence[float]]
) -> dict[str, float]:
    """Returns how likely each memory answers the question; empty if nothing was trained for this embedder."""
    from celestial_engine.understanding.embedded import heads_of

    heads = heads_of(embedder)
    if heads is None or not heads.can_read(question):
        return {}
    readable = {item_id: vector for item_id, vector in vectors.items() if heads.can_read(vector)}
    if not readable:
        return {}
    return dict(zip(readable, heads.answer_chances(question, list(readable.values())), strict=True))


def end_odds_by_vector(
    embedder: str, newer: Sequence[float], vectors: Mapping[str, Sequence[float]]
) -> dict[str, float]:
    """Returns the log odds that a newer statement ends each memory; empty if the embedder has no trained heads."""
    from celestial_engine.understanding.embedded import heads_of

    heads = heads_of(embedder)
    if heads is None or not heads.can_read(newer):
        return {}
    readable = {item_id: vector for item_id, vector in vectors.items() if heads.can_read(vector)}
    return dict(zip(readable, heads.end_odds(newer, list(readable.values())), strict=True)) if readable else {}


def end_chances_of(text: str, reading: Reading) -> EndChances:
    """Returns a function that tells how likely this text ends each of some older statements of the same owner."""
    from celestial_engine.understanding import default_reader

    return default_reader().end_chances_of(text, reading)


def repetition_of(text: str, reading: Reading) -> Repeats:
    """Returns a function that tells how likely this text only repeats an older statement of the same owner."""
    from celestial_engine.understanding import default_reader

    return default_reader().repetition_of(text, reading)


def outdated_among(
    question: str, found: Sequence[Found], pairs: Sequence[tuple[int, int]], closeness: Closeness, embedder: str
) -> list[Outdated]:
    """Returns which of the memories found for a question are likely outdated, and by which later ones."""
    from celestial_engine.understanding import default_reader
    from celestial_engine.understanding.outdated import outdated

    return outdated(question, found, pairs, default_reader().change_in, closeness, embedder)


def explain_text(text: str, head: str = "keep") -> list[Influence]:
    """Returns the parts of a text that decided what was read in it."""
    from celestial_engine.understanding import default_reader

    return default_reader().explain(text, head)
