"""Which kind of answer a question expects, and whether a text is of that kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.patterns import has_either
from celestial_engine.core.retrieval.ranking import Candidate, RecallSettings
from celestial_engine.core.retrieval.text_traits import ASKS, TELLS_AMOUNT, TELLS_TIME
from celestial_engine.core.retrieval.time_hints import Period, closeness_in_time, time_hints
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.ko import questions as ko_questions

_READ = 2_000  # characters of each end: the patterns take quadratic time


@dataclass(frozen=True)
class Question:
    """A question and the kind of answer it expects."""

    text: str
    asks_when: bool
    asks_amount: bool
    asks_before: bool  # how it was, not how it is
    periods: Sequence[Period]

    @classmethod
    @lru_cache(maxsize=4)  # a recall asks for it twice
    def read(cls, text: str, now: float, utc_offset: float = 0.0) -> Question:
        """Parses a question; `utc_offset` (seconds) decides when days begin. Of a long one, its two ends."""
        read_part = text if len(text) <= 2 * _READ else f"{text[:_READ]} {text[-_READ:]}"
        return cls(
            text,
            has_either(read_part, en_questions.ASKS_WHEN, ko_questions.ASKS_WHEN),
            has_either(read_part, en_questions.ASKS_AMOUNT, ko_questions.ASKS_AMOUNT),
            has_either(read_part, en_questions.ASKS_BEFORE, ko_questions.ASKS_BEFORE),
            time_hints(text, now, utc_offset),
        )


def asks_about_past(text: str, now: float, utc_offset: float = 0.0) -> bool:
    """Whether a question is about how something was, not how it is."""
    question = Question.read(text, now, utc_offset)
    return question.asks_before or bool(question.periods)


def signals(question: Question, candidate: Candidate, settings: RecallSettings) -> dict[str, float]:
    """Returns what the kind of a text adds to its relevance, by signal."""
    kinds = candidate.kinds
    parts: dict[str, float] = {}
    if settings.statement and not kinds & ASKS:
        parts["statement"] = settings.statement
    if settings.moment and question.asks_when and kinds & TELLS_TIME:
        parts["moment"] = settings.moment
    if settings.amount and question.asks_amount and kinds & TELLS_AMOUNT:
        parts["amount"] = settings.amount
    if question.periods:
        moment = candidate.created_at if candidate.said_at is None else candidate.said_at
        if near := settings.period * closeness_in_time(moment, question.periods):
            parts["period"] = near
    return parts
