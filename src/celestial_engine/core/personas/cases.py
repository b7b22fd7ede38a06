"""Which past answers of a persona are cases for a new question, best first.

A question is compared with the question that a case answered and with the answer itself; words that many cases have
say little. Of cases that fit alike, the more important one wins: that is what a rating changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.text.words import index_words, query_words

LEAST_RELEVANCE = 0.2
_IN_QUESTION, _IN_ANSWER = 1.0, 0.7  # what a shared word counts


def ranked_cases(
    question: str, items: Sequence[CelestialItem], closeness: Mapping[str, float] | None = None
) -> list[CelestialItem]:
    """Returns the memories that are relevant to a question; `closeness` is that of their vectors, by id."""
    wanted = set(query_words(question))
    texts = {item.id: (set(index_words(question_of(item))), set(index_words(item.content))) for item in items}
    weights = {word: _rarity(sum(word in q or word in a for q, a in texts.values()), len(items)) for word in wanted}
    total = sum(weights.values())
    scored = []
    for item in items:
        question_words, answer_words = texts[item.id]
        shared = sum(
            weight * (_IN_QUESTION if word in question_words else _IN_ANSWER if word in answer_words else 0.0)
            for word, weight in weights.items()
        )
        relevance = max(shared / total if total else 0.0, (closeness or {}).get(item.id, 0.0))
        if relevance >= LEAST_RELEVANCE:
            scored.append((relevance * item.arbitrary_importance, item.created_at, item))
    return [item for _, _, item in sorted(scored, key=lambda row: row[:2], reverse=True)]


def question_of(item: CelestialItem) -> str:
    """Returns the question that an answer was given to, as far as it is known."""
    prompt = (item.document.bqi_snapshot or {}).get("raw_prompt")
    return prompt if isinstance(prompt, str) else item.document.prompt_digest or ""


def _rarity(count: int, total: int) -> float:
    return math.log(1.0 + (total + 1.0) / (count + 0.5))
