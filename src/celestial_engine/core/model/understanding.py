"""A language model's reading of a text: the form of its answer, and what of it the text bears out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, NamedTuple

from celestial_engine.core.guard.instructions import looks_like_injection
from celestial_engine.core.model.faithful import changes_negation, has_negation, unsaid_words
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Act, Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import ReadBy, Reading
from celestial_engine.core.text.language import language_of

# The trained classifiers are unsure: only then is a language model asked.
UNSURE_KEEP = (0.15, 0.85)
UNSURE_ACT = 0.5

MOST_VALUE, MOST_STATEMENT = 80, 300  # characters
_CONFIDENCE = 0.9  # of labels and answers that the model gives without a number
_EVEN = 0.5

_LABELS: Mapping[str, type[Enum]] = {
    "act": Act,
    "lifetime": Lifetime,
    "category": Category,
    "subject": Subject,
    "attribute": Attribute,
}
_FIELDS: dict[str, Any] = {
    "keep": {"type": "boolean"},
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "needs_memory": {"type": "boolean"},
    "value": {"type": ["string", "null"]},
    "statement": {"type": ["string", "null"]},
}


def _schema(**labels: dict[str, Any]) -> dict[str, Any]:
    properties = {**labels, **_FIELDS}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SCHEMA = _schema(
    **{name: {"type": "string", "enum": [each.value for each in kind]} for name, kind in _LABELS.items()}
)
# Any string is a label here: one wrong label costs one answer, not all of them.
BATCH_SCHEMA = {
    "type": "object",
    "properties": {
        "answers": {
            "type": "array",
            "items": _schema(number={"type": "integer"}, **{name: {"type": "string"} for name in _LABELS}),
        }
    },
    "required": ["answers"],
    "additionalProperties": False,
}
QUESTIONS = "\n".join(
    f'- "{name}": {question}{", ".join(each.value for each in _LABELS[name]) if name in _LABELS else ""}'
    for name, question in {
        "act": "what the speaker does, one of: ",
        "keep": "true if it tells something worth remembering beyond today, about the speaker or their world;",
        "confidence": "how sure you are of that, from 0.0 to 1.0;",
        "lifetime": "how long it stays true (days, months, a year or more), one of: ",
        "category": "one of: ",
        "subject": "whom it is about, one of: ",
        "attribute": "what it says of them, one of: ",
        "value": "the words of the text that state this attribute, or null;",
        "statement": "what to keep, in the language of the text and in its own words, or null for the whole text;",
        "needs_memory": "true if earlier memories of the speaker help to reply.",
    }.items()
)


class Refusal(str, Enum):
    """What of an answer cannot be used."""

    LABEL = "label"  # the whole answer, then
    VALUE = "value"
    STATEMENT = "statement"


class CheckedAnswer(NamedTuple):
    """The reading that stands after the check, and what was refused."""

    reading: Reading
    refused: Sequence[Refusal] = ()


def is_unsure(reading: Reading) -> bool:
    """Whether it is worth asking a language model how to read the text."""
    low, high = UNSURE_KEEP
    return low < reading.keep < high or reading.act_confidence < UNSURE_ACT


def checked_answer(answer: object, text: str, compact: Reading) -> CheckedAnswer:
    """Returns the reading of an answer; `compact` is the classifiers' and stands for what is refused."""
    if not isinstance(answer, Mapping):
        return CheckedAnswer(compact, (Refusal.LABEL,))
    try:
        labels: dict[str, Any] = {name: kind(answer[name]) for name, kind in _LABELS.items()}
        keep, needs_memory = _probability(answer["keep"], answer["confidence"]), answer["needs_memory"]
        if not isinstance(needs_memory, bool):
            raise TypeError("not a yes or no")
    except (KeyError, TypeError, ValueError):
        return CheckedAnswer(compact, (Refusal.LABEL,))
    value, statement = _text(answer.get("value")), _text(answer.get("statement"))
    refused = []
    if value is not None and not _is_value(value, text):
        value = None
        refused.append(Refusal.VALUE)
    if statement is not None and not _is_statement(statement, text):
        statement = compact.statement
        refused.append(Refusal.STATEMENT)
    reading = replace(
        compact,
        **labels,
        act_confidence=_CONFIDENCE,
        attribute_confidence=_CONFIDENCE,
        keep=keep,
        needs_memory=_CONFIDENCE if needs_memory else 1.0 - _CONFIDENCE,
        # The classifiers' value belongs to their attribute.
        value=compact.value if value is None and labels["attribute"] is compact.attribute else value,
        statement=None if statement == " ".join(text.split()) else statement,
        read_by=ReadBy.LANGUAGE_MODEL,
    )
    return CheckedAnswer(reading, tuple(refused))


def answers_by_number(answers: object, count: int) -> dict[int, object]:
    """Returns the answers for the texts 1 to `count`; a number that is given twice is nobody's."""
    found: dict[int, list[object]] = {}
    for answer in answers if isinstance(answers, list) else ():
        number = answer.get("number") if isinstance(answer, Mapping) else None
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= count:
            found.setdefault(number, []).append(answer)
    return {number: values[0] for number, values in found.items() if len(values) == 1}


def _probability(keep: object, confidence: object) -> float:
    """Returns how likely it is worth keeping; a doubtful yes is still no no."""
    if not isinstance(keep, bool) or isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise TypeError("not a yes or no, or not a number")
    if not (math.isfinite(confidence) and 0.0 <= confidence <= 1.0):
        raise ValueError("not from 0 to 1")
    sure = max(_EVEN, float(confidence))
    return sure if keep else 1.0 - sure


def _text(value: object) -> str | None:
    """Returns a text on one line without surrogates and NUL, which no file can hold; None for none."""
    if not isinstance(value, str):
        return None
    return (
        " ".join("".join(char for char in value if char != "\0" and not "\ud800" <= char <= "\udfff").split()) or None
    )


def _is_value(value: str, text: str) -> bool:
    return len(value) <= MOST_VALUE and not unsaid_words(value, text) and not changes_negation(value, text)


def _is_statement(statement: str, text: str) -> bool:
    return (
        len(statement) <= MOST_STATEMENT
        and language_of(statement) is language_of(text)
        and not unsaid_words(statement, text)
        and not changes_negation(statement, text)
        and has_negation(statement) >= has_negation(text)
        and not looks_like_injection(statement)
    )
