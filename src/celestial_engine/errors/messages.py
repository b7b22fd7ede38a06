"""Errors and problems as sentences, from the catalogue of one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

from celestial_engine.errors.base import CelestialError, Problem
from celestial_engine.errors.reasons import Reason

LANGUAGES = ("en", "ko")
_SEPARATOR = "; "


class Catalogue(NamedTuple):
    """The texts of one language."""

    language: str
    errors: Mapping[str, tuple[str, str]]  # by code, or code/action: what is wrong, what to do
    reasons: Mapping[str, str]
    words: Mapping[str, Mapping[str, str]]  # by the name of the field that holds them
    subjects: Mapping[str, str]  # the subject of a reason without a field, by error code
    subject: str  # the same for all other errors


@cache
def catalogue(language: str) -> Catalogue:
    """Returns the texts of a language; English if there is none."""
    if language == "ko":
        from celestial_engine.errors.texts import ko_errors as errors
        from celestial_engine.errors.texts import ko_reasons as reasons
        from celestial_engine.errors.texts import ko_words as words
    else:
        from celestial_engine.errors.texts import en_errors as errors  # type: ignore[no-redef]
        from celestial_engine.errors.texts import en_reasons as reasons  # type: ignore[no-redef]
        from celestial_engine.errors.texts import en_words as words  # type: ignore[no-redef]
    return Catalogue(
        "ko" if language == "ko" else "en",
        errors.ERRORS, reasons.REASONS, words.WORDS, words.SUBJECTS, words.SUBJECT,
    )  # fmt: skip


def error_message(error: CelestialError, language: str) -> str:
    """Returns what is wrong and what to do about it."""
    return " ".join(part for part in _parts(error, catalogue(language)) if part)


def error_problem(error: CelestialError, language: str) -> str:
    """Returns what is wrong, as part of a longer sentence: without advice and full stop."""
    return _parts(error, catalogue(language))[0].removesuffix(".")


def problem_message(problem: Problem, language: str) -> str:
    texts = catalogue(language)
    return _reason(problem, texts, texts.subject if problem.field is None else None)


def reason_message(reason: Reason, language: str) -> str:
    return problem_message(Problem(None, reason, {}), language)


def word(kind: str, value: str, language: str) -> str:
    """Returns the translation of one of the engine's own words; a word without one stays as it is."""
    return catalogue(language).words.get(kind, {}).get(value, value)


def _parts(error: CelestialError, texts: Catalogue) -> tuple[str, str]:
    action = error.own.get("action")
    named = f"{error.code}/{action.value}" if isinstance(action, Enum) else ""
    template, advice = texts.errors.get(named) or texts.errors.get(error.code) or texts.errors["error"]
    # If the sentence names the field itself, the reason says "it".
    said = texts.subjects.get(error.code, texts.subject)
    reasons = [
        _reason(problem, texts, said if problem.field is None or "{field" in template else None)
        for problem in error.problems
    ]
    fields = {**error.own, "reason": _SEPARATOR.join(reasons)}
    formatter = _Sentence(texts)
    sentence = formatter.vformat(template, (), fields)
    if texts.language == "en" and template.startswith("{reason}") and not _starts_with_field(error.problems, texts):
        sentence = sentence[:1].upper() + sentence[1:]
    return sentence, formatter.vformat(advice, (), fields)


def _starts_with_field(problems: Sequence[Problem], texts: Catalogue) -> bool:
    """Returns whether the sentence starts with a field name, which keeps its lower-case letter."""
    first = next(iter(problems), None)
    return first is not None and first.field is not None and texts.reasons[first.reason.value].startswith("{field")


def _reason(problem: Problem, texts: Catalogue, subject: str | None) -> str:
    formatter = _Sentence(texts, subject)
    return formatter.vformat(texts.reasons[problem.reason.value], (), {**problem.fields, "field": problem.field})


class _Sentence(Formatter):
    """Fills in fields: the engine's words are translated, user input is not.

    In Korean a field can request the particle that fits its last sound: `{field:은/는}`.
    """

    def __init__(self, texts: Catalogue, subject: str | None = None) -> None:
        self._texts = texts
        self._subject = subject

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        if key == "field":
            return self._field(kwargs.get("field"))
        # A missing fact must not hide the error itself.
        return self._worded(str(key), kwargs.get(str(key), "?"))

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return super().convert_field(value, conversion) if conversion else self._shown(value)

    def format_field(self, value: Any, format_spec: str) -> str:
        if "/" in format_spec:
            return f"{value}{_particle(str(value), format_spec)}"
        return str(format(value, format_spec))

    def _field(self, name: object) -> str:
        if self._subject is not None:
            return self._subject
        known = self._texts.words["field"].get(str(name))
        if known is not None:
            return known
        return str(name) if self._texts.language == "en" else f"`{name}` 값"

    def _worded(self, key: str, value: Any) -> Any:
        words = self._texts.words.get(key, {})
        if isinstance(value, (list, tuple, frozenset)) and not isinstance(value, Problem):
            return tuple(self._worded(key, one) for one in value)
        plain = value.value if isinstance(value, Enum) else value
        return words.get(plain, plain) if isinstance(plain, str) else plain

    def _shown(self, value: Any) -> Any:
        if isinstance(value, CelestialError):
            return error_problem(value, self._texts.language)
        if isinstance(value, Problem):
            return problem_message(value, self._texts.language)
        if isinstance(value, tuple):
            return ", ".join(str(self._shown(one)) for one in value)
        return value


# Digits and letters that end in a consonant when read aloud in Korean: 영, 일, 삼, 육, 칠, 팔; 엘, 엠, 엔, 알.
_CLOSED = frozenset("013678lmnrLMNR")
_OPEN = frozenset("2459")


def _particle(word: str, pair: str) -> str:
    """Returns the particle of 이/가 that fits the word; both, as 이(가), if that is unclear."""
    closed, open_ = pair.split("/")
    last = next((char for char in reversed(word) if char not in "'\"`)] "), "")
    if "가" <= last <= "힣":
        ending = (ord(last) - ord("가")) % 28
        # ㄹ takes 로, as if there were no final consonant.
        return closed if ending and not (ending == 8 and open_ == "로") else open_
    if last in _CLOSED:
        return open_ if open_ == "로" and last in "178lrLR" else closed
    if last in _OPEN:
        return open_
    return f"{closed}({open_})" if closed != "으로" else "(으)로"
